/*
name: first_day_rrt
kind: concept
title: Renal replacement therapy on the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: dialysis_present, type: INTEGER, meaning: "1 when dialysis is documented in the window, else 0 or null"}
  - {name: dialysis_active, type: INTEGER, meaning: "1 running in the window, 0 documented only, else 0 or null"}
  - {name: dialysis_type, type: VARCHAR, meaning: "distinct types in ascending order, joined by a comma and a space"}
inputs: [mimiciv_derived.rrt, mimiciv_icu.icustays]
spec: first_day_rrt
source: Johnson et al., 2018, JAMIA (public MIMIC concept set)
conventions:
  - name: without_dialysis
    published: "NULL"
    adjudicated: "0"
    difference: A stay without dialysis has 0.
    source: adjudicated reading of the specification
    example: "no row: null / null / 0"
  - name: named_type
    published: dialysis.dialysis_type
    adjudicated: CASE WHEN dialysis.dialysis_active = 1 THEN dialysis.dialysis_type END
    difference: Only types of dialysis that ran are named.
    source: adjudicated reading of the specification
    example: "IHD running, CVVHDF documented: CVVHDF, IHD / CVVHDF, IHD / IHD"
unresolved:
  - says: A treatment begun more than six hours before admission should count by its overlap with the first day.
    reason: The rows of rrt bear no end of a treatment, and it is charted in the ICU alone.
*/
-- what the rows from six hours before to a day after admission say of dialysis
SELECT
    icu.subject_id,
    icu.stay_id,
    COALESCE(MAX(dialysis.dialysis_present), $without_dialysis) AS dialysis_present,  -- rule 2
    COALESCE(MAX(dialysis.dialysis_active), $without_dialysis) AS dialysis_active,
    -- rules 3 and 4
    STRING_AGG(DISTINCT $named_type, ', ' ORDER BY $named_type NULLS FIRST) AS dialysis_type
FROM mimiciv_icu.icustays AS icu
LEFT JOIN mimiciv_derived.rrt AS dialysis  -- rule 5
    ON icu.stay_id = dialysis.stay_id
    AND dialysis.charttime >= icu.intime - INTERVAL 6 HOUR  -- rule 1
    AND dialysis.charttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY icu.subject_id, icu.stay_id
