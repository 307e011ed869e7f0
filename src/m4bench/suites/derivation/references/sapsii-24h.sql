/*
name: sapsii-24h
kind: reference
title: "Simplified Acute Physiology Score II of the first 24 ICU hours, missing as 0"
grain: one row per ICU stay with a known admission
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: sapsii, type: INTEGER, unit: points, meaning: sum of the fifteen scores}
  - {name: age_score, type: INTEGER, unit: points, meaning: "age, missing as 0 (as all scores)"}
  - {name: hr_score, type: INTEGER, unit: points, meaning: heart rate}
  - {name: sysbp_score, type: INTEGER, unit: points, meaning: systolic pressure}
  - {name: temp_score, type: INTEGER, unit: points, meaning: temperature}
  - {name: pao2fio2_score, type: INTEGER, unit: points, meaning: oxygenation under ventilation or CPAP}
  - {name: uo_score, type: INTEGER, unit: points, meaning: urine output}
  - {name: bun_score, type: INTEGER, unit: points, meaning: urea nitrogen}
  - {name: wbc_score, type: INTEGER, unit: points, meaning: white cells}
  - {name: potassium_score, type: INTEGER, unit: points, meaning: potassium}
  - {name: sodium_score, type: INTEGER, unit: points, meaning: sodium}
  - {name: bicarbonate_score, type: INTEGER, unit: points, meaning: bicarbonate}
  - {name: bilirubin_score, type: INTEGER, unit: points, meaning: bilirubin}
  - {name: gcs_score, type: INTEGER, unit: points, meaning: Glasgow Coma Scale}
  - {name: comorbidity_score, type: INTEGER, unit: points, meaning: chronic disease}
  - {name: admissiontype_score, type: INTEGER, unit: points, meaning: "0 scheduled surgical, 6 medical, 8 unscheduled surgical"}
inputs: [mimiciv_derived.sapsii]
spec: sapsii-24h
source: "Le Gall, Lemeshow and Saulnier, 1993, JAMA 270(24):2957-2963"
conventions:
  - name: missing
    published: "0"
    adjudicated: "NULL"
    difference: "A score of which nothing was measured is 0, or stays unknown in itself and counts 0 in the total alone."
    source: "clinical review of the references (unknown kept apart from 0)"
    example: "no urine charted: uo_score 0 / 0 / null, the total as it was"
*/
-- the scores of the concept with every missing one as 0 under the published form (deviation 1)
SELECT
    subject_id,
    hadm_id,
    stay_id,
    sapsii,
    COALESCE(age_score, $missing) AS age_score,
    COALESCE(hr_score, $missing) AS hr_score,
    COALESCE(sysbp_score, $missing) AS sysbp_score,
    COALESCE(temp_score, $missing) AS temp_score,
    COALESCE(pao2fio2_score, $missing) AS pao2fio2_score,
    COALESCE(uo_score, $missing) AS uo_score,
    COALESCE(bun_score, $missing) AS bun_score,
    COALESCE(wbc_score, $missing) AS wbc_score,
    COALESCE(potassium_score, $missing) AS potassium_score,
    COALESCE(sodium_score, $missing) AS sodium_score,
    COALESCE(bicarbonate_score, $missing) AS bicarbonate_score,
    COALESCE(bilirubin_score, $missing) AS bilirubin_score,
    COALESCE(gcs_score, $missing) AS gcs_score,
    comorbidity_score,
    admissiontype_score
FROM mimiciv_derived.sapsii
