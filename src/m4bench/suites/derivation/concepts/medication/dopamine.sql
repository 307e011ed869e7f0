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
conventions:
  - name: rate_in_unit
    published: rate
    adjudicated: mcg_per_kg_min(rate, rateuom, patientweight)
    difference: The rate is taken to be in mcg/kg/min, or converted from the unit charted with it, null where that cannot be done.
    source: "specification's adjudicated line (convert by unit); reported fault 23 (units of the rows are not checked)"
    example: "400 mcg/min at 80 kg: 400 / 400 / 5"
  - name: given
    published: "TRUE"
    adjudicated: was_given(statusdescription, starttime, endtime, amount, rate)
    difference: Every charted row counts, or one that was given - not rewritten, over some time, at a positive rate and of no negative amount.
    source: "reported fault 27 (rows marked as rewritten were replaced); reported fault 28 (a bolus has no rate)"
    example: "0.3 rewritten and 0.1 over the same two hours: both / both / 0.1 alone"
unresolved:
  - says: reject implausible rates
    reason: No source names a limit, and a cap would move answers by a choice of ours.
settings:
  items: "221662" # Dopamine
*/
-- Segments of one drug's infusions, of whichever drug the items are.
-- rules 1 to 3: under the published form nothing else is tested, a null rate keeps its row
SELECT
  stay_id,
  linkorderid,
  $rate_in_unit AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE itemid IN ($items)
  AND $given
