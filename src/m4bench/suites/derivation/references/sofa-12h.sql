/*
name: sofa-12h
kind: reference
title: "SOFA of the first 12 ICU hours, any gases, missing as 0"
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
  - {name: renal, type: INTEGER, meaning: "renal by creatinine alone, 0 to 4, missing as 0"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.norepinephrine, mimiciv_derived.epinephrine, mimiciv_derived.dopamine, mimiciv_derived.dobutamine, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.vitalsign, mimiciv_derived.gcs, mimiciv_derived.chemistry, mimiciv_derived.enzyme, mimiciv_derived.complete_blood_count]
spec: sofa-12h
source: "Vincent et al., 1996, Intensive Care Medicine 22:707-710"
conventions:
  - name: missing_component
    published: "0"
    adjudicated: "NULL"
    difference: "A component of which nothing was measured stays unknown in itself, and counts 0 in the total alone."
    source: "clinical review of the references (unknown kept apart from 0); community's first-day SOFA"
    example: "platelets 80 alone -> other components 0 / 0 / null, total 2 under all"
  - name: laboratory_of_stay
    published: lab.hadm_id = first_hours.hadm_id AND lab.charttime >= first_hours.opens AND lab.charttime <= first_hours.ends
    adjudicated: lab.subject_id = first_hours.subject_id AND lab.charttime >= first_hours.opens AND lab.charttime <= first_hours.ends
    difference: "Laboratory values link by patient and time, so that those from before the admission (emergency department) count."
    source: "specification's adjudicated line (as the reference of 24 hours)"
    example: "creatinine 4.0 three hours before, without admission -> renal 0 / 0 / 3"
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
body: first_day_sofa
settings:
  hours_after: "12"
  low_catecholamine: rate.epinephrine > 0 OR rate.norepinephrine > 0 # rule 4
  # rules 1 and 3: series in place of the first day's extremes, and no urine
  bedside: |
    SELECT stay_id, charttime, mbp AS mbp_min, CAST(NULL AS DOUBLE) AS gcs_min, CAST(NULL AS DOUBLE) AS urineoutput
    FROM mimiciv_derived.vitalsign
    UNION ALL
    SELECT stay_id, charttime, NULL AS mbp_min, gcs AS gcs_min, NULL AS urineoutput
    FROM mimiciv_derived.gcs
  bedside_in_window: charted.charttime >= first_hours.opens AND charted.charttime <= first_hours.closes
  laboratory: |
    SELECT
      subject_id, hadm_id, charttime,
      platelet AS platelets_min,
      CAST(NULL AS DOUBLE) AS bilirubin_total_max,
      CAST(NULL AS DOUBLE) AS creatinine_max
    FROM mimiciv_derived.complete_blood_count
    UNION ALL
    SELECT
      subject_id, hadm_id, charttime,
      NULL AS platelets_min, bilirubin_total AS bilirubin_total_max, NULL AS creatinine_max
    FROM mimiciv_derived.enzyme
    UNION ALL
    SELECT
      subject_id, hadm_id, charttime,
      NULL AS platelets_min, NULL AS bilirubin_total_max, creatinine AS creatinine_max
    FROM mimiciv_derived.chemistry
*/
