/*
name: creatinine_baseline
kind: concept
title: Baseline creatinine of an adult admission
grain: one row per hospital admission at 18 years or more
key: [hadm_id]
columns:
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: gender, type: VARCHAR, meaning: gender}
  - {name: age, type: DOUBLE, unit: years, meaning: age at admission with its fraction}
  - {name: scr_min, type: DOUBLE, unit: mg/dL, meaning: "lowest creatinine of the admission, null if none"}
  - {name: ckd, type: INTEGER, meaning: chronic kidney disease coded for the admission (0/1)}
  - {name: mdrd_est, type: DOUBLE, unit: mg/dL, meaning: creatinine back-estimated by MDRD at 75 mL/min/1.73 m2}
  - {name: scr_baseline, type: DOUBLE, unit: mg/dL, meaning: baseline creatinine}
inputs:
  - mimiciv_derived.age
  - mimiciv_derived.chemistry
  - mimiciv_hosp.diagnoses_icd
  - mimiciv_hosp.patients
spec: creatinine_baseline
source: "KDIGO, 2012, Kidney Int Suppl; Bellomo et al. (ADQI), 2004, Crit Care; Levey et al., 2000, J Am Soc Nephrol"
conventions: []
*/
-- The lowest creatinine of the admission where it is normal or kidney disease is known, else the MDRD estimate.
WITH adult AS (
  SELECT
    age.hadm_id,
    pat.gender,
    age.age,
    -- rule 2: any gender but F takes the form without the factor of women
    CASE
      WHEN pat.gender = 'F'
        THEN power(
          CAST(75 AS DOUBLE) / CAST(186 AS DOUBLE) / power(age.age, -CAST(0.203 AS DOUBLE)) / CAST(0.742 AS DOUBLE),
          -CAST(1 AS DOUBLE) / CAST(1.154 AS DOUBLE)
        )
      ELSE power(
        CAST(75 AS DOUBLE) / CAST(186 AS DOUBLE) / power(age.age, -CAST(0.203 AS DOUBLE)),
        -CAST(1 AS DOUBLE) / CAST(1.154 AS DOUBLE)
      )
    END AS mdrd_est
  FROM mimiciv_derived.age AS age
  LEFT JOIN mimiciv_hosp.patients AS pat
    ON pat.subject_id = age.subject_id
  WHERE age.age >= 18 -- rule 1
),
lowest_creatinine AS (
  -- rule 3
  SELECT hadm_id, min(creatinine) AS scr_min
  FROM mimiciv_derived.chemistry
  GROUP BY hadm_id
),
kidney_disease AS (
  -- rule 4: in any position, only under the version of the code
  SELECT DISTINCT hadm_id
  FROM mimiciv_hosp.diagnoses_icd
  WHERE (icd_version = 9 AND substr(icd_code, 1, 3) = '585')
    OR (icd_version = 10 AND substr(icd_code, 1, 3) = 'N18')
)
SELECT
  adult.hadm_id,
  adult.gender,
  adult.age,
  lowest_creatinine.scr_min,
  CASE WHEN kidney_disease.hadm_id IS NOT NULL THEN 1 ELSE 0 END AS ckd,
  adult.mdrd_est,
  -- rule 5
  CASE
    WHEN lowest_creatinine.scr_min <= CAST(1.1 AS DOUBLE) THEN lowest_creatinine.scr_min
    WHEN kidney_disease.hadm_id IS NOT NULL THEN lowest_creatinine.scr_min
    ELSE adult.mdrd_est
  END AS scr_baseline
FROM adult
LEFT JOIN lowest_creatinine
  ON lowest_creatinine.hadm_id = adult.hadm_id
LEFT JOIN kidney_disease
  ON kidney_disease.hadm_id = adult.hadm_id
