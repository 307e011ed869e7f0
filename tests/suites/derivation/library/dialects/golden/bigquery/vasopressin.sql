-- vasopressin: Vasopressin infusions (vasopressor)
-- one row per charted administration segment; published convention
-- reads mimiciv_icu.inputevents
/* Segments of vasopressin infusions as charted. */
/* rules 1 and 3 */
SELECT
  stay_id,
  linkorderid,
  CASE WHEN rateuom = 'units/min' THEN rate * CAST(60 AS FLOAT64) /* rule 2 */ ELSE rate END AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE
  itemid = 222315 /* Vasopressin, units/hour unless the unit says units/min */
;
