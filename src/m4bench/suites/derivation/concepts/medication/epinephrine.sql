/*
name: epinephrine
kind: concept
title: Epinephrine infusions (inopressor)
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
spec: epinephrine
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
unresolved:
  - says: reject implausible rates
    reason: No source names a limit, and a cap would move answers by a choice of ours.
body: dopamine
settings:
  items: "221289" # Epinephrine
*/
