-- vasoactive_agent: Doses of seven vasoactive infusions between every two changes
-- one row per ICU stay and slice between two changes, for each combination of overlapping segments of one drug; published convention
-- reads mimiciv_derived.dobutamine, mimiciv_derived.dopamine, mimiciv_derived.epinephrine, mimiciv_derived.milrinone, mimiciv_derived.norepinephrine, mimiciv_derived.phenylephrine, mimiciv_derived.vasopressin
/* The time line of a stay, cut wherever an infusion begins or ends, with the dose of each drug in every slice. */
WITH segment AS (
  SELECT
    'dopamine' AS drug,
    stay_id,
    vaso_rate,
    starttime,
    endtime
  FROM mimiciv_derived.dopamine
  UNION ALL
  SELECT
    'epinephrine' AS drug,
    stay_id,
    vaso_rate,
    starttime,
    endtime
  FROM mimiciv_derived.epinephrine
  UNION ALL
  SELECT
    'norepinephrine' AS drug,
    stay_id,
    vaso_rate,
    starttime,
    endtime
  FROM mimiciv_derived.norepinephrine
  UNION ALL
  SELECT
    'phenylephrine' AS drug,
    stay_id,
    vaso_rate,
    starttime,
    endtime
  FROM mimiciv_derived.phenylephrine
  UNION ALL
  SELECT
    'vasopressin' AS drug,
    stay_id,
    vaso_rate,
    starttime,
    endtime
  FROM mimiciv_derived.vasopressin
  UNION ALL
  SELECT
    'dobutamine' AS drug,
    stay_id,
    vaso_rate,
    starttime,
    endtime
  FROM mimiciv_derived.dobutamine
  UNION ALL
  SELECT
    'milrinone' AS drug,
    stay_id,
    vaso_rate,
    starttime,
    endtime
  FROM mimiciv_derived.milrinone
), counted_segment AS (
  SELECT
    drug,
    stay_id,
    vaso_rate,
    starttime,
    endtime
  FROM segment
  WHERE
    TRUE
), cut_point /* rule 1: under the published form segments without a rate cut too */ AS (
  SELECT
    stay_id,
    starttime AS moment
  FROM counted_segment
  WHERE
    NOT starttime IS NULL
  UNION DISTINCT
  SELECT
    stay_id,
    endtime AS moment
  FROM counted_segment
  WHERE
    NOT endtime IS NULL
), slice /* rule 2: slice number n lies between the cut points n and n + 1 */ AS (
  SELECT
    stay_id,
    moment AS starttime,
    LEAD(moment) OVER in_stay AS endtime,
    ROW_NUMBER() OVER in_stay AS number_in_stay
  FROM cut_point
  WINDOW in_stay AS (PARTITION BY stay_id ORDER BY moment IS NULL ASC, moment)
), held_segment /* rule 3: a segment holds the slices from its own start up to its own end, so that nothing is compared pairwise; */ /* one that ends where or before it starts holds none */ AS (
  SELECT
    segment.drug,
    segment.stay_id,
    held AS number_in_stay,
    segment.vaso_rate
  FROM counted_segment AS segment
  INNER JOIN slice AS first_slice
    ON first_slice.stay_id = segment.stay_id AND first_slice.starttime = segment.starttime
  INNER JOIN slice AS next_slice
    ON next_slice.stay_id = segment.stay_id AND next_slice.starttime = segment.endtime
  CROSS JOIN UNNEST(GENERATE_ARRAY(first_slice.number_in_stay, next_slice.number_in_stay - 1)) AS held
), dose AS (
  SELECT
    drug,
    stay_id,
    number_in_stay,
    vaso_rate
  FROM held_segment
)
/* rules 4 and 5: under the published form overlapping segments multiply the slice, and a slice in which nothing */
/* runs is kept */
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
WHERE
  NOT slice.endtime IS NULL /* rule 2: the last cut point begins nothing */ AND TRUE
;
