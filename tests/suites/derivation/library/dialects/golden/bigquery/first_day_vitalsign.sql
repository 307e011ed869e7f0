-- first_day_vitalsign: Vital signs of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.vitalsign, mimiciv_icu.icustays
/* Extremes and means of the first day's vital signs, per stay. */
/* rules 1 to 4: window closed at both ends and not cut at outtime */
SELECT
  stay.subject_id,
  stay.stay_id,
  MIN(vital.heart_rate) AS heart_rate_min,
  MAX(vital.heart_rate) AS heart_rate_max,
  IEEE_DIVIDE(
    CAST(SUM(
      (
        CASE
          WHEN ABS(vital.heart_rate) < 100000000000000000000000000000
          THEN CAST(ROUND(vital.heart_rate * 1000000000) AS NUMERIC) / 1000000000
        END
      )
    ) AS FLOAT64),
    CAST(NULLIF(
      COUNT(
        (
          CASE
            WHEN ABS(vital.heart_rate) < 100000000000000000000000000000
            THEN CAST(ROUND(vital.heart_rate * 1000000000) AS NUMERIC) / 1000000000
          END
        )
      ),
      0
    ) AS FLOAT64)
  ) AS heart_rate_mean,
  MIN(vital.sbp) AS sbp_min,
  MAX(vital.sbp) AS sbp_max,
  IEEE_DIVIDE(
    CAST(SUM(
      (
        CASE
          WHEN ABS(vital.sbp) < 100000000000000000000000000000
          THEN CAST(ROUND(vital.sbp * 1000000000) AS NUMERIC) / 1000000000
        END
      )
    ) AS FLOAT64),
    CAST(NULLIF(
      COUNT(
        (
          CASE
            WHEN ABS(vital.sbp) < 100000000000000000000000000000
            THEN CAST(ROUND(vital.sbp * 1000000000) AS NUMERIC) / 1000000000
          END
        )
      ),
      0
    ) AS FLOAT64)
  ) AS sbp_mean,
  MIN(vital.dbp) AS dbp_min,
  MAX(vital.dbp) AS dbp_max,
  IEEE_DIVIDE(
    CAST(SUM(
      (
        CASE
          WHEN ABS(vital.dbp) < 100000000000000000000000000000
          THEN CAST(ROUND(vital.dbp * 1000000000) AS NUMERIC) / 1000000000
        END
      )
    ) AS FLOAT64),
    CAST(NULLIF(
      COUNT(
        (
          CASE
            WHEN ABS(vital.dbp) < 100000000000000000000000000000
            THEN CAST(ROUND(vital.dbp * 1000000000) AS NUMERIC) / 1000000000
          END
        )
      ),
      0
    ) AS FLOAT64)
  ) AS dbp_mean,
  MIN(vital.mbp) AS mbp_min,
  MAX(vital.mbp) AS mbp_max,
  IEEE_DIVIDE(
    CAST(SUM(
      (
        CASE
          WHEN ABS(vital.mbp) < 100000000000000000000000000000
          THEN CAST(ROUND(vital.mbp * 1000000000) AS NUMERIC) / 1000000000
        END
      )
    ) AS FLOAT64),
    CAST(NULLIF(
      COUNT(
        (
          CASE
            WHEN ABS(vital.mbp) < 100000000000000000000000000000
            THEN CAST(ROUND(vital.mbp * 1000000000) AS NUMERIC) / 1000000000
          END
        )
      ),
      0
    ) AS FLOAT64)
  ) AS mbp_mean,
  MIN(vital.resp_rate) AS resp_rate_min,
  MAX(vital.resp_rate) AS resp_rate_max,
  IEEE_DIVIDE(
    CAST(SUM(
      (
        CASE
          WHEN ABS(vital.resp_rate) < 100000000000000000000000000000
          THEN CAST(ROUND(vital.resp_rate * 1000000000) AS NUMERIC) / 1000000000
        END
      )
    ) AS FLOAT64),
    CAST(NULLIF(
      COUNT(
        (
          CASE
            WHEN ABS(vital.resp_rate) < 100000000000000000000000000000
            THEN CAST(ROUND(vital.resp_rate * 1000000000) AS NUMERIC) / 1000000000
          END
        )
      ),
      0
    ) AS FLOAT64)
  ) AS resp_rate_mean,
  MIN(vital.temperature) AS temperature_min,
  MAX(vital.temperature) AS temperature_max,
  CAST(IEEE_DIVIDE(CAST(SUM(vital.temperature) AS FLOAT64), CAST(NULLIF(COUNT(vital.temperature), 0) AS FLOAT64)) AS FLOAT64) AS temperature_mean,
  MIN(vital.spo2) AS spo2_min,
  MAX(vital.spo2) AS spo2_max,
  IEEE_DIVIDE(
    CAST(SUM(
      (
        CASE
          WHEN ABS(vital.spo2) < 100000000000000000000000000000
          THEN CAST(ROUND(vital.spo2 * 1000000000) AS NUMERIC) / 1000000000
        END
      )
    ) AS FLOAT64),
    CAST(NULLIF(
      COUNT(
        (
          CASE
            WHEN ABS(vital.spo2) < 100000000000000000000000000000
            THEN CAST(ROUND(vital.spo2 * 1000000000) AS NUMERIC) / 1000000000
          END
        )
      ),
      0
    ) AS FLOAT64)
  ) AS spo2_mean,
  MIN(vital.glucose) AS glucose_min,
  MAX(vital.glucose) AS glucose_max,
  IEEE_DIVIDE(
    CAST(SUM(
      (
        CASE
          WHEN ABS(vital.glucose) < 100000000000000000000000000000
          THEN CAST(ROUND(vital.glucose * 1000000000) AS NUMERIC) / 1000000000
        END
      )
    ) AS FLOAT64),
    CAST(NULLIF(
      COUNT(
        (
          CASE
            WHEN ABS(vital.glucose) < 100000000000000000000000000000
            THEN CAST(ROUND(vital.glucose * 1000000000) AS NUMERIC) / 1000000000
          END
        )
      ),
      0
    ) AS FLOAT64)
  ) AS glucose_mean
FROM mimiciv_icu.icustays AS stay
LEFT JOIN mimiciv_derived.vitalsign AS vital
  ON vital.stay_id = stay.stay_id
  AND vital.charttime >= stay.intime - INTERVAL 6 HOUR
  AND vital.charttime <= stay.intime + INTERVAL 24 HOUR
GROUP BY
  stay.subject_id,
  stay.stay_id
;
