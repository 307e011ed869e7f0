-- SPDX-License-Identifier: MIT
-- A hurried OASIS of a unit stay: charted extremes of the first day, one label a measure, the APACHE figures else.
WITH charted AS (
  SELECT
    chart.patientunitstayid,
    chart.nursingchartcelltypevalname AS measure,
    try_cast(chart.nursingchartvalue AS DOUBLE) AS reading
  FROM eicu_crd.nursecharting AS chart
  WHERE chart.nursingchartoffset BETWEEN 0 AND 1440
    AND chart.nursingchartcelltypevalname IN (
      'Heart Rate', 'Respiratory Rate', 'Temperature (C)', 'Non-Invasive BP Mean', 'Invasive BP Mean', 'GCS Total'
    )
),
extreme AS (
  SELECT
    patientunitstayid,
    min(reading) FILTER (WHERE measure = 'Heart Rate') AS heart_rate_min, -- /min
    max(reading) FILTER (WHERE measure = 'Heart Rate') AS heart_rate_max,
    min(reading) FILTER (WHERE measure = 'Respiratory Rate') AS respiratory_rate_min, -- /min
    max(reading) FILTER (WHERE measure = 'Respiratory Rate') AS respiratory_rate_max,
    min(reading) FILTER (WHERE measure = 'Temperature (C)') AS temperature_min, -- °C
    max(reading) FILTER (WHERE measure = 'Temperature (C)') AS temperature_max,
    min(reading) FILTER (WHERE measure IN ('Non-Invasive BP Mean', 'Invasive BP Mean')) AS mean_pressure_min, -- mmHg
    max(reading) FILTER (WHERE measure IN ('Non-Invasive BP Mean', 'Invasive BP Mean')) AS mean_pressure_max,
    min(reading) FILTER (WHERE measure = 'GCS Total') AS gcs
  FROM charted
  WHERE reading > 0
  GROUP BY patientunitstayid
),
urine AS (
  SELECT flow.patientunitstayid, sum(flow.cellvaluenumeric) AS volume -- mL
  FROM eicu_crd.intakeoutput AS flow
  WHERE flow.intakeoutputoffset BETWEEN 0 AND 1440
    AND flow.cellpath ILIKE '%output (ml)%urine%'
  GROUP BY flow.patientunitstayid
),
component AS (
  SELECT
    patient.patientunitstayid,
    patient.uniquepid,
    patient.patienthealthsystemstayid,
    CASE
      WHEN patient.hospitaladmitoffset > -10.2 THEN 5 WHEN patient.hospitaladmitoffset > -297 THEN 3
      WHEN patient.hospitaladmitoffset > -1440 THEN 0 WHEN patient.hospitaladmitoffset > -18708 THEN 2
      WHEN patient.hospitaladmitoffset <= -18708 THEN 1 ELSE 0
    END AS preiculos_score,
    CASE
      WHEN patient.age = '> 89' THEN 7
      WHEN try_cast(patient.age AS INTEGER) < 24 THEN 0 WHEN try_cast(patient.age AS INTEGER) < 54 THEN 3
      WHEN try_cast(patient.age AS INTEGER) < 78 THEN 6 WHEN try_cast(patient.age AS INTEGER) >= 78 THEN 9 ELSE 0
    END AS age_score,
    CASE WHEN gcs < 8 THEN 10 WHEN gcs < 14 THEN 4 WHEN gcs = 14 THEN 3 ELSE 0 END AS gcs_score,
    CASE
      WHEN heart_rate_max > 125 THEN 6 WHEN heart_rate_min < 33 THEN 4
      WHEN heart_rate_max > 106 THEN 3 WHEN heart_rate_max > 88 THEN 1 ELSE 0
    END AS heart_rate_score,
    CASE
      WHEN mean_pressure_min < 20.65 THEN 4 WHEN mean_pressure_min < 51 THEN 3
      WHEN mean_pressure_max > 143.44 THEN 3 WHEN mean_pressure_min < 61.33 THEN 2 ELSE 0
    END AS mbp_score,
    CASE
      WHEN respiratory_rate_min < 6 THEN 10 WHEN respiratory_rate_max > 44 THEN 9
      WHEN respiratory_rate_max > 30 THEN 6 WHEN respiratory_rate_max > 22 THEN 1
      WHEN respiratory_rate_min < 13 THEN 1 ELSE 0
    END AS resp_rate_score,
    CASE
      WHEN temperature_max > 39.88 THEN 6 WHEN temperature_min < 33.22 THEN 3
      WHEN temperature_min < 35.94 THEN 4 WHEN temperature_min < 36.4 THEN 2
      WHEN temperature_max > 36.88 THEN 2 ELSE 0
    END AS temp_score,
    CASE
      WHEN volume < 671 THEN 10 WHEN volume < 1427 THEN 5 WHEN volume < 2544 THEN 1 WHEN volume > 6896 THEN 8 ELSE 0
    END AS urineoutput_score,
    CASE WHEN severity.intubated = 1 THEN 9 ELSE 0 END AS mechvent_score,
    CASE WHEN prediction.electivesurgery = 1 THEN 0 ELSE 6 END AS electivesurgery_score
  FROM eicu_crd.patient AS patient
  LEFT JOIN extreme ON extreme.patientunitstayid = patient.patientunitstayid
  LEFT JOIN urine ON urine.patientunitstayid = patient.patientunitstayid
  LEFT JOIN eicu_crd.apacheapsvar AS severity ON severity.patientunitstayid = patient.patientunitstayid
  LEFT JOIN eicu_crd.apachepredvar AS prediction ON prediction.patientunitstayid = patient.patientunitstayid
)
SELECT
  patientunitstayid,
  uniquepid,
  patienthealthsystemstayid,
  preiculos_score + age_score + gcs_score + heart_rate_score + mbp_score + resp_rate_score + temp_score
    + urineoutput_score + mechvent_score + electivesurgery_score AS oasis,
  preiculos_score,
  age_score,
  gcs_score,
  heart_rate_score,
  mbp_score,
  resp_rate_score,
  temp_score,
  urineoutput_score,
  mechvent_score,
  electivesurgery_score
FROM component
