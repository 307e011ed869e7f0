/*
name: sepsis3
kind: reference
title: First Sepsis-3 onset of the ICU stay
grain: one row per ICU stay that meets the definition
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: antibiotic_time, type: TIMESTAMP, meaning: antibiotic of the chosen suspicion}
  - {name: culture_time, type: TIMESTAMP, meaning: "culture of the chosen suspicion, midnight when only its date is known"}
  - {name: suspected_infection_time, type: TIMESTAMP, meaning: time of the chosen suspicion}
  - {name: sofa_time, type: TIMESTAMP, meaning: end of the chosen SOFA hour}
  - {name: sofa_score, type: INTEGER, unit: points, meaning: "SOFA of the 24 hours before, at least 2"}
  - {name: respiration, type: INTEGER, unit: points, meaning: "worst of the 24 hours, missing as 0"}
  - {name: coagulation, type: INTEGER, unit: points, meaning: "worst of the 24 hours, missing as 0"}
  - {name: liver, type: INTEGER, unit: points, meaning: "worst of the 24 hours, missing as 0"}
  - {name: cardiovascular, type: INTEGER, unit: points, meaning: "worst of the 24 hours, missing as 0"}
  - {name: cns, type: INTEGER, unit: points, meaning: "worst of the 24 hours, missing as 0"}
  - {name: renal, type: INTEGER, unit: points, meaning: "worst of the 24 hours, missing as 0"}
  - {name: sepsis3, type: INTEGER, meaning: always 1}
inputs: [mimiciv_derived.sepsis3]
spec: sepsis3
source: "Singer et al., 2016, JAMA 315(8):801-810; Seymour et al., 2016, JAMA 315(8):762-774"
conventions: []
unresolved:
  - says: "change from the patient's own baseline, unknown kept apart"
    reason: "No organ function from before the illness is in the tables; Singer et al. take 0 where none is known."
  - says: "report onset and worst score separately"
    reason: "It would add columns."
*/
-- the concept with its flag as a number
SELECT
    subject_id,
    stay_id,
    antibiotic_time,
    culture_time,
    suspected_infection_time,
    sofa_time,
    sofa_score,
    respiration,
    coagulation,
    liver,
    cardiovascular,
    cns,
    renal,
    CASE WHEN sepsis3 THEN 1 ELSE 0 END AS sepsis3
FROM mimiciv_derived.sepsis3
