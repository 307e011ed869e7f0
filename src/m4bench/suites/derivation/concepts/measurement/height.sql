/*
name: height
kind: concept
title: Charted body heights
grain: one row per centimetre entry with an inch entry of the same time, or entry without its counterpart
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: "patient, in the published form null for a height in inches only"}
  - {name: stay_id, type: INTEGER, meaning: "ICU stay, in the published form null for a height in inches only"}
  - {name: charttime, type: TIMESTAMP, meaning: "charting time, in the published form null for a height in inches only"}
  - {name: height, type: "DECIMAL(18,2)", unit: cm, meaning: height}
inputs: [mimiciv_icu.chartevents]
spec: height
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: identity
    published: |-
      in_centimetres.subject_id,
        in_centimetres.stay_id,
        in_centimetres.charttime
    current: |-
      coalesce(in_centimetres.subject_id, in_inches.subject_id) AS subject_id,
        coalesce(in_centimetres.stay_id, in_inches.stay_id) AS stay_id,
        coalesce(in_centimetres.charttime, in_inches.charttime) AS charttime
    difference: A height charted in inches alone loses its patient, stay and time, or keeps those of its entry.
    source: "community's current form"
    example: "67.3 in charted alone: a height of nobody / of its patient and time / of its patient and time"
  - name: first_decimals
    published: DECIMAL(18, 3)
    current: DECIMAL(18, 9)
    difference: The height is rounded to three and then to two decimals, or to two at once.
    source: "community's current form"
    example: "170.0046 cm: 170.01 / 170.00 / 170.00"
  - name: entry_accepted
    published: "TRUE"
    adjudicated: height > 120 AND height < 230
    difference: An implausible entry in centimetres hides the plausible one in inches, or each entry is checked by itself.
    source: "a height of 17 cm is an error of unit or typing; the entry in inches beside it is not"
    example: "17 cm and 67 in at 10:00: no height / no height / 170.18"
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
        END AS $first_decimals
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
  SELECT subject_id, stay_id, charttime, height FROM entry WHERE itemid = 226730 AND $entry_accepted
),
in_inches AS (
  SELECT subject_id, stay_id, charttime, height FROM entry WHERE itemid = 226707 AND $entry_accepted
)
-- rules 3 and 5: what an entry in inches alone keeps of patient, stay and time
SELECT
  $identity,
  coalesce(in_centimetres.height, in_inches.height) AS height
FROM in_centimetres
-- rule 2: stays are not compared, and repeated entries multiply
FULL OUTER JOIN in_inches
  ON in_inches.subject_id = in_centimetres.subject_id
  AND in_inches.charttime = in_centimetres.charttime
-- rule 4
WHERE coalesce(in_centimetres.height, in_inches.height) > 120
  AND coalesce(in_centimetres.height, in_inches.height) < 230
