/*
name: inflammation
kind: concept
title: C-reactive protein of a laboratory specimen
grain: one row per laboratory specimen with an accepted result
key: [specimen_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: "admission, may be null"}
  - {name: charttime, type: TIMESTAMP, meaning: specimen time}
  - {name: specimen_id, type: INTEGER, meaning: specimen}
  - {name: crp, type: DOUBLE, unit: "mg/L", meaning: C-reactive protein}
inputs: [mimiciv_hosp.labevents]
spec: inflammation
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: milligrams_per_litre
    published: valuenum
    adjudicated: CASE WHEN lower(trim(valueuom)) = 'mg/dl' THEN valuenum * 10 ELSE valuenum END
    difference: A result in mg/dL is taken for one in mg/L, or converted.
    source: "specification of the concept"
    example: "2.5 mg/dL: 2.5 / 2.5 / 25"
*/
-- C-reactive protein, one row a specimen; the high-sensitivity test (51652) is not read.
-- rule 1
SELECT
  max(subject_id) AS subject_id,
  max(hadm_id) AS hadm_id,
  max(charttime) AS charttime,
  specimen_id,
  max($milligrams_per_litre) AS crp
FROM mimiciv_hosp.labevents
WHERE itemid = 50889 -- C-Reactive Protein, mg/L
  AND valuenum > 0
GROUP BY specimen_id
