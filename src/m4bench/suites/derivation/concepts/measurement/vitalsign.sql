/*
name: vitalsign
kind: concept
title: Vital signs at each charting time
grain: "one row per patient, ICU stay and charttime with any entry of the items"
key: [subject_id, stay_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: heart_rate, type: DOUBLE, unit: "/min", meaning: heart rate}
  - {name: sbp, type: DOUBLE, unit: mmHg, meaning: "systolic pressure, invasive and cuff averaged"}
  - {name: dbp, type: DOUBLE, unit: mmHg, meaning: "diastolic pressure, invasive and cuff averaged"}
  - {name: mbp, type: DOUBLE, unit: mmHg, meaning: "mean pressure, invasive and cuff averaged"}
  - {name: sbp_ni, type: DOUBLE, unit: mmHg, meaning: "systolic pressure, cuff"}
  - {name: dbp_ni, type: DOUBLE, unit: mmHg, meaning: "diastolic pressure, cuff"}
  - {name: mbp_ni, type: DOUBLE, unit: mmHg, meaning: "mean pressure, cuff"}
  - {name: resp_rate, type: DOUBLE, unit: "/min", meaning: respiratory rate}
  - {name: temperature, type: "DECIMAL(18,2)", unit: °C, meaning: "body temperature, rounded to three and then to two decimals"}
  - {name: temperature_site, type: VARCHAR, meaning: where the temperature was taken}
  - {name: spo2, type: DOUBLE, unit: "%", meaning: oxygen saturation by pulse oximetry}
  - {name: glucose, type: DOUBLE, unit: "mg/dL", meaning: "glucose by finger stick, serum or whole blood"}
inputs: [mimiciv_icu.chartevents]
spec: vitalsign
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions: []
*/
-- Vital signs, one row a stay and charttime: the mean of what was accepted.
WITH entry AS (
  -- rule 1
  SELECT subject_id, stay_id, charttime, itemid, value, valuenum
  FROM mimiciv_icu.chartevents
  WHERE stay_id IS NOT NULL
    AND itemid IN (
      220045, -- Heart Rate, /min
      220179, -- Non Invasive Blood Pressure systolic, mmHg
      220050, -- Arterial Blood Pressure systolic, mmHg
      225309, -- ART BP Systolic, mmHg
      220180, -- Non Invasive Blood Pressure diastolic, mmHg
      220051, -- Arterial Blood Pressure diastolic, mmHg
      225310, -- ART BP Diastolic, mmHg
      220181, -- Non Invasive Blood Pressure mean, mmHg
      220052, -- Arterial Blood Pressure mean, mmHg
      225312, -- ART BP Mean, mmHg
      220210, -- Respiratory Rate, /min
      224690, -- Respiratory Rate (Total), /min
      223761, -- Temperature Fahrenheit, °F
      223762, -- Temperature Celsius, °C
      224642, -- Temperature Site, text
      220277, -- O2 saturation pulseoxymetry, %
      225664, -- Glucose finger stick (range 70-100), mg/dL
      220621, -- Glucose (serum), mg/dL
      226537 -- Glucose (whole blood), mg/dL
    )
)
-- rules 2 and 5: what is out of range leaves its charting time; a sum of decimals is the same in any
-- order of the rows, a sum of doubles is not
SELECT
  subject_id,
  stay_id,
  charttime,
  avg(
    CASE WHEN itemid = 220045 AND valuenum > 0 AND valuenum < 300 THEN CAST(valuenum AS DECIMAL(18, 9)) END
  ) AS heart_rate,
  avg(
    CASE
      WHEN itemid IN (220179, 220050, 225309) AND valuenum > 0 AND valuenum < 400
        THEN CAST(valuenum AS DECIMAL(18, 9))
    END
  ) AS sbp,
  avg(
    CASE
      WHEN itemid IN (220180, 220051, 225310) AND valuenum > 0 AND valuenum < 300
        THEN CAST(valuenum AS DECIMAL(18, 9))
    END
  ) AS dbp,
  avg(
    CASE
      WHEN itemid IN (220181, 220052, 225312) AND valuenum > 0 AND valuenum < 300
        THEN CAST(valuenum AS DECIMAL(18, 9))
    END
  ) AS mbp,
  avg(
    CASE WHEN itemid = 220179 AND valuenum > 0 AND valuenum < 400 THEN CAST(valuenum AS DECIMAL(18, 9)) END
  ) AS sbp_ni,
  avg(
    CASE WHEN itemid = 220180 AND valuenum > 0 AND valuenum < 300 THEN CAST(valuenum AS DECIMAL(18, 9)) END
  ) AS dbp_ni,
  avg(
    CASE WHEN itemid = 220181 AND valuenum > 0 AND valuenum < 300 THEN CAST(valuenum AS DECIMAL(18, 9)) END
  ) AS mbp_ni,
  avg(
    CASE
      WHEN itemid IN (220210, 224690) AND valuenum > 0 AND valuenum < 70
        THEN CAST(valuenum AS DECIMAL(18, 9))
    END
  ) AS resp_rate,
  -- rule 3: two successive roundings, half away from zero
  round(
    CAST(
      avg(
        CASE
          WHEN itemid = 223761 AND valuenum > 70 AND valuenum < 120 THEN CAST((valuenum - 32) / 1.8 AS DECIMAL(18, 9))
          WHEN itemid = 223762 AND valuenum > 10 AND valuenum < 50 THEN CAST(valuenum AS DECIMAL(18, 9))
        END
      ) AS DECIMAL(18, 3)
    ),
    2
  ) AS temperature,
  max(CASE WHEN itemid = 224642 THEN value END) AS temperature_site, -- rule 4
  avg(
    CASE WHEN itemid = 220277 AND valuenum > 0 AND valuenum <= 100 THEN CAST(valuenum AS DECIMAL(18, 9)) END
  ) AS spo2,
  avg(
    CASE
      WHEN itemid IN (225664, 220621, 226537) AND valuenum > 0
        THEN TRY_CAST(valuenum AS DECIMAL(38, 9))
    END
  ) AS glucose
FROM entry
GROUP BY subject_id, stay_id, charttime
