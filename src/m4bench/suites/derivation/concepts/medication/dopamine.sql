/*
name: dopamine
kind: concept
title: Dopamine infusions (inopressor)
grain: one row per charted administration segment
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: linkorderid, type: INTEGER, meaning: identifier tying the segments of one order}
  - {name: vaso_rate, type: DOUBLE, unit: "mcg/kg/min", meaning: "rate, may be null, as charted"}
  - {name: vaso_amount, type: DOUBLE, unit: mg, meaning: amount as charted}
  - {name: starttime, type: TIMESTAMP, meaning: segment start}
  - {name: endtime, type: TIMESTAMP, meaning: segment end}
inputs: [mimiciv_icu.inputevents]
spec: dopamine
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Segments of dopamine infusions as charted.
-- rules 1 to 3: nothing else is tested, a null rate keeps its row
SELECT
  stay_id,
  linkorderid,
  rate AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE itemid = 221662 -- Dopamine, mcg/kg/min
