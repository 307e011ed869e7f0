-- norepinephrine_equivalent_dose: Vasopressor load as norepinephrine equivalents
-- one row per slice of vasoactive_agent with a vasopressor dose; published convention
-- reads mimiciv_derived.vasoactive_agent
/* Vasopressors in one dose; dobutamine and milrinone have no term. */
WITH slice AS (
  SELECT
    stay_id,
    starttime,
    endtime,
    norepinephrine,
    epinephrine,
    phenylephrine,
    dopamine,
    vasopressin,
    CAST(NULL AS FLOAT64) AS angiotensin
  FROM mimiciv_derived.vasoactive_agent
), weighted AS (
  SELECT
    stay_id,
    starttime,
    endtime,
    COALESCE(norepinephrine, 0) /* rule 2: added in this order */ + COALESCE(epinephrine, 0) + COALESCE(phenylephrine / CAST(10 AS FLOAT64), 0) + COALESCE(dopamine / CAST(100 AS FLOAT64), 0) + COALESCE(vasopressin * CAST(2.5 AS FLOAT64) / CAST(60 AS FLOAT64), 0) /* from units/hour */ + COALESCE(angiotensin * CAST(10 AS FLOAT64), 0) AS dose
  FROM slice
  /* rules 1 and 4: a dose of zero counts */
  WHERE
    NOT norepinephrine IS NULL
    OR NOT epinephrine IS NULL
    OR NOT phenylephrine IS NULL
    OR NOT dopamine IS NULL
    OR NOT vasopressin IS NULL
    OR NOT angiotensin IS NULL
)
SELECT
  stay_id,
  starttime,
  endtime,
  CASE WHEN ABS(dose) < 999999999999999.9995 THEN CAST(ROUND(dose * 1000) AS NUMERIC) / 1000 END AS norepinephrine_equivalent_dose /* rule 3: half away from zero */
FROM weighted
;
