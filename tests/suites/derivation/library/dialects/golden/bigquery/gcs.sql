-- gcs: Glasgow Coma Scale at each charting time
-- one row per patient, ICU stay and charttime with a charted component; published convention
-- reads mimiciv_icu.chartevents
/* components charted together, what is carried forward, and the total */
WITH charted_component AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    CASE WHEN itemid = 223901 THEN valuenum END AS motor, /* GCS - Motor Response */
    CASE
      WHEN itemid = 223900 AND value = 'No Response-ETT'
      THEN 0 /* GCS - Verbal Response */
      WHEN itemid = 223900
      THEN valuenum
    END AS verbal,
    CASE WHEN itemid = 220739 THEN valuenum END AS eyes, /* GCS - Eye Opening */
    CASE WHEN itemid = 223900 AND value = 'No Response-ETT' THEN 1 ELSE 0 END AS tube_response
  FROM mimiciv_icu.chartevents
  WHERE
    itemid IN (223901, 223900, 220739)
), observation /* rule 1 */ AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    MAX(motor) AS motor,
    MAX(verbal) AS verbal,
    MAX(eyes) AS eyes,
    MAX(tube_response) AS tube_response
  FROM charted_component
  GROUP BY
    subject_id,
    stay_id,
    charttime
), with_preceding /* rule 2: the raw values of the one observation before, if less than six hours old and of a known stay */ AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    motor,
    verbal,
    eyes,
    tube_response,
    CASE
      WHEN LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND NOT stay_id IS NULL
      THEN LAG(verbal) OVER in_stay
    END AS preceding_verbal,
    CASE
      WHEN motor IS NULL AND LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND NOT stay_id IS NULL
      THEN LAG(motor) OVER in_stay
      ELSE motor
    END AS known_motor,
    CASE
      WHEN verbal IS NULL AND LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND NOT stay_id IS NULL
      THEN LAG(verbal) OVER in_stay
      ELSE verbal
    END AS known_verbal,
    CASE
      WHEN eyes IS NULL AND LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND NOT stay_id IS NULL
      THEN LAG(eyes) OVER in_stay
      ELSE eyes
    END AS known_eyes,
    CAST(NULL AS FLOAT64) AS assessed_motor,
    CAST(NULL AS FLOAT64) AS assessed_verbal,
    CAST(NULL AS FLOAT64) AS assessed_eyes
  FROM observation
  WINDOW in_stay AS (PARTITION BY stay_id ORDER BY charttime, subject_id)
), numbered /* how many observations of the stay so far state each component: the last value of a component is the */ /* one stated by the observations of its number */ AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    motor,
    verbal,
    eyes,
    tube_response,
    COUNT(motor) OVER in_stay AS motor_number,
    COUNT(verbal) OVER in_stay AS verbal_number,
    COUNT(eyes) OVER in_stay AS eyes_number
  FROM observation
  WINDOW in_stay AS (PARTITION BY subject_id, stay_id ORDER BY charttime)
), last_stated AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    motor,
    verbal,
    eyes,
    tube_response,
    MAX(motor) OVER of_motor AS last_motor,
    MAX(CASE WHEN NOT motor IS NULL THEN charttime END) OVER of_motor AS motor_time,
    MAX(verbal) OVER of_verbal AS last_verbal,
    MAX(CASE WHEN NOT verbal IS NULL THEN charttime END) OVER of_verbal AS verbal_time,
    MAX(eyes) OVER of_eyes AS last_eyes,
    MAX(CASE WHEN NOT eyes IS NULL THEN charttime END) OVER of_eyes AS eyes_time
  FROM numbered
  WINDOW of_motor AS (PARTITION BY subject_id, stay_id, motor_number), of_verbal AS (PARTITION BY subject_id, stay_id, verbal_number), of_eyes AS (PARTITION BY subject_id, stay_id, eyes_number)
), recently_stated AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    motor,
    verbal,
    eyes,
    tube_response,
    CASE
      WHEN motor IS NULL AND NOT stay_id IS NULL AND motor_time > charttime - INTERVAL 6 HOUR
      THEN last_motor
      ELSE motor
    END AS known_motor,
    CASE
      WHEN verbal IS NULL AND NOT stay_id IS NULL AND verbal_time > charttime - INTERVAL 6 HOUR
      THEN last_verbal
      ELSE verbal
    END AS known_verbal,
    CASE
      WHEN eyes IS NULL AND NOT stay_id IS NULL AND eyes_time > charttime - INTERVAL 6 HOUR
      THEN last_eyes
      ELSE eyes
    END AS known_eyes
  FROM last_stated
), assessment_numbered /* how many observations of the stay so far charted all three components themselves, speech not blocked */ AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    motor,
    verbal,
    eyes,
    tube_response,
    known_motor,
    known_verbal,
    known_eyes,
    NOT stay_id IS NULL AND NOT motor IS NULL AND verbal > 0 AND NOT eyes IS NULL AS assessed,
    COUNT(
      CASE
        WHEN NOT stay_id IS NULL AND NOT motor IS NULL AND verbal > 0 AND NOT eyes IS NULL
        THEN charttime
      END
    ) OVER (PARTITION BY subject_id, stay_id ORDER BY charttime) AS assessment_number
  FROM recently_stated
), with_last_stated /* the last value of each component within six hours, and the components of the last assessment */ AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    motor,
    verbal,
    eyes,
    tube_response,
    CAST(NULL AS FLOAT64) AS preceding_verbal,
    known_motor,
    known_verbal,
    known_eyes,
    MAX(CASE WHEN assessed THEN motor END) OVER of_assessment AS assessed_motor,
    MAX(CASE WHEN assessed THEN verbal END) OVER of_assessment AS assessed_verbal,
    MAX(CASE WHEN assessed THEN eyes END) OVER of_assessment AS assessed_eyes
  FROM assessment_numbered
  WINDOW of_assessment AS (PARTITION BY subject_id, stay_id, assessment_number)
), totalled AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    known_motor,
    known_verbal,
    known_eyes,
    tube_response,
    assessed_motor,
    assessed_verbal,
    assessed_eyes,
    CASE
      WHEN known_verbal = 0
      THEN NULL /* rules 3a and 3b: the tube */
      WHEN preceding_verbal = 0 /* rule 3c: out of an intubation */
      THEN COALESCE(motor, 6) + COALESCE(verbal, 5) + COALESCE(eyes, 4)
      ELSE COALESCE(known_motor, 6) + COALESCE(known_verbal, 5) + COALESCE(known_eyes, 4) /* rule 3d */
    END AS total
  FROM with_preceding
)
SELECT
  subject_id,
  stay_id,
  charttime,
  CAST(CASE WHEN total IS NULL THEN 15 ELSE total END /* rules 3a and 3b */ AS FLOAT64) AS gcs,
  CASE WHEN FALSE THEN assessed_motor ELSE known_motor END AS gcs_motor, /* rule 4 */
  CASE WHEN FALSE THEN assessed_verbal ELSE known_verbal END AS gcs_verbal,
  CASE WHEN FALSE THEN assessed_eyes ELSE known_eyes END AS gcs_eyes,
  tube_response AS gcs_unable /* rule 5 */
FROM totalled
;
