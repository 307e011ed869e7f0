/*
name: blood_differential
kind: concept
title: White-cell differential of a laboratory specimen
grain: one row per laboratory specimen with at least one accepted result
key: [specimen_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: "admission, may be null"}
  - {name: charttime, type: TIMESTAMP, meaning: specimen time}
  - {name: specimen_id, type: INTEGER, meaning: specimen}
  - {name: wbc, type: DOUBLE, unit: "K/µL", meaning: white cells}
  - {name: basophils_abs, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "K/µL", meaning: "basophils, absolute count, measured or imputed"}
  - {name: eosinophils_abs, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "K/µL", meaning: "eosinophils, absolute count, measured or imputed"}
  - {name: lymphocytes_abs, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "K/µL", meaning: "lymphocytes, absolute count, measured or imputed"}
  - {name: monocytes_abs, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "K/µL", meaning: "monocytes, absolute count, measured or imputed"}
  - {name: neutrophils_abs, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: "K/µL", meaning: "neutrophils, absolute count, measured or imputed"}
  - {name: basophils, type: DOUBLE, unit: "%", meaning: "basophils, share of white cells"}
  - {name: eosinophils, type: DOUBLE, unit: "%", meaning: "eosinophils, share of white cells"}
  - {name: lymphocytes, type: DOUBLE, unit: "%", meaning: "lymphocytes, share of white cells"}
  - {name: monocytes, type: DOUBLE, unit: "%", meaning: "monocytes, share of white cells"}
  - {name: neutrophils, type: DOUBLE, unit: "%", meaning: "neutrophils, share of white cells"}
  - {name: atypical_lymphocytes, type: DOUBLE, unit: "%", meaning: atypical lymphocytes}
  - {name: bands, type: DOUBLE, unit: "%", meaning: bands}
  - {name: immature_granulocytes, type: DOUBLE, unit: "%", meaning: immature granulocytes}
  - {name: metamyelocytes, type: DOUBLE, unit: "%", meaning: metamyelocytes}
  - {name: nrbc, type: DOUBLE, unit: "%", meaning: nucleated red cells}
inputs: [mimiciv_hosp.labevents]
spec: blood_differential
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: count_decimals
    published: DECIMAL(18, 3)
    current: DECIMAL(18, 4)
    adjudicated: DOUBLE
    difference: Absolute counts are kept to three decimals, to four, or in full.
    source: "community's current form (four); a count imputed from a percentage needs no rounding (in full)"
    example: "61.1 % of 8.15: 4.980 / 4.9797 / 4.97965"
  - name: neutrophil_share
    published: neutrophils
    adjudicated: (neutrophils + coalesce(bands, 0))
    difference: An imputed absolute neutrophil count leaves bands out or takes them in.
    source: "adjudicated line of the specification: (neutrophils + bands) x wbc / 100"
    example: "10 K/µL with 60 % neutrophils and 5 % bands: 6.000 / 6.0000 / 6.5"
  - name: share_accepted
    published: "TRUE"
    adjudicated: |-
      (valuenum <= 100 OR itemid NOT IN (51146, 51200, 51244, 51245, 51254, 51256, 51143, 51144, 52135, 51251))
    difference: A share of white cells above 100 % counts, or is no result; nucleated red cells are counted per 100 white cells and may exceed it.
    source: "a share cannot exceed the whole"
    example: "120 % neutrophils of 10 K/µL: 12.000 / 12.0000 / no row"
  - name: specimen_kept
    published: "TRUE"
    adjudicated: |-
      count(CASE WHEN itemid NOT IN (51300, 51301, 51755, 51218, 51257) THEN valuenum END) > 0
    difference: A specimen with only a white cell, granulocyte or nucleated red cell count makes a row, or a differential is needed.
    source: "a differential states at least one class of white cells"
    example: "white cells 8 alone: a row / a row / no row"
unresolved:
  - says: reject absurd absolute counts
    reason: no limit is stated
*/
-- White-cell differential, one row a specimen; absolute counts are imputed from percentages where missing.
WITH accepted_result AS (
  -- rule 1
  SELECT subject_id, hadm_id, charttime, specimen_id, itemid, valuenum
  FROM mimiciv_hosp.labevents
  WHERE itemid IN (
      51300, -- WBC Count, K/µL
      51301, -- White Blood Cells, K/µL
      51755, -- White Blood Cells, K/µL
      52069, -- Absolute Basophil Count, K/µL
      52073, -- Absolute Eosinophil Count, K/µL
      51199, -- Eosinophil Count, #/µL
      51133, -- Absolute Lymphocyte Count, K/µL
      52769, -- Absolute Lymphocyte Count, #/µL
      52074, -- Absolute Monocyte Count, K/µL
      51253, -- Monocyte Count, #/µL
      52075, -- Absolute Neutrophil Count, K/µL
      51218, -- Granulocyte Count, #/µL: selects the specimen, feeds no column
      51146, -- Basophils, %
      51200, -- Eosinophils, %
      51244, -- Lymphocytes, %
      51245, -- Lymphocytes, Percent, %
      51254, -- Monocytes, %
      51256, -- Neutrophils, %
      51143, -- Atypical Lymphocytes, %
      51144, -- Bands, %
      52135, -- Immature Granulocytes, %
      51251, -- Metamyelocytes, %
      51257 -- Nucleated Red Cells, %
    )
    AND valuenum >= 0
    AND $share_accepted
),
measured AS (
  -- rule 1: counts per µL are divided by 1000 before the maximum
  SELECT
    max(subject_id) AS subject_id,
    max(hadm_id) AS hadm_id,
    max(charttime) AS charttime,
    specimen_id,
    max(CASE WHEN itemid IN (51300, 51301, 51755) THEN valuenum END) AS wbc,
    max(CASE WHEN itemid = 52069 THEN valuenum END) AS basophils_abs,
    max(
      CASE WHEN itemid = 52073 THEN valuenum WHEN itemid = 51199 THEN valuenum / 1000 END
    ) AS eosinophils_abs,
    max(
      CASE WHEN itemid = 51133 THEN valuenum WHEN itemid = 52769 THEN valuenum / 1000 END
    ) AS lymphocytes_abs,
    max(
      CASE WHEN itemid = 52074 THEN valuenum WHEN itemid = 51253 THEN valuenum / 1000 END
    ) AS monocytes_abs,
    max(CASE WHEN itemid = 52075 THEN valuenum END) AS neutrophils_abs,
    max(CASE WHEN itemid = 51146 THEN valuenum END) AS basophils,
    max(CASE WHEN itemid = 51200 THEN valuenum END) AS eosinophils,
    max(CASE WHEN itemid IN (51244, 51245) THEN valuenum END) AS lymphocytes,
    max(CASE WHEN itemid = 51254 THEN valuenum END) AS monocytes,
    max(CASE WHEN itemid = 51256 THEN valuenum END) AS neutrophils,
    max(CASE WHEN itemid = 51143 THEN valuenum END) AS atypical_lymphocytes,
    max(CASE WHEN itemid = 51144 THEN valuenum END) AS bands,
    max(CASE WHEN itemid = 52135 THEN valuenum END) AS immature_granulocytes,
    max(CASE WHEN itemid = 51251 THEN valuenum END) AS metamyelocytes,
    max(CASE WHEN itemid = 51257 THEN valuenum END) AS nrbc,
    -- no value is negative, so the sum of the percentages is above 0 exactly when their maximum is
    max(CASE WHEN itemid IN (51146, 51200, 51244, 51245, 51254, 51256) THEN valuenum END) AS largest_share
  FROM accepted_result
  GROUP BY specimen_id
  HAVING $specimen_kept
),
judged AS (
  -- rule 2
  SELECT
    subject_id, hadm_id, charttime, specimen_id, wbc,
    basophils_abs, eosinophils_abs, lymphocytes_abs, monocytes_abs, neutrophils_abs,
    basophils, eosinophils, lymphocytes, monocytes, neutrophils,
    atypical_lymphocytes, bands, immature_granulocytes, metamyelocytes, nrbc,
    wbc > 0 AND largest_share > 0 AS may_impute
  FROM measured
)
-- rules 3 to 6: rounded half away from zero
SELECT
  subject_id,
  hadm_id,
  charttime,
  specimen_id,
  wbc,
  TRY_CAST(
    CASE WHEN basophils_abs IS NULL AND may_impute THEN basophils * wbc / 100 ELSE basophils_abs END
    AS $count_decimals
  ) AS basophils_abs,
  TRY_CAST(
    CASE WHEN eosinophils_abs IS NULL AND may_impute THEN eosinophils * wbc / 100 ELSE eosinophils_abs END
    AS $count_decimals
  ) AS eosinophils_abs,
  TRY_CAST(
    CASE WHEN lymphocytes_abs IS NULL AND may_impute THEN lymphocytes * wbc / 100 ELSE lymphocytes_abs END
    AS $count_decimals
  ) AS lymphocytes_abs,
  TRY_CAST(
    CASE WHEN monocytes_abs IS NULL AND may_impute THEN monocytes * wbc / 100 ELSE monocytes_abs END
    AS $count_decimals
  ) AS monocytes_abs,
  TRY_CAST(
    CASE WHEN neutrophils_abs IS NULL AND may_impute THEN $neutrophil_share * wbc / 100 ELSE neutrophils_abs END
    AS $count_decimals
  ) AS neutrophils_abs,
  basophils,
  eosinophils,
  lymphocytes,
  monocytes,
  neutrophils,
  atypical_lymphocytes,
  bands,
  immature_granulocytes,
  metamyelocytes,
  nrbc
FROM judged
