-- norepinephrine: Norepinephrine infusions (vasopressor)
-- one row per charted administration segment; published convention
-- reads mimiciv_icu.inputevents
/* Segments of norepinephrine infusions as charted. */
/* rules 1 and 3 */
SELECT
  stay_id,
  linkorderid,
  CASE
    WHEN rateuom = 'mg/kg/min' AND patientweight = 1
    THEN rate /* rule 2: taken to be mislabelled */
    WHEN rateuom = 'mg/kg/min'
    THEN rate * 1000.0 /* rule 2 */
    ELSE rate
  END AS vaso_rate,
  amount AS vaso_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE
  itemid = 221906 /* Norepinephrine, mcg/kg/min */
;
