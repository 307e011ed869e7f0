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
conventions:
  - name: missing
    published: "0"
    adjudicated: "NULL"
    difference: "A score of which nothing was measured is 0, or stays unknown in itself and counts 0 in the total alone."
    source: "clinical review of the references (unknown kept apart from 0)"
    example: "no urine charted: urineoutput_score 0 / 0 / null, the total as it was"
unresolved:
  - says: impute missing values many times, or leave the stay out
    reason: The two exclude each other, and the second changes the rows.
*/
-- the scores of the concept with every missing one as 0 under the published form (deviation 1)
SELECT
    subject_id,
    hadm_id,
    stay_id,
    oasis,
    COALESCE(preiculos_score, $missing) AS preiculos_score,
    COALESCE(age_score, $missing) AS age_score,
    COALESCE(gcs_score, $missing) AS gcs_score,
    COALESCE(heart_rate_score, $missing) AS heart_rate_score,
    COALESCE(mbp_score, $missing) AS mbp_score,
    COALESCE(resp_rate_score, $missing) AS resp_rate_score,
    COALESCE(temp_score, $missing) AS temp_score,
    COALESCE(urineoutput_score, $missing) AS urineoutput_score,
    COALESCE(mechvent_score, $missing) AS mechvent_score,
    COALESCE(electivesurgery_score, $missing) AS electivesurgery_score
FROM mimiciv_derived.oasis
