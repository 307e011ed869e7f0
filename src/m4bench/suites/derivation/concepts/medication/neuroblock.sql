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
conventions:
  - name: given
    published: rate IS NOT NULL
    adjudicated: was_given(statusdescription, starttime, endtime, amount, rate)
    difference: Every charted row with a rate counts, or one that was given - not rewritten, over some time, at a positive rate and of no negative amount.
    source: "reported fault 27 (rows marked as rewritten were replaced)"
    example: "rates 3 rewritten and 0: both / both / neither"
  - name: items
    # Vecuronium, Cisatracurium
    published: 222062, 221555
    adjudicated: 222062, 221555, 229233
    difference: Vecuronium and cisatracurium alone, or rocuronium as well.
    source: "specification's adjudicated line; of the others it names none is charted as an infusion"
    example: "item 229233, rate 10: no row / no row / 10"
unresolved:
  - says: keep boluses with a flag
    reason: A flag would be a further column, and a bolus has no rate to put into one that is never null.
  - says: add columns of drug and unit
    reason: It would change the columns.
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
WHERE itemid IN ($items)
  AND $given -- rule 1: a bolus is dropped, under the published form a rate of zero is kept
