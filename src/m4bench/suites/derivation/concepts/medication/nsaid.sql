/*
name: nsaid
kind: concept
title: Prescriptions of a non-steroidal anti-inflammatory drug
grain: one row per matching prescription
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: nsaid, type: VARCHAR, meaning: drug name as stored}
  - {name: starttime, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: stoptime, type: TIMESTAMP, meaning: "prescription stop, may be null"}
inputs: [mimiciv_hosp.prescriptions]
spec: nsaid
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Orders by generic name, aspirin of any dose and eye drops among them; ketorolac is not.
-- rules 2 and 3: whatever the drug type, route or times, and nothing is merged
SELECT
  subject_id,
  hadm_id,
  drug AS nsaid,
  starttime,
  stoptime
FROM mimiciv_hosp.prescriptions
-- rule 1: part of the name in any case
WHERE upper(drug) LIKE '%ASPIRIN%'
  OR upper(drug) LIKE '%BROMFENAC%'
  OR upper(drug) LIKE '%CELECOXIB%'
  OR upper(drug) LIKE '%DICLOFENAC%'
  OR upper(drug) LIKE '%DIFLUNISAL%'
  OR upper(drug) LIKE '%ETODOLAC%'
  OR upper(drug) LIKE '%FENOPROFEN%'
  OR upper(drug) LIKE '%FLURBIPROFEN%'
  OR upper(drug) LIKE '%IBUPROFEN%'
  OR upper(drug) LIKE '%INDOMETHACIN%'
  OR upper(drug) LIKE '%KETOPROFEN%'
  OR upper(drug) LIKE '%MEFENAMIC ACID%'
  OR upper(drug) LIKE '%MELOXICAM%'
  OR upper(drug) LIKE '%NABUMETONE%'
  OR upper(drug) LIKE '%NAPROXEN%'
  OR upper(drug) LIKE '%NEPAFENAC%'
  OR upper(drug) LIKE '%OXAPROZIN%'
  OR upper(drug) LIKE '%PIROXICAM%'
  OR upper(drug) LIKE '%SULINDAC%'
  OR upper(drug) LIKE '%TOLMETIN%'
