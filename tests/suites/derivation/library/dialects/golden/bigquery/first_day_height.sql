-- first_day_height: Body height of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.height, mimiciv_icu.icustays
/* Mean of the heights charted from six hours before admission to one day after it. */
SELECT
  icu.subject_id,
  icu.stay_id,
  ROUND(
    CAST(CAST(ROUND(
      IEEE_DIVIDE(CAST(SUM(charted.height) AS FLOAT64), CAST(NULLIF(COUNT(charted.height), 0) AS FLOAT64)) * 1000
    ) AS NUMERIC) / 1000 AS NUMERIC),
    2
  ) AS height /* rules 2 to 4: the sum of decimals is exact, then two roundings, each half away from zero */
FROM mimiciv_icu.icustays AS icu
/* rule 1 */
LEFT JOIN mimiciv_derived.height AS charted
  ON charted.stay_id = icu.stay_id
  AND charted.charttime >= icu.intime - INTERVAL 6 HOUR
  AND charted.charttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY
  icu.subject_id,
  icu.stay_id
;
