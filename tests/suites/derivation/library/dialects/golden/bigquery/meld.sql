-- meld: Model for End-stage Liver Disease on the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.first_day_lab, mimiciv_derived.first_day_rrt, mimiciv_icu.icustays
/* the three logarithmic terms, their rounded sum, and the sodium adjustment */
WITH first_day_value AS (
  SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    dialysis.dialysis_present AS rrt,
    lab.creatinine_max,
    lab.bilirubin_total_max,
    lab.inr_max,
    lab.sodium_min
  FROM mimiciv_icu.icustays AS icu
  LEFT JOIN mimiciv_derived.first_day_lab AS lab
    ON icu.stay_id = lab.stay_id
  LEFT JOIN mimiciv_derived.first_day_rrt AS dialysis
    ON icu.stay_id = dialysis.stay_id
), term /* rule 1: natural logarithms in doubles, missing counts as normal */ AS (
  SELECT
    subject_id,
    hadm_id,
    stay_id,
    rrt,
    creatinine_max,
    bilirubin_total_max,
    inr_max,
    sodium_min,
    CASE
      WHEN rrt = 1 OR creatinine_max > 4.0
      THEN CAST(0.957 AS FLOAT64) * LN(CAST(4 AS FLOAT64))
      WHEN creatinine_max < 1 OR creatinine_max IS NULL
      THEN CAST(0 AS FLOAT64)
      ELSE CAST(0.957 AS FLOAT64) * LN(creatinine_max)
    END AS creatinine_term,
    CASE
      WHEN bilirubin_total_max < 1 OR bilirubin_total_max IS NULL
      THEN CAST(0 AS FLOAT64)
      ELSE CAST(0.378 AS FLOAT64) * LN(bilirubin_total_max)
    END AS bilirubin_term,
    CASE
      WHEN inr_max < 1 OR inr_max IS NULL
      THEN CAST(0.643 AS FLOAT64)
      ELSE CAST(1.120 AS FLOAT64) * LN(inr_max) + CAST(0.643 AS FLOAT64)
    END AS inr_term,
    CASE
      WHEN sodium_min > 137 OR sodium_min IS NULL
      THEN CAST(0 AS FLOAT64)
      WHEN sodium_min < 125
      THEN CAST(12 AS FLOAT64)
      ELSE CAST(137 AS FLOAT64) - sodium_min
    END AS sodium_term /* rule 3 */
  FROM first_day_value
), initial_score /* rule 2: capped, else rounded half away from zero */ AS (
  SELECT
    subject_id,
    hadm_id,
    stay_id,
    rrt,
    creatinine_max,
    bilirubin_total_max,
    inr_max,
    sodium_min,
    sodium_term,
    ROUND(
      CAST(CASE
        WHEN NOT (
          TRUE
        )
        THEN NULL
        WHEN creatinine_term + bilirubin_term + inr_term > 4
        THEN 40
        ELSE 10 * ROUND(
          CAST(CAST(ROUND((
            creatinine_term + bilirubin_term + inr_term
          ) * 1000) AS NUMERIC) / 1000 AS NUMERIC),
          1
        )
      END AS NUMERIC),
      1
    ) AS meld_initial
  FROM term
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  meld_initial,
  CASE
    WHEN meld_initial > 11
    THEN CAST(meld_initial AS FLOAT64) + CAST(1.32 AS FLOAT64) * sodium_term - CAST(ROUND(CAST(0.033 AS NUMERIC), 3) * meld_initial AS FLOAT64) * sodium_term
    ELSE CAST(meld_initial AS FLOAT64)
  END AS meld, /* rule 4: 0.033 times the initial score is an exact decimal product, the rest is in doubles */
  rrt,
  creatinine_max,
  bilirubin_total_max,
  inr_max,
  sodium_min
FROM initial_score
;
