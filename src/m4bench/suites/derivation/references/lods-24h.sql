/*
name: lods-24h
kind: reference
title: "Logistic Organ Dysfunction System of the first ICU day, gases of that day only, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: lods, type: INTEGER, unit: points, meaning: sum of the six organ systems}
  - {name: neurologic, type: INTEGER, unit: points, meaning: "0, 1, 3 or 5"}
  - {name: cardiovascular, type: INTEGER, unit: points, meaning: "0, 1, 3 or 5"}
  - {name: renal, type: INTEGER, unit: points, meaning: "0, 1, 3 or 5"}
  - {name: pulmonary, type: INTEGER, unit: points, meaning: "0, 1 or 3, null in the adjudicated form for a stay supported without a gas"}
  - {name: hematologic, type: INTEGER, unit: points, meaning: "0, 1 or 3"}
  - {name: hepatic, type: INTEGER, unit: points, meaning: 0 or 1}
inputs: [mimiciv_icu.icustays, mimiciv_icu.chartevents, mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.first_day_gcs, mimiciv_derived.first_day_vitalsign, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_lab]
spec: lods-24h
source: "Le Gall et al., 1996, JAMA 276(10):802-810"
conventions:
  - name: gas_in_window
    published: |-
      bg.charttime < icu.intime + INTERVAL 24 HOUR
              AND bg.charttime < COALESCE(icu.outtime, icu.intime + INTERVAL 24 HOUR)
    adjudicated: |-
      bg.charttime <= LEAST(icu.intime + INTERVAL 24 HOUR, COALESCE(icu.outtime, icu.intime + INTERVAL 24 HOUR))
    difference: A gas exactly a day after admission, or at discharge, is left out, or counts as in every other score.
    source: "clinical review of the conventions (one closed window for all scores); no specification speaks against it"
    example: "ventilated, ratio 50 exactly 24 h after admission: pulmonary 0 / 0 / 3"
  - name: missing
    published: "0"
    adjudicated: "NULL"
    difference: "An organ of which nothing was measured is 0, or stays unknown in itself and counts 0 in the total alone."
    source: "clinical review of the references (unknown kept apart from 0)"
    example: "platelets 40 alone: other organs 0 / 0 / null but for the lung, total 1 under all"
unresolved:
  - says: the laboratory's own normal prothrombin time
    reason: It is not in the tables; 12 s stay.
body: lods
*/
