-- kdigo_stages: KDIGO stages of acute kidney injury over the ICU stay
-- one row per ICU stay and time of a creatinine, urine or renal replacement entry; one with a null time for a stay without creatinine; published convention
-- reads mimiciv_derived.crrt, mimiciv_derived.kdigo_creatinine, mimiciv_derived.kdigo_uo, mimiciv_icu.icustays
/* the stage by each input where it is documented, their highest, and that carried over six hours */
WITH compared AS (
  SELECT
    stay_id,
    charttime,
    creat,
    creat_low_past_48hr,
    creat_low_past_7day,
    creat AS value_now,
    creat_low_past_48hr AS low_48h,
    creat_low_past_7day AS low_7day,
    CAST(1 AS FLOAT64) AS mg_per_dl
  FROM mimiciv_derived.kdigo_creatinine
), creatinine_stage /* rule 1: the first line that holds, in binary floating point as written */ AS (
  SELECT
    stay_id,
    charttime,
    creat,
    creat_low_past_48hr,
    creat_low_past_7day,
    CASE
      WHEN value_now >= low_7day * CAST(3.0 AS FLOAT64)
      THEN 3
      WHEN value_now >= 4 * mg_per_dl
      AND (
        low_48h <= CAST(3.7 AS FLOAT64) * mg_per_dl OR value_now >= low_7day * CAST(1.5 AS FLOAT64)
      )
      THEN 3
      WHEN value_now >= low_7day * CAST(2.0 AS FLOAT64)
      THEN 2
      WHEN value_now >= low_48h + CAST(0.3 AS FLOAT64) * mg_per_dl
      THEN 1
      WHEN value_now >= low_7day * CAST(1.5 AS FLOAT64)
      THEN 1
      ELSE 0
    END AS aki_stage_creat
  FROM compared
), urine_stage /* rule 2 */ AS (
  SELECT
    urine.stay_id,
    urine.charttime,
    urine.uo_rt_6hr,
    urine.uo_rt_12hr,
    urine.uo_rt_24hr,
    CASE
      WHEN urine.uo_rt_6hr IS NULL
      THEN NULL
      WHEN urine.charttime <= icu.intime + INTERVAL 6 HOUR
      THEN 0
      WHEN urine.uo_tm_24hr >= 24 AND urine.uo_rt_24hr < 0.3
      THEN 3
      WHEN urine.uo_tm_12hr >= 12 AND urine.uo_rt_12hr = 0
      THEN 3
      WHEN urine.uo_tm_12hr >= 12 AND urine.uo_rt_12hr < 0.5
      THEN 2
      WHEN urine.uo_tm_6hr >= 6 AND urine.uo_rt_6hr < 0.5
      THEN 1
      ELSE 0
    END AS aki_stage_uo
  FROM mimiciv_derived.kdigo_uo AS urine
  INNER JOIN mimiciv_icu.icustays AS icu
    ON urine.stay_id = icu.stay_id
), crrt_stage /* rule 3 */ AS (
  SELECT DISTINCT
    stay_id,
    charttime,
    3 AS aki_stage_crrt
  FROM (
    SELECT
      stay_id,
      charttime
    FROM mimiciv_derived.crrt
    WHERE
      NOT crrt_mode IS NULL
  ) AS replacement
), documented_time /* rule 4: UNION keeps each time of a stay once */ AS (
  SELECT
    stay_id,
    charttime
  FROM creatinine_stage
  UNION DISTINCT
  SELECT
    stay_id,
    charttime
  FROM urine_stage
  UNION DISTINCT
  SELECT
    stay_id,
    charttime
  FROM crrt_stage
), staged /* rules 5 and 6 */ AS (
  SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    documented_time.charttime,
    DATETIME_DIFF(documented_time.charttime, icu.intime, SECOND) AS second_of_stay,
    cr.creat_low_past_7day,
    cr.creat_low_past_48hr,
    cr.creat,
    cr.aki_stage_creat,
    uo.uo_rt_6hr,
    uo.uo_rt_12hr,
    uo.uo_rt_24hr,
    uo.aki_stage_uo,
    crrt_stage.aki_stage_crrt,
    (
      SELECT
        MAX(element)
      FROM UNNEST([
        COALESCE(cr.aki_stage_creat, 0),
        COALESCE(uo.aki_stage_uo, 0),
        COALESCE(crrt_stage.aki_stage_crrt, 0)
      ]) AS element
    ) AS aki_stage
  FROM mimiciv_icu.icustays AS icu
  LEFT JOIN documented_time
    ON icu.stay_id = documented_time.stay_id
  LEFT JOIN creatinine_stage AS cr
    ON documented_time.stay_id = cr.stay_id AND documented_time.charttime = cr.charttime
  LEFT JOIN urine_stage AS uo
    ON documented_time.stay_id = uo.stay_id AND documented_time.charttime = uo.charttime
  LEFT JOIN crrt_stage
    ON documented_time.stay_id = crrt_stage.stay_id AND documented_time.charttime = crrt_stage.charttime
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  charttime,
  creat_low_past_7day,
  creat_low_past_48hr,
  creat,
  aki_stage_creat,
  uo_rt_6hr,
  uo_rt_12hr,
  uo_rt_24hr,
  aki_stage_uo,
  aki_stage_crrt,
  aki_stage,
  MAX(aki_stage) OVER (PARTITION BY subject_id ORDER BY second_of_stay RANGE BETWEEN 21600 PRECEDING AND CURRENT ROW) AS aki_stage_smoothed /* rule 7: each row at its distance from the admission of its own stay; null times see only each other */
FROM staged
;
