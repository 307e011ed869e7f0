/*
name: phenylephrine
kind: concept
title: Phenylephrine infusions (vasopressor)
grain: one row per charted administration segment
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: linkorderid, type: INTEGER, meaning: identifier tying the segments of one order}
  - {name: vaso_rate, type: DOUBLE, unit: "mcg/kg/min", meaning: "rate, may be null, after the unit rule"}
  - {name: vaso_amount, type: DOUBLE, unit: mg, meaning: amount as charted}
  - {name: starttime, type: TIMESTAMP, meaning: segment start}
  - {name: endtime, type: TIMESTAMP, meaning: segment end}
inputs: [mimiciv_icu.inputevents]
spec: phenylephrine
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Segments of phenylephrine infusions as charted.
-- rules 1 and 3
SELECT
  stay_id,
  linkorderid,
  CASE
    WHEN rateuom = 'mcg/min' THEN rate / patientweight -- rule 2: by the weight of the order, kg
    ELSE rate
  END AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE itemid = 221749 -- Phenylephrine, mcg/kg/min unless the unit says mcg/min
