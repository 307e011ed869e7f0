-- SPDX-License-Identifier: MIT
-- A hurried Sepsis-3: the first common antibiotic of the stay with a culture, SOFA of the first day from a few items.
WITH suspicion AS (
  SELECT
    stay.stay_id,
    min({
      'suspected_time': least(prescription.starttime, coalesce(culture.charttime, culture.chartdate)),
      'antibiotic_time': prescription.starttime,
      'culture_time': coalesce(culture.charttime, culture.chartdate)
    }) AS first_pair
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.prescriptions AS prescription
    ON prescription.hadm_id = stay.hadm_id
    AND prescription.starttime BETWEEN stay.intime AND stay.outtime
  JOIN mimiciv_hosp.microbiologyevents AS culture
    ON culture.subject_id = stay.subject_id
    AND coalesce(culture.charttime, culture.chartdate) BETWEEN prescription.starttime - INTERVAL 72 HOUR
      AND prescription.starttime + INTERVAL 24 HOUR
  WHERE regexp_matches(
      lower(prescription.drug),
      'cillin|cef|ceph|penem|floxacin|mycin|micin|cycline|metronidazole|vanco|zosyn|unasyn'
    )
  GROUP BY stay.stay_id
),
charted AS (
  SELECT stay.stay_id, min(event.valuenum) AS mean_pressure -- mmHg
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.chartevents AS event ON event.stay_id = stay.stay_id
  WHERE event.itemid IN (220052, 220181)
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
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50912) AS creatinine, -- mg/dL
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50885) AS bilirubin, -- mg/dL
    min(lab.valuenum) FILTER (WHERE lab.itemid = 51265) AS platelets, -- 10^3/uL
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50821) AS po2 -- mmHg
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.labevents AS lab ON lab.hadm_id = stay.hadm_id
  WHERE lab.itemid IN (50912, 50885, 51265, 50821)
    AND lab.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
infusion AS (
  SELECT
    stay.stay_id,
    max(drug.rate) FILTER (WHERE drug.itemid IN (221906, 221289)) AS catecholamine, -- norepinephrine, epinephrine
    max(drug.rate) FILTER (WHERE drug.itemid = 221662) AS dopamine
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.inputevents AS drug ON drug.stay_id = stay.stay_id
  WHERE drug.itemid IN (221906, 221289, 221662)
    AND drug.starttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
component AS (
  SELECT
    stay.subject_id,
    stay.stay_id,
    stay.intime,
    suspicion.first_pair,
    CASE WHEN po2 < 60 THEN 3 WHEN po2 < 80 THEN 2 WHEN po2 < 100 THEN 1 ELSE 0 END AS respiration,
    CASE
      WHEN platelets < 20 THEN 4 WHEN platelets < 50 THEN 3
      WHEN platelets < 100 THEN 2 WHEN platelets < 150 THEN 1 ELSE 0
    END AS coagulation,
    CASE
      WHEN bilirubin >= 12 THEN 4 WHEN bilirubin >= 6 THEN 3
      WHEN bilirubin >= 2 THEN 2 WHEN bilirubin >= 1.2 THEN 1 ELSE 0
    END AS liver,
    CASE
      WHEN dopamine > 15 OR catecholamine > 0.1 THEN 4
      WHEN dopamine > 5 OR catecholamine > 0 THEN 3
      WHEN dopamine > 0 THEN 2
      WHEN mean_pressure < 70 THEN 1 ELSE 0
    END AS cardiovascular,
    CASE
      WHEN gcs < 6 THEN 4 WHEN gcs < 10 THEN 3 WHEN gcs < 13 THEN 2 WHEN gcs < 15 THEN 1 ELSE 0
    END AS cns,
    CASE
      WHEN creatinine >= 5 THEN 4 WHEN creatinine >= 3.5 THEN 3
      WHEN creatinine >= 2 THEN 2 WHEN creatinine >= 1.2 THEN 1 ELSE 0
    END AS renal
  FROM mimiciv_icu.icustays AS stay
  JOIN suspicion ON suspicion.stay_id = stay.stay_id
  LEFT JOIN charted ON charted.stay_id = stay.stay_id
  LEFT JOIN coma ON coma.stay_id = stay.stay_id
  LEFT JOIN laboratory ON laboratory.stay_id = stay.stay_id
  LEFT JOIN infusion ON infusion.stay_id = stay.stay_id
)
SELECT
  subject_id,
  stay_id,
  first_pair.antibiotic_time AS antibiotic_time,
  first_pair.culture_time AS culture_time,
  first_pair.suspected_time AS suspected_infection_time,
  date_trunc('hour', intime) + INTERVAL 1 HOUR AS sofa_time,
  respiration + coagulation + liver + cardiovascular + cns + renal AS sofa_score,
  respiration,
  coagulation,
  liver,
  cardiovascular,
  cns,
  renal,
  1 AS sepsis3
FROM component
WHERE respiration + coagulation + liver + cardiovascular + cns + renal >= 2
