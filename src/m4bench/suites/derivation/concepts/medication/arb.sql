/*
name: arb
kind: concept
title: Prescriptions of an angiotensin-II receptor blocker
grain: one row per matching prescription
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: arb, type: VARCHAR, meaning: drug name as stored}
  - {name: starttime, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: stoptime, type: TIMESTAMP, meaning: "prescription stop, may be null"}
inputs: [mimiciv_hosp.prescriptions]
spec: arb
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Orders by generic or brand name, combinations among them.
-- rules 2 and 3: whatever the drug type, route or times, and nothing is merged
SELECT
  subject_id,
  hadm_id,
  drug AS arb,
  starttime,
  stoptime
FROM mimiciv_hosp.prescriptions
-- rule 1: part of the name in any case
WHERE upper(drug) LIKE '%AZILSARTAN%'
  OR upper(drug) LIKE '%EDARBI%' -- azilsartan
  OR upper(drug) LIKE '%CANDESARTAN%'
  OR upper(drug) LIKE '%ATACAND%' -- candesartan
  OR upper(drug) LIKE '%IRBESARTAN%'
  OR upper(drug) LIKE '%AVAPRO%' -- irbesartan
  OR upper(drug) LIKE '%LOSARTAN%'
  OR upper(drug) LIKE '%COZAAR%' -- losartan
  OR upper(drug) LIKE '%OLMESARTAN%'
  OR upper(drug) LIKE '%BENICAR%' -- olmesartan
  OR upper(drug) LIKE '%TELMISARTAN%'
  OR upper(drug) LIKE '%MICARDIS%' -- telmisartan
  OR upper(drug) LIKE '%VALSARTAN%'
  OR upper(drug) LIKE '%DIOVAN%' -- valsartan
  OR upper(drug) LIKE '%SACUBITRIL%'
  OR upper(drug) LIKE '%ENTRESTO%' -- sacubitril
