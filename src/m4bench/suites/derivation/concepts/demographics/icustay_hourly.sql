/*
name: icustay_hourly
kind: concept
title: Clock hours of an ICU stay
grain: one row per ICU stay and hour, from 24 hours before its first hour on
key: [stay_id, hr]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: hr, type: BIGINT, unit: h, meaning: "hour; 0 ends at the start rounded up to the clock hour"}
  - {name: endtime, type: TIMESTAMP, meaning: "end of the hour, which is read as (endtime - 1 h, endtime]"}
inputs: [mimiciv_derived.icustay_times, mimiciv_icu.icustays]
spec: icustay_hourly
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: stay_on_the_grid
    published: SELECT stay_id, intime_hr AS start_time, outtime_hr AS end_time FROM mimiciv_derived.icustay_times
    adjudicated: |
      SELECT icu.stay_id, icu.intime AS start_time, COALESCE(icu.outtime, times.outtime_hr) AS end_time
      FROM mimiciv_icu.icustays AS icu
      LEFT JOIN mimiciv_derived.icustay_times AS times ON times.stay_id = icu.stay_id
    difference: >-
      Hours are counted over the administrative stay, so that a stay without a heart rate has them too, in place
      of from the first heart rate to the last; a missing end is the last heart rate.
    source: adjudicated reading of the specification; scores are defined by ICU admission (Vincent et al., 1996)
    example: "in the unit 10:00 to 13:00, heart rates 10:30 to 12:20, first hour ends: 11:00 / 11:00 / 10:00"
  - name: last_hour
    published: CEIL(hours_between(start_time, end_time))
    current: ROUND(clock_hours_between(start_time, end_time))
    adjudicated: ROUND(hours_between(up_to_the_hour(start_time), up_to_the_hour(end_time)))
    difference: >-
      The grid ends after the full clock hours that the stay crosses, or at its end rounded up to the clock hour,
      in place of after the elapsed hours rounded up, which reach up to two hours past the end.
    source: "community's current form; adjudicated reading of the specification"
    example: "10:05 to 12:10, last hour ends: 14:00 / 13:00 / 13:00"
*/
-- The hours on which hourly scores are laid.
WITH stay AS (
  $stay_on_the_grid
),
bounded AS (
  SELECT
    stay_id,
    up_to_the_hour(start_time) AS base, -- rule 1
    CAST($last_hour AS BIGINT) AS last_hour -- rule 2
  FROM stay
  WHERE start_time IS NOT NULL -- rule 4
)
-- rule 3
SELECT
  bounded.stay_id,
  hour_of_stay.hr,
  bounded.base + hour_of_stay.hr * INTERVAL 1 HOUR AS endtime
FROM bounded
CROSS JOIN UNNEST(generate_series(-24, bounded.last_hour)) AS hour_of_stay(hr)
