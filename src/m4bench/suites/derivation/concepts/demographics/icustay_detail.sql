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
  - {name: los_hospital, type: DOUBLE, unit: d, meaning: "length of the hospital stay, elapsed and unrounded in the published form"}
  - {name: admission_age, type: DOUBLE, unit: years, meaning: "age at admission, with its fraction in the published form"}
  - {name: race, type: VARCHAR, meaning: race}
  - {name: hospital_expire_flag, type: SMALLINT, meaning: died in hospital (0/1)}
  - {name: hospstay_seq, type: BIGINT, meaning: "order among the hospitalizations of the patient, in the published form those with an ICU stay"}
  - {name: first_hosp_stay, type: BOOLEAN, meaning: hospstay_seq is 1}
  - {name: icu_intime, type: TIMESTAMP, meaning: ICU admission}
  - {name: icu_outtime, type: TIMESTAMP, meaning: ICU discharge}
  - {name: los_icu, type: "DECIMAL(18,2)", unit: d, meaning: "length of the ICU stay, elapsed in the published form"}
  - {name: icustay_seq, type: BIGINT, meaning: order of the stay within the hospitalization}
  - {name: first_icu_stay, type: BOOLEAN, meaning: icustay_seq is 1}
inputs: [mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_icu.icustays]
spec: icustay_detail
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: hospital_days
    published: hours_between(admittime, dischtime) / CAST(24 AS DOUBLE)
    current: midnights_between(admittime, dischtime)
    difference: A hospital stay is the number of midnights in place of the elapsed time.
    source: "community's current form"
    example: "9 March 23:00 to 15 March 05:00: 5.25 / 6 / 6"
  - name: age_at_admission
    published: age_with_fraction(anchor_age, anchor_year, admittime)
    current: age_in_whole_years(anchor_age, anchor_year, admittime)
    difference: Age in whole calendar years in place of a fraction that grows through the year.
    source: "community's current form; the anchor pair is in years (Johnson et al., 2023, Scientific Data)"
    example: "60 in 2150, admitted 2150-03-09: 60.186 / 60 / 60"
  - name: icu_days
    published: CAST(TRY_CAST(hours_between(intime, outtime) / CAST(24 AS DOUBLE) AS DECIMAL(18, 3)) AS DECIMAL(18, 2))
    current: TRY_CAST(clock_hours_between(intime, outtime) / CAST(24 AS DOUBLE) AS DECIMAL(18, 2))
    difference: An ICU stay is counted in full clock hours and rounded once, in place of elapsed time rounded twice.
    source: "community's current form"
    example: "1 June 00:00:00 to 2 June 00:06:29: 1.01 / 1.00 / 1.00"
  - name: hospitalization_order
    published: DENSE_RANK() OVER (PARTITION BY adm.subject_id ORDER BY adm.admittime NULLS FIRST)
    adjudicated: adm.admission_number
    difference: A patient's hospitalizations are numbered whether or not they held an ICU stay.
    source: adjudicated reading of the specification; no public form does
    example: "an admission without and then one with an ICU stay, the latter: 1 / 1 / 2"
*/
-- One line a stay, from which cohorts are drawn.
WITH numbered_admission AS (
  SELECT
    subject_id,
    hadm_id,
    admittime,
    dischtime,
    race,
    hospital_expire_flag,
    dense_rank() OVER (PARTITION BY subject_id ORDER BY admittime NULLS FIRST) AS admission_number
  FROM mimiciv_hosp.admissions
),
numbered_stay AS (
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
    $hospitalization_order AS hospstay_seq, -- rule 5
    -- rule 6
    dense_rank() OVER (PARTITION BY icu.hadm_id ORDER BY icu.intime NULLS FIRST) AS icustay_seq
  FROM mimiciv_icu.icustays AS icu
  -- rule 1
  INNER JOIN numbered_admission AS adm
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
  $hospital_days AS los_hospital, -- rules 2 and 8
  $age_at_admission AS admission_age, -- rule 3
  race,
  hospital_expire_flag,
  hospstay_seq,
  hospstay_seq = 1 AS first_hosp_stay, -- rule 7
  intime AS icu_intime,
  outtime AS icu_outtime,
  $icu_days AS los_icu, -- rules 4 and 8
  icustay_seq,
  icustay_seq = 1 AS first_icu_stay -- rule 7
FROM numbered_stay
