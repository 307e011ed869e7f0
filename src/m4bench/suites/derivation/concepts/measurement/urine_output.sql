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
conventions:
  - name: accepted_volume
    published: "TRUE"
    adjudicated: value IS NULL OR (value >= 0 AND value <= 5000)
    difference: An entry below 0 or above 5000 mL is an error and left out.
    source: adjudicated reading of the specification, which names the limits itself
    example: "an entry of 876587 mL: counts / counts / left out"
unresolved:
  - says: Irrigant put in and taken out should be netted within a window of time.
    reason: No source names the window.
  - says: Stays with bladder irrigation should be left out, since their net can be negative (reported fault 31).
    reason: Only proposed; it would take rows away.
  - says: Urine of the operating and recovery rooms (226627, 226631) should count (reported fault 33).
    reason: No source says so, and it was made before the hours to which it would be given.
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
        AND ($accepted_volume)
)

SELECT
    stay_id,
    charttime,
    -- rule 2
    CAST(SUM(to_be_added(volume)) AS DOUBLE) AS urineoutput
FROM urine_entry
GROUP BY stay_id, charttime
