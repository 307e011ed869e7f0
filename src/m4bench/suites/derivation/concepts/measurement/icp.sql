/*
name: icp
kind: concept
title: Intracranial pressure
grain: one row per patient, ICU stay and charttime with an entry
key: [stay_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: icp, type: DOUBLE, unit: mmHg, meaning: "intracranial pressure, null when out of range"}
inputs: [mimiciv_icu.chartevents]
spec: icp
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data); Carney et al., 2017, Neurosurgery"
conventions: []
*/
-- The higher of two monitors at each charting time.
SELECT
  subject_id,
  stay_id,
  charttime,
  -- rules 1 and 2: a row with values out of range only is kept
  max(CASE WHEN valuenum > 0 AND valuenum < 100 THEN valuenum END) AS icp
FROM mimiciv_icu.chartevents
WHERE itemid IN (
    220765, -- Intra Cranial Pressure, mmHg
    227989 -- Intra Cranial Pressure #2, mmHg
  )
GROUP BY subject_id, stay_id, charttime
