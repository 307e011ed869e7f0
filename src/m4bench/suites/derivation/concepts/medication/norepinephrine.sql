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
conventions:
  - name: rate_in_unit
    # rule 2: mg/kg/min at a weight of 1 is taken to be mislabelled
    published: |-
      CASE
          WHEN rateuom = 'mg/kg/min' AND patientweight = 1 THEN rate
          WHEN rateuom = 'mg/kg/min' THEN rate * 1000.0
          ELSE rate
        END
    adjudicated: |-
      CASE
          WHEN LOWER(TRIM(rateuom)) = 'mg/kg/min' AND patientweight = 1 THEN rate
          ELSE mcg_per_kg_min(rate, rateuom, patientweight)
        END
    difference: Of all units mg/kg/min alone is converted, or every unit is, null where that cannot be done.
    source: "specification's adjudicated line (convert by unit); reported faults 3 and 23"
    example: "8 mcg/min at 80 kg: 8 / 8 / 0.1"
unresolved:
  - says: a plausible maximum, for example 5 mcg/kg/min
    reason: The limit is named as an example alone, and a cap would move answers.
  - says: record whether the dose is of base or salt
    reason: Nothing in the tables tells it, and it would be a further column.
body: dopamine
settings:
  items: "221906" # Norepinephrine
*/
