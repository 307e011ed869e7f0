/*
name: coagulation
kind: concept
title: Coagulation tests of a laboratory specimen
grain: one row per laboratory specimen with at least one accepted result
key: [specimen_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: "admission, may be null"}
  - {name: charttime, type: TIMESTAMP, meaning: specimen time}
  - {name: specimen_id, type: INTEGER, meaning: specimen}
  - {name: d_dimer, type: DOUBLE, unit: "ng/mL FEU", meaning: D-dimer}
  - {name: fibrinogen, type: DOUBLE, unit: "mg/dL", meaning: fibrinogen}
  - {name: thrombin, type: DOUBLE, unit: s, meaning: thrombin time}
  - {name: inr, type: DOUBLE, meaning: international normalized ratio}
  - {name: pt, type: DOUBLE, unit: s, meaning: prothrombin time}
  - {name: ptt, type: DOUBLE, unit: s, meaning: partial thromboplastin time}
inputs: [mimiciv_hosp.labevents]
spec: coagulation
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: stated_value
    published: valuenum
    adjudicated: |-
      CASE
            WHEN valuenum IS NULL AND substr(trim(value), 1, 1) IN ('>', '<')
              THEN TRY_CAST(trim(substr(trim(value), 2)) AS DOUBLE)
            ELSE valuenum
          END
    difference: A result above or below what can be measured is lost, or its bound is read as the value.
    source: "what is lost otherwise is the severest coagulopathy"
    example: "PTT >150: no row / no row / 150"
  - name: value_accepted
    published: valuenum IS NOT NULL
    adjudicated: valuenum > 0 AND (itemid <> 51237 OR valuenum < 20)
    difference: Any number counts, or one above 0, and an INR below 20.
    source: "specification of the concept"
    example: "fibrinogen 0: 0 / 0 / no row"
  - name: further_result
    published: "FALSE"
    adjudicated: |-
      (itemid IN (50915, 52551) AND lower(trim(valueuom)) = 'ng/ml feu')
          OR (itemid IN (52921, 52923, 52948) AND lower(trim(valueuom)) = 'sec')
    difference: Results of other items of the same substances are passed over, or read where their unit is that of the items read (D-dimers in fibrinogen-equivalent units).
    source: "D-dimer units and fibrinogen-equivalent units differ about twofold; dictionary of release 3.1: blood, haematology, same names, as in chemistry"
    example: "50915 of 1200 ng/mL FEU: no row / no row / 1200; 52921 of 14 sec: no row / no row / PT 14"
*/
-- Coagulation tests, one row a specimen.
WITH result AS (
  SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen_id,
    itemid,
    $stated_value AS valuenum
  FROM mimiciv_hosp.labevents
  WHERE itemid IN (
      51196, -- D-Dimer, ng/mL FEU; others 50915, 52551
      51214, -- Fibrinogen, Functional, mg/dL
      51297, -- Thrombin, s; newer 52948
      51237, -- INR(PT)
      51274, -- PT, s; newer 52921
      51275 -- PTT, s; newer 52923
    )
    OR ($further_result)
),
accepted_result AS (
  -- rule 1
  SELECT subject_id, hadm_id, charttime, specimen_id, itemid, valuenum
  FROM result
  WHERE $value_accepted
)
-- rule 2
SELECT
  max(subject_id) AS subject_id,
  max(hadm_id) AS hadm_id,
  max(charttime) AS charttime,
  specimen_id,
  max(CASE WHEN itemid IN (51196, 50915, 52551) THEN valuenum END) AS d_dimer,
  max(CASE WHEN itemid = 51214 THEN valuenum END) AS fibrinogen,
  max(CASE WHEN itemid IN (51297, 52948) THEN valuenum END) AS thrombin,
  max(CASE WHEN itemid = 51237 THEN valuenum END) AS inr,
  max(CASE WHEN itemid IN (51274, 52921) THEN valuenum END) AS pt,
  max(CASE WHEN itemid IN (51275, 52923) THEN valuenum END) AS ptt
FROM accepted_result
GROUP BY specimen_id
