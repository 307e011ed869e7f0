/*
name: neuroblock
kind: concept
title: Infusions of neuromuscular blocking agents
grain: one row per charted infusion segment with a rate
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: orderid, type: INTEGER, meaning: identifier of the order row}
  - {name: drug_rate, type: DOUBLE, meaning: "rate as charted, mcg/kg/min or mg/hour, not converted"}
  - {name: drug_amount, type: DOUBLE, unit: mg, meaning: amount as charted}
  - {name: starttime, type: TIMESTAMP, meaning: segment start}
  - {name: endtime, type: TIMESTAMP, meaning: segment end}
inputs: [mimiciv_icu.inputevents]
spec: neuroblock
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Segments of two drugs, which the rows do not tell apart.
-- rule 2
SELECT
  stay_id,
  orderid,
  rate AS drug_rate,
  amount AS drug_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE itemid IN (
    222062, -- Vecuronium, mg/hour or mcg/kg/min
    221555 -- Cisatracurium, mg/hour or mcg/kg/min
  )
  AND rate IS NOT NULL -- rule 1: a bolus is dropped, a rate of zero is kept
