/*
name: icustay_times
kind: concept
title: First and last charted heart rate of an ICU stay
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: intime_hr, type: TIMESTAMP, meaning: "earliest heart rate, null when none was charted"}
  - {name: outtime_hr, type: TIMESTAMP, meaning: "latest heart rate, null when none was charted"}
inputs: [mimiciv_icu.chartevents, mimiciv_icu.icustays]
spec: icustay_times
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: accepted_heart_rate
    published: "TRUE"
    adjudicated: valuenum > 0 AND valuenum < 300
    difference: Only a heart rate above 0 and below 300 tells that a patient was monitored, not an empty or impossible entry.
    source: adjudicated reading of the specification; limits as for the heart rate of vitalsign
    example: "entries at 10:30 (80) and 12:20 (empty), end: 12:20 / 12:20 / 10:30"
unresolved:
  - says: Heart rates charted far outside the stay should not count but for a small margin.
    reason: No source names the margin.
*/
-- The time a stay was monitored, which can differ from its administrative times.
WITH monitored AS (
  -- rules 1 and 3: however far from the stay
  SELECT stay_id, min(charttime) AS intime_hr, max(charttime) AS outtime_hr
  FROM mimiciv_icu.chartevents
  WHERE itemid = 220045 -- Heart Rate, bpm
    AND $accepted_heart_rate
  GROUP BY stay_id
)
-- rule 2
SELECT
  icu.subject_id,
  icu.hadm_id,
  icu.stay_id,
  monitored.intime_hr,
  monitored.outtime_hr
FROM mimiciv_icu.icustays AS icu
LEFT JOIN monitored
  ON monitored.stay_id = icu.stay_id
