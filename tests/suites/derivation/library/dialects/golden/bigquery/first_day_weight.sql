-- first_day_weight: Body weight known by the end of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.weight_durations, mimiciv_icu.icustays
/* Weights that begin to hold by the end of the first day, however long they do. */
WITH known_weight AS (
  SELECT
    stay_id,
    starttime,
    weight,
    weight_type
  FROM mimiciv_derived.weight_durations
)
SELECT
  icu.subject_id,
  icu.stay_id,
  AVG(CASE WHEN period.weight_type = 'admit' THEN period.weight END) AS weight_admit, /* rules 2 to 4; added in order of weight, so that the last digit does not hang on row order */
  AVG(period.weight) AS weight, /* rule 3 */
  MIN(period.weight) AS weight_min,
  MAX(period.weight) AS weight_max
FROM mimiciv_icu.icustays AS icu
/* rule 1: no lower bound */
LEFT JOIN known_weight AS period
  ON period.stay_id = icu.stay_id AND period.starttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY
  icu.subject_id,
  icu.stay_id
;
