-- SPDX-License-Identifier: MIT
-- A hurried baseline creatinine: whole anchor age, any result of the item, kidney disease under either version
-- of the codes, and the lowest value measured before any estimate.
WITH creatinine AS (
  SELECT lab.hadm_id, min(lab.valuenum) AS lowest
  FROM mimiciv_hosp.labevents AS lab
  WHERE lab.itemid = 50912 -- Creatinine, mg/dL
  GROUP BY lab.hadm_id
),
kidney_disease AS (
  SELECT DISTINCT diagnosis.hadm_id
  FROM mimiciv_hosp.diagnoses_icd AS diagnosis
  WHERE diagnosis.icd_code LIKE '585%' OR diagnosis.icd_code LIKE 'N18%'
),
adult AS (
  SELECT
    admission.hadm_id,
    patient.gender,
    CAST(patient.anchor_age AS DOUBLE) AS age,
    creatinine.lowest AS scr_min,
    CAST(kidney_disease.hadm_id IS NOT NULL AS INTEGER) AS ckd,
    power(
      75 / 186 / power(patient.anchor_age, -0.203) / CASE WHEN patient.gender = 'F' THEN 0.742 ELSE 1 END,
      -1 / 1.154
    ) AS mdrd_est
  FROM mimiciv_hosp.admissions AS admission
  JOIN mimiciv_hosp.patients AS patient ON patient.subject_id = admission.subject_id
  LEFT JOIN creatinine ON creatinine.hadm_id = admission.hadm_id
  LEFT JOIN kidney_disease ON kidney_disease.hadm_id = admission.hadm_id
  WHERE patient.anchor_age >= 18
)
SELECT
  hadm_id,
  gender,
  age,
  scr_min,
  ckd,
  mdrd_est,
  coalesce(scr_min, mdrd_est) AS scr_baseline
FROM adult
