-- icustay_hourly: Clock hours of an ICU stay
-- one row per ICU stay and hour, from 24 hours before its first hour on; published convention
-- reads mimiciv_derived.icustay_times
/* The hours on which hourly scores are laid. */
WITH stay AS (
  SELECT
    stay_id,
    intime_hr AS start_time,
    outtime_hr AS end_time
  FROM mimiciv_derived.icustay_times
), bounded AS (
  SELECT
    stay_id,
    (
      CASE
        WHEN DATETIME_TRUNC(start_time, HOUR) = start_time
        THEN start_time
        ELSE DATETIME_TRUNC(start_time, HOUR) + INTERVAL 1 HOUR
      END
    ) AS base, /* rule 1 */
    CAST(CEIL(
      (
        CAST(DATETIME_DIFF(end_time, start_time, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
      )
    ) AS INT64) AS last_hour /* rule 2 */
  FROM stay
  WHERE
    NOT start_time IS NULL /* rule 4 */
)
/* rule 3 */
SELECT
  bounded.stay_id,
  hour_of_stay AS hr,
  bounded.base + hour_of_stay * INTERVAL 1 HOUR AS endtime
FROM bounded
CROSS JOIN UNNEST(GENERATE_ARRAY(-24, bounded.last_hour)) AS hour_of_stay
;
