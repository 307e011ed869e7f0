/*
name: kdigo-48h
kind: reference
title: Highest KDIGO stages of acute kidney injury in the first 48 ICU hours
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: aki_stage, type: INTEGER, meaning: "highest stage, 0 to 3, missing as 0"}
  - {name: aki_stage_creat, type: INTEGER, meaning: "highest stage by creatinine, 0 to 3, missing as 0"}
  - {name: aki_stage_uo, type: INTEGER, meaning: "highest stage by urine output, 0 to 3, missing as 0"}
  - {name: aki_stage_crrt, type: INTEGER, meaning: 3 under continuous renal replacement else 0}
inputs: [mimiciv_icu.icustays, mimiciv_derived.kdigo_stages]
spec: kdigo-48h
source: KDIGO AKI guideline, 2012, Kidney Int Suppl 2(1):1-138
conventions: []
*/
-- the highest of each stage over two days, taken apart
WITH highest AS (
    SELECT
        icu.stay_id,
        MAX(stage.aki_stage) AS aki_stage,
        MAX(stage.aki_stage_creat) AS aki_stage_creat,
        MAX(stage.aki_stage_uo) AS aki_stage_uo,
        MAX(CASE WHEN stage.aki_stage_crrt > 0 THEN 3 END) AS aki_stage_crrt  -- rule 3
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.kdigo_stages AS stage
        ON icu.stay_id = stage.stay_id
        AND stage.charttime >= icu.intime  -- rule 1: closed window
        AND stage.charttime <= icu.intime + INTERVAL 48 HOUR
    GROUP BY icu.stay_id
)

SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    COALESCE(highest.aki_stage, 0) AS aki_stage,  -- rule 2, as for the others
    COALESCE(highest.aki_stage_creat, 0) AS aki_stage_creat,
    COALESCE(highest.aki_stage_uo, 0) AS aki_stage_uo,
    COALESCE(highest.aki_stage_crrt, 0) AS aki_stage_crrt
FROM mimiciv_icu.icustays AS icu
LEFT JOIN highest ON icu.stay_id = highest.stay_id
