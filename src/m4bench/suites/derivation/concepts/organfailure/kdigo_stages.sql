/*
name: kdigo_stages
kind: concept
title: KDIGO stages of acute kidney injury over the ICU stay
grain: one row per ICU stay and time of a creatinine, urine or CRRT entry; one with a null time for a stay without creatinine
key: [stay_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: "time of the entry, may be null"}
  - {name: creat_low_past_7day, type: DOUBLE, unit: mg/dL, meaning: lowest earlier creatinine within 7 days}
  - {name: creat_low_past_48hr, type: DOUBLE, unit: mg/dL, meaning: lowest earlier creatinine within 48 hours}
  - {name: creat, type: DOUBLE, unit: mg/dL, meaning: creatinine}
  - {name: aki_stage_creat, type: INTEGER, meaning: "stage by creatinine, 0 to 3, null without one"}
  - {name: uo_rt_6hr, type: "DECIMAL(18,3)", unit: mL/kg/h, meaning: urine output rate over 6 hours}
  - {name: uo_rt_12hr, type: "DECIMAL(18,3)", unit: mL/kg/h, meaning: urine output rate over 12 hours}
  - {name: uo_rt_24hr, type: "DECIMAL(18,3)", unit: mL/kg/h, meaning: urine output rate over 24 hours}
  - {name: aki_stage_uo, type: INTEGER, meaning: "stage by urine output, 0 to 3 or null"}
  - {name: aki_stage_crrt, type: INTEGER, meaning: 3 under continuous renal replacement else null}
  - {name: aki_stage, type: INTEGER, meaning: "highest of the three, missing as 0"}
  - {name: aki_stage_smoothed, type: INTEGER, meaning: highest stage of the patient in the six hours before}
inputs: [mimiciv_icu.icustays, mimiciv_derived.kdigo_creatinine, mimiciv_derived.kdigo_uo, mimiciv_derived.crrt]
spec: kdigo_stages
source: KDIGO Acute Kidney Injury Work Group, 2012, Kidney Int Suppl
conventions: []
*/
-- the stage by each input where it is documented, their highest, and that carried over six hours
-- rule 1: the first line that holds, in binary floating point as written
WITH creatinine_stage AS (
    SELECT
        stay_id,
        charttime,
        creat,
        creat_low_past_48hr,
        creat_low_past_7day,
        CASE
            WHEN creat >= creat_low_past_7day * CAST(3.0 AS DOUBLE) THEN 3
            WHEN
                creat >= 4
                AND (creat_low_past_48hr <= CAST(3.7 AS DOUBLE) OR creat >= creat_low_past_7day * CAST(1.5 AS DOUBLE))
                THEN 3
            WHEN creat >= creat_low_past_7day * CAST(2.0 AS DOUBLE) THEN 2
            WHEN creat >= creat_low_past_48hr + CAST(0.3 AS DOUBLE) THEN 1
            WHEN creat >= creat_low_past_7day * CAST(1.5 AS DOUBLE) THEN 1
            ELSE 0
        END AS aki_stage_creat
    FROM mimiciv_derived.kdigo_creatinine
),

-- rule 2
urine_stage AS (
    SELECT
        urine.stay_id,
        urine.charttime,
        urine.uo_rt_6hr,
        urine.uo_rt_12hr,
        urine.uo_rt_24hr,
        CASE
            WHEN urine.uo_rt_6hr IS NULL THEN NULL
            WHEN urine.charttime <= icu.intime + INTERVAL 6 HOUR THEN 0
            WHEN urine.uo_tm_24hr >= 24 AND urine.uo_rt_24hr < 0.3 THEN 3
            WHEN urine.uo_tm_12hr >= 12 AND urine.uo_rt_12hr = 0 THEN 3
            WHEN urine.uo_tm_12hr >= 12 AND urine.uo_rt_12hr < 0.5 THEN 2
            WHEN urine.uo_tm_6hr >= 6 AND urine.uo_rt_6hr < 0.5 THEN 1
            ELSE 0
        END AS aki_stage_uo
    FROM mimiciv_derived.kdigo_uo AS urine
    INNER JOIN mimiciv_icu.icustays AS icu ON urine.stay_id = icu.stay_id
),

-- rule 3
crrt_stage AS (
    SELECT DISTINCT stay_id, charttime, 3 AS aki_stage_crrt
    FROM mimiciv_derived.crrt
    WHERE crrt_mode IS NOT NULL
),

-- rule 4: UNION keeps each time of a stay once
documented_time AS (
    SELECT stay_id, charttime FROM creatinine_stage
    UNION
    SELECT stay_id, charttime FROM urine_stage
    UNION
    SELECT stay_id, charttime FROM crrt_stage
),

-- rules 5 and 6
staged AS (
    SELECT
        icu.subject_id,
        icu.hadm_id,
        icu.stay_id,
        documented_time.charttime,
        DATE_DIFF('second', icu.intime, documented_time.charttime) AS second_of_stay,
        cr.creat_low_past_7day,
        cr.creat_low_past_48hr,
        cr.creat,
        cr.aki_stage_creat,
        uo.uo_rt_6hr,
        uo.uo_rt_12hr,
        uo.uo_rt_24hr,
        uo.aki_stage_uo,
        crrt_stage.aki_stage_crrt,
        GREATEST(
            COALESCE(cr.aki_stage_creat, 0), COALESCE(uo.aki_stage_uo, 0), COALESCE(crrt_stage.aki_stage_crrt, 0)
        ) AS aki_stage
    FROM mimiciv_icu.icustays AS icu
    LEFT JOIN documented_time ON icu.stay_id = documented_time.stay_id
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
    -- rule 7: by patient, each row at its distance from the admission of its own stay; null times see only each other
    MAX(aki_stage) OVER (
        PARTITION BY subject_id ORDER BY second_of_stay NULLS FIRST RANGE BETWEEN 21600 PRECEDING AND CURRENT ROW
    ) AS aki_stage_smoothed
FROM staged
