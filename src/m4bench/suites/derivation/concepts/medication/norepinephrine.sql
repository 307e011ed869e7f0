/*
name: norepinephrine
kind: concept
title: Norepinephrine infusions (vasopressor)
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
spec: norepinephrine
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
*/
-- Segments of norepinephrine infusions as charted.
-- rules 1 and 3
SELECT
  stay_id,
  linkorderid,
  CASE
    WHEN rateuom = 'mg/kg/min' AND patientweight = 1 THEN rate -- rule 2: taken to be mislabelled
    WHEN rateuom = 'mg/kg/min' THEN rate * 1000.0 -- rule 2
    ELSE rate
  END AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE itemid = 221906 -- Norepinephrine, mcg/kg/min
