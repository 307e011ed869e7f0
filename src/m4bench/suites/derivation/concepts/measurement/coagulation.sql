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
conventions: []
*/
-- Coagulation tests, one row a specimen, without plausibility limits.
WITH accepted_result AS (
  -- rule 1
  SELECT subject_id, hadm_id, charttime, specimen_id, itemid, valuenum
  FROM mimiciv_hosp.labevents
  WHERE itemid IN (
      51196, -- D-Dimer, ng/mL FEU
      51214, -- Fibrinogen, Functional, mg/dL
      51297, -- Thrombin, s
      51237, -- INR(PT)
      51274, -- PT, s
      51275 -- PTT, s
    )
    AND valuenum IS NOT NULL
)
-- rule 2
SELECT
  max(subject_id) AS subject_id,
  max(hadm_id) AS hadm_id,
  max(charttime) AS charttime,
  specimen_id,
  max(CASE WHEN itemid = 51196 THEN valuenum END) AS d_dimer,
  max(CASE WHEN itemid = 51214 THEN valuenum END) AS fibrinogen,
  max(CASE WHEN itemid = 51297 THEN valuenum END) AS thrombin,
  max(CASE WHEN itemid = 51237 THEN valuenum END) AS inr,
  max(CASE WHEN itemid = 51274 THEN valuenum END) AS pt,
  max(CASE WHEN itemid = 51275 THEN valuenum END) AS ptt
FROM accepted_result
GROUP BY specimen_id
