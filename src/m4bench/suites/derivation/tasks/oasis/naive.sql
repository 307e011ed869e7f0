-- SPDX-License-Identifier: MIT
-- A hurried OASIS: extremes of hours 0 to 24, anchor age, whole hours before the ICU, a tube charted as ventilation.
WITH charted AS (
  SELECT
    stay.stay_id,
    min(event.valuenum) FILTER (WHERE event.itemid = 220045) AS heart_rate_min, -- /min
    max(event.valuenum) FILTER (WHERE event.itemid = 220045) AS heart_rate_max,
    min(event.valuenum) FILTER (WHERE event.itemid IN (220052, 220181)) AS mean_pressure_min, -- mmHg
    max(event.valuenum) FILTER (WHERE event.itemid IN (220052, 220181)) AS mean_pressure_max,
    min(event.valuenum) FILTER (WHERE event.itemid = 220210) AS respiratory_rate_min, -- /min
    max(event.valuenum) FILTER (WHERE event.itemid = 220210) AS respiratory_rate_max,
    min((event.valuenum - 32) / 1.8) FILTER (WHERE event.itemid = 223761) AS temperature_min, -- °C
    max((event.valuenum - 32) / 1.8) FILTER (WHERE event.itemid = 223761) AS temperature_max,
    bool_or(event.value = 'Endotracheal tube') AS intubated
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.chartevents AS event ON event.stay_id = stay.stay_id
  WHERE event.itemid IN (220045, 220052, 220181, 220210, 223761, 226732)
    AND event.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
coma_assessment AS (
  SELECT event.stay_id, event.charttime, sum(event.valuenum) AS total
  FROM mimiciv_icu.chartevents AS event
  WHERE event.itemid IN (220739, 223900, 223901) -- eye opening, verbal, motor
  GROUP BY event.stay_id, event.charttime
  HAVING count(DISTINCT event.itemid) = 3
),
coma AS (
  SELECT stay.stay_id, min(assessment.total) AS gcs
  FROM mimiciv_icu.icustays AS stay
  JOIN coma_assessment AS assessment ON assessment.stay_id = stay.stay_id
  WHERE assessment.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
urine AS (
  SELECT stay.stay_id, sum(output.value) AS volume -- mL
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.outputevents AS output ON output.stay_id = stay.stay_id
  WHERE output.itemid IN (226559, 226560) -- Foley, void
    AND output.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
surgery AS (
  SELECT service.hadm_id, bool_or(service.curr_service LIKE '%SURG%') AS surgical
  FROM mimiciv_hosp.services AS service
  GROUP BY service.hadm_id
),
known_stay AS (
  SELECT
    stay.subject_id,
    stay.hadm_id,
    stay.stay_id,
    patient.anchor_age AS age,
    date_diff('hour', admission.admittime, stay.intime) AS hours_before,
    admission.admission_type = 'ELECTIVE' AND coalesce(surgery.surgical, FALSE) AS elective
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.admissions AS admission ON admission.hadm_id = stay.hadm_id
  JOIN mimiciv_hosp.patients AS patient ON patient.subject_id = stay.subject_id
  LEFT JOIN surgery ON surgery.hadm_id = stay.hadm_id
),
component AS (
  SELECT
    stay.subject_id,
    stay.hadm_id,
    stay.stay_id,
    CASE
      WHEN hours_before < 1 THEN 5 WHEN hours_before < 5 THEN 3 WHEN hours_before < 24 THEN 0
      WHEN hours_before < 312 THEN 2 WHEN hours_before >= 312 THEN 1 ELSE 0
    END AS preiculos_score,
    CASE
      WHEN age < 24 THEN 0 WHEN age < 54 THEN 3 WHEN age < 78 THEN 6 WHEN age < 90 THEN 9 WHEN age >= 90 THEN 7 ELSE 0
    END AS age_score,
    CASE WHEN gcs < 8 THEN 10 WHEN gcs < 14 THEN 4 WHEN gcs < 15 THEN 3 ELSE 0 END AS gcs_score,
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
      WHEN volume < 671.09 THEN 10 WHEN volume < 1427 THEN 5 WHEN volume < 2544.14 THEN 1
      WHEN volume > 6896.8 THEN 8 ELSE 0
    END AS urineoutput_score,
    CASE WHEN intubated THEN 9 ELSE 0 END AS mechvent_score,
    CASE WHEN elective THEN 0 ELSE 6 END AS electivesurgery_score
  FROM known_stay AS stay
  LEFT JOIN charted ON charted.stay_id = stay.stay_id
  LEFT JOIN coma ON coma.stay_id = stay.stay_id
  LEFT JOIN urine ON urine.stay_id = stay.stay_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
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
