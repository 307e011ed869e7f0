-- norepinephrine_equivalent_dose: Vasopressor load as norepinephrine equivalents
-- one row per slice of vasoactive_agent with a vasopressor dose; published convention
-- reads mimiciv_derived.vasoactive_agent
/* Five vasopressors in one dose; dobutamine and milrinone have no term. */
SELECT
  stay_id,
  starttime,
  endtime,
  CASE
    WHEN ABS(
      COALESCE(norepinephrine, 0) + COALESCE(epinephrine, 0) + COALESCE(phenylephrine / CAST(10 AS FLOAT64), 0) + COALESCE(dopamine / CAST(100 AS FLOAT64), 0) + COALESCE(vasopressin * CAST(2.5 AS FLOAT64) / CAST(60 AS FLOAT64), 0) /* from units/hour */
    ) < 999999999999999.9995
    THEN CAST(ROUND(
      (
        COALESCE(norepinephrine, 0) + COALESCE(epinephrine, 0) + COALESCE(phenylephrine / CAST(10 AS FLOAT64), 0) + COALESCE(dopamine / CAST(100 AS FLOAT64), 0) + COALESCE(vasopressin * CAST(2.5 AS FLOAT64) / CAST(60 AS FLOAT64), 0) /* from units/hour */
      ) * 1000
    ) AS NUMERIC) / 1000
  END AS norepinephrine_equivalent_dose /* rules 2 and 3: added in this order, then to three decimals, half away from zero */
FROM mimiciv_derived.vasoactive_agent
/* rules 1 and 4: a dose of zero counts */
WHERE
  NOT norepinephrine IS NULL
  OR NOT epinephrine IS NULL
  OR NOT phenylephrine IS NULL
  OR NOT dopamine IS NULL
  OR NOT vasopressin IS NULL
;
