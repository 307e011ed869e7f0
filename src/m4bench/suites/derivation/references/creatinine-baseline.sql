/*
name: creatinine-baseline
kind: reference
title: Estimated creatinine before the illness
grain: one row per hospital admission of an adult
key: [hadm_id]
columns:
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: gender, type: VARCHAR, meaning: "M or F"}
  - {name: age, type: DOUBLE, unit: years, meaning: "age at admission, with its fraction in the published form"}
  - {name: scr_min, type: DOUBLE, unit: mg/dL, meaning: "lowest creatinine of the admission, null if none"}
  - {name: ckd, type: INTEGER, meaning: "0/1, chronic kidney disease coded for the admission"}
  - {name: mdrd_est, type: DOUBLE, unit: mg/dL, meaning: "creatinine back-estimated at 75 mL/min/1.73 m2, by MDRD in the published form"}
  - {name: scr_baseline, type: DOUBLE, unit: mg/dL, meaning: "baseline creatinine, null with chronic kidney disease and no creatinine"}
inputs: [mimiciv_derived.creatinine_baseline]
spec: creatinine-baseline
source: "KDIGO AKI guideline, 2012, Kidney Int Suppl 2(1):1-138; Siew et al., 2012, CJASN 7(5):712-719"
conventions: []
*/
-- the concept as it is
SELECT
    hadm_id,
    gender,
    age,
    scr_min,
    ckd,
    mdrd_est,
    scr_baseline
FROM mimiciv_derived.creatinine_baseline
