/*
name: oasis-24h
kind: reference
title: "Oxford Acute Severity of Illness Score of the first ICU day, missing as 0"
grain: one row per ICU stay with a known admission and patient
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: oasis, type: INTEGER, unit: points, meaning: sum of the ten scores}
  - {name: preiculos_score, type: INTEGER, unit: points, meaning: "time in hospital before the ICU, missing as 0 (as all scores)"}
  - {name: age_score, type: INTEGER, unit: points, meaning: age}
  - {name: gcs_score, type: INTEGER, unit: points, meaning: Glasgow Coma Scale}
  - {name: heart_rate_score, type: INTEGER, unit: points, meaning: heart rate}
  - {name: mbp_score, type: INTEGER, unit: points, meaning: mean blood pressure}
  - {name: resp_rate_score, type: INTEGER, unit: points, meaning: respiratory rate}
  - {name: temp_score, type: INTEGER, unit: points, meaning: temperature}
  - {name: urineoutput_score, type: INTEGER, unit: points, meaning: urine output}
  - {name: mechvent_score, type: INTEGER, unit: points, meaning: invasive ventilation}
  - {name: electivesurgery_score, type: INTEGER, unit: points, meaning: elective surgery}
inputs: [mimiciv_derived.oasis]
spec: oasis-24h
source: "Johnson, Kramer and Clifford, 2013, Crit Care Med 41(7):1711-1718"
conventions: []
*/
-- the scores of the concept with every missing one as 0 (deviation 1)
SELECT
    subject_id,
    hadm_id,
    stay_id,
    oasis,
    COALESCE(preiculos_score, 0) AS preiculos_score,
    COALESCE(age_score, 0) AS age_score,
    COALESCE(gcs_score, 0) AS gcs_score,
    COALESCE(heart_rate_score, 0) AS heart_rate_score,
    COALESCE(mbp_score, 0) AS mbp_score,
    COALESCE(resp_rate_score, 0) AS resp_rate_score,
    COALESCE(temp_score, 0) AS temp_score,
    COALESCE(urineoutput_score, 0) AS urineoutput_score,
    COALESCE(mechvent_score, 0) AS mechvent_score,
    COALESCE(electivesurgery_score, 0) AS electivesurgery_score
FROM mimiciv_derived.oasis
