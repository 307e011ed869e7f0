/*
name: first_day_weight
kind: concept
title: Body weight known by the end of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: weight_admit, type: DOUBLE, unit: kg, meaning: "mean of the admission weights, null if none"}
  - {name: weight, type: DOUBLE, unit: kg, meaning: "mean of all weights, null if none"}
  - {name: weight_min, type: DOUBLE, unit: kg, meaning: lowest weight}
  - {name: weight_max, type: DOUBLE, unit: kg, meaning: highest weight}
inputs: [mimiciv_derived.weight_durations, mimiciv_icu.chartevents, mimiciv_icu.icustays]
spec: first_day_weight
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions:
  - name: weights_read
    published: SELECT stay_id, starttime, weight, weight_type FROM mimiciv_derived.weight_durations
    adjudicated: |
      SELECT stay_id, charttime AS starttime, valuenum AS weight, weight_type_of(itemid) AS weight_type
      FROM mimiciv_icu.chartevents
      WHERE itemid IN (226512, 224639) AND valuenum >= 20 AND valuenum <= 350
    difference: >-
      Each plausible charted weight (20 to 350 kg) counts once and at the time it was charted, in place of the
      periods of validity, in which the first admission weight is dated back and a first daily weight stands twice.
    source: adjudicated reading of the specification
    example: "daily 70 at 14:00 and 73 next morning, mean: 71 / 71 / 71.5; an admission weight charted on day 3: counts / counts / does not"
*/
-- Weights that begin to hold by the end of the first day, however long they do.
WITH known_weight AS (
  $weights_read
)
SELECT
  icu.subject_id,
  icu.stay_id,
  -- rules 2 to 4; added in order of weight, so that the last digit does not hang on row order
  avg(
    CASE WHEN period.weight_type = 'admit' THEN period.weight END ORDER BY period.weight NULLS FIRST
  ) AS weight_admit,
  avg(period.weight ORDER BY period.weight NULLS FIRST) AS weight, -- rule 3
  min(period.weight) AS weight_min,
  max(period.weight) AS weight_max
FROM mimiciv_icu.icustays AS icu
-- rule 1: no lower bound
LEFT JOIN known_weight AS period
  ON period.stay_id = icu.stay_id
  AND period.starttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY icu.subject_id, icu.stay_id
