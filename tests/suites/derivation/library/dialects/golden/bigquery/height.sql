-- height: Charted body heights
-- one row per centimetre entry with an inch entry of the same time, or entry without its counterpart; published convention
-- reads mimiciv_icu.chartevents
/* Heights in centimetres, from the entry in centimetres where there is one, else from the one in inches. */
WITH entry AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    itemid,
    ROUND(
      CAST(CASE
        WHEN ABS(CASE itemid WHEN 226707 THEN valuenum * CAST(2.54 AS FLOAT64) ELSE valuenum END) < 999999999999999.9995
        THEN CAST(ROUND((
          CASE itemid WHEN 226707 THEN valuenum * CAST(2.54 AS FLOAT64) ELSE valuenum END
        ) * 1000) AS NUMERIC) / 1000
      END AS NUMERIC),
      2
    ) AS height /* rule 1: two roundings, one after the other, each half away from zero */
  FROM mimiciv_icu.chartevents
  WHERE
    itemid IN (226730, /* Height (cm) */226707 /* Height, inch */) AND NOT valuenum IS NULL
), in_centimetres AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    height
  FROM entry
  WHERE
    itemid = 226730 AND TRUE
), in_inches AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    height
  FROM entry
  WHERE
    itemid = 226707 AND TRUE
)
/* rules 3 and 5: what an entry in inches alone keeps of patient, stay and time */
SELECT
  in_centimetres.subject_id,
  in_centimetres.stay_id,
  in_centimetres.charttime,
  COALESCE(in_centimetres.height, in_inches.height) AS height
FROM in_centimetres
/* rule 2: stays are not compared, and repeated entries multiply */
FULL OUTER JOIN in_inches
  ON in_inches.subject_id = in_centimetres.subject_id AND in_inches.charttime = in_centimetres.charttime
/* rule 4 */
WHERE
  COALESCE(in_centimetres.height, in_inches.height) > 120
  AND COALESCE(in_centimetres.height, in_inches.height) < 230
;
