-- first_day_gcs: Lowest Glasgow Coma Scale of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.gcs, mimiciv_icu.icustays
/* the worst observation of the first day, with its own components */
WITH first_day_observation AS (
  SELECT
    icu.stay_id,
    obs.gcs,
    obs.gcs_motor,
    obs.gcs_verbal,
    obs.gcs_eyes,
    obs.gcs_unable,
    ROW_NUMBER() OVER (PARTITION BY icu.stay_id ORDER BY obs.gcs ASC, obs.charttime DESC) AS rank_from_worst /* rules 2-4: the lowest total, a missing one first */
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_derived.gcs AS obs
    ON icu.stay_id = obs.stay_id
    AND obs.charttime >= icu.intime - INTERVAL 6 HOUR
    AND obs.charttime <= icu.intime + INTERVAL 24 HOUR
)
SELECT
  icu.subject_id,
  icu.stay_id,
  worst.gcs AS gcs_min,
  worst.gcs_motor,
  worst.gcs_verbal,
  worst.gcs_eyes,
  worst.gcs_unable
FROM mimiciv_icu.icustays AS icu
LEFT JOIN first_day_observation AS worst /* rule 5 */
  ON icu.stay_id = worst.stay_id AND worst.rank_from_worst = 1
;
