-- first_day_lab: Lowest and highest laboratory values of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.blood_differential, mimiciv_derived.chemistry, mimiciv_derived.coagulation, mimiciv_derived.complete_blood_count, mimiciv_derived.enzyme, mimiciv_icu.icustays
/* Extremes of the first day's laboratory results, per stay. */
WITH first_day AS (
  /* rule 1: closed at both ends */
  SELECT
    subject_id,
    stay_id,
    intime - INTERVAL 6 HOUR AS opens,
    intime + INTERVAL 24 HOUR AS closes
  FROM mimiciv_icu.icustays
), first_day_complete_blood_count /* rules 1 to 5: each source apart, by patient, so that a result may count for two stays */ AS (
  SELECT
    first_day.stay_id,
    MIN(result.hematocrit) AS hematocrit_min,
    MAX(result.hematocrit) AS hematocrit_max,
    MIN(result.hemoglobin) AS hemoglobin_min,
    MAX(result.hemoglobin) AS hemoglobin_max,
    MIN(result.platelet) AS platelets_min,
    MAX(result.platelet) AS platelets_max,
    MIN(result.wbc) AS wbc_min,
    MAX(result.wbc) AS wbc_max
  FROM first_day
  JOIN mimiciv_derived.complete_blood_count AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY
    first_day.stay_id
), first_day_chemistry AS (
  SELECT
    first_day.stay_id,
    MIN(result.albumin) AS albumin_min,
    MAX(result.albumin) AS albumin_max,
    MIN(result.globulin) AS globulin_min,
    MAX(result.globulin) AS globulin_max,
    MIN(result.total_protein) AS total_protein_min,
    MAX(result.total_protein) AS total_protein_max,
    MIN(result.aniongap) AS aniongap_min,
    MAX(result.aniongap) AS aniongap_max,
    MIN(result.bicarbonate) AS bicarbonate_min,
    MAX(result.bicarbonate) AS bicarbonate_max,
    MIN(result.bun) AS bun_min,
    MAX(result.bun) AS bun_max,
    MIN(result.calcium) AS calcium_min,
    MAX(result.calcium) AS calcium_max,
    MIN(result.chloride) AS chloride_min,
    MAX(result.chloride) AS chloride_max,
    MIN(result.creatinine) AS creatinine_min,
    MAX(result.creatinine) AS creatinine_max,
    MIN(result.glucose) AS glucose_min,
    MAX(result.glucose) AS glucose_max,
    MIN(result.sodium) AS sodium_min,
    MAX(result.sodium) AS sodium_max,
    MIN(result.potassium) AS potassium_min,
    MAX(result.potassium) AS potassium_max
  FROM first_day
  JOIN mimiciv_derived.chemistry AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY
    first_day.stay_id
), first_day_blood_differential AS (
  SELECT
    first_day.stay_id,
    MIN(result.basophils_abs) AS abs_basophils_min,
    MAX(result.basophils_abs) AS abs_basophils_max,
    MIN(result.eosinophils_abs) AS abs_eosinophils_min,
    MAX(result.eosinophils_abs) AS abs_eosinophils_max,
    MIN(result.lymphocytes_abs) AS abs_lymphocytes_min,
    MAX(result.lymphocytes_abs) AS abs_lymphocytes_max,
    MIN(result.monocytes_abs) AS abs_monocytes_min,
    MAX(result.monocytes_abs) AS abs_monocytes_max,
    MIN(result.neutrophils_abs) AS abs_neutrophils_min,
    MAX(result.neutrophils_abs) AS abs_neutrophils_max,
    MIN(result.atypical_lymphocytes) AS atyps_min,
    MAX(result.atypical_lymphocytes) AS atyps_max,
    MIN(result.bands) AS bands_min,
    MAX(result.bands) AS bands_max,
    MIN(result.immature_granulocytes) AS imm_granulocytes_min,
    MAX(result.immature_granulocytes) AS imm_granulocytes_max,
    MIN(result.metamyelocytes) AS metas_min,
    MAX(result.metamyelocytes) AS metas_max,
    MIN(result.nrbc) AS nrbc_min,
    MAX(result.nrbc) AS nrbc_max
  FROM first_day
  JOIN mimiciv_derived.blood_differential AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY
    first_day.stay_id
), first_day_coagulation AS (
  SELECT
    first_day.stay_id,
    MIN(result.d_dimer) AS d_dimer_min,
    MAX(result.d_dimer) AS d_dimer_max,
    MIN(result.fibrinogen) AS fibrinogen_min,
    MAX(result.fibrinogen) AS fibrinogen_max,
    MIN(result.thrombin) AS thrombin_min,
    MAX(result.thrombin) AS thrombin_max,
    MIN(result.inr) AS inr_min,
    MAX(result.inr) AS inr_max,
    MIN(result.pt) AS pt_min,
    MAX(result.pt) AS pt_max,
    MIN(result.ptt) AS ptt_min,
    MAX(result.ptt) AS ptt_max
  FROM first_day
  JOIN mimiciv_derived.coagulation AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY
    first_day.stay_id
), first_day_enzyme AS (
  SELECT
    first_day.stay_id,
    MIN(result.alt) AS alt_min,
    MAX(result.alt) AS alt_max,
    MIN(result.alp) AS alp_min,
    MAX(result.alp) AS alp_max,
    MIN(result.ast) AS ast_min,
    MAX(result.ast) AS ast_max,
    MIN(result.amylase) AS amylase_min,
    MAX(result.amylase) AS amylase_max,
    MIN(result.bilirubin_total) AS bilirubin_total_min,
    MAX(result.bilirubin_total) AS bilirubin_total_max,
    MIN(result.bilirubin_direct) AS bilirubin_direct_min,
    MAX(result.bilirubin_direct) AS bilirubin_direct_max,
    MIN(result.bilirubin_indirect) AS bilirubin_indirect_min,
    MAX(result.bilirubin_indirect) AS bilirubin_indirect_max,
    MIN(result.ck_cpk) AS ck_cpk_min,
    MAX(result.ck_cpk) AS ck_cpk_max,
    MIN(result.ck_mb) AS ck_mb_min,
    MAX(result.ck_mb) AS ck_mb_max,
    MIN(result.ggt) AS ggt_min,
    MAX(result.ggt) AS ggt_max,
    MIN(result.ld_ldh) AS ld_ldh_min,
    MAX(result.ld_ldh) AS ld_ldh_max
  FROM first_day
  JOIN mimiciv_derived.enzyme AS result
    ON result.subject_id = first_day.subject_id
    AND result.charttime >= first_day.opens
    AND result.charttime <= first_day.closes
  GROUP BY
    first_day.stay_id
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
;
