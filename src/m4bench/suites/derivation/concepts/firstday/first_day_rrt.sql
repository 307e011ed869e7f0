/*
name: first_day_rrt
kind: concept
title: Renal replacement therapy on the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: dialysis_present, type: INTEGER, meaning: "1 when dialysis is documented in the window, else null"}
  - {name: dialysis_active, type: INTEGER, meaning: "1 running in the window, 0 documented only, else null"}
  - {name: dialysis_type, type: VARCHAR, meaning: "distinct types in ascending order, joined by a comma and a space"}
inputs: [mimiciv_derived.rrt, mimiciv_icu.icustays]
spec: first_day_rrt
source: Johnson et al., 2018, JAMIA (public MIMIC concept set)
conventions: []
*/
-- what the rows from six hours before to a day after admission say of dialysis
SELECT
    icu.subject_id,
    icu.stay_id,
    MAX(dialysis.dialysis_present) AS dialysis_present,  -- rule 2
    MAX(dialysis.dialysis_active) AS dialysis_active,
    -- rules 3 and 4
    STRING_AGG(DISTINCT dialysis.dialysis_type, ', ' ORDER BY dialysis.dialysis_type NULLS FIRST) AS dialysis_type
FROM mimiciv_icu.icustays AS icu
LEFT JOIN mimiciv_derived.rrt AS dialysis  -- rule 5
    ON icu.stay_id = dialysis.stay_id
    AND dialysis.charttime >= icu.intime - INTERVAL 6 HOUR  -- rule 1
    AND dialysis.charttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY icu.subject_id, icu.stay_id
