-- vitalsign: Vital signs at each charting time
-- one row per patient, ICU stay and charttime with any entry of the items; published convention
-- reads mimiciv_icu.chartevents
/* Vital signs, one row a stay and charttime: the mean of what was accepted. */
WITH entry AS (
  /* rule 1 */
  SELECT
    subject_id,
    stay_id,
    charttime,
    itemid,
    value,
    valuenum
  FROM mimiciv_icu.chartevents
  WHERE
    NOT stay_id IS NULL
    AND itemid IN (
      220045, /* Heart Rate, /min */
      220179, /* Non Invasive Blood Pressure systolic, mmHg */
      220050, /* Arterial Blood Pressure systolic, mmHg */
      225309, /* ART BP Systolic, mmHg */
      220180, /* Non Invasive Blood Pressure diastolic, mmHg */
      220051, /* Arterial Blood Pressure diastolic, mmHg */
      225310, /* ART BP Diastolic, mmHg */
      220181, /* Non Invasive Blood Pressure mean, mmHg */
      220052, /* Arterial Blood Pressure mean, mmHg */
      225312, /* ART BP Mean, mmHg */
      220210, /* Respiratory Rate, /min */
      224690, /* Respiratory Rate (Total), /min */
      223761, /* Temperature Fahrenheit, °F */
      223762, /* Temperature Celsius, Blood Temperature CCO, Arctic Sun/Alsius Temp #1 and #2, °C */
      224642, /* Temperature Site, text */
      220277, /* O2 saturation pulseoxymetry, % */
      225664, /* Glucose finger stick (range 70-100), mg/dL */
      220621, /* Glucose (serum), mg/dL */
      226537 /* Glucose (whole blood), mg/dL */
    )
), averaged AS (
  /* rules 2 and 5: what is out of range leaves its charting time; a sum of decimals is the same in any */
  /* order of the rows, a sum of doubles is not */
  SELECT
    subject_id,
    stay_id,
    charttime,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid = 220045 AND valuenum > 0 AND valuenum < 300
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid = 220045 AND valuenum > 0 AND valuenum < 300
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS heart_rate,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid IN (220179, 220050, 225309) AND valuenum > 0 AND valuenum < 400
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid IN (220179, 220050, 225309) AND valuenum > 0 AND valuenum < 400
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS sbp,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid IN (220050, 225309) AND valuenum > 0 AND valuenum < 400
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid IN (220050, 225309) AND valuenum > 0 AND valuenum < 400
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS sbp_invasive,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid IN (220180, 220051, 225310) AND valuenum > 0 AND valuenum < 300
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid IN (220180, 220051, 225310) AND valuenum > 0 AND valuenum < 300
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS dbp,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid IN (220051, 225310) AND valuenum > 0 AND valuenum < 300
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid IN (220051, 225310) AND valuenum > 0 AND valuenum < 300
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS dbp_invasive,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid IN (220181, 220052, 225312) AND valuenum > 0 AND valuenum < 300
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid IN (220181, 220052, 225312) AND valuenum > 0 AND valuenum < 300
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS mbp,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid IN (220052, 225312) AND valuenum > 0 AND valuenum < 300
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid IN (220052, 225312) AND valuenum > 0 AND valuenum < 300
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS mbp_invasive,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid = 220179 AND valuenum > 0 AND valuenum < 400
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid = 220179 AND valuenum > 0 AND valuenum < 400
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS sbp_ni,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid = 220180 AND valuenum > 0 AND valuenum < 300
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid = 220180 AND valuenum > 0 AND valuenum < 300
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS dbp_ni,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid = 220181 AND valuenum > 0 AND valuenum < 300
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid = 220181 AND valuenum > 0 AND valuenum < 300
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS mbp_ni,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid IN (220210, 224690) AND valuenum > 0 AND valuenum < 70
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid IN (220210, 224690) AND valuenum > 0 AND valuenum < 70
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS resp_rate,
    ROUND(
      CAST(CAST(ROUND(
        IEEE_DIVIDE(
          CAST(SUM(
            CASE
              WHEN itemid = 223761 AND valuenum > 70 AND valuenum < 120
              THEN CAST(ROUND((
                (
                  valuenum - 32
                ) / CAST(1.8 AS FLOAT64)
              ) * 1000000000) AS NUMERIC) / 1000000000
              WHEN itemid IN (223762) AND valuenum > 10 AND valuenum < 50
              THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
            END
          ) AS FLOAT64),
          CAST(NULLIF(
            COUNT(
              CASE
                WHEN itemid = 223761 AND valuenum > 70 AND valuenum < 120
                THEN CAST(ROUND((
                  (
                    valuenum - 32
                  ) / CAST(1.8 AS FLOAT64)
                ) * 1000000000) AS NUMERIC) / 1000000000
                WHEN itemid IN (223762) AND valuenum > 10 AND valuenum < 50
                THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
              END
            ),
            0
          ) AS FLOAT64)
        ) * 1000
      ) AS NUMERIC) / 1000 AS NUMERIC),
      2
    ) AS temperature, /* rule 3: half away from zero */
    MAX(CASE WHEN itemid = 224642 THEN value END) AS temperature_site, /* rule 4 */
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid = 220277 AND valuenum > 0 AND valuenum <= 100
          THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid = 220277 AND valuenum > 0 AND valuenum <= 100
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        ),
        0
      ) AS FLOAT64)
    ) AS spo2,
    IEEE_DIVIDE(
      CAST(SUM(
        CASE
          WHEN itemid IN (225664, 220621, 226537) AND valuenum > 0
          THEN CASE
            WHEN ABS(valuenum) < 100000000000000000000000000000
            THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
          END
        END
      ) AS FLOAT64),
      CAST(NULLIF(
        COUNT(
          CASE
            WHEN itemid IN (225664, 220621, 226537) AND valuenum > 0
            THEN CASE
              WHEN ABS(valuenum) < 100000000000000000000000000000
              THEN CAST(ROUND(valuenum * 1000000000) AS NUMERIC) / 1000000000
            END
          END
        ),
        0
      ) AS FLOAT64)
    ) AS glucose
  FROM entry
  GROUP BY
    subject_id,
    stay_id,
    charttime
), trusted /* the pressures of one device, all or none */ AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    heart_rate,
    sbp,
    dbp,
    mbp,
    CASE
      WHEN FALSE
      AND (
        sbp_invasive < mbp_invasive OR mbp_invasive < dbp_invasive OR sbp_invasive < dbp_invasive
      )
      THEN NULL
      ELSE sbp_invasive
    END AS sbp_invasive,
    CASE
      WHEN FALSE
      AND (
        sbp_invasive < mbp_invasive OR mbp_invasive < dbp_invasive OR sbp_invasive < dbp_invasive
      )
      THEN NULL
      ELSE dbp_invasive
    END AS dbp_invasive,
    CASE
      WHEN FALSE
      AND (
        sbp_invasive < mbp_invasive OR mbp_invasive < dbp_invasive OR sbp_invasive < dbp_invasive
      )
      THEN NULL
      ELSE mbp_invasive
    END AS mbp_invasive,
    CASE
      WHEN FALSE AND (
        sbp_ni < mbp_ni OR mbp_ni < dbp_ni OR sbp_ni < dbp_ni
      )
      THEN NULL
      ELSE sbp_ni
    END AS sbp_ni,
    CASE
      WHEN FALSE AND (
        sbp_ni < mbp_ni OR mbp_ni < dbp_ni OR sbp_ni < dbp_ni
      )
      THEN NULL
      ELSE dbp_ni
    END AS dbp_ni,
    CASE
      WHEN FALSE AND (
        sbp_ni < mbp_ni OR mbp_ni < dbp_ni OR sbp_ni < dbp_ni
      )
      THEN NULL
      ELSE mbp_ni
    END AS mbp_ni,
    resp_rate,
    temperature,
    temperature_site,
    spo2,
    glucose
  FROM averaged
)
SELECT
  subject_id,
  stay_id,
  charttime,
  heart_rate,
  CASE WHEN FALSE THEN COALESCE(sbp_invasive, sbp_ni) ELSE sbp END AS sbp,
  CASE WHEN FALSE THEN COALESCE(dbp_invasive, dbp_ni) ELSE dbp END AS dbp,
  CASE WHEN FALSE THEN COALESCE(mbp_invasive, mbp_ni) ELSE mbp END AS mbp,
  sbp_ni,
  dbp_ni,
  mbp_ni,
  resp_rate,
  temperature,
  temperature_site,
  spo2,
  glucose
FROM trusted
;
