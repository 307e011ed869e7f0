-- first_day_rrt: Renal replacement therapy on the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.rrt, mimiciv_icu.icustays
/* what the rows from six hours before to a day after admission say of dialysis */
SELECT
  icu.subject_id,
  icu.stay_id,
  COALESCE(MAX(dialysis.dialysis_present), NULL) AS dialysis_present, /* rule 2 */
  COALESCE(MAX(dialysis.dialysis_active), NULL) AS dialysis_active,
  STRING_AGG(DISTINCT dialysis.dialysis_type, ', '
  ORDER BY
    dialysis.dialysis_type) AS dialysis_type /* rules 3 and 4 */
FROM mimiciv_icu.icustays AS icu
LEFT JOIN mimiciv_derived.rrt AS dialysis /* rule 5 */
  ON icu.stay_id = dialysis.stay_id
  AND dialysis.charttime >= icu.intime - INTERVAL 6 HOUR
  AND dialysis.charttime <= icu.intime + INTERVAL 24 HOUR
GROUP BY
  icu.subject_id,
  icu.stay_id
;
