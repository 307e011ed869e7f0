/*
name: cardiac_marker
kind: concept
title: Cardiac markers of a laboratory specimen
grain: one row per laboratory specimen with at least one accepted result
key: [specimen_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: "admission, may be null"}
  - {name: charttime, type: TIMESTAMP, meaning: specimen time}
  - {name: specimen_id, type: INTEGER, meaning: specimen}
  - {name: troponin_t, type: DOUBLE, unit: "ng/mL", meaning: troponin T}
  - {name: ck_mb, type: DOUBLE, unit: "ng/mL", meaning: creatine kinase MB}
  - {name: ntprobnp, type: DOUBLE, unit: "pg/mL", meaning: NT-proBNP}
inputs: [mimiciv_hosp.labevents]
spec: cardiac_marker
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: value_accepted
    published: valuenum IS NOT NULL
    adjudicated: valuenum >= 0
    difference: A negative number counts, or is no result.
    source: "a concentration is not negative"
    example: "troponin -1: -1 / -1 / no row"
unresolved:
  - says: treat a text such as <0.01 as below the detection limit
    reason: no value is stated for it, and the bound itself would read as a measured one
  - says: keep conventional and high-sensitivity troponin T apart
    reason: there is one column for both
*/
-- Markers of cardiac injury and strain, one row a specimen.
WITH accepted_result AS (
  -- rule 1: zero too
  SELECT subject_id, hadm_id, charttime, specimen_id, itemid, valuenum
  FROM mimiciv_hosp.labevents
  WHERE itemid IN (
      51003, -- Troponin T, ng/mL
      50911, -- Creatine Kinase, MB Isoenzyme, ng/mL
      50963 -- NTproBNP, pg/mL
    )
    AND $value_accepted
)
-- rule 2
SELECT
  max(subject_id) AS subject_id,
  max(hadm_id) AS hadm_id,
  max(charttime) AS charttime,
  specimen_id,
  max(CASE WHEN itemid = 51003 THEN valuenum END) AS troponin_t,
  max(CASE WHEN itemid = 50911 THEN valuenum END) AS ck_mb,
  max(CASE WHEN itemid = 50963 THEN valuenum END) AS ntprobnp
FROM accepted_result
GROUP BY specimen_id
