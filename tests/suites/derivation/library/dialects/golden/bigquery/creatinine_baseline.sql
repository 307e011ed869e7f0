-- creatinine_baseline: Baseline creatinine of an adult admission
-- one row per hospital admission at 18 years or more; published convention
-- reads mimiciv_derived.age, mimiciv_derived.chemistry, mimiciv_hosp.diagnoses_icd, mimiciv_hosp.patients
/* The lowest creatinine of the admission where it is normal or kidney disease is known, else an estimate. */
WITH adult AS (
  SELECT
    age.hadm_id,
    pat.gender,
    age.age,
    (
      POWER(
        IEEE_DIVIDE(
          IEEE_DIVIDE(CAST(75 AS FLOAT64) / CAST(186 AS FLOAT64), POWER(age.age, -CAST(0.203 AS FLOAT64))),
          CASE WHEN (
            pat.gender = 'F'
          ) THEN CAST(0.742 AS FLOAT64) ELSE CAST(1 AS FLOAT64) END
        ),
        -CAST(1 AS FLOAT64) / CAST(1.154 AS FLOAT64)
      )
    ) AS mdrd_est /* rule 2: any gender but F takes the form of men */
  FROM mimiciv_derived.age AS age
  LEFT JOIN mimiciv_hosp.patients AS pat
    ON pat.subject_id = age.subject_id
  WHERE
    age.age >= 18 /* rule 1 */
), lowest_creatinine AS (
  /* rule 3 */
  SELECT
    hadm_id,
    MIN(creatinine) AS scr_min
  FROM mimiciv_derived.chemistry
  GROUP BY
    hadm_id
), kidney_disease AS (
  /* rule 4: in any position, only under the version of the code */
  SELECT DISTINCT
    hadm_id
  FROM mimiciv_hosp.diagnoses_icd
  WHERE
    (
      icd_version = 9 AND SUBSTRING(icd_code, 1, 3) = '585'
    )
    OR (
      icd_version = 10 AND SUBSTRING(icd_code, 1, 3) = 'N18'
    )
)
SELECT
  adult.hadm_id,
  adult.gender,
  adult.age,
  lowest_creatinine.scr_min,
  CASE WHEN NOT kidney_disease.hadm_id IS NULL THEN 1 ELSE 0 END AS ckd,
  adult.mdrd_est,
  CASE
    WHEN lowest_creatinine.scr_min <= CAST(1.1 AS FLOAT64)
    THEN lowest_creatinine.scr_min
    WHEN NOT kidney_disease.hadm_id IS NULL
    THEN lowest_creatinine.scr_min
    ELSE adult.mdrd_est
  END AS scr_baseline /* rule 5 */
FROM adult
LEFT JOIN lowest_creatinine
  ON lowest_creatinine.hadm_id = adult.hadm_id
LEFT JOIN kidney_disease
  ON kidney_disease.hadm_id = adult.hadm_id
;
