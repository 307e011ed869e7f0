/*
name: icustay_hourly
kind: concept
title: Clock hours of an ICU stay
grain: one row per ICU stay with a heart rate and hour, from 24 hours before the first heart rate on
key: [stay_id, hr]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: hr, type: BIGINT, unit: h, meaning: "hour; 0 ends at the first heart rate rounded up to the clock hour"}
  - {name: endtime, type: TIMESTAMP, meaning: "end of the hour, which is read as (endtime - 1 h, endtime]"}
inputs: [mimiciv_derived.icustay_times]
spec: icustay_hourly
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions: []
*/
-- The hours on which hourly scores are laid.
WITH monitored AS (
  SELECT
    stay_id,
    -- rule 1: an exact clock hour stays, every other time is rounded up
    CASE
      WHEN date_trunc('hour', intime_hr) = intime_hr THEN intime_hr
      ELSE date_trunc('hour', intime_hr) + INTERVAL 1 HOUR
    END AS base,
    -- rule 2: elapsed hours, rounded up; not the clock hours crossed
    CAST(
      ceil(CAST(date_diff('microsecond', intime_hr, outtime_hr) AS DOUBLE) / CAST(3600000000 AS DOUBLE)) AS BIGINT
    ) AS last_hour
  FROM mimiciv_derived.icustay_times
  WHERE intime_hr IS NOT NULL -- rule 4
)
-- rule 3
SELECT
  monitored.stay_id,
  hour_of_stay.hr,
  monitored.base + hour_of_stay.hr * INTERVAL 1 HOUR AS endtime
FROM monitored
CROSS JOIN UNNEST(generate_series(-24, monitored.last_hour)) AS hour_of_stay(hr)
