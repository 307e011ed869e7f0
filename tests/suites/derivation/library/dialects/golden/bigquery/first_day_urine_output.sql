-- first_day_urine_output: Urine volume of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.urine_output, mimiciv_icu.icustays
/* all urine of the 24 hours from admission on, no lead-in before it */
SELECT
  icu.subject_id,
  icu.stay_id,
  CAST(SUM(
    (
      CASE
        WHEN ABS(urine.urineoutput) < 100000000000000000000000000000
        THEN CAST(ROUND(urine.urineoutput * 1000000000) AS NUMERIC) / 1000000000
      END
    )
  ) AS FLOAT64) AS urineoutput /* rules 2 and 3 */
FROM mimiciv_icu.icustays AS icu
LEFT JOIN mimiciv_derived.urine_output AS urine
  ON icu.stay_id = urine.stay_id
  AND urine.charttime >= icu.intime /* rule 1 */
  AND urine.charttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY
  icu.subject_id,
  icu.stay_id
;
