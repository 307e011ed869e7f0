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
conventions:
  - name: rate_in_unit
    # rule 2
    published: CASE WHEN rateuom = 'units/min' THEN rate * CAST(60 AS DOUBLE) ELSE rate END
    adjudicated: units_per_hour(rate, rateuom)
    difference: Whatever is not in units/min is taken to be in units/hour, or has no dose where its unit is neither.
    source: "specification's adjudicated line (convert by unit); reported faults 20 and 21"
    example: "2 mcg/kg/min: 2 / 2 / null"
unresolved:
  - says: report units/min
    reason: It would change the unit of the column, and the doses of those who read it.
  - says: a plausible maximum, for example 0.1 units/min
    reason: The limit is named as an example alone, and a cap would move answers.
  - says: separate diabetes insipidus and bleeding by indication
    reason: No table tells why an infusion was given.
body: dopamine
settings:
  items: "222315" # Vasopressin
*/
