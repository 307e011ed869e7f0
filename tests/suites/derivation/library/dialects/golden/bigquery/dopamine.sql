-- dopamine: Dopamine infusions (inopressor)
-- one row per charted administration segment; published convention
-- reads mimiciv_icu.inputevents
/* Segments of dopamine infusions as charted. */
/* rules 1 to 3: nothing else is tested, a null rate keeps its row */
SELECT
  stay_id,
  linkorderid,
  rate AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE
  itemid = 221662 /* Dopamine, mcg/kg/min */
;
