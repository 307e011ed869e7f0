/*
name: suspicion-infection
kind: reference
title: Suspicion of infection at each systemic antibiotic
grain: one row per antibiotic prescription
key: [subject_id, ab_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: "ICU stay of the prescription, may be null"}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: ab_id, type: BIGINT, meaning: "number of the prescription within the patient, from 1"}
  - {name: antibiotic, type: VARCHAR, meaning: drug name}
  - {name: antibiotic_time, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: suspected_infection, type: INTEGER, meaning: "0/1, a culture was taken close enough"}
  - {name: suspected_infection_time, type: TIMESTAMP, meaning: "earlier of culture and antibiotic, null when not suspected"}
  - {name: culture_time, type: TIMESTAMP, meaning: "time of the culture, midnight when only its date is known"}
  - {name: specimen, type: VARCHAR, meaning: specimen type of the culture}
  - {name: positive_culture, type: INTEGER, meaning: "0/1, null without a culture"}
inputs: [mimiciv_derived.antibiotic, mimiciv_hosp.microbiologyevents]
spec: suspicion-infection
source: "Seymour et al., 2016, JAMA 315(8):762-774"
conventions: []
unresolved:
  - says: "the nearest culture instead of the earliest"
    reason: "Seymour et al. date suspicion by the first event; what it spoils, the growth, is taken from all cultures."
body: suspicion_of_infection
settings:
  # rule 6: unlike in the concept, of a day the culture without a time comes first, growth plays no part
  order_within_day: charttime NULLS FIRST
*/
