/*
name: icustay_detail
kind: concept
title: Patient, admission and order of every ICU stay
grain: one row per ICU stay with a known patient and admission
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: gender, type: VARCHAR, meaning: gender}
  - {name: dod, type: DATE, meaning: "date of death, null if none"}
  - {name: admittime, type: TIMESTAMP, meaning: hospital admission}
  - {name: dischtime, type: TIMESTAMP, meaning: hospital discharge}
  - {name: los_hospital, type: DOUBLE, unit: d, meaning: "elapsed hospital stay, unrounded"}
  - {name: admission_age, type: DOUBLE, unit: years, meaning: age at admission with its fraction}
  - {name: race, type: VARCHAR, meaning: race}
  - {name: hospital_expire_flag, type: SMALLINT, meaning: died in hospital (0/1)}
  - {name: hospstay_seq, type: BIGINT, meaning: order among the hospitalizations of the patient that hold an ICU stay}
  - {name: first_hosp_stay, type: BOOLEAN, meaning: hospstay_seq is 1}
  - {name: icu_intime, type: TIMESTAMP, meaning: ICU admission}
  - {name: icu_outtime, type: TIMESTAMP, meaning: ICU discharge}
  - {name: los_icu, type: "DECIMAL(18,2)", unit: d, meaning: elapsed ICU stay}
  - {name: icustay_seq, type: BIGINT, meaning: order of the stay within the hospitalization}
  - {name: first_icu_stay, type: BOOLEAN, meaning: icustay_seq is 1}
inputs: [mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_icu.icustays]
spec: icustay_detail
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions: []
*/
-- One line a stay, from which cohorts are drawn.
WITH numbered_stay AS (
  SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    icu.intime,
    icu.outtime,
    adm.admittime,
    adm.dischtime,
    adm.race,
    adm.hospital_expire_flag,
    pat.gender,
    pat.dod,
    pat.anchor_age,
    pat.anchor_year,
    -- rule 5: hospitalizations without an ICU stay do not count
    dense_rank() OVER (PARTITION BY adm.subject_id ORDER BY adm.admittime NULLS FIRST) AS hospstay_seq,
    -- rule 6
    dense_rank() OVER (PARTITION BY icu.hadm_id ORDER BY icu.intime NULLS FIRST) AS icustay_seq
  FROM mimiciv_icu.icustays AS icu
  -- rule 1
  INNER JOIN mimiciv_hosp.admissions AS adm
    ON adm.hadm_id = icu.hadm_id
  INNER JOIN mimiciv_hosp.patients AS pat
    ON pat.subject_id = icu.subject_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  gender,
  dod,
  admittime,
  dischtime,
  -- rules 2 and 8
  CAST(date_diff('microsecond', admittime, dischtime) AS DOUBLE) / CAST(86400000000 AS DOUBLE) AS los_hospital,
  -- rule 3: as in the concept age, a year of 365.242 days
  CAST(anchor_age AS DOUBLE)
  + CAST(date_diff('microsecond', make_timestamp(anchor_year, 1, 1, 0, 0, 0), admittime) AS DOUBLE)
  / CAST(31556908800000 AS DOUBLE) AS admission_age,
  race,
  hospital_expire_flag,
  hospstay_seq,
  hospstay_seq = 1 AS first_hosp_stay, -- rule 7
  intime AS icu_intime,
  outtime AS icu_outtime,
  -- rules 4 and 8: two roundings, one after the other, each half away from zero
  CAST(
    TRY_CAST(
      CAST(date_diff('microsecond', intime, outtime) AS DOUBLE) / CAST(3600000000 AS DOUBLE) / CAST(24 AS DOUBLE)
      AS DECIMAL(18, 3)
    ) AS DECIMAL(18, 2)
  ) AS los_icu,
  icustay_seq,
  icustay_seq = 1 AS first_icu_stay -- rule 7
FROM numbered_stay
