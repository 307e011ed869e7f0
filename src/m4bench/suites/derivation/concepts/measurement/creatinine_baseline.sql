/*
name: creatinine_baseline
kind: concept
title: Baseline creatinine of an adult admission
grain: one row per hospital admission at 18 years or more
key: [hadm_id]
columns:
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: gender, type: VARCHAR, meaning: gender}
  - {name: age, type: DOUBLE, unit: years, meaning: "age at admission, with its fraction in the published form"}
  - {name: scr_min, type: DOUBLE, unit: mg/dL, meaning: "lowest creatinine of the admission, null if none"}
  - {name: ckd, type: INTEGER, meaning: chronic kidney disease coded for the admission (0/1)}
  - {name: mdrd_est, type: DOUBLE, unit: mg/dL, meaning: "creatinine back-estimated at 75 mL/min/1.73 m2, by MDRD in the published form"}
  - {name: scr_baseline, type: DOUBLE, unit: mg/dL, meaning: baseline creatinine}
inputs:
  - mimiciv_derived.age
  - mimiciv_derived.chemistry
  - mimiciv_hosp.diagnoses_icd
  - mimiciv_hosp.patients
spec: creatinine_baseline
source: "KDIGO, 2012, Kidney Int Suppl; Bellomo et al. (ADQI), 2004, Crit Care; Levey et al., 2000, J Am Soc Nephrol"
conventions:
  - name: estimate
    published: mdrd_creatinine(pat.gender = 'F', age.age)
    adjudicated: ckd_epi_2021_creatinine(pat.gender = 'F', age.age)
    difference: >-
      Creatinine is back-estimated from the CKD-EPI equation of 2021, in place of the four-variable MDRD equation
      without its race factor, which is no published one.
    source: "Inker et al., 2021, N Engl J Med 385:1737-1749"
    example: "man of 60: 1.069 / 1.069 / 1.123; woman of 50: 0.852 / 0.852 / 0.929"
  - name: estimated_baseline
    published: adult.mdrd_est
    adjudicated: |
      CASE
          WHEN lowest_creatinine.scr_min < adult.mdrd_est THEN lowest_creatinine.scr_min
          WHEN lowest_creatinine.scr_min IS NOT NULL THEN adult.mdrd_est
      END
    difference: An estimate is no baseline where nothing was measured, and none above the lowest measured value.
    source: adjudicated reading of the specification; the published task says null where nothing was measured
    example: "no creatinine, no kidney disease, man of 50: 1.104 / 1.104 / null"
unresolved:
  - says: An outpatient value from 7 to 365 days before admission should come first.
    reason: There are no outpatient values, and sources differ on which of several counts.
  - says: A baseline missing in kidney disease should be flagged.
    reason: A flag would be a further column.
  - says: The limit should differ by sex, and text and code differ on whether 1.1 itself is normal (reported fault 45).
    reason: No clinical source names a limit.
  - says: Kidney disease should be known from codes at admission.
    reason: Codes are those of discharge and bear no mark of what was known.
*/
-- The lowest creatinine of the admission where it is normal or kidney disease is known, else an estimate.
WITH adult AS (
  SELECT
    age.hadm_id,
    pat.gender,
    age.age,
    $estimate AS mdrd_est -- rule 2: any gender but F takes the form of men
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
    ELSE $estimated_baseline
  END AS scr_baseline
FROM adult
LEFT JOIN lowest_creatinine
  ON lowest_creatinine.hadm_id = adult.hadm_id
LEFT JOIN kidney_disease
  ON kidney_disease.hadm_id = adult.hadm_id
