-- SPDX-License-Identifier: MIT
-- A hurried Charlson index: three-character code headings of either version, whole anchor age, no hierarchy.
WITH heading AS (
  SELECT DISTINCT
    diagnosis.hadm_id,
    CASE WHEN diagnosis.icd_version = 9 THEN left(diagnosis.icd_code, 3) END AS icd9,
    CASE WHEN diagnosis.icd_version = 10 THEN left(diagnosis.icd_code, 3) END AS icd10
  FROM mimiciv_hosp.diagnoses_icd AS diagnosis
),
flag AS (
  SELECT
    heading.hadm_id,
    bool_or(icd9 IN ('410', '412') OR icd10 IN ('I21', 'I22')) AS infarct,
    bool_or(icd9 = '428' OR icd10 = 'I50') AS heart_failure,
    bool_or(icd9 IN ('440', '441', '443') OR icd10 IN ('I70', 'I71', 'I73')) AS vascular,
    bool_or(icd9 BETWEEN '430' AND '438' OR icd10 BETWEEN 'I60' AND 'I69') AS stroke,
    bool_or(icd9 = '290' OR icd10 IN ('F01', 'F02', 'F03', 'G30')) AS dementia,
    bool_or(icd9 BETWEEN '490' AND '496' OR icd10 BETWEEN 'J40' AND 'J47') AS pulmonary,
    bool_or(icd9 IN ('710', '714') OR icd10 IN ('M05', 'M06', 'M32')) AS rheumatic,
    bool_or(icd9 BETWEEN '531' AND '534' OR icd10 BETWEEN 'K25' AND 'K28') AS ulcer,
    bool_or(icd9 IN ('570', '571') OR icd10 IN ('K70', 'K73', 'K74')) AS mild_liver,
    bool_or(icd9 = '250' OR icd10 IN ('E10', 'E11')) AS diabetes,
    bool_or(icd9 IN ('342', '344') OR icd10 IN ('G81', 'G82')) AS paraplegia,
    bool_or(icd9 = '585' OR icd10 = 'N18') AS kidney,
    bool_or(icd9 BETWEEN '140' AND '195' OR icd9 BETWEEN '200' AND '208'
      OR icd10 BETWEEN 'C00' AND 'C76' OR icd10 BETWEEN 'C81' AND 'C96') AS cancer,
    bool_or(icd9 = '572' OR icd10 = 'K72') AS severe_liver,
    bool_or(icd9 BETWEEN '196' AND '198' OR icd10 BETWEEN 'C77' AND 'C79') AS metastasis,
    bool_or(icd9 = '042' OR icd10 = 'B20') AS aids
  FROM heading
  GROUP BY heading.hadm_id
),
points AS (
  SELECT
    admission.subject_id,
    admission.hadm_id,
    CASE
      WHEN patient.anchor_age >= 80 THEN 4 WHEN patient.anchor_age >= 70 THEN 3
      WHEN patient.anchor_age >= 60 THEN 2 WHEN patient.anchor_age >= 50 THEN 1 ELSE 0
    END AS age_score,
    coalesce(flag.infarct, FALSE)::INTEGER AS myocardial_infarct,
    coalesce(flag.heart_failure, FALSE)::INTEGER AS congestive_heart_failure,
    coalesce(flag.vascular, FALSE)::INTEGER AS peripheral_vascular_disease,
    coalesce(flag.stroke, FALSE)::INTEGER AS cerebrovascular_disease,
    coalesce(flag.dementia, FALSE)::INTEGER AS dementia,
    coalesce(flag.pulmonary, FALSE)::INTEGER AS chronic_pulmonary_disease,
    coalesce(flag.rheumatic, FALSE)::INTEGER AS rheumatic_disease,
    coalesce(flag.ulcer, FALSE)::INTEGER AS peptic_ulcer_disease,
    coalesce(flag.mild_liver, FALSE)::INTEGER AS mild_liver_disease,
    coalesce(flag.diabetes, FALSE)::INTEGER AS diabetes_without_cc,
    0 AS diabetes_with_cc,
    coalesce(flag.paraplegia, FALSE)::INTEGER AS paraplegia,
    coalesce(flag.kidney, FALSE)::INTEGER AS renal_disease,
    coalesce(flag.cancer, FALSE)::INTEGER AS malignant_cancer,
    coalesce(flag.severe_liver, FALSE)::INTEGER AS severe_liver_disease,
    coalesce(flag.metastasis, FALSE)::INTEGER AS metastatic_solid_tumor,
    coalesce(flag.aids, FALSE)::INTEGER AS aids
  FROM mimiciv_hosp.admissions AS admission
  LEFT JOIN mimiciv_hosp.patients AS patient ON patient.subject_id = admission.subject_id
  LEFT JOIN flag ON flag.hadm_id = admission.hadm_id
)
SELECT
  subject_id,
  hadm_id,
  age_score,
  myocardial_infarct,
  congestive_heart_failure,
  peripheral_vascular_disease,
  cerebrovascular_disease,
  dementia,
  chronic_pulmonary_disease,
  rheumatic_disease,
  peptic_ulcer_disease,
  mild_liver_disease,
  diabetes_without_cc,
  diabetes_with_cc,
  paraplegia,
  renal_disease,
  malignant_cancer,
  severe_liver_disease,
  metastatic_solid_tumor,
  aids,
  age_score + myocardial_infarct + congestive_heart_failure + peripheral_vascular_disease
    + cerebrovascular_disease + dementia + chronic_pulmonary_disease + rheumatic_disease
    + peptic_ulcer_disease + mild_liver_disease + diabetes_without_cc + 2 * paraplegia
    + 2 * renal_disease + 2 * malignant_cancer + 3 * severe_liver_disease
    + 6 * metastatic_solid_tumor + 6 * aids AS charlson_comorbidity_index
FROM points
