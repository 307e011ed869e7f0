/*
name: vasopressor-equivalents
kind: reference
title: Norepinephrine-equivalent dose of each vasopressor interval
grain: one row per ICU stay, start and end of an interval with a vasopressor
key: [stay_id, starttime]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: starttime, type: TIMESTAMP, meaning: start of the interval}
  - {name: endtime, type: TIMESTAMP, meaning: end of the interval}
  - {name: norepinephrine_equivalent_dose, type: "DECIMAL(18,3)", types: {current: "DECIMAL(38,4)"}, unit: mcg/kg/min, meaning: "weighted sum, the largest of rows that share the interval"}
inputs: [mimiciv_derived.norepinephrine_equivalent_dose]
spec: vasopressor-equivalents
source: "Goradia et al., 2021, J Crit Care 61:233-240"
conventions: []
unresolved:
  - says: cap at plausible doses
    reason: No source names a limit, and a cap would move answers by a choice of ours.
*/
-- rule 4: rows of the concept that share their interval become one
SELECT
    stay_id,
    starttime,
    endtime,
    MAX(norepinephrine_equivalent_dose) AS norepinephrine_equivalent_dose
FROM mimiciv_derived.norepinephrine_equivalent_dose
GROUP BY stay_id, starttime, endtime
