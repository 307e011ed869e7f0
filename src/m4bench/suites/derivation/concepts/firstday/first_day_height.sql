/*
name: first_day_height
kind: concept
title: Body height of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: height, type: "DECIMAL(18,2)", unit: cm, meaning: "mean height, null when none was charted in the window"}
inputs: [mimiciv_derived.height, mimiciv_icu.icustays]
spec: first_day_height
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions:
  - name: first_decimals
    published: DECIMAL(18, 3)
    current: DECIMAL(18, 9)
    difference: The mean is rounded to three and then to two decimals, or to two at once.
    source: "community's current form"
    example: "mean 170.0045...: 170.01 / 170.00 / 170.00"
  - name: in_window
    published: |-
      charted.charttime >= icu.intime - INTERVAL 6 HOUR
        AND charted.charttime <= icu.intime + INTERVAL 24 HOUR
    adjudicated: "TRUE"
    difference: Heights of the first day alone count, or those of the whole stay.
    source: "the height of an adult does not change within a stay"
    example: "170 cm charted on the third day: null / null / 170.00"
unresolved:
  - says: prefer a measured height to a stated one
    reason: the two items do not tell how a height came to be known
*/
-- Mean of the heights charted from six hours before admission to one day after it.
SELECT
  icu.subject_id,
  icu.stay_id,
  -- rules 2 to 4: the sum of decimals is exact, then two roundings, each half away from zero
  CAST(CAST(avg(charted.height) AS $first_decimals) AS DECIMAL(18, 2)) AS height
FROM mimiciv_icu.icustays AS icu
-- rule 1
LEFT JOIN mimiciv_derived.height AS charted
  ON charted.stay_id = icu.stay_id
  AND $in_window
GROUP BY icu.subject_id, icu.stay_id
