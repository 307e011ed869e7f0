/*
name: apsiii-24h
kind: reference
title: "Acute Physiology Score III of the first ICU day, gases of that day only, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: apsiii, type: INTEGER, unit: points, meaning: sum of the sixteen components}
  - {name: hr_score, type: INTEGER, unit: points, meaning: "heart rate, missing as 0 (as all components)"}
  - {name: mbp_score, type: INTEGER, unit: points, meaning: "mean blood pressure"}
  - {name: temp_score, type: INTEGER, unit: points, meaning: "temperature"}
  - {name: resp_rate_score, type: INTEGER, unit: points, meaning: "respiratory rate"}
  - {name: pao2_aado2_score, type: INTEGER, unit: points, meaning: "oxygenation"}
  - {name: hematocrit_score, type: INTEGER, unit: points, meaning: "hematocrit"}
  - {name: wbc_score, type: INTEGER, unit: points, meaning: "white cells"}
  - {name: creatinine_score, type: INTEGER, unit: points, meaning: "creatinine"}
  - {name: uo_score, type: INTEGER, unit: points, meaning: "urine output"}
  - {name: bun_score, type: INTEGER, unit: points, meaning: "urea nitrogen"}
  - {name: sodium_score, type: INTEGER, unit: points, meaning: "sodium"}
  - {name: albumin_score, type: INTEGER, unit: points, meaning: "albumin"}
  - {name: bilirubin_score, type: INTEGER, unit: points, meaning: "bilirubin"}
  - {name: glucose_score, type: INTEGER, unit: points, meaning: "glucose"}
  - {name: acidbase_score, type: INTEGER, unit: points, meaning: "pH and carbon dioxide tension"}
  - {name: gcs_score, type: INTEGER, unit: points, meaning: "eyes, verbal and motor response"}
inputs:
  - mimiciv_icu.icustays
  - mimiciv_hosp.admissions
  - mimiciv_hosp.patients
  - mimiciv_hosp.diagnoses_icd
  - mimiciv_derived.bg
  - mimiciv_derived.ventilation
  - mimiciv_derived.vitalsign
  - mimiciv_derived.first_day_vitalsign
  - mimiciv_derived.first_day_lab
  - mimiciv_derived.first_day_urine_output
  - mimiciv_derived.first_day_gcs
spec: apsiii-24h
source: "Knaus et al., 1991, Chest 100(6):1619-1636"
conventions:
  - name: gas_in_window
    published: |-
      bg.charttime < icu.intime + INTERVAL 24 HOUR
              AND bg.charttime < COALESCE(icu.outtime, icu.intime + INTERVAL 24 HOUR)
    adjudicated: |-
      bg.charttime <= LEAST(icu.intime + INTERVAL 24 HOUR, COALESCE(icu.outtime, icu.intime + INTERVAL 24 HOUR))
    difference: A gas exactly a day after admission, or at discharge, is left out, or counts as in every other score.
    source: "clinical review of the conventions (one closed window for all scores); no specification speaks against it"
    example: "pH 7.1 and pCO2 40 at discharge alone: acid-base 0 / 0 / 12"
  - name: missing
    published: "0"
    adjudicated: "NULL"
    difference: "A component of which nothing was measured is 0, or stays unknown in itself and counts 0 in the total alone."
    source: "clinical review of the references (unknown kept apart from 0)"
    example: "heart rate 120 alone: other components 0 / 0 / null, total 7 under all"
body: apsiii
*/
