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
  - {name: aki_stage, type: INTEGER, meaning: "highest stage, 0 to 3, missing as 0 in the published form"}
  - {name: aki_stage_creat, type: INTEGER, meaning: "highest stage by creatinine, 0 to 3, missing as 0 in the published form"}
  - {name: aki_stage_uo, type: INTEGER, meaning: "highest stage by urine output, 0 to 3, missing as 0 in the published form"}
  - {name: aki_stage_crrt, type: INTEGER, meaning: "3 under renal replacement, in the published form continuous, else 0"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.kdigo_stages]
spec: kdigo-48h
source: KDIGO AKI guideline, 2012, Kidney Int Suppl 2(1):1-138
conventions:
  - name: stage
    published: COALESCE(highest.aki_stage, 0)
    adjudicated: |
      CASE
          WHEN COALESCE(highest.aki_stage_creat, highest.aki_stage_uo, highest.aki_stage_crrt) IS NOT NULL
              THEN highest.aki_stage
      END
    difference: A stay in which nothing was staged has an unknown stage, in place of none.
    source: adjudicated reading of the specification
    example: "no creatinine and no urine in 48 h: 0 / 0 / null"
  - name: stage_by_creatinine
    published: COALESCE(highest.aki_stage_creat, 0)
    adjudicated: highest.aki_stage_creat
    difference: The stage by creatinine is unknown where there is none.
    source: adjudicated reading of the specification
    example: "no creatinine in 48 h: 0 / 0 / null"
  - name: stage_by_urine
    published: COALESCE(highest.aki_stage_uo, 0)
    adjudicated: highest.aki_stage_uo
    difference: The stage by urine output is unknown where no urine could be staged.
    source: adjudicated reading of the specification
    example: "no urine in 48 h: 0 / 0 / null"
unresolved:
  - says: Only renal replacement newly begun for acute injury should be stage 3.
    reason: The concept kdigo_stages leaves out admissions coded for chronic dialysis; when it began no table tells.
  - says: Baseline should be known or presumed within three months.
    reason: KDIGO leaves the choice of the baseline open.
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
    $stage AS aki_stage,  -- rule 2, as for the others
    $stage_by_creatinine AS aki_stage_creat,
    $stage_by_urine AS aki_stage_uo,
    COALESCE(highest.aki_stage_crrt, 0) AS aki_stage_crrt
FROM mimiciv_icu.icustays AS icu
LEFT JOIN highest ON icu.stay_id = highest.stay_id
