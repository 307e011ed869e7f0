/*
name: first_day_lab
kind: concept
title: Lowest and highest laboratory values of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: hematocrit_min, type: DOUBLE, unit: "%", meaning: lowest hematocrit}
  - {name: hematocrit_max, type: DOUBLE, unit: "%", meaning: highest hematocrit}
  - {name: hemoglobin_min, type: DOUBLE, unit: "g/dL", meaning: lowest hemoglobin}
  - {name: hemoglobin_max, type: DOUBLE, unit: "g/dL", meaning: highest hemoglobin}
  - {name: platelets_min, type: DOUBLE, unit: "10³/µL", meaning: lowest platelets}
  - {name: platelets_max, type: DOUBLE, unit: "10³/µL", meaning: highest platelets}
  - {name: wbc_min, type: DOUBLE, unit: "10³/µL", meaning: lowest white cells}
  - {name: wbc_max, type: DOUBLE, unit: "10³/µL", meaning: highest white cells}
  - {name: albumin_min, type: DOUBLE, unit: "g/dL", meaning: lowest albumin}
  - {name: albumin_max, type: DOUBLE, unit: "g/dL", meaning: highest albumin}
  - {name: globulin_min, type: DOUBLE, unit: "g/dL", meaning: lowest globulin}
  - {name: globulin_max, type: DOUBLE, unit: "g/dL", meaning: highest globulin}
  - {name: total_protein_min, type: DOUBLE, unit: "g/dL", meaning: lowest total protein}
  - {name: total_protein_max, type: DOUBLE, unit: "g/dL", meaning: highest total protein}
  - {name: aniongap_min, type: DOUBLE, unit: "mEq/L", meaning: lowest anion gap}
  - {name: aniongap_max, type: DOUBLE, unit: "mEq/L", meaning: highest anion gap}
  - {name: bicarbonate_min, type: DOUBLE, unit: "mEq/L", meaning: lowest bicarbonate}
  - {name: bicarbonate_max, type: DOUBLE, unit: "mEq/L", meaning: highest bicarbonate}
  - {name: bun_min, type: DOUBLE, unit: "mg/dL", meaning: lowest urea nitrogen}
  - {name: bun_max, type: DOUBLE, unit: "mg/dL", meaning: highest urea nitrogen}
  - {name: calcium_min, type: DOUBLE, unit: "mg/dL", meaning: lowest total calcium}
  - {name: calcium_max, type: DOUBLE, unit: "mg/dL", meaning: highest total calcium}
  - {name: chloride_min, type: DOUBLE, unit: "mEq/L", meaning: lowest chloride}
  - {name: chloride_max, type: DOUBLE, unit: "mEq/L", meaning: highest chloride}
  - {name: creatinine_min, type: DOUBLE, unit: "mg/dL", meaning: lowest creatinine}
  - {name: creatinine_max, type: DOUBLE, unit: "mg/dL", meaning: highest creatinine}
  - {name: glucose_min, type: DOUBLE, unit: "mg/dL", meaning: lowest glucose}
  - {name: glucose_max, type: DOUBLE, unit: "mg/dL", meaning: highest glucose}
  - {name: sodium_min, type: DOUBLE, unit: "mEq/L", meaning: lowest sodium}
  - {name: sodium_max, type: DOUBLE, unit: "mEq/L", meaning: highest sodium}
  - {name: potassium_min, type: DOUBLE, unit: "mEq/L", meaning: lowest potassium}
  - {name: potassium_max, type: DOUBLE, unit: "mEq/L", meaning: highest potassium}
  - {name: abs_basophils_min, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "lowest basophils, absolute count"}
  - {name: abs_basophils_max, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "highest basophils, absolute count"}
  - {name: abs_eosinophils_min, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "lowest eosinophils, absolute count"}
  - {name: abs_eosinophils_max, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "highest eosinophils, absolute count"}
  - {name: abs_lymphocytes_min, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "lowest lymphocytes, absolute count"}
  - {name: abs_lymphocytes_max, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "highest lymphocytes, absolute count"}
  - {name: abs_monocytes_min, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "lowest monocytes, absolute count"}
  - {name: abs_monocytes_max, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "highest monocytes, absolute count"}
  - {name: abs_neutrophils_min, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "lowest neutrophils, absolute count"}
  - {name: abs_neutrophils_max, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "10³/µL", meaning: "highest neutrophils, absolute count"}
  - {name: atyps_min, type: DOUBLE, unit: "%", meaning: lowest atypical lymphocytes}
  - {name: atyps_max, type: DOUBLE, unit: "%", meaning: highest atypical lymphocytes}
  - {name: bands_min, type: DOUBLE, unit: "%", meaning: lowest bands}
  - {name: bands_max, type: DOUBLE, unit: "%", meaning: highest bands}
  - {name: imm_granulocytes_min, type: DOUBLE, unit: "%", meaning: lowest immature granulocytes}
  - {name: imm_granulocytes_max, type: DOUBLE, unit: "%", meaning: highest immature granulocytes}
  - {name: metas_min, type: DOUBLE, unit: "%", meaning: lowest metamyelocytes}
  - {name: metas_max, type: DOUBLE, unit: "%", meaning: highest metamyelocytes}
  - {name: nrbc_min, type: DOUBLE, unit: per 100 white cells, meaning: lowest nucleated red cells}
  - {name: nrbc_max, type: DOUBLE, unit: per 100 white cells, meaning: highest nucleated red cells}
  - {name: d_dimer_min, type: DOUBLE, unit: "ng/mL", meaning: lowest D-dimer}
  - {name: d_dimer_max, type: DOUBLE, unit: "ng/mL", meaning: highest D-dimer}
  - {name: fibrinogen_min, type: DOUBLE, unit: "mg/dL", meaning: lowest fibrinogen}
  - {name: fibrinogen_max, type: DOUBLE, unit: "mg/dL", meaning: highest fibrinogen}
  - {name: thrombin_min, type: DOUBLE, unit: s, meaning: lowest thrombin time}
  - {name: thrombin_max, type: DOUBLE, unit: s, meaning: highest thrombin time}
  - {name: inr_min, type: DOUBLE, meaning: lowest international normalized ratio}
  - {name: inr_max, type: DOUBLE, meaning: highest international normalized ratio}
  - {name: pt_min, type: DOUBLE, unit: s, meaning: lowest prothrombin time}
  - {name: pt_max, type: DOUBLE, unit: s, meaning: highest prothrombin time}
  - {name: ptt_min, type: DOUBLE, unit: s, meaning: lowest partial thromboplastin time}
  - {name: ptt_max, type: DOUBLE, unit: s, meaning: highest partial thromboplastin time}
  - {name: alt_min, type: DOUBLE, unit: "IU/L", meaning: lowest alanine aminotransferase}
  - {name: alt_max, type: DOUBLE, unit: "IU/L", meaning: highest alanine aminotransferase}
  - {name: alp_min, type: DOUBLE, unit: "IU/L", meaning: lowest alkaline phosphatase}
  - {name: alp_max, type: DOUBLE, unit: "IU/L", meaning: highest alkaline phosphatase}
  - {name: ast_min, type: DOUBLE, unit: "IU/L", meaning: lowest aspartate aminotransferase}
  - {name: ast_max, type: DOUBLE, unit: "IU/L", meaning: highest aspartate aminotransferase}
  - {name: amylase_min, type: DOUBLE, unit: "IU/L", meaning: lowest amylase}
  - {name: amylase_max, type: DOUBLE, unit: "IU/L", meaning: highest amylase}
  - {name: bilirubin_total_min, type: DOUBLE, unit: "mg/dL", meaning: lowest total bilirubin}
  - {name: bilirubin_total_max, type: DOUBLE, unit: "mg/dL", meaning: highest total bilirubin}
  - {name: bilirubin_direct_min, type: DOUBLE, unit: "mg/dL", meaning: lowest direct bilirubin}
  - {name: bilirubin_direct_max, type: DOUBLE, unit: "mg/dL", meaning: highest direct bilirubin}
  - {name: bilirubin_indirect_min, type: DOUBLE, unit: "mg/dL", meaning: lowest indirect bilirubin}
  - {name: bilirubin_indirect_max, type: DOUBLE, unit: "mg/dL", meaning: highest indirect bilirubin}
  - {name: ck_cpk_min, type: DOUBLE, unit: "IU/L", meaning: lowest creatine kinase}
  - {name: ck_cpk_max, type: DOUBLE, unit: "IU/L", meaning: highest creatine kinase}
  - {name: ck_mb_min, type: DOUBLE, unit: "ng/mL", meaning: lowest creatine kinase MB}
  - {name: ck_mb_max, type: DOUBLE, unit: "ng/mL", meaning: highest creatine kinase MB}
  - {name: ggt_min, type: DOUBLE, unit: "IU/L", meaning: lowest gamma-glutamyltransferase}
  - {name: ggt_max, type: DOUBLE, unit: "IU/L", meaning: highest gamma-glutamyltransferase}
  - {name: ld_ldh_min, type: DOUBLE, unit: "IU/L", meaning: lowest lactate dehydrogenase}
  - {name: ld_ldh_max, type: DOUBLE, unit: "IU/L", meaning: highest lactate dehydrogenase}
inputs: [mimiciv_icu.icustays, mimiciv_derived.complete_blood_count, mimiciv_derived.chemistry, mimiciv_derived.blood_differential, mimiciv_derived.coagulation, mimiciv_derived.enzyme]
spec: first_day_lab
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions:
  - name: closes
    published: intime + INTERVAL 24 HOUR
    adjudicated: "CASE WHEN outtime < intime + INTERVAL 24 HOUR THEN outtime ELSE intime + INTERVAL 24 HOUR END"
    difference: Results are linked by patient alone, so that one after discharge from the unit counts, or by stay, up to its end.
    source: "a result belongs to the stay in which it was taken"
    example: "left after 5 h, lactate dehydrogenase 900 taken an hour later in the next stay: 900 / 900 / null"
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
*/
-- Extremes of the first day's laboratory results, per stay.
WITH first_day AS (
  -- rule 1: closed at both ends
  SELECT
    subject_id,
    stay_id,
    intime - INTERVAL 6 HOUR AS opens,
    $closes AS closes
  FROM mimiciv_icu.icustays
),
-- rules 1 to 5: each source apart, by patient, so that a result may count for two stays
first_day_complete_blood_count AS (
  SELECT
    first_day.stay_id,
    min(result.hematocrit) AS hematocrit_min,
    max(result.hematocrit) AS hematocrit_max,
    min(result.hemoglobin) AS hemoglobin_min,
    max(result.hemoglobin) AS hemoglobin_max,
    min(result.platelet) AS platelets_min,
    max(result.platelet) AS platelets_max,
    min(result.wbc) AS wbc_min,
    max(result.wbc) AS wbc_max
  FROM first_day
  JOIN mimiciv_derived.complete_blood_count AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY first_day.stay_id
),
first_day_chemistry AS (
  SELECT
    first_day.stay_id,
    min(result.albumin) AS albumin_min,
    max(result.albumin) AS albumin_max,
    min(result.globulin) AS globulin_min,
    max(result.globulin) AS globulin_max,
    min(result.total_protein) AS total_protein_min,
    max(result.total_protein) AS total_protein_max,
    min(result.aniongap) AS aniongap_min,
    max(result.aniongap) AS aniongap_max,
    min(result.bicarbonate) AS bicarbonate_min,
    max(result.bicarbonate) AS bicarbonate_max,
    min(result.bun) AS bun_min,
    max(result.bun) AS bun_max,
    min(result.calcium) AS calcium_min,
    max(result.calcium) AS calcium_max,
    min(result.chloride) AS chloride_min,
    max(result.chloride) AS chloride_max,
    min(result.creatinine) AS creatinine_min,
    max(result.creatinine) AS creatinine_max,
    min(result.glucose) AS glucose_min,
    max(result.glucose) AS glucose_max,
    min(result.sodium) AS sodium_min,
    max(result.sodium) AS sodium_max,
    min(result.potassium) AS potassium_min,
    max(result.potassium) AS potassium_max
  FROM first_day
  JOIN mimiciv_derived.chemistry AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY first_day.stay_id
),
first_day_blood_differential AS (
  SELECT
    first_day.stay_id,
    min(result.basophils_abs) AS abs_basophils_min,
    max(result.basophils_abs) AS abs_basophils_max,
    min(result.eosinophils_abs) AS abs_eosinophils_min,
    max(result.eosinophils_abs) AS abs_eosinophils_max,
    min(result.lymphocytes_abs) AS abs_lymphocytes_min,
    max(result.lymphocytes_abs) AS abs_lymphocytes_max,
    min(result.monocytes_abs) AS abs_monocytes_min,
    max(result.monocytes_abs) AS abs_monocytes_max,
    min(result.neutrophils_abs) AS abs_neutrophils_min,
    max(result.neutrophils_abs) AS abs_neutrophils_max,
    min(result.atypical_lymphocytes) AS atyps_min,
    max(result.atypical_lymphocytes) AS atyps_max,
    min(result.bands) AS bands_min,
    max(result.bands) AS bands_max,
    min(result.immature_granulocytes) AS imm_granulocytes_min,
    max(result.immature_granulocytes) AS imm_granulocytes_max,
    min(result.metamyelocytes) AS metas_min,
    max(result.metamyelocytes) AS metas_max,
    min(result.nrbc) AS nrbc_min,
    max(result.nrbc) AS nrbc_max
  FROM first_day
  JOIN mimiciv_derived.blood_differential AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY first_day.stay_id
),
first_day_coagulation AS (
  SELECT
    first_day.stay_id,
    min(result.d_dimer) AS d_dimer_min,
    max(result.d_dimer) AS d_dimer_max,
    min(result.fibrinogen) AS fibrinogen_min,
    max(result.fibrinogen) AS fibrinogen_max,
    min(result.thrombin) AS thrombin_min,
    max(result.thrombin) AS thrombin_max,
    min(result.inr) AS inr_min,
    max(result.inr) AS inr_max,
    min(result.pt) AS pt_min,
    max(result.pt) AS pt_max,
    min(result.ptt) AS ptt_min,
    max(result.ptt) AS ptt_max
  FROM first_day
  JOIN mimiciv_derived.coagulation AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY first_day.stay_id
),
first_day_enzyme AS (
  SELECT
    first_day.stay_id,
    min(result.alt) AS alt_min,
    max(result.alt) AS alt_max,
    min(result.alp) AS alp_min,
    max(result.alp) AS alp_max,
    min(result.ast) AS ast_min,
    max(result.ast) AS ast_max,
    min(result.amylase) AS amylase_min,
    max(result.amylase) AS amylase_max,
    min(result.bilirubin_total) AS bilirubin_total_min,
    max(result.bilirubin_total) AS bilirubin_total_max,
    min(result.bilirubin_direct) AS bilirubin_direct_min,
    max(result.bilirubin_direct) AS bilirubin_direct_max,
    min(result.bilirubin_indirect) AS bilirubin_indirect_min,
    max(result.bilirubin_indirect) AS bilirubin_indirect_max,
    min(result.ck_cpk) AS ck_cpk_min,
    max(result.ck_cpk) AS ck_cpk_max,
    min(result.ck_mb) AS ck_mb_min,
    max(result.ck_mb) AS ck_mb_max,
    min(result.ggt) AS ggt_min,
    max(result.ggt) AS ggt_max,
    min(result.ld_ldh) AS ld_ldh_min,
    max(result.ld_ldh) AS ld_ldh_max
  FROM first_day
  JOIN mimiciv_derived.enzyme AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY first_day.stay_id
)
SELECT
  first_day.subject_id,
  first_day.stay_id,
  first_day_complete_blood_count.hematocrit_min,
  first_day_complete_blood_count.hematocrit_max,
  first_day_complete_blood_count.hemoglobin_min,
  first_day_complete_blood_count.hemoglobin_max,
  first_day_complete_blood_count.platelets_min,
  first_day_complete_blood_count.platelets_max,
  first_day_complete_blood_count.wbc_min,
  first_day_complete_blood_count.wbc_max,
  first_day_chemistry.albumin_min,
  first_day_chemistry.albumin_max,
  first_day_chemistry.globulin_min,
  first_day_chemistry.globulin_max,
  first_day_chemistry.total_protein_min,
  first_day_chemistry.total_protein_max,
  first_day_chemistry.aniongap_min,
  first_day_chemistry.aniongap_max,
  first_day_chemistry.bicarbonate_min,
  first_day_chemistry.bicarbonate_max,
  first_day_chemistry.bun_min,
  first_day_chemistry.bun_max,
  first_day_chemistry.calcium_min,
  first_day_chemistry.calcium_max,
  first_day_chemistry.chloride_min,
  first_day_chemistry.chloride_max,
  first_day_chemistry.creatinine_min,
  first_day_chemistry.creatinine_max,
  first_day_chemistry.glucose_min,
  first_day_chemistry.glucose_max,
  first_day_chemistry.sodium_min,
  first_day_chemistry.sodium_max,
  first_day_chemistry.potassium_min,
  first_day_chemistry.potassium_max,
  first_day_blood_differential.abs_basophils_min,
  first_day_blood_differential.abs_basophils_max,
  first_day_blood_differential.abs_eosinophils_min,
  first_day_blood_differential.abs_eosinophils_max,
  first_day_blood_differential.abs_lymphocytes_min,
  first_day_blood_differential.abs_lymphocytes_max,
  first_day_blood_differential.abs_monocytes_min,
  first_day_blood_differential.abs_monocytes_max,
  first_day_blood_differential.abs_neutrophils_min,
  first_day_blood_differential.abs_neutrophils_max,
  first_day_blood_differential.atyps_min,
  first_day_blood_differential.atyps_max,
  first_day_blood_differential.bands_min,
  first_day_blood_differential.bands_max,
  first_day_blood_differential.imm_granulocytes_min,
  first_day_blood_differential.imm_granulocytes_max,
  first_day_blood_differential.metas_min,
  first_day_blood_differential.metas_max,
  first_day_blood_differential.nrbc_min,
  first_day_blood_differential.nrbc_max,
  first_day_coagulation.d_dimer_min,
  first_day_coagulation.d_dimer_max,
  first_day_coagulation.fibrinogen_min,
  first_day_coagulation.fibrinogen_max,
  first_day_coagulation.thrombin_min,
  first_day_coagulation.thrombin_max,
  first_day_coagulation.inr_min,
  first_day_coagulation.inr_max,
  first_day_coagulation.pt_min,
  first_day_coagulation.pt_max,
  first_day_coagulation.ptt_min,
  first_day_coagulation.ptt_max,
  first_day_enzyme.alt_min,
  first_day_enzyme.alt_max,
  first_day_enzyme.alp_min,
  first_day_enzyme.alp_max,
  first_day_enzyme.ast_min,
  first_day_enzyme.ast_max,
  first_day_enzyme.amylase_min,
  first_day_enzyme.amylase_max,
  first_day_enzyme.bilirubin_total_min,
  first_day_enzyme.bilirubin_total_max,
  first_day_enzyme.bilirubin_direct_min,
  first_day_enzyme.bilirubin_direct_max,
  first_day_enzyme.bilirubin_indirect_min,
  first_day_enzyme.bilirubin_indirect_max,
  first_day_enzyme.ck_cpk_min,
  first_day_enzyme.ck_cpk_max,
  first_day_enzyme.ck_mb_min,
  first_day_enzyme.ck_mb_max,
  first_day_enzyme.ggt_min,
  first_day_enzyme.ggt_max,
  first_day_enzyme.ld_ldh_min,
  first_day_enzyme.ld_ldh_max
FROM first_day
LEFT JOIN first_day_complete_blood_count
  ON first_day_complete_blood_count.stay_id = first_day.stay_id
LEFT JOIN first_day_chemistry
  ON first_day_chemistry.stay_id = first_day.stay_id
LEFT JOIN first_day_blood_differential
  ON first_day_blood_differential.stay_id = first_day.stay_id
LEFT JOIN first_day_coagulation
  ON first_day_coagulation.stay_id = first_day.stay_id
LEFT JOIN first_day_enzyme
  ON first_day_enzyme.stay_id = first_day.stay_id
