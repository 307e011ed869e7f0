/*
name: vasopressin
kind: concept
title: Vasopressin infusions (vasopressor)
grain: one row per charted administration segment
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: linkorderid, type: INTEGER, meaning: identifier tying the segments of one order}
  - {name: vaso_rate, type: DOUBLE, unit: "units/hour", meaning: "rate, may be null, after the unit rule"}
  - {name: vaso_amount, type: DOUBLE, unit: units, meaning: amount as charted}
  - {name: starttime, type: TIMESTAMP, meaning: segment start}
  - {name: endtime, type: TIMESTAMP, meaning: segment end}
inputs: [mimiciv_icu.inputevents]
spec: vasopressin
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Segments of vasopressin infusions as charted.
-- rules 1 and 3
SELECT
  stay_id,
  linkorderid,
  CASE
    WHEN rateuom = 'units/min' THEN rate * CAST(60 AS DOUBLE) -- rule 2
    ELSE rate
  END AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE itemid = 222315 -- Vasopressin, units/hour unless the unit says units/min
