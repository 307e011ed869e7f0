-- SPDX-License-Identifier: MIT
-- A hurried suspicion of infection: antibiotics by parts of common names, one culture within the windows.
WITH antibiotic AS (
  SELECT
    prescription.subject_id,
    stay.stay_id,
    prescription.hadm_id,
    prescription.drug,
    prescription.starttime,
    row_number() OVER (
      PARTITION BY prescription.subject_id
      ORDER BY
        prescription.starttime, prescription.stoptime, prescription.drug, prescription.hadm_id, stay.stay_id
    ) AS ab_id
  FROM mimiciv_hosp.prescriptions AS prescription
  LEFT JOIN mimiciv_icu.icustays AS stay
    ON stay.hadm_id = prescription.hadm_id
    AND prescription.starttime BETWEEN stay.intime AND stay.outtime
  WHERE regexp_matches(
      lower(prescription.drug),
      'cillin|cef|ceph|penem|floxacin|mycin|micin|cycline|metronidazole|sulfamethoxazole|aztreonam|linezolid|vanco|zosyn|unasyn|cipro|bactrim'
    )
    AND prescription.route NOT IN ('TP', 'OU', 'OS', 'OD', 'AU', 'AS', 'AD')
),
culture AS (
  SELECT
    event.subject_id,
    event.micro_specimen_id,
    min(coalesce(event.charttime, event.chartdate)) AS culture_time,
    min(event.spec_type_desc) AS specimen,
    max(CASE WHEN event.org_name IS NOT NULL THEN 1 ELSE 0 END) AS positive
  FROM mimiciv_hosp.microbiologyevents AS event
  GROUP BY event.subject_id, event.micro_specimen_id
),
paired AS (
  SELECT
    antibiotic.subject_id,
    antibiotic.ab_id,
    min({
      'culture_time': culture.culture_time,
      'micro_specimen_id': culture.micro_specimen_id,
      'specimen': culture.specimen,
      'positive': culture.positive
    }) AS first_culture
  FROM antibiotic
  JOIN culture
    ON culture.subject_id = antibiotic.subject_id
    AND culture.culture_time BETWEEN antibiotic.starttime - INTERVAL 72 HOUR
      AND antibiotic.starttime + INTERVAL 24 HOUR
  GROUP BY antibiotic.subject_id, antibiotic.ab_id
)
SELECT
  antibiotic.subject_id,
  antibiotic.stay_id,
  antibiotic.hadm_id,
  antibiotic.ab_id,
  antibiotic.drug AS antibiotic,
  antibiotic.starttime AS antibiotic_time,
  CASE WHEN paired.first_culture IS NULL THEN 0 ELSE 1 END AS suspected_infection,
  CASE
    WHEN paired.first_culture IS NOT NULL THEN least(antibiotic.starttime, paired.first_culture.culture_time)
  END AS suspected_infection_time,
  paired.first_culture.culture_time AS culture_time,
  paired.first_culture.specimen AS specimen,
  paired.first_culture.positive AS positive_culture
FROM antibiotic
LEFT JOIN paired
  ON paired.subject_id = antibiotic.subject_id
  AND paired.ab_id = antibiotic.ab_id
