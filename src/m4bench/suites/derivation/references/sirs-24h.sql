/*
name: sirs-24h
kind: reference
title: "Systemic inflammatory response criteria of the first ICU day, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: sirs, type: INTEGER, meaning: "criteria met, 0 to 4"}
  - {name: temp_score, type: INTEGER, meaning: "temperature, 0 or 1"}
  - {name: heart_rate_score, type: INTEGER, meaning: "heart rate, 0 or 1"}
  - {name: resp_score, type: INTEGER, meaning: "respiratory rate or carbon dioxide tension, 0 or 1"}
  - {name: wbc_score, type: INTEGER, meaning: "white cells or bands, 0 or 1"}
inputs: [mimiciv_derived.sirs]
spec: sirs-24h
source: "Bone et al., 1992, Chest 101(6):1644-1655"
conventions: []
*/
-- the concept with every missing criterion as 0 (rule 3)
SELECT
    subject_id,
    hadm_id,
    stay_id,
    sirs,
    COALESCE(temp_score, 0) AS temp_score,
    COALESCE(heart_rate_score, 0) AS heart_rate_score,
    COALESCE(resp_score, 0) AS resp_score,
    COALESCE(wbc_score, 0) AS wbc_score
FROM mimiciv_derived.sirs
