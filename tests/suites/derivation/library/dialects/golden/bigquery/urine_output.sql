-- urine_output: Urine volume at each charting time
-- one row per ICU stay and charttime; published convention
-- reads mimiciv_icu.outputevents
/* volumes of all collection routes, irrigation fluid put in counted as negative */
WITH urine_entry AS (
  SELECT
    stay_id,
    charttime,
    CASE WHEN itemid = 227488 AND value > 0 THEN -value /* rule 1: GU Irrigant Volume In */ ELSE value END AS volume
  FROM mimiciv_icu.outputevents
  WHERE
    itemid IN (
      226559, /* Foley, mL (as all) */
      226560, /* Void */
      226561, /* Condom Cath */
      226584, /* Ileoconduit */
      226563, /* Suprapubic */
      226564, /* R Nephrostomy */
      226565, /* L Nephrostomy */
      226567, /* Straight Cath */
      226557, /* R Ureteral Stent */
      226558, /* L Ureteral Stent */
      227488, /* GU Irrigant Volume In */
      227489 /* GU Irrigant/Urine Volume Out */
    )
    AND (
      TRUE
    )
)
SELECT
  stay_id,
  charttime,
  CAST(SUM(
    (
      CASE
        WHEN ABS(volume) < 100000000000000000000000000000
        THEN CAST(ROUND(volume * 1000000000) AS NUMERIC) / 1000000000
      END
    )
  ) AS FLOAT64) AS urineoutput /* rule 2 */
FROM urine_entry
GROUP BY
  stay_id,
  charttime
;
