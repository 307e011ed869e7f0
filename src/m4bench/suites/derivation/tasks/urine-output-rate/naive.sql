-- SPDX-License-Identifier: MIT
-- A hurried urine rate: two routes, one weight a stay, windows of their nominal width and nominal hours.
WITH urine AS (
  SELECT output.stay_id, output.charttime, sum(output.value) AS volume -- mL
  FROM mimiciv_icu.outputevents AS output
  WHERE output.itemid IN (226559, 226560) -- Foley, void
    AND output.stay_id IS NOT NULL
    AND output.charttime IS NOT NULL
  GROUP BY output.stay_id, output.charttime
),
admission_weight AS (
  SELECT event.stay_id, min(event.valuenum) AS kilograms
  FROM mimiciv_icu.chartevents AS event
  WHERE event.itemid = 226512 -- admission weight, kg
    AND event.valuenum > 0
  GROUP BY event.stay_id
),
windowed AS (
  SELECT
    urine.stay_id,
    urine.charttime,
    urine.volume,
    sum(urine.volume) OVER six_hours AS volume_6,
    sum(urine.volume) OVER twelve_hours AS volume_12,
    sum(urine.volume) OVER day_long AS volume_24
  FROM urine
  WINDOW
    six_hours AS (
      PARTITION BY urine.stay_id ORDER BY urine.charttime
      RANGE BETWEEN INTERVAL 6 HOUR PRECEDING AND CURRENT ROW
    ),
    twelve_hours AS (
      PARTITION BY urine.stay_id ORDER BY urine.charttime
      RANGE BETWEEN INTERVAL 12 HOUR PRECEDING AND CURRENT ROW
    ),
    day_long AS (
      PARTITION BY urine.stay_id ORDER BY urine.charttime
      RANGE BETWEEN INTERVAL 24 HOUR PRECEDING AND CURRENT ROW
    )
),
collected AS (
  SELECT
    windowed.stay_id,
    windowed.charttime,
    windowed.volume,
    windowed.volume_6,
    windowed.volume_12,
    windowed.volume_24,
    admission_weight.kilograms,
    epoch(windowed.charttime - stay.intime) / 3600.0 AS hours_in
  FROM windowed
  JOIN mimiciv_icu.icustays AS stay ON stay.stay_id = windowed.stay_id
  LEFT JOIN admission_weight ON admission_weight.stay_id = windowed.stay_id
)
SELECT
  stay_id,
  charttime,
  kilograms AS weight,
  volume AS uo,
  volume_6 AS urineoutput_6hr,
  volume_12 AS urineoutput_12hr,
  volume_24 AS urineoutput_24hr,
  CASE WHEN hours_in >= 6 THEN round(volume_6 / kilograms / 6, 3) END AS uo_mlkghr_6hr,
  CASE WHEN hours_in >= 12 THEN round(volume_12 / kilograms / 12, 3) END AS uo_mlkghr_12hr,
  CASE WHEN hours_in >= 24 THEN round(volume_24 / kilograms / 24, 3) END AS uo_mlkghr_24hr,
  round(least(hours_in, 6), 2) AS uo_tm_6hr,
  round(least(hours_in, 12), 2) AS uo_tm_12hr,
  round(least(hours_in, 24), 2) AS uo_tm_24hr
FROM collected
