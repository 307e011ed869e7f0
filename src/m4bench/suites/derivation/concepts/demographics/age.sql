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
  - {name: age, type: DOUBLE, unit: years, meaning: "age at admission, with its fraction in the published form"}
inputs: [mimiciv_hosp.admissions, mimiciv_hosp.patients]
spec: age
source: Johnson et al., 2023, Scientific Data (MIMIC-IV)
conventions:
  - name: age_at_admission
    published: age_with_fraction(pat.anchor_age, pat.anchor_year, adm.admittime)
    current: age_in_whole_years(pat.anchor_age, pat.anchor_year, adm.admittime)
    difference: "Age in whole calendar years, since the birthday is unknown, in place of a fraction that grows through the year."
    source: "community's current form; the anchor pair is in years (Johnson et al., 2023, Scientific Data)"
    example: "60 in 2150, admitted 2152-12-30: 62.995 / 62 / 62"
unresolved:
  - says: Ages stored as 91 stand for all above 89 and should carry a censoring flag.
    reason: A flag would be a further column.
*/
-- the age of the anchor year, moved on to the admission
SELECT
    adm.subject_id,
    adm.hadm_id,
    adm.admittime,
    pat.anchor_age,
    pat.anchor_year,
    $age_at_admission AS age  -- rules 3-5
FROM mimiciv_hosp.admissions AS adm
INNER JOIN mimiciv_hosp.patients AS pat  -- rule 1
    ON adm.subject_id = pat.subject_id
