-- phenylephrine: Phenylephrine infusions (vasopressor)
-- one row per charted administration segment; published convention
-- reads mimiciv_icu.inputevents
/* Segments of phenylephrine infusions as charted. */
/* rules 1 and 3 */
SELECT
  stay_id,
  linkorderid,
  CASE
    WHEN rateuom = 'mcg/min'
    THEN IEEE_DIVIDE(rate, patientweight /* rule 2: by the weight of the order, kg */)
    ELSE rate
  END AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE
  itemid = 221749 /* Phenylephrine, mcg/kg/min unless the unit says mcg/min */
;
