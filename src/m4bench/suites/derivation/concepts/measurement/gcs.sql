/*
name: gcs
kind: concept
title: Glasgow Coma Scale at each charting time
grain: one row per patient, ICU stay and charttime with a charted component
key: [stay_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: gcs, type: DOUBLE, unit: points, meaning: "total, 3-15"}
  - {name: gcs_motor, type: DOUBLE, unit: points, meaning: "motor, current or carried"}
  - {name: gcs_verbal, type: DOUBLE, unit: points, meaning: "verbal, current or carried; 0 is a tube in place"}
  - {name: gcs_eyes, type: DOUBLE, unit: points, meaning: "eyes, current or carried"}
  - {name: gcs_unable, type: INTEGER, meaning: 1 when a tube makes the verbal response untestable}
inputs: [mimiciv_icu.chartevents]
spec: gcs
source: "Teasdale and Jennett, 1974, Lancet; intubated patients after Le Gall et al., 1993, JAMA"
conventions:
  - name: tube_text
    published: value = 'No Response-ETT'
    adjudicated: lower(trim(value)) = 'no response-ett'
    difference: The response of an intubated patient is told by its exact text, or whatever its case and the blanks around it.
    source: "reported fault 93: a blank too many empties a class"
    example: "'No Response-ETT ' alone: 11 / 11 / 15, untestable"
  - name: verbal_of_a_time
    published: MAX(verbal)
    adjudicated: CASE WHEN MAX(tube_response) = 1 THEN 0 ELSE MAX(verbal) END
    difference: Beside another verbal response of the same time the tube is overruled, or makes it untestable.
    source: "a patient with a tube does not speak (Teasdale and Jennett, 1974, Lancet)"
    example: "tube and Oriented at 08:00: verbal 5 / 5 / 0"
  - name: past
    published: with_preceding
    adjudicated: with_last_stated
    difference: A component not charted is carried from the one observation before, or is the last one stated within six hours.
    source: "wording of the task: the most recent value within six hours"
    example: "eyes 1 at 08:00, motor 5 at 09:00, verbal 4 at 10:00: 13 / 13 / 10 at 10:00"
  - name: carries_nothing
    published: preceding_verbal = 0
    adjudicated: "FALSE"
    difference: After an intubation uncharted components count as normal, or motor and eyes are carried.
    source: "a tube blocks speech alone (Teasdale and Jennett, 1974, Lancet)"
    example: "tube with motor 2 at 08:00, verbal 4 at 09:00: 14 / 14 / 10 at 09:00"
  - name: intubated_total
    published: "15"
    adjudicated: |-
      COALESCE(
                  assessed_motor + assessed_verbal + assessed_eyes,
                  total_without_verbal(COALESCE(known_motor, 6) + COALESCE(known_eyes, 4))
              )
    difference: An intubated patient counts as normal, or as last assessed in the stay before the tube, which is where eyes, speech and motor were charted together; where nothing was assessed, verbal is estimated from eyes and motor.
    source: "score before sedation: Le Gall et al., 1993, JAMA; estimate: Brennan et al., 2020, J Neurosurg. Sources disagree: the published form takes 15"
    example: "11 at 01:00, tube at 03:00: 15 / 15 / 11; motor 1, eyes 1 and tube, nothing before: 15 / 15 / 3"
  - name: assessment_shown
    published: "FALSE"
    adjudicated: total IS NULL AND assessed_motor IS NOT NULL
    difference: The components beside the total of an intubated patient are those of the time, or those of the assessment the total is taken from.
    source: "score before sedation, with its components: Le Gall et al., 1993, JAMA"
    example: "motor 6, verbal 5, eyes 3, then a tube with motor 1 and eyes 2: 1, 0, 2 / 1, 0, 2 / 6, 5, 3 under the tube"
  - name: untestable
    published: tube_response
    adjudicated: CASE WHEN known_verbal = 0 THEN 1 ELSE 0 END
    difference: The flag is set where the tube response itself is charted, or as long as it holds.
    source: "reported fault 17: a carried response carries its flag"
    example: "tube at 03:00, motor and eyes at 05:00: flag 0 / 0 / 1 at 05:00"
unresolved:
  - says: how long before the tube the last assessment may lie
    reason: "Le Gall et al. ask for the score before sedation and name no limit; it is looked for in the stay, however old."
*/
-- components charted together, what is carried forward, and the total
WITH charted_component AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        CASE WHEN itemid = 223901 THEN valuenum END AS motor,  -- GCS - Motor Response
        CASE
            WHEN itemid = 223900 AND $tube_text THEN 0  -- GCS - Verbal Response
            WHEN itemid = 223900 THEN valuenum
        END AS verbal,
        CASE WHEN itemid = 220739 THEN valuenum END AS eyes,  -- GCS - Eye Opening
        CASE WHEN itemid = 223900 AND $tube_text THEN 1 ELSE 0 END AS tube_response
    FROM mimiciv_icu.chartevents
    WHERE itemid IN (223901, 223900, 220739)
),

-- rule 1
observation AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        MAX(motor) AS motor,
        $verbal_of_a_time AS verbal,
        MAX(eyes) AS eyes,
        MAX(tube_response) AS tube_response
    FROM charted_component
    GROUP BY subject_id, stay_id, charttime
),

-- rule 2: the raw values of the one observation before, if less than six hours old and of a known stay
with_preceding AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        motor,
        verbal,
        eyes,
        tube_response,
        CASE WHEN LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND stay_id IS NOT NULL THEN LAG(verbal) OVER in_stay END AS preceding_verbal,
        CASE WHEN motor IS NULL AND LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND stay_id IS NOT NULL THEN LAG(motor) OVER in_stay ELSE motor END AS known_motor,
        CASE WHEN verbal IS NULL AND LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND stay_id IS NOT NULL THEN LAG(verbal) OVER in_stay ELSE verbal END AS known_verbal,
        CASE WHEN eyes IS NULL AND LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND stay_id IS NOT NULL THEN LAG(eyes) OVER in_stay ELSE eyes END AS known_eyes,
        CAST(NULL AS DOUBLE) AS assessed_motor,
        CAST(NULL AS DOUBLE) AS assessed_verbal,
        CAST(NULL AS DOUBLE) AS assessed_eyes
    FROM observation
    WINDOW in_stay AS (PARTITION BY stay_id ORDER BY charttime NULLS FIRST, subject_id NULLS FIRST)
),

-- how many observations of the stay so far state each component: the last value of a component is the
-- one stated by the observations of its number
numbered AS (
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
    WINDOW in_stay AS (PARTITION BY subject_id, stay_id ORDER BY charttime NULLS FIRST)
),

last_stated AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        motor,
        verbal,
        eyes,
        tube_response,
        MAX(motor) OVER of_motor AS last_motor,
        MAX(CASE WHEN motor IS NOT NULL THEN charttime END) OVER of_motor AS motor_time,
        MAX(verbal) OVER of_verbal AS last_verbal,
        MAX(CASE WHEN verbal IS NOT NULL THEN charttime END) OVER of_verbal AS verbal_time,
        MAX(eyes) OVER of_eyes AS last_eyes,
        MAX(CASE WHEN eyes IS NOT NULL THEN charttime END) OVER of_eyes AS eyes_time
    FROM numbered
    WINDOW
        of_motor AS (PARTITION BY subject_id, stay_id, motor_number),
        of_verbal AS (PARTITION BY subject_id, stay_id, verbal_number),
        of_eyes AS (PARTITION BY subject_id, stay_id, eyes_number)
),

recently_stated AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        motor,
        verbal,
        eyes,
        tube_response,
        CASE WHEN motor IS NULL AND stay_id IS NOT NULL AND motor_time > charttime - INTERVAL 6 HOUR
            THEN last_motor ELSE motor END AS known_motor,
        CASE WHEN verbal IS NULL AND stay_id IS NOT NULL AND verbal_time > charttime - INTERVAL 6 HOUR
            THEN last_verbal ELSE verbal END AS known_verbal,
        CASE WHEN eyes IS NULL AND stay_id IS NOT NULL AND eyes_time > charttime - INTERVAL 6 HOUR
            THEN last_eyes ELSE eyes END AS known_eyes
    FROM last_stated
),

-- how many observations of the stay so far charted all three components themselves, speech not blocked
assessment_numbered AS (
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
        stay_id IS NOT NULL AND motor IS NOT NULL AND verbal > 0 AND eyes IS NOT NULL AS assessed,
        COUNT(CASE WHEN stay_id IS NOT NULL AND motor IS NOT NULL AND verbal > 0 AND eyes IS NOT NULL THEN charttime END)
            OVER (PARTITION BY subject_id, stay_id ORDER BY charttime NULLS FIRST) AS assessment_number
    FROM recently_stated
),

-- the last value of each component within six hours, and the components of the last assessment
with_last_stated AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        motor,
        verbal,
        eyes,
        tube_response,
        CAST(NULL AS DOUBLE) AS preceding_verbal,
        known_motor,
        known_verbal,
        known_eyes,
        MAX(CASE WHEN assessed THEN motor END) OVER of_assessment AS assessed_motor,
        MAX(CASE WHEN assessed THEN verbal END) OVER of_assessment AS assessed_verbal,
        MAX(CASE WHEN assessed THEN eyes END) OVER of_assessment AS assessed_eyes
    FROM assessment_numbered
    WINDOW of_assessment AS (PARTITION BY subject_id, stay_id, assessment_number)
),

totalled AS (
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
            WHEN known_verbal = 0 THEN NULL  -- rules 3a and 3b: the tube
            WHEN $carries_nothing  -- rule 3c: out of an intubation
                THEN COALESCE(motor, 6) + COALESCE(verbal, 5) + COALESCE(eyes, 4)
            ELSE COALESCE(known_motor, 6) + COALESCE(known_verbal, 5) + COALESCE(known_eyes, 4)  -- rule 3d
        END AS total
    FROM $past
)

SELECT
    subject_id,
    stay_id,
    charttime,
    CAST(
        CASE WHEN total IS NULL THEN $intubated_total ELSE total END  -- rules 3a and 3b
        AS DOUBLE
    ) AS gcs,
    CASE WHEN $assessment_shown THEN assessed_motor ELSE known_motor END AS gcs_motor,  -- rule 4
    CASE WHEN $assessment_shown THEN assessed_verbal ELSE known_verbal END AS gcs_verbal,
    CASE WHEN $assessment_shown THEN assessed_eyes ELSE known_eyes END AS gcs_eyes,
    $untestable AS gcs_unable  -- rule 5
FROM totalled
