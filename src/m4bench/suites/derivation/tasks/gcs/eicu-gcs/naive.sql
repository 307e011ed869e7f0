-- SPDX-License-Identifier: MIT
-- A hurried lowest GCS: charted totals of minutes 0 to 1440 alone, each component's own lowest value.
WITH charted AS (
  SELECT
    chart.patientunitstayid,
    chart.nursingchartcelltypevalname AS quantity,
    TRY_CAST(chart.nursingchartvalue AS DOUBLE) AS points
  FROM eicu_crd.nursecharting AS chart
  WHERE chart.nursingchartcelltypevallabel = 'Glasgow coma score'
    AND chart.nursingchartoffset BETWEEN 0 AND 1440
),
lowest AS (
  SELECT
    charted.patientunitstayid,
    min(charted.points) FILTER (WHERE charted.quantity = 'GCS Total') AS total,
    min(charted.points) FILTER (WHERE charted.quantity = 'Motor') AS motor,
    min(charted.points) FILTER (WHERE charted.quantity = 'Verbal') AS verbal,
    min(charted.points) FILTER (WHERE charted.quantity = 'Eyes') AS eyes
  FROM charted
  GROUP BY charted.patientunitstayid
)
SELECT
  patient.patientunitstayid,
  patient.uniquepid,
  patient.patienthealthsystemstayid,
  coalesce(lowest.total, 15) AS gcs_min,
  coalesce(lowest.motor, 6) AS gcs_motor,
  coalesce(lowest.verbal, 5) AS gcs_verbal,
  coalesce(lowest.eyes, 4) AS gcs_eyes
FROM eicu_crd.patient AS patient
LEFT JOIN lowest ON lowest.patientunitstayid = patient.patientunitstayid
