/*
name: first_day_urine_output
kind: concept
title: Urine volume of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: urineoutput, type: DOUBLE, unit: mL, meaning: "sum of the first 24 hours, null when nothing was charted"}
inputs: [mimiciv_derived.urine_output, mimiciv_icu.icustays]
spec: first_day_urine_output
source: Johnson et al., 2018, JAMIA (public MIMIC concept set)
conventions:
  - name: after_admission
    published: urine.charttime >= icu.intime
    adjudicated: urine.charttime > icu.intime
    difference: Urine charted at the very time of admission was made before it and does not count.
    source: adjudicated reading of the specification
    example: "100 mL at admission, 250 mL later: 350 / 350 / 250"
unresolved:
  - says: A stay shorter than a day should be scaled to 24 hours or need a least time of observation.
    reason: The two exclude each other, and no source names the least time.
  - says: Only a charted 0 should mean anuria.
    reason: "It does here: nothing charted is null; the scores that read it decide."
*/
-- all urine of the 24 hours from admission on, no lead-in before it
SELECT
    icu.subject_id,
    icu.stay_id,
    -- rules 2 and 3
    CAST(SUM(to_be_added(urine.urineoutput)) AS DOUBLE) AS urineoutput
FROM mimiciv_icu.icustays AS icu
LEFT JOIN mimiciv_derived.urine_output AS urine
    ON icu.stay_id = urine.stay_id
    AND $after_admission  -- rule 1
    AND urine.charttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY icu.subject_id, icu.stay_id
