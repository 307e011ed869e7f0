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
  - {name: sbp, type: DOUBLE, unit: mmHg, meaning: "systolic pressure, invasive and cuff"}
  - {name: dbp, type: DOUBLE, unit: mmHg, meaning: "diastolic pressure, invasive and cuff"}
  - {name: mbp, type: DOUBLE, unit: mmHg, meaning: "mean pressure, invasive and cuff"}
  - {name: sbp_ni, type: DOUBLE, unit: mmHg, meaning: "systolic pressure, cuff"}
  - {name: dbp_ni, type: DOUBLE, unit: mmHg, meaning: "diastolic pressure, cuff"}
  - {name: mbp_ni, type: DOUBLE, unit: mmHg, meaning: "mean pressure, cuff"}
  - {name: resp_rate, type: DOUBLE, unit: "/min", meaning: respiratory rate}
  - {name: temperature, type: "DECIMAL(18,2)", unit: °C, meaning: body temperature}
  - {name: temperature_site, type: VARCHAR, meaning: where the temperature was taken}
  - {name: spo2, type: DOUBLE, unit: "%", meaning: oxygen saturation by pulse oximetry}
  - {name: glucose, type: DOUBLE, unit: "mg/dL", meaning: "glucose by finger stick, serum or whole blood"}
inputs: [mimiciv_icu.chartevents]
spec: vitalsign
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: invasive_first
    published: "FALSE"
    adjudicated: "TRUE"
    difference: Pressures taken invasively and by cuff at one time are averaged, or of each kind the invasive one is taken, the cuff's where there is none.
    source: "the arterial line is the reference of the cuff"
    example: "cuff 120, arterial 110: 115 / 115 / 110"
  - name: ordered_only
    published: "FALSE"
    adjudicated: "TRUE"
    difference: A systolic pressure below the mean or diastolic one of its time and device counts, or the three of the device are rejected and the other device's stand.
    source: "systolic, mean and diastolic pressure cannot change places, but in two places they differ"
    example: "arterial 60, 75, 50 beside cuff 100, 70, 55: 80, 72.5, 52.5 / 80, 72.5, 52.5 / 100, 70, 55"
  - name: glucose_accepted
    published: valuenum > 0
    adjudicated: valuenum > 0 AND valuenum <= 2000
    difference: A glucose of any height counts, or one up to 2000 mg/dL.
    source: "specification of the concept: about 2000 mg/dL; 999999 stands for no result"
    example: "999999: 999999 / 999999 / null"
  - name: celsius_items
    published: "223762"
    adjudicated: 223762, 226329, 227632, 227634
    difference: Temperature is read from the thermometer alone, or also from the pulmonary catheter and the cooling device.
    source: "reported fault 68. Sources disagree: the community's form reads neither"
    example: "blood temperature 32.5 alone: no row / no row / 32.50"
  - name: first_decimals
    published: DECIMAL(18, 3)
    current: DECIMAL(18, 9)
    difference: The temperature is rounded to three and then to two decimals, or to two at once.
    source: "community's current form"
    example: "36.8046: 36.81 / 36.80 / 36.80"
unresolved:
  - says: keep the methods of glucose apart
    reason: there is one column for all
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
      $celsius_items, -- Temperature Celsius, Blood Temperature CCO, Arctic Sun/Alsius Temp #1 and #2, °C
      224642, -- Temperature Site, text
      220277, -- O2 saturation pulseoxymetry, %
      225664, -- Glucose finger stick (range 70-100), mg/dL
      220621, -- Glucose (serum), mg/dL
      226537 -- Glucose (whole blood), mg/dL
    )
),
averaged AS (
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
        WHEN itemid IN (220050, 225309) AND valuenum > 0 AND valuenum < 400 THEN CAST(valuenum AS DECIMAL(18, 9))
      END
    ) AS sbp_invasive,
    avg(
      CASE
        WHEN itemid IN (220180, 220051, 225310) AND valuenum > 0 AND valuenum < 300
          THEN CAST(valuenum AS DECIMAL(18, 9))
      END
    ) AS dbp,
    avg(
      CASE
        WHEN itemid IN (220051, 225310) AND valuenum > 0 AND valuenum < 300 THEN CAST(valuenum AS DECIMAL(18, 9))
      END
    ) AS dbp_invasive,
    avg(
      CASE
        WHEN itemid IN (220181, 220052, 225312) AND valuenum > 0 AND valuenum < 300
          THEN CAST(valuenum AS DECIMAL(18, 9))
      END
    ) AS mbp,
    avg(
      CASE
        WHEN itemid IN (220052, 225312) AND valuenum > 0 AND valuenum < 300 THEN CAST(valuenum AS DECIMAL(18, 9))
      END
    ) AS mbp_invasive,
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
    -- rule 3: half away from zero
    CAST(
      CAST(
        avg(
          CASE
            WHEN itemid = 223761 AND valuenum > 70 AND valuenum < 120 THEN CAST((valuenum - 32) / 1.8 AS DECIMAL(18, 9))
            WHEN itemid IN ($celsius_items) AND valuenum > 10 AND valuenum < 50 THEN CAST(valuenum AS DECIMAL(18, 9))
          END
        ) AS $first_decimals
      ) AS DECIMAL(18, 2)
    ) AS temperature,
    max(CASE WHEN itemid = 224642 THEN value END) AS temperature_site, -- rule 4
    avg(
      CASE WHEN itemid = 220277 AND valuenum > 0 AND valuenum <= 100 THEN CAST(valuenum AS DECIMAL(18, 9)) END
    ) AS spo2,
    avg(
      CASE
        WHEN itemid IN (225664, 220621, 226537) AND $glucose_accepted
          THEN TRY_CAST(valuenum AS DECIMAL(38, 9))
      END
    ) AS glucose
  FROM entry
  GROUP BY subject_id, stay_id, charttime
),
-- the pressures of one device, all or none
trusted AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    heart_rate,
    sbp,
    dbp,
    mbp,
    CASE WHEN $ordered_only AND pressures_out_of_order(sbp_invasive, mbp_invasive, dbp_invasive) THEN NULL ELSE sbp_invasive END AS sbp_invasive,
    CASE WHEN $ordered_only AND pressures_out_of_order(sbp_invasive, mbp_invasive, dbp_invasive) THEN NULL ELSE dbp_invasive END AS dbp_invasive,
    CASE WHEN $ordered_only AND pressures_out_of_order(sbp_invasive, mbp_invasive, dbp_invasive) THEN NULL ELSE mbp_invasive END AS mbp_invasive,
    CASE WHEN $ordered_only AND pressures_out_of_order(sbp_ni, mbp_ni, dbp_ni) THEN NULL ELSE sbp_ni END AS sbp_ni,
    CASE WHEN $ordered_only AND pressures_out_of_order(sbp_ni, mbp_ni, dbp_ni) THEN NULL ELSE dbp_ni END AS dbp_ni,
    CASE WHEN $ordered_only AND pressures_out_of_order(sbp_ni, mbp_ni, dbp_ni) THEN NULL ELSE mbp_ni END AS mbp_ni,
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
  CASE WHEN $invasive_first THEN coalesce(sbp_invasive, sbp_ni) ELSE sbp END AS sbp,
  CASE WHEN $invasive_first THEN coalesce(dbp_invasive, dbp_ni) ELSE dbp END AS dbp,
  CASE WHEN $invasive_first THEN coalesce(mbp_invasive, mbp_ni) ELSE mbp END AS mbp,
  sbp_ni,
  dbp_ni,
  mbp_ni,
  resp_rate,
  temperature,
  temperature_site,
  spo2,
  glucose
FROM trusted
