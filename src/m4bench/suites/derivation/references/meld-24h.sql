/*
name: meld-24h
kind: reference
title: Sodium-adjusted Model for End-stage Liver Disease of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: meld, type: DOUBLE, unit: points, meaning: "score with sodium, unrounded in the published form"}
inputs: [mimiciv_derived.meld]
spec: meld-24h
source: "Kamath et al., 2001, Hepatology 33(2):464-470; sodium term of the OPTN allocation policy, January 2016 (1.32 and 0.033, sodium of 125 to 137), after Kim et al., 2008, NEJM 359(10):1018-1026"
conventions: []
*/
-- the final score of the concept, without its intermediate columns
SELECT subject_id, hadm_id, stay_id, meld
FROM mimiciv_derived.meld
