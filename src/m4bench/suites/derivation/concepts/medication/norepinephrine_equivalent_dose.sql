/*
name: norepinephrine_equivalent_dose
kind: concept
title: Vasopressor load as norepinephrine equivalents
grain: one row per slice of vasoactive_agent with a vasopressor dose
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: starttime, type: TIMESTAMP, meaning: slice start}
  - {name: endtime, type: TIMESTAMP, meaning: slice end}
  - {name: norepinephrine_equivalent_dose, type: "DECIMAL(18,3)", unit: "mcg/kg/min", meaning: "weighted sum, null when it cannot be stored"}
inputs: [mimiciv_derived.vasoactive_agent]
spec: norepinephrine_equivalent_dose
source: "Goradia S et al., 2021, J Crit Care"
conventions: []
*/
-- Five vasopressors in one dose; dobutamine and milrinone have no term.
SELECT
  stay_id,
  starttime,
  endtime,
  -- rules 2 and 3: added in this order, then to three decimals, half away from zero
  TRY_CAST(
    coalesce(norepinephrine, 0)
    + coalesce(epinephrine, 0)
    + coalesce(phenylephrine / CAST(10 AS DOUBLE), 0)
    + coalesce(dopamine / CAST(100 AS DOUBLE), 0)
    + coalesce(vasopressin * CAST(2.5 AS DOUBLE) / CAST(60 AS DOUBLE), 0) -- from units/hour
    AS DECIMAL(18, 3)
  ) AS norepinephrine_equivalent_dose
FROM mimiciv_derived.vasoactive_agent
-- rules 1 and 4: a dose of zero counts
WHERE norepinephrine IS NOT NULL
  OR epinephrine IS NOT NULL
  OR phenylephrine IS NOT NULL
  OR dopamine IS NOT NULL
  OR vasopressin IS NOT NULL
