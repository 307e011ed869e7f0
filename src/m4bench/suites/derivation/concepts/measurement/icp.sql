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
conventions:
  - name: lowest_accepted
    published: valuenum > 0
    adjudicated: valuenum >= -10
    difference: A pressure of zero or slightly below is void, or counts.
    source: "a monitor levelled above the foramen of Monro reads below zero"
    example: "-3 mmHg: null / null / -3"
  - name: row_kept
    published: "TRUE"
    adjudicated: icp IS NOT NULL
    difference: A charting time without a valid pressure is a row without one, or no row.
    source: "specification of the concept"
    example: "100 mmHg alone: null / null / no row"
unresolved:
  - says: report each probe
    reason: there is one column for both
*/
-- The higher of two monitors at each charting time.
WITH charted AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    -- rules 1 and 2
    max(CASE WHEN $lowest_accepted AND valuenum < 100 THEN valuenum END) AS icp
  FROM mimiciv_icu.chartevents
  WHERE itemid IN (
      220765, -- Intra Cranial Pressure, mmHg
      227989 -- Intra Cranial Pressure #2, mmHg
    )
  GROUP BY subject_id, stay_id, charttime
)
-- rule 1: what becomes of a row with values out of range only
SELECT subject_id, stay_id, charttime, icp
FROM charted
WHERE $row_kept
