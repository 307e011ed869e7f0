/*
name: sofa-24h
kind: reference
title: "SOFA of the first ICU day, arterial gases, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: sofa, type: INTEGER, meaning: "sum of the six components, missing counted 0, 0 to 24"}
  - {name: respiration, type: INTEGER, meaning: "respiration, 0 to 4, missing as 0"}
  - {name: coagulation, type: INTEGER, meaning: "coagulation, 0 to 4, missing as 0"}
  - {name: liver, type: INTEGER, meaning: "liver, 0 to 4, missing as 0"}
  - {name: cardiovascular, type: INTEGER, meaning: "cardiovascular, 0 to 4, missing as 0"}
  - {name: cns, type: INTEGER, meaning: "central nervous system, 0 to 4, missing as 0"}
  - {name: renal, type: INTEGER, meaning: "renal, 0 to 4, missing as 0"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.norepinephrine, mimiciv_derived.epinephrine, mimiciv_derived.dopamine, mimiciv_derived.dobutamine, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.first_day_vitalsign, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_gcs]
spec: sofa-24h
source: "Vincent et al., 1996, Intensive Care Medicine 22:707-710"
conventions:
  - name: missing_component
    published: "0"
    adjudicated: "NULL"
    difference: "A component of which nothing was measured stays unknown in itself, and counts 0 in the total alone."
    source: "clinical review of the references (unknown kept apart from 0); community's first-day SOFA"
    example: "platelets 80 alone -> other components 0 / 0 / null, total 2 under all"
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
  - says: "high-flow oxygen as respiratory support"
    reason: "It is to be considered, and Vincent et al. wrote before it was in use; non-invasive ventilation is taken."
  - says: "score motor and eyes of intubated patients"
    reason: "The scale follows the concept gcs, whose specification names other substitutes."
body: first_day_sofa
settings:
  specimen: gas.specimen = 'ART.' # deviation 1
  low_catecholamine: rate.epinephrine > 0 OR rate.norepinephrine > 0 # deviation 2
*/
