/*
name: age
kind: concept
title: Age at hospital admission
grain: one row per hospital admission of a known patient
key: [hadm_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: admittime, type: TIMESTAMP, meaning: admission time}
  - {name: anchor_age, type: INTEGER, unit: years, meaning: age in the anchor year (91 stands for over 89)}
  - {name: anchor_year, type: INTEGER, unit: year, meaning: shifted reference year}
  - {name: age, type: DOUBLE, unit: years, meaning: age at admission with its fraction}
inputs: [mimiciv_hosp.admissions, mimiciv_hosp.patients]
spec: age
source: Johnson et al., 2023, Scientific Data (MIMIC-IV)
conventions: []
*/
-- anchor age plus the elapsed time between 1 January of the anchor year and the admission
SELECT
    adm.subject_id,
    adm.hadm_id,
    adm.admittime,
    pat.anchor_age,
    pat.anchor_year,
    -- rules 3-5: microseconds of elapsed time over a year of 365.242 days, signed and unrounded
    CAST(pat.anchor_age AS DOUBLE)
    + CAST(DATE_DIFF('microsecond', MAKE_TIMESTAMP(pat.anchor_year, 1, 1, 0, 0, 0), adm.admittime) AS DOUBLE)
    / CAST(31556908800000 AS DOUBLE) AS age
FROM mimiciv_hosp.admissions AS adm
INNER JOIN mimiciv_hosp.patients AS pat  -- rule 1
    ON adm.subject_id = pat.subject_id
