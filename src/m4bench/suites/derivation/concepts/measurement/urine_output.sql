/*
name: urine_output
kind: concept
title: Urine volume at each charting time
grain: one row per ICU stay and charttime
key: [stay_id, charttime]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: urineoutput, type: DOUBLE, unit: mL, meaning: "net of irrigation, may be negative, null without a volume"}
inputs: [mimiciv_icu.outputevents]
spec: urine_output
source: Johnson et al., 2023, Scientific Data (MIMIC-IV)
conventions: []
*/
-- volumes of all collection routes, irrigation fluid put in counted as negative
WITH urine_entry AS (
    SELECT
        stay_id,
        charttime,
        CASE
            WHEN itemid = 227488 AND value > 0 THEN -value  -- rule 1: GU Irrigant Volume In
            ELSE value
        END AS volume
    FROM mimiciv_icu.outputevents
    WHERE
        itemid IN (
            226559,  -- Foley, mL (as all)
            226560,  -- Void
            226561,  -- Condom Cath
            226584,  -- Ileoconduit
            226563,  -- Suprapubic
            226564,  -- R Nephrostomy
            226565,  -- L Nephrostomy
            226567,  -- Straight Cath
            226557,  -- R Ureteral Stent
            226558,  -- L Ureteral Stent
            227488,  -- GU Irrigant Volume In
            227489   -- GU Irrigant/Urine Volume Out
        )
)

SELECT
    stay_id,
    charttime,
    -- rule 2; ordered, so that the last digit does not hang on row order
    SUM(volume ORDER BY volume NULLS FIRST) AS urineoutput
FROM urine_entry
GROUP BY stay_id, charttime
