-- kdigo_uo: Urine output for KDIGO staging
-- one row per ICU stay and urine charttime, for each weight interval that holds it (at most one as a rule); published convention
-- reads mimiciv_derived.urine_output, mimiciv_derived.weight_durations, mimiciv_icu.icustays
/* trailing urine volumes and the hours they were documented over, per weight */
WITH documented_urine AS (
  SELECT
    urine.stay_id,
    urine.charttime,
    urine.urineoutput,
    DATETIME_DIFF(urine.charttime, icu.intime, SECOND) AS second_of_stay, /* times are whole seconds */
    COALESCE(
      CAST(DATETIME_DIFF(urine.charttime, LAG(urine.charttime) OVER in_stay, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64),
      CAST(1 AS FLOAT64)
    ) AS hours, /* rule 2: hours since the row before, 1 for the first */
    DATETIME_DIFF(
      urine.charttime,
      COALESCE(
        LEAST(COALESCE(LAG(urine.charttime) OVER in_stay, icu.intime), urine.charttime),
        COALESCE(LAG(urine.charttime) OVER in_stay, icu.intime),
        urine.charttime
      ),
      SECOND
    ) AS gap, /* seconds since the row before, since ICU admission for the first, none when that lies later */
    DENSE_RANK() OVER in_stay AS number_in_stay
  FROM mimiciv_derived.urine_output AS urine
  INNER JOIN mimiciv_icu.icustays AS icu
    ON urine.stay_id = icu.stay_id /* rule 1 */
  WINDOW in_stay AS (PARTITION BY urine.stay_id ORDER BY urine.charttime)
), trailing_urine /* rules 3, 4 and 7: float sums of the engine's own window over the stay's rows, unless shares are taken */ AS (
  SELECT
    stay_id,
    charttime,
    number_in_stay,
    SUM(urineoutput) OVER back_6h AS volume_6hr,
    SUM(urineoutput) OVER back_12h AS volume_12hr,
    SUM(urineoutput) OVER back_24h AS volume_24hr,
    SUM(hours) OVER back_6h AS hours_6hr,
    SUM(hours) OVER back_12h AS hours_12hr,
    SUM(hours) OVER back_24h AS hours_24hr
  FROM documented_urine
  WINDOW back_6h AS (PARTITION BY stay_id ORDER BY second_of_stay RANGE BETWEEN 21600 PRECEDING AND CURRENT ROW), back_12h AS (PARTITION BY stay_id ORDER BY second_of_stay RANGE BETWEEN 43200 PRECEDING AND CURRENT ROW), back_24h AS (PARTITION BY stay_id ORDER BY second_of_stay RANGE BETWEEN 86400 PRECEDING AND CURRENT ROW)
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
    starttime < endtime
), timeline /* rule 5, [starttime, endtime): entries and ends of weights on one time line, at one time ends first */ AS (
  SELECT
    stay_id,
    charttime AS moment,
    1 AS place,
    number_in_stay,
    CAST(NULL AS INT64) AS weight_number,
    CAST(NULL AS FLOAT64) AS weight
  FROM documented_urine
  UNION ALL
  SELECT
    stay_id,
    starttime AS moment,
    0 AS place,
    NULL AS number_in_stay,
    weight_number,
    weight
  FROM usable_weight
  UNION ALL
  SELECT
    stay_id,
    endtime AS moment,
    0 AS place,
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
  urine.volume_6hr AS urineoutput_6hr,
  urine.volume_12hr AS urineoutput_12hr,
  urine.volume_24hr AS urineoutput_24hr,
  CASE
    WHEN urine.hours_6hr >= 6 AND urine.hours_6hr < 12
    THEN ROUND(
      CAST(CASE
        WHEN ABS(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_6hr, wt.weight), urine.hours_6hr)) < 999999999999999.9995
        THEN CAST(ROUND(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_6hr, wt.weight), urine.hours_6hr) * 1000) AS NUMERIC) / 1000
      END AS NUMERIC),
      3
    )
  END AS uo_rt_6hr, /* rule 6; a decimal rounds half away from zero */
  CASE
    WHEN urine.hours_12hr >= 12
    THEN ROUND(
      CAST(CASE
        WHEN ABS(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_12hr, wt.weight), urine.hours_12hr)) < 999999999999999.9995
        THEN CAST(ROUND(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_12hr, wt.weight), urine.hours_12hr) * 1000) AS NUMERIC) / 1000
      END AS NUMERIC),
      3
    )
  END AS uo_rt_12hr,
  CASE
    WHEN urine.hours_24hr >= 24
    THEN ROUND(
      CAST(CASE
        WHEN ABS(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_24hr, wt.weight), urine.hours_24hr)) < 999999999999999.9995
        THEN CAST(ROUND(IEEE_DIVIDE(IEEE_DIVIDE(urine.volume_24hr, wt.weight), urine.hours_24hr) * 1000) AS NUMERIC) / 1000
      END AS NUMERIC),
      3
    )
  END AS uo_rt_24hr,
  urine.hours_6hr AS uo_tm_6hr,
  urine.hours_12hr AS uo_tm_12hr,
  urine.hours_24hr AS uo_tm_24hr
FROM trailing_urine AS urine
LEFT JOIN weight_of_entry AS wt
  ON urine.stay_id = wt.stay_id AND urine.number_in_stay = wt.number_in_stay
;
