-- weight_durations: Body weights as consecutive validity intervals
-- one row per accepted weight, and at most one back-filled row per ICU stay; published convention
-- reads mimiciv_icu.chartevents, mimiciv_icu.icustays
/* each charted weight holds until the next, the first one back to two hours before admission */
WITH charted_weight AS (
  SELECT
    stay_id,
    charttime,
    valuenum AS weight,
    (
      CASE itemid
        WHEN 226512
        THEN 'admit' /* Admission Weight (Kg) */
        WHEN 224639
        THEN 'daily' /* Daily Weight, kg */
      END
    ) AS weight_type
  FROM mimiciv_icu.chartevents
  WHERE
    itemid IN (226512, 224639) AND valuenum > 0 /* rule 1 */
), numbered_weight /* rules 2, 3 and 8 */ AS (
  SELECT
    wt.stay_id,
    icu.intime,
    icu.outtime,
    wt.charttime,
    wt.weight,
    wt.weight_type,
    ROW_NUMBER() OVER (
      PARTITION BY wt.stay_id, wt.weight_type
      ORDER BY wt.charttime ASC, wt.weight IS NULL ASC, wt.weight ASC
    ) AS number_of_type,
    MIN(CASE WHEN wt.weight_type = 'daily' THEN wt.charttime END) OVER (PARTITION BY wt.stay_id) AS first_daily
  FROM charted_weight AS wt
  INNER JOIN mimiciv_icu.icustays AS icu
    ON wt.stay_id = icu.stay_id
), started_weight /* rule 4 */ AS (
  SELECT
    stay_id,
    intime,
    outtime,
    CASE WHEN weight_type = 'admit' AND number_of_type = 1 THEN intime - INTERVAL 2 HOUR ELSE charttime END AS starttime,
    weight,
    weight_type
  FROM numbered_weight
), interval_of_weight /* rules 5, 6 and 8 */ AS (
  SELECT
    stay_id,
    intime,
    starttime,
    CASE
      WHEN ROW_NUMBER() OVER stay_in_time = COUNT(*) OVER (PARTITION BY stay_id)
      THEN outtime + INTERVAL 2 HOUR
      ELSE LEAD(starttime) OVER stay_in_time
    END AS endtime,
    weight,
    weight_type,
    ROW_NUMBER() OVER stay_in_time AS number_in_stay
  FROM started_weight
  WINDOW stay_in_time AS (
    PARTITION BY stay_id
    ORDER BY starttime ASC, weight_type IS NULL ASC, weight_type ASC, weight IS NULL ASC, weight ASC
  )
)
SELECT
  stay_id,
  starttime,
  endtime,
  weight,
  weight_type
FROM interval_of_weight
WHERE
  TRUE
UNION ALL
/* rule 7 */
SELECT
  stay_id,
  intime - INTERVAL 2 HOUR AS starttime,
  starttime AS endtime,
  weight,
  weight_type
FROM interval_of_weight
WHERE
  number_in_stay = 1 AND intime < starttime
;
