-- icustay_times: First and last charted heart rate of an ICU stay
-- one row per ICU stay; published convention
-- reads mimiciv_icu.chartevents, mimiciv_icu.icustays
/* The time a stay was monitored, which can differ from its administrative times. */
WITH monitored AS (
  /* rules 1 and 3: however far from the stay */
  SELECT
    stay_id,
    MIN(charttime) AS intime_hr,
    MAX(charttime) AS outtime_hr
  FROM mimiciv_icu.chartevents
  WHERE
    itemid = 220045 /* Heart Rate, bpm */ AND TRUE
  GROUP BY
    stay_id
)
/* rule 2 */
SELECT
  icu.subject_id,
  icu.hadm_id,
  icu.stay_id,
  monitored.intime_hr,
  monitored.outtime_hr
FROM mimiciv_icu.icustays AS icu
LEFT JOIN monitored
  ON monitored.stay_id = icu.stay_id
;
