/*
name: vasoactive_agent
kind: concept
title: Doses of seven vasoactive infusions between every two changes
grain: one row per ICU stay and slice between two changes, for each combination of overlapping segments of one drug
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: starttime, type: TIMESTAMP, meaning: slice start}
  - {name: endtime, type: TIMESTAMP, meaning: "slice end, the next change"}
  - {name: dopamine, type: DOUBLE, unit: "mcg/kg/min", meaning: "dose, null when not running or without a rate"}
  - {name: epinephrine, type: DOUBLE, unit: "mcg/kg/min", meaning: as dopamine}
  - {name: norepinephrine, type: DOUBLE, unit: "mcg/kg/min", meaning: as dopamine}
  - {name: phenylephrine, type: DOUBLE, unit: "mcg/kg/min", meaning: as dopamine}
  - {name: vasopressin, type: DOUBLE, unit: "units/hour", meaning: as dopamine}
  - {name: dobutamine, type: DOUBLE, unit: "mcg/kg/min", meaning: as dopamine}
  - {name: milrinone, type: DOUBLE, unit: "mcg/kg/min", meaning: as dopamine}
inputs:
  - mimiciv_derived.dobutamine
  - mimiciv_derived.dopamine
  - mimiciv_derived.epinephrine
  - mimiciv_derived.milrinone
  - mimiciv_derived.norepinephrine
  - mimiciv_derived.phenylephrine
  - mimiciv_derived.vasopressin
  - mimiciv_icu.inputevents
spec: vasoactive_agent
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions:
  - name: counted
    published: "TRUE"
    adjudicated: vaso_rate > 0
    difference: A segment without a rate cuts the time line and has no dose, or only what is given at a positive rate counts.
    source: "specification's adjudicated line; reported fault 28 (a bolus has no rate)"
    example: "dobutamine 5 from 10 to 12, a bolus from 11 to 12: two slices / two slices / one"
  - name: further_segment
    published: ""
    adjudicated: |-
      UNION ALL
        SELECT 'angiotensin II' AS drug, stay_id, rate AS vaso_rate, starttime, endtime
        FROM mimiciv_icu.inputevents
        WHERE itemid IN (229709, 229764) -- Angiotensin II (Giapreza)
          AND was_given(statusdescription, starttime, endtime, amount, rate)
    difference: Angiotensin II is not seen, or cuts the time line as any other, so that its equivalent dose has a slice.
    source: "reported fault 25 (Goradia et al., 2021, give it a weight). Sources disagree: the community's form leaves it out"
    example: "angiotensin II alone from 10 to 11: no row / no row / a row without a dose of the seven"
  - name: dose_of_slice
    published: SELECT drug, stay_id, number_in_stay, vaso_rate FROM held_segment
    adjudicated: |-
      SELECT drug, stay_id, number_in_stay, CAST(sum(to_be_added(vaso_rate)) AS DOUBLE) AS vaso_rate
        FROM held_segment
        GROUP BY drug, stay_id, number_in_stay
    difference: Segments of one drug that overlap give a row each, with a part of the dose, or one row with their sum.
    source: specification's adjudicated line; two pumps of one drug give the sum of both
    example: "norepinephrine 0.05 and 0.02 at once: two rows / two rows / 0.07"
  - name: slice_kept
    published: "TRUE"
    adjudicated: |-
      slice.number_in_stay IN (
          SELECT running.number_in_stay FROM dose AS running WHERE running.stay_id = slice.stay_id
        )
    difference: A slice in which nothing runs is kept without doses, or dropped.
    source: specification's adjudicated line
    example: "gap from 13 to 14 between two infusions: a row / a row / no row"
unresolved:
  - says: add methylene blue and isoproterenol, and a dose of angiotensin II
    reason: It would add columns; angiotensin II is counted where its equivalent dose is.
*/
-- The time line of a stay, cut wherever an infusion begins or ends, with the dose of each drug in every slice.
WITH segment AS (
  SELECT 'dopamine' AS drug, stay_id, vaso_rate, starttime, endtime FROM mimiciv_derived.dopamine
  UNION ALL
  SELECT 'epinephrine' AS drug, stay_id, vaso_rate, starttime, endtime FROM mimiciv_derived.epinephrine
  UNION ALL
  SELECT 'norepinephrine' AS drug, stay_id, vaso_rate, starttime, endtime FROM mimiciv_derived.norepinephrine
  UNION ALL
  SELECT 'phenylephrine' AS drug, stay_id, vaso_rate, starttime, endtime FROM mimiciv_derived.phenylephrine
  UNION ALL
  SELECT 'vasopressin' AS drug, stay_id, vaso_rate, starttime, endtime FROM mimiciv_derived.vasopressin
  UNION ALL
  SELECT 'dobutamine' AS drug, stay_id, vaso_rate, starttime, endtime FROM mimiciv_derived.dobutamine
  UNION ALL
  SELECT 'milrinone' AS drug, stay_id, vaso_rate, starttime, endtime FROM mimiciv_derived.milrinone
  $further_segment
),
counted_segment AS (
  SELECT drug, stay_id, vaso_rate, starttime, endtime FROM segment WHERE $counted
),
-- rule 1: under the published form segments without a rate cut too
cut_point AS (
  SELECT stay_id, starttime AS moment FROM counted_segment WHERE starttime IS NOT NULL
  UNION
  SELECT stay_id, endtime AS moment FROM counted_segment WHERE endtime IS NOT NULL
),
-- rule 2: slice number n lies between the cut points n and n + 1
slice AS (
  SELECT
    stay_id,
    moment AS starttime,
    lead(moment) OVER in_stay AS endtime,
    row_number() OVER in_stay AS number_in_stay
  FROM cut_point
  WINDOW in_stay AS (PARTITION BY stay_id ORDER BY moment)
),
-- rule 3: a segment holds the slices from its own start up to its own end, so that nothing is compared pairwise;
-- one that ends where or before it starts holds none
held_segment AS (
  SELECT segment.drug, segment.stay_id, held.number_in_stay, segment.vaso_rate
  FROM counted_segment AS segment
  INNER JOIN slice AS first_slice
    ON first_slice.stay_id = segment.stay_id
    AND first_slice.starttime = segment.starttime
  INNER JOIN slice AS next_slice
    ON next_slice.stay_id = segment.stay_id
    AND next_slice.starttime = segment.endtime
  CROSS JOIN UNNEST(
    generate_series(first_slice.number_in_stay, next_slice.number_in_stay - 1)
  ) AS held(number_in_stay)
),
dose AS (
  $dose_of_slice
)
-- rules 4 and 5: under the published form overlapping segments multiply the slice, and a slice in which nothing
-- runs is kept
SELECT
  slice.stay_id,
  slice.starttime,
  slice.endtime,
  dopamine.vaso_rate AS dopamine,
  epinephrine.vaso_rate AS epinephrine,
  norepinephrine.vaso_rate AS norepinephrine,
  phenylephrine.vaso_rate AS phenylephrine,
  vasopressin.vaso_rate AS vasopressin,
  dobutamine.vaso_rate AS dobutamine,
  milrinone.vaso_rate AS milrinone
FROM slice
LEFT JOIN dose AS dopamine
  ON dopamine.stay_id = slice.stay_id
  AND dopamine.number_in_stay = slice.number_in_stay
  AND dopamine.drug = 'dopamine'
LEFT JOIN dose AS epinephrine
  ON epinephrine.stay_id = slice.stay_id
  AND epinephrine.number_in_stay = slice.number_in_stay
  AND epinephrine.drug = 'epinephrine'
LEFT JOIN dose AS norepinephrine
  ON norepinephrine.stay_id = slice.stay_id
  AND norepinephrine.number_in_stay = slice.number_in_stay
  AND norepinephrine.drug = 'norepinephrine'
LEFT JOIN dose AS phenylephrine
  ON phenylephrine.stay_id = slice.stay_id
  AND phenylephrine.number_in_stay = slice.number_in_stay
  AND phenylephrine.drug = 'phenylephrine'
LEFT JOIN dose AS vasopressin
  ON vasopressin.stay_id = slice.stay_id
  AND vasopressin.number_in_stay = slice.number_in_stay
  AND vasopressin.drug = 'vasopressin'
LEFT JOIN dose AS dobutamine
  ON dobutamine.stay_id = slice.stay_id
  AND dobutamine.number_in_stay = slice.number_in_stay
  AND dobutamine.drug = 'dobutamine'
LEFT JOIN dose AS milrinone
  ON milrinone.stay_id = slice.stay_id
  AND milrinone.number_in_stay = slice.number_in_stay
  AND milrinone.drug = 'milrinone'
WHERE slice.endtime IS NOT NULL -- rule 2: the last cut point begins nothing
  AND $slice_kept
