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
conventions:
  - name: rate_in_unit
    # rule 2: by the weight of the order, kg
    published: CASE WHEN rateuom = 'mcg/min' THEN rate / patientweight ELSE rate END
    adjudicated: mcg_per_kg_min(rate, rateuom, patientweight)
    difference: Of all units mcg/min alone is converted, whatever the weight, or every unit is, null where that cannot be done.
    source: "specification's adjudicated line (convert by unit); reported fault 23 (a weight of zero must give no dose)"
    example: "100 mcg/min at 0 kg: infinite / infinite / null"
  - name: items
    published: "221749" # Phenylephrine
    adjudicated: 221749, 229630, 229631, 229632
    difference: Infusions named by the concentration of their bag (50 or 200 mg in 250 mL) are missed, or counted.
    source: "reported fault 24. Sources disagree: the community's form counts none of them"
    example: "item 229632, 2 mcg/kg/min: no row / no row / 2"
unresolved:
  - says: reject implausible rates
    reason: No source names a limit, and a cap would move answers by a choice of ours.
  - says: use the weight in force at the start in place of that of the order
    reason: "Contradicts reported fault 23, whose right dose rests on the weight of the order, by which the pump was set."
  - says: keep boluses apart
    reason: They are left out, having no rate; a place of their own would be another table.
body: dopamine
*/
