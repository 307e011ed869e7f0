-- SPDX-License-Identifier: MIT
-- A hurried SAPS II: worst values of hours 0 to 24, anchor age, three-character codes, oxygenation without support.
WITH charted AS (
  SELECT
    stay.stay_id,
    min(event.valuenum) FILTER (WHERE event.itemid = 220045) AS heart_rate_min, -- /min
    max(event.valuenum) FILTER (WHERE event.itemid = 220045) AS heart_rate_max,
    min(event.valuenum) FILTER (WHERE event.itemid IN (220050, 220179)) AS systolic_min, -- mmHg
    max(event.valuenum) FILTER (WHERE event.itemid IN (220050, 220179)) AS systolic_max,
    max((event.valuenum - 32) / 1.8) FILTER (WHERE event.itemid = 223761) AS temperature, -- °C
    max(event.valuenum) FILTER (WHERE event.itemid = 223835) AS fio2_percent
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.chartevents AS event ON event.stay_id = stay.stay_id
  WHERE event.itemid IN (220045, 220050, 220179, 223761, 223835)
    AND event.valuenum > 0
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
laboratory AS (
  SELECT
    stay.stay_id,
    max(lab.valuenum) FILTER (WHERE lab.itemid = 51006) AS urea_nitrogen, -- mg/dL
    min(lab.valuenum) FILTER (WHERE lab.itemid = 51301) AS white_cells_min, -- K/uL
    max(lab.valuenum) FILTER (WHERE lab.itemid = 51301) AS white_cells_max,
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50971) AS potassium_min, -- mEq/L
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50971) AS potassium_max,
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50983) AS sodium_min, -- mEq/L
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50983) AS sodium_max,
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50882) AS bicarbonate, -- mEq/L
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50885) AS bilirubin, -- mg/dL
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50821) AS po2 -- mmHg
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.labevents AS lab ON lab.hadm_id = stay.hadm_id
  WHERE lab.itemid IN (51006, 51301, 50971, 50983, 50882, 50885, 50821)
    AND lab.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
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
disease AS (
  SELECT
    diagnosis.hadm_id,
    bool_or(left(diagnosis.icd_code, 3) IN ('042', 'B20')) AS aids,
    bool_or(left(diagnosis.icd_code, 3) BETWEEN '200' AND '208' OR left(diagnosis.icd_code, 3) BETWEEN 'C81' AND 'C96')
      AS malignancy_of_blood,
    bool_or(left(diagnosis.icd_code, 3) BETWEEN '196' AND '198' OR left(diagnosis.icd_code, 3) BETWEEN 'C77' AND 'C79')
      AS metastasis
  FROM mimiciv_hosp.diagnoses_icd AS diagnosis
  GROUP BY diagnosis.hadm_id
),
surgery AS (
  SELECT service.hadm_id, bool_or(service.curr_service LIKE '%SURG%') AS surgical
  FROM mimiciv_hosp.services AS service
  GROUP BY service.hadm_id
),
component AS (
  SELECT
    stay.subject_id,
    stay.hadm_id,
    stay.stay_id,
    CASE
      WHEN patient.anchor_age < 40 THEN 0 WHEN patient.anchor_age < 60 THEN 7 WHEN patient.anchor_age < 70 THEN 12
      WHEN patient.anchor_age < 75 THEN 15 WHEN patient.anchor_age < 80 THEN 16
      WHEN patient.anchor_age >= 80 THEN 18 ELSE 0
    END AS age_score,
    CASE
      WHEN heart_rate_min < 40 THEN 11 WHEN heart_rate_max >= 160 THEN 7
      WHEN heart_rate_max >= 120 THEN 4 WHEN heart_rate_min < 70 THEN 2 ELSE 0
    END AS hr_score,
    CASE
      WHEN systolic_min < 70 THEN 13 WHEN systolic_min < 100 THEN 5 WHEN systolic_max >= 200 THEN 2 ELSE 0
    END AS sysbp_score,
    CASE WHEN temperature >= 39 THEN 3 ELSE 0 END AS temp_score,
    CASE
      WHEN 100 * po2 / fio2_percent < 100 THEN 11 WHEN 100 * po2 / fio2_percent < 200 THEN 9
      WHEN 100 * po2 / fio2_percent >= 200 THEN 6 ELSE 0
    END AS pao2fio2_score,
    CASE WHEN volume < 500 THEN 11 WHEN volume < 1000 THEN 4 ELSE 0 END AS uo_score,
    CASE WHEN urea_nitrogen < 28 THEN 0 WHEN urea_nitrogen < 84 THEN 6 WHEN urea_nitrogen >= 84 THEN 10 ELSE 0 END
      AS bun_score,
    CASE WHEN white_cells_min < 1 THEN 12 WHEN white_cells_max >= 20 THEN 3 ELSE 0 END AS wbc_score,
    CASE WHEN potassium_min < 3 OR potassium_max >= 5 THEN 3 ELSE 0 END AS potassium_score,
    CASE WHEN sodium_min < 125 THEN 5 WHEN sodium_max >= 145 THEN 1 ELSE 0 END AS sodium_score,
    CASE WHEN bicarbonate < 15 THEN 6 WHEN bicarbonate < 20 THEN 3 ELSE 0 END AS bicarbonate_score,
    CASE WHEN bilirubin < 4 THEN 0 WHEN bilirubin < 6 THEN 4 WHEN bilirubin >= 6 THEN 9 ELSE 0 END AS bilirubin_score,
    CASE
      WHEN gcs < 6 THEN 26 WHEN gcs < 9 THEN 13 WHEN gcs < 11 THEN 7 WHEN gcs < 14 THEN 5 ELSE 0
    END AS gcs_score,
    CASE
      WHEN disease.aids THEN 17 WHEN disease.malignancy_of_blood THEN 10 WHEN disease.metastasis THEN 9 ELSE 0
    END AS comorbidity_score,
    CASE
      WHEN surgery.surgical AND admission.admission_type = 'ELECTIVE' THEN 0 WHEN surgery.surgical THEN 8 ELSE 6
    END AS admissiontype_score
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.admissions AS admission ON admission.hadm_id = stay.hadm_id
  LEFT JOIN mimiciv_hosp.patients AS patient ON patient.subject_id = stay.subject_id
  LEFT JOIN charted ON charted.stay_id = stay.stay_id
  LEFT JOIN coma ON coma.stay_id = stay.stay_id
  LEFT JOIN laboratory ON laboratory.stay_id = stay.stay_id
  LEFT JOIN urine ON urine.stay_id = stay.stay_id
  LEFT JOIN disease ON disease.hadm_id = stay.hadm_id
  LEFT JOIN surgery ON surgery.hadm_id = stay.hadm_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  age_score + hr_score + sysbp_score + temp_score + pao2fio2_score + uo_score + bun_score + wbc_score
    + potassium_score + sodium_score + bicarbonate_score + bilirubin_score + gcs_score + comorbidity_score
    + admissiontype_score AS sapsii,
  age_score,
  hr_score,
  sysbp_score,
  temp_score,
  pao2fio2_score,
  uo_score,
  bun_score,
  wbc_score,
  potassium_score,
  sodium_score,
  bicarbonate_score,
  bilirubin_score,
  gcs_score,
  comorbidity_score,
  admissiontype_score
FROM component
