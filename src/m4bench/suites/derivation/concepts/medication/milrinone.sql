/*
name: milrinone
kind: concept
title: Milrinone infusions (inodilator)
grain: one row per charted administration segment
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: linkorderid, type: INTEGER, meaning: identifier tying the segments of one order}
  - {name: vaso_rate, type: DOUBLE, unit: "mcg/kg/min", meaning: "rate, may be null, unchanged"}
  - {name: vaso_amount, type: DOUBLE, unit: mg, meaning: amount as charted}
  - {name: starttime, type: TIMESTAMP, meaning: segment start}
  - {name: endtime, type: TIMESTAMP, meaning: segment end}
inputs: [mimiciv_icu.inputevents]
spec: milrinone
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Segments of milrinone infusions as charted.
-- rules 1 to 3: a segment without a rate, such as a bolus, stays
SELECT
  stay_id,
  linkorderid,
  rate AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE itemid = 221986 -- Milrinone, mcg/kg/min
