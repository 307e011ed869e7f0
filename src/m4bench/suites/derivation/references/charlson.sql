/*
name: charlson
kind: reference
title: Charlson comorbidity index of every admission
grain: one row per hospital admission
key: [hadm_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: age_score, type: INTEGER, unit: points, meaning: "0-4 by age, null when the patient is unknown"}
  - {name: myocardial_infarct, type: INTEGER, meaning: "0/1, never null (as all conditions)"}
  - {name: congestive_heart_failure, type: INTEGER, meaning: 0/1}
  - {name: peripheral_vascular_disease, type: INTEGER, meaning: 0/1}
  - {name: cerebrovascular_disease, type: INTEGER, meaning: 0/1}
  - {name: dementia, type: INTEGER, meaning: 0/1}
  - {name: chronic_pulmonary_disease, type: INTEGER, meaning: 0/1}
  - {name: rheumatic_disease, type: INTEGER, meaning: 0/1}
  - {name: peptic_ulcer_disease, type: INTEGER, meaning: 0/1}
  - {name: mild_liver_disease, type: INTEGER, meaning: 0/1}
  - {name: diabetes_without_cc, type: INTEGER, meaning: "0/1, without chronic complication"}
  - {name: diabetes_with_cc, type: INTEGER, meaning: "0/1, with chronic complication"}
  - {name: paraplegia, type: INTEGER, meaning: "0/1, hemiplegia or paraplegia"}
  - {name: renal_disease, type: INTEGER, meaning: 0/1}
  - {name: malignant_cancer, type: INTEGER, meaning: "0/1, with leukaemia and lymphoma, without other skin cancer"}
  - {name: severe_liver_disease, type: INTEGER, meaning: "0/1, moderate or severe"}
  - {name: metastatic_solid_tumor, type: INTEGER, meaning: 0/1}
  - {name: aids, type: INTEGER, meaning: 0/1}
  - {name: charlson_comorbidity_index, type: INTEGER, unit: points, meaning: "weighted sum, null without age_score"}
inputs: [mimiciv_derived.charlson]
spec: charlson
source: "Charlson et al., 1987, J Chronic Dis 40(5):373-383; 1994, J Clin Epidemiol 47(11):1245-1251; Quan et al., 2005"
conventions: []
*/
-- the concept as it is
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
    charlson_comorbidity_index
FROM mimiciv_derived.charlson
