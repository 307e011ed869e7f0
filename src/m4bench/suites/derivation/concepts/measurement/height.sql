/*
name: height
kind: concept
title: Charted body heights
grain: one row per centimetre entry with an inch entry of the same time, or entry without its counterpart
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: "patient, null for a height in inches only"}
  - {name: stay_id, type: INTEGER, meaning: "ICU stay of the centimetre entry, null for a height in inches only"}
  - {name: charttime, type: TIMESTAMP, meaning: "charting time, null for a height in inches only"}
  - {name: height, type: "DECIMAL(18,2)", unit: cm, meaning: height}
inputs: [mimiciv_icu.chartevents]
spec: height
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions: []
*/
-- Heights in centimetres, from the entry in centimetres where there is one, else from the one in inches.
WITH entry AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    itemid,
    -- rule 1: two roundings, one after the other, each half away from zero
    CAST(
      TRY_CAST(
        CASE itemid
          WHEN 226707 THEN valuenum * CAST(2.54 AS DOUBLE)
          ELSE valuenum
        END AS DECIMAL(18, 3)
      ) AS DECIMAL(18, 2)
    ) AS height
  FROM mimiciv_icu.chartevents
  WHERE itemid IN (
      226730, -- Height (cm)
      226707 -- Height, inch
    )
    AND valuenum IS NOT NULL
),
in_centimetres AS (
  SELECT subject_id, stay_id, charttime, height FROM entry WHERE itemid = 226730
),
in_inches AS (
  SELECT subject_id, charttime, height FROM entry WHERE itemid = 226707
)
-- rules 3 and 5: an entry in inches alone keeps no patient, stay or time
SELECT
  in_centimetres.subject_id,
  in_centimetres.stay_id,
  in_centimetres.charttime,
  coalesce(in_centimetres.height, in_inches.height) AS height
FROM in_centimetres
-- rule 2: stays are not compared, and repeated entries multiply
FULL OUTER JOIN in_inches
  ON in_inches.subject_id = in_centimetres.subject_id
  AND in_inches.charttime = in_centimetres.charttime
-- rule 4
WHERE coalesce(in_centimetres.height, in_inches.height) > 120
  AND coalesce(in_centimetres.height, in_inches.height) < 230
