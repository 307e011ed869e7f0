/*
name: first_day_height
kind: concept
title: Body height of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: height, type: "DECIMAL(18,2)", unit: cm, meaning: "mean height, null when none was charted in the window"}
inputs: [mimiciv_derived.height, mimiciv_icu.icustays]
spec: first_day_height
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Mean of the heights charted from six hours before admission to one day after it.
SELECT
  icu.subject_id,
  icu.stay_id,
  -- rules 2 to 4: the sum of decimals is exact, then two roundings, each half away from zero
  CAST(CAST(avg(charted.height) AS DECIMAL(18, 3)) AS DECIMAL(18, 2)) AS height
FROM mimiciv_icu.icustays AS icu
-- rule 1
LEFT JOIN mimiciv_derived.height AS charted
  ON charted.stay_id = icu.stay_id
  AND charted.charttime >= icu.intime - INTERVAL 6 HOUR
  AND charted.charttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY icu.subject_id, icu.stay_id
