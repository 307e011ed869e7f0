-- epinephrine: Epinephrine infusions (inopressor)
-- one row per charted administration segment; published convention
-- reads mimiciv_icu.inputevents
SELECT
  stay_id,
  linkorderid,
  vaso_rate,
  vaso_amount,
  starttime,
  endtime
FROM (
  /* Segments of one drug's infusions, of whichever drug the items are. */
  /* rules 1 to 3: under the published form nothing else is tested, a null rate keeps its row */
  SELECT
    stay_id,
    linkorderid,
    rate AS vaso_rate,
    amount AS vaso_amount,
    starttime,
    endtime
  FROM mimiciv_icu.inputevents
  WHERE
    itemid IN (221289) AND TRUE
) AS dopamine
;
