/*
name: sirs-24h
kind: reference
title: "Systemic inflammatory response criteria of the first ICU day, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: sirs, type: INTEGER, meaning: "criteria met, 0 to 4"}
  - {name: temp_score, type: INTEGER, meaning: "temperature, 0 or 1"}
  - {name: heart_rate_score, type: INTEGER, meaning: "heart rate, 0 or 1"}
  - {name: resp_score, type: INTEGER, meaning: "respiratory rate or carbon dioxide tension, 0 or 1"}
  - {name: wbc_score, type: INTEGER, meaning: "white cells or bands, 0 or 1"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.first_day_vitalsign, mimiciv_derived.first_day_bg_art, mimiciv_derived.first_day_lab]
spec: sirs-24h
source: "Bone et al., 1992, Chest 101(6):1644-1655"
conventions:
  - name: missing
    published: "0"
    adjudicated: "NULL"
    difference: "A criterion of which nothing was measured is not met, or stays unknown in itself and counts 0 in the total alone."
    source: "specification's adjudicated line (missing is unknown); clinical review of the references"
    example: "heart rate 100 alone: other criteria 0 / 0 / null, total 1 under all"
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
  - says: require two criteria at the same time
    reason: Vital signs and laboratory values are never charted at one time, and no source says how near is the same.
  - says: count PaCO2 of ventilated patients only where the clinician has not set it
    reason: No entry tells who set it.
body: sirs
*/
