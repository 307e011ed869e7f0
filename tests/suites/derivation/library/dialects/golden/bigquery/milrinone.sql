-- milrinone: Milrinone infusions (inodilator)
-- one row per charted administration segment; published convention
-- reads mimiciv_icu.inputevents
/* Segments of milrinone infusions as charted. */
/* rules 1 to 3: a segment without a rate, such as a bolus, stays */
SELECT
  stay_id,
  linkorderid,
  rate AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE
  itemid = 221986 /* Milrinone, mcg/kg/min */
;
