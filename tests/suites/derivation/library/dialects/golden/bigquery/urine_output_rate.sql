-- urine_output_rate: Urine output rate over trailing 6, 12 and 24 hours
-- one row per ICU stay and urine charttime, for each weight interval that holds it (at most one as a rule); published convention
-- reads mimiciv_derived.urine_output, mimiciv_derived.weight_durations, mimiciv_icu.chartevents, mimiciv_icu.icustays
/* trailing urine volumes and the time they were collected over, per weight */
/* rule 1: a stay without a heart rate is left out */
WITH monitored_stay AS (
  SELECT
    icu.stay_id,
    MIN(hr.charttime) AS monitored_from
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_icu.chartevents AS hr
    ON icu.stay_id = hr.stay_id
    AND hr.charttime > icu.intime - INTERVAL 1 MONTH
    AND hr.charttime < icu.outtime + INTERVAL 1 MONTH
  WHERE
    hr.itemid = 220045 /* Heart Rate, bpm */
  GROUP BY
    icu.stay_id
), timed_urine AS (
  SELECT
    urine.stay_id,
    urine.charttime,
    urine.urineoutput,
    COALESCE(LAG(urine.charttime) OVER in_stay, stay.monitored_from) AS previous_time,
    DATETIME_DIFF(urine.charttime, stay.monitored_from, MICROSECOND) AS moment,
    DENSE_RANK() OVER in_stay AS number_in_stay
  FROM mimiciv_derived.urine_output AS urine
  INNER JOIN monitored_stay AS stay
    ON urine.stay_id = stay.stay_id
  WINDOW in_stay AS (PARTITION BY urine.stay_id ORDER BY urine.charttime)
), collected_urine /* rule 2: the time a volume was collected over, in whole microseconds so that sums are exact */ AS (
  SELECT
    stay_id,
    charttime,
    urineoutput,
    moment,
    DATETIME_TRUNC(charttime, HOUR) AS clock_hour,
    DATETIME_DIFF(charttime, previous_time, MICROSECOND) AS gap,
    number_in_stay
  FROM timed_urine
), trailing_urine /* rules 3 and 4 */ AS (
  SELECT
    stay_id,
    charttime,
    number_in_stay,
    urineoutput,
    SUM(urineoutput) OVER back_5h AS volume_6hr,
    SUM(urineoutput) OVER back_11h AS volume_12hr,
    SUM(urineoutput) OVER back_23h AS volume_24hr,
    CAST(SUM(gap) OVER back_5h AS FLOAT64) / CAST(3600000000 AS FLOAT64) AS hours_6hr,
    CAST(SUM(gap) OVER back_11h AS FLOAT64) / CAST(3600000000 AS FLOAT64) AS hours_12hr,
    CAST(SUM(gap) OVER back_23h AS FLOAT64) / CAST(3600000000 AS FLOAT64) AS hours_24hr
  FROM collected_urine
  WINDOW back_5h AS (
    PARTITION BY stay_id
    ORDER BY DATETIME_DIFF(charttime, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
    RANGE BETWEEN 18000000000 PRECEDING AND CURRENT ROW
  ), back_11h AS (
    PARTITION BY stay_id
    ORDER BY DATETIME_DIFF(charttime, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
    RANGE BETWEEN 39600000000 PRECEDING AND CURRENT ROW
  ), back_23h AS (
    PARTITION BY stay_id
    ORDER BY DATETIME_DIFF(charttime, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
    RANGE BETWEEN 82800000000 PRECEDING AND CURRENT ROW
  )
), usable_weight AS (
  SELECT
    stay_id,
    starttime,
    endtime,
    weight,
    ROW_NUMBER() OVER (
      PARTITION BY stay_id
      ORDER BY starttime IS NULL ASC, starttime, endtime IS NULL ASC, endtime, weight IS NULL ASC, weight
    ) AS weight_number
  FROM mimiciv_derived.weight_durations
  WHERE
    weight > 0 AND starttime < endtime
), timeline /* rule 5: entries and ends of weights on one time line, under the published form (starttime, endtime], so that at */ /* one time entries come first, else [starttime, endtime) */ AS (
  SELECT
    stay_id,
    charttime AS moment,
    0 AS place,
    number_in_stay,
    CAST(NULL AS INT64) AS weight_number,
    CAST(NULL AS FLOAT64) AS weight
  FROM collected_urine
  UNION ALL
  SELECT
    stay_id,
    starttime AS moment,
    1 AS place,
    NULL AS number_in_stay,
    weight_number,
    weight
  FROM usable_weight
  UNION ALL
  SELECT
    stay_id,
    endtime AS moment,
    1 AS place,
    NULL AS number_in_stay,
    weight_number,
    weight
  FROM usable_weight
), last_entry AS (
  SELECT
    stay_id,
    weight_number,
    weight,
    COALESCE(
      MAX(number_in_stay) OVER (PARTITION BY stay_id ORDER BY moment, place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
      0
    ) AS number_in_stay
  FROM timeline
), weight_run /* a weight holds for the run of entries between its ends, so that nothing is compared pairwise */ AS (
  SELECT
    stay_id,
    weight,
    MIN(number_in_stay) + 1 AS first_number,
    MAX(number_in_stay) AS last_number
  FROM last_entry
  WHERE
    NOT weight_number IS NULL
  GROUP BY
    stay_id,
    weight_number,
    weight
  HAVING
    MIN(number_in_stay) < MAX(number_in_stay)
), weight_of_entry AS (
  SELECT
    run.stay_id,
    run.weight,
    entry AS number_in_stay
  FROM weight_run AS run
  CROSS JOIN UNNEST(GENERATE_ARRAY(run.first_number, run.last_number)) AS entry
)
SELECT
  urine.stay_id,
  urine.charttime,
  wt.weight,
  urine.urineoutput AS uo,
  urine.volume_6hr AS urineoutput_6hr,
  urine.volume_12hr AS urineoutput_12hr,
  urine.volume_24hr AS urineoutput_24hr,
  CASE
    WHEN urine.hours_6hr >= 6
    THEN ROUND(
      CAST(CASE
        WHEN ABS(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_6hr, wt.weight), urine.hours_6hr)) < 999999999999999.9995
        THEN CAST(ROUND(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_6hr, wt.weight), urine.hours_6hr) * 1000) AS NUMERIC) / 1000
      END AS NUMERIC),
      3
    )
  END AS uo_mlkghr_6hr, /* rule 6: a decimal rounds half away from zero */
  CASE
    WHEN urine.hours_12hr >= 12
    THEN ROUND(
      CAST(CASE
        WHEN ABS(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_12hr, wt.weight), urine.hours_12hr)) < 999999999999999.9995
        THEN CAST(ROUND(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_12hr, wt.weight), urine.hours_12hr) * 1000) AS NUMERIC) / 1000
      END AS NUMERIC),
      3
    )
  END AS uo_mlkghr_12hr,
  CASE
    WHEN urine.hours_24hr >= 24
    THEN ROUND(
      CAST(CASE
        WHEN ABS(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_24hr, wt.weight), urine.hours_24hr)) < 999999999999999.9995
        THEN CAST(ROUND(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_24hr, wt.weight), urine.hours_24hr) * 1000) AS NUMERIC) / 1000
      END AS NUMERIC),
      3
    )
  END AS uo_mlkghr_24hr,
  ROUND(
    CAST(CASE
      WHEN ABS(urine.hours_6hr) < 999999999999999.9995
      THEN CAST(ROUND(urine.hours_6hr * 1000) AS NUMERIC) / 1000
    END AS NUMERIC),
    2
  ) AS uo_tm_6hr, /* rule 7 */
  ROUND(
    CAST(CASE
      WHEN ABS(urine.hours_12hr) < 999999999999999.9995
      THEN CAST(ROUND(urine.hours_12hr * 1000) AS NUMERIC) / 1000
    END AS NUMERIC),
    2
  ) AS uo_tm_12hr,
  ROUND(
    CAST(CASE
      WHEN ABS(urine.hours_24hr) < 999999999999999.9995
      THEN CAST(ROUND(urine.hours_24hr * 1000) AS NUMERIC) / 1000
    END AS NUMERIC),
    2
  ) AS uo_tm_24hr
FROM trailing_urine AS urine
LEFT JOIN weight_of_entry AS wt
  ON urine.stay_id = wt.stay_id AND urine.number_in_stay = wt.number_in_stay
;
