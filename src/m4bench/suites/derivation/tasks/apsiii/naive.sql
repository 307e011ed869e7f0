-- SPDX-License-Identifier: MIT
-- A hurried APS III: one end of each measure in hours 0 to 24, PaO2 alone, no renal failure, no ventilation.
WITH charted AS (
  SELECT
    stay.stay_id,
    max(event.valuenum) FILTER (WHERE event.itemid = 220045) AS heart_rate, -- /min
    min(event.valuenum) FILTER (WHERE event.itemid IN (220052, 220181)) AS mean_pressure, -- mmHg
    min((event.valuenum - 32) / 1.8) FILTER (WHERE event.itemid = 223761) AS temperature, -- °C
    max(event.valuenum) FILTER (WHERE event.itemid = 220210) AS respiratory_rate -- /min
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.chartevents AS event ON event.stay_id = stay.stay_id
  WHERE event.itemid IN (220045, 220052, 220181, 223761, 220210)
    AND event.valuenum > 0
    AND event.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
coma_assessment AS (
  SELECT
    stay.stay_id,
    max(event.valuenum) FILTER (WHERE event.itemid = 220739) AS eyes,
    max(event.valuenum) FILTER (WHERE event.itemid = 223900) AS verbal,
    max(event.valuenum) FILTER (WHERE event.itemid = 223901) AS motor
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.chartevents AS event ON event.stay_id = stay.stay_id
  WHERE event.itemid IN (220739, 223900, 223901)
    AND event.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id, event.charttime
),
coma AS (
  SELECT stay_id, min(eyes + verbal + motor) AS gcs
  FROM coma_assessment
  GROUP BY stay_id
),
laboratory AS (
  SELECT
    stay.stay_id,
    min(lab.valuenum) FILTER (WHERE lab.itemid = 51221) AS hematocrit, -- %
    max(lab.valuenum) FILTER (WHERE lab.itemid = 51301) AS white_cells, -- K/uL
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50912) AS creatinine, -- mg/dL
    max(lab.valuenum) FILTER (WHERE lab.itemid = 51006) AS urea_nitrogen, -- mg/dL
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50983) AS sodium, -- mEq/L
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50862) AS albumin, -- g/dL
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50885) AS bilirubin, -- mg/dL
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50931) AS glucose, -- mg/dL
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50820) AS ph,
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50818) AS pco2, -- mmHg
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50821) AS po2 -- mmHg
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.labevents AS lab ON lab.hadm_id = stay.hadm_id
  WHERE lab.itemid IN (51221, 51301, 50912, 51006, 50983, 50862, 50885, 50931, 50820, 50818, 50821)
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
component AS (
  SELECT
    stay.subject_id,
    stay.hadm_id,
    stay.stay_id,
    CASE
      WHEN heart_rate < 40 THEN 8 WHEN heart_rate < 50 THEN 5 WHEN heart_rate < 100 THEN 0
      WHEN heart_rate < 110 THEN 1 WHEN heart_rate < 120 THEN 5 WHEN heart_rate < 140 THEN 7
      WHEN heart_rate < 155 THEN 13 WHEN heart_rate >= 155 THEN 17 ELSE 0
    END AS hr_score,
    CASE
      WHEN mean_pressure < 40 THEN 23 WHEN mean_pressure < 60 THEN 15 WHEN mean_pressure < 70 THEN 7
      WHEN mean_pressure < 80 THEN 6 WHEN mean_pressure < 100 THEN 0 WHEN mean_pressure < 120 THEN 4
      WHEN mean_pressure < 130 THEN 7 WHEN mean_pressure < 140 THEN 9 WHEN mean_pressure >= 140 THEN 10 ELSE 0
    END AS mbp_score,
    CASE
      WHEN temperature < 33 THEN 20 WHEN temperature < 33.5 THEN 16 WHEN temperature < 34 THEN 13
      WHEN temperature < 35 THEN 8 WHEN temperature < 36 THEN 2 WHEN temperature >= 40 THEN 4 ELSE 0
    END AS temp_score,
    CASE
      WHEN respiratory_rate < 6 THEN 17 WHEN respiratory_rate < 12 THEN 8 WHEN respiratory_rate < 14 THEN 7
      WHEN respiratory_rate < 25 THEN 0 WHEN respiratory_rate < 35 THEN 6 WHEN respiratory_rate < 40 THEN 9
      WHEN respiratory_rate < 50 THEN 11 WHEN respiratory_rate >= 50 THEN 18 ELSE 0
    END AS resp_rate_score,
    CASE WHEN po2 < 50 THEN 15 WHEN po2 < 70 THEN 5 WHEN po2 < 80 THEN 2 ELSE 0 END AS pao2_aado2_score,
    CASE WHEN hematocrit < 41 OR hematocrit >= 50 THEN 3 ELSE 0 END AS hematocrit_score,
    CASE
      WHEN white_cells < 1 THEN 19 WHEN white_cells < 3 THEN 5 WHEN white_cells < 20 THEN 0
      WHEN white_cells < 25 THEN 1 WHEN white_cells >= 25 THEN 5 ELSE 0
    END AS wbc_score,
    CASE
      WHEN creatinine < 0.5 THEN 3 WHEN creatinine < 1.5 THEN 0
      WHEN creatinine < 1.95 THEN 4 WHEN creatinine >= 1.95 THEN 7 ELSE 0
    END AS creatinine_score,
    CASE
      WHEN volume < 400 THEN 15 WHEN volume < 600 THEN 8 WHEN volume < 900 THEN 7
      WHEN volume < 1500 THEN 5 WHEN volume < 2000 THEN 4 WHEN volume >= 4000 THEN 1 ELSE 0
    END AS uo_score,
    CASE
      WHEN urea_nitrogen < 17 THEN 0 WHEN urea_nitrogen < 20 THEN 2 WHEN urea_nitrogen < 40 THEN 7
      WHEN urea_nitrogen < 80 THEN 11 WHEN urea_nitrogen >= 80 THEN 12 ELSE 0
    END AS bun_score,
    CASE WHEN sodium < 120 THEN 3 WHEN sodium < 135 THEN 2 WHEN sodium >= 155 THEN 4 ELSE 0 END AS sodium_score,
    CASE WHEN albumin < 2 THEN 11 WHEN albumin < 2.5 THEN 6 WHEN albumin >= 4.5 THEN 4 ELSE 0 END AS albumin_score,
    CASE
      WHEN bilirubin < 2 THEN 0 WHEN bilirubin < 3 THEN 5 WHEN bilirubin < 5 THEN 6
      WHEN bilirubin < 8 THEN 8 WHEN bilirubin >= 8 THEN 16 ELSE 0
    END AS bilirubin_score,
    CASE
      WHEN glucose < 40 THEN 8 WHEN glucose < 60 THEN 9 WHEN glucose < 200 THEN 0
      WHEN glucose < 350 THEN 3 WHEN glucose >= 350 THEN 5 ELSE 0
    END AS glucose_score,
    CASE
      WHEN ph < 7.2 AND pco2 < 50 THEN 12 WHEN ph < 7.2 THEN 4
      WHEN ph < 7.3 AND pco2 < 30 THEN 9 WHEN ph < 7.3 AND pco2 < 40 THEN 6
      WHEN ph < 7.3 AND pco2 < 50 THEN 3 WHEN ph < 7.3 THEN 2
      WHEN ph < 7.45 AND pco2 < 30 THEN 5 WHEN ph < 7.45 AND pco2 >= 45 THEN 1
      WHEN ph >= 7.45 AND pco2 >= 45 THEN 12 ELSE 0
    END AS acidbase_score,
    CASE WHEN gcs < 6 THEN 48 WHEN gcs < 9 THEN 24 WHEN gcs < 12 THEN 13 WHEN gcs < 15 THEN 3 ELSE 0 END AS gcs_score
  FROM mimiciv_icu.icustays AS stay
  LEFT JOIN charted ON charted.stay_id = stay.stay_id
  LEFT JOIN coma ON coma.stay_id = stay.stay_id
  LEFT JOIN laboratory ON laboratory.stay_id = stay.stay_id
  LEFT JOIN urine ON urine.stay_id = stay.stay_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  hr_score + mbp_score + temp_score + resp_rate_score + pao2_aado2_score + hematocrit_score + wbc_score
    + creatinine_score + uo_score + bun_score + sodium_score + albumin_score + bilirubin_score + glucose_score
    + acidbase_score + gcs_score AS apsiii,
  hr_score,
  mbp_score,
  temp_score,
  resp_rate_score,
  pao2_aado2_score,
  hematocrit_score,
  wbc_score,
  creatinine_score,
  uo_score,
  bun_score,
  sodium_score,
  albumin_score,
  bilirubin_score,
  glucose_score,
  acidbase_score,
  gcs_score
FROM component
