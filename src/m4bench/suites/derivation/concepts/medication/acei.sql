/*
name: acei
kind: concept
title: Prescriptions of an angiotensin-converting-enzyme inhibitor
grain: one row per matching prescription
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: acei, type: VARCHAR, meaning: drug name as stored}
  - {name: starttime, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: stoptime, type: TIMESTAMP, meaning: "prescription stop, may be null"}
inputs: [mimiciv_hosp.prescriptions]
spec: acei
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Orders by generic name, combinations and enalaprilat among them.
-- rules 2 and 3: whatever the drug type, route or times, and nothing is merged
SELECT
  subject_id,
  hadm_id,
  drug AS acei,
  starttime,
  stoptime
FROM mimiciv_hosp.prescriptions
-- rule 1: part of the name in any case
WHERE upper(drug) LIKE '%BENAZEPRIL%'
  OR upper(drug) LIKE '%CAPTOPRIL%'
  OR upper(drug) LIKE '%ENALAPRIL%'
  OR upper(drug) LIKE '%FOSINOPRIL%'
  OR upper(drug) LIKE '%LISINOPRIL%'
  OR upper(drug) LIKE '%MOEXIPRIL%'
  OR upper(drug) LIKE '%PERINDOPRIL%'
  OR upper(drug) LIKE '%QUINAPRIL%'
  OR upper(drug) LIKE '%RAMIPRIL%'
  OR upper(drug) LIKE '%TRANDOLAPRIL%'
