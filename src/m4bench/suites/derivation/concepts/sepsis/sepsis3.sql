/*
name: sepsis3
kind: concept
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
  - {name: sepsis3, type: BOOLEAN, meaning: always true}
inputs: [mimiciv_derived.suspicion_of_infection, mimiciv_derived.sofa, mimiciv_icu.icustays]
spec: sepsis3
source: "Singer M et al., 2016, JAMA; Seymour CW et al., 2016, JAMA"
conventions:
  - name: suspicion_of_stay
    published: mimiciv_derived.suspicion_of_infection
    adjudicated: |
      (
          SELECT
              infection.subject_id,
              icu.stay_id,
              infection.antibiotic_time,
              infection.culture_time,
              infection.suspected_infection_time
          FROM mimiciv_derived.suspicion_of_infection AS infection
          INNER JOIN mimiciv_icu.icustays AS icu ON infection.hadm_id = icu.hadm_id
      )
    difference: "Any suspicion of the admission counts for a stay whose SOFA lies near it in time, so that infections treated before the ICU are not missed; the published form takes those whose drug began in the stay."
    source: "Seymour et al., 2016 (infection and organ failure, wherever treated); specification's adjudicated line"
    example: "drug and culture on the ward two hours before the stay, SOFA 2 at its first hour -> no row / no row / a row"
unresolved:
  - says: "a rise of at least 2 over the patient's own baseline, unknown kept apart"
    reason: "No organ function from before the illness is in the tables; Singer et al. take 0 where none is known."
  - says: "onset is the later (or earlier) of suspicion and SOFA, stated"
    reason: "The sources leave the choice open, and both times are columns."
  - says: "report onset and worst score separately"
    reason: "It would add columns."
  - says: "one row per stay, false where the definition is not met"
    reason: "It would change the grain."
*/
-- the earliest suspicion of infection with a SOFA of at least 2 nearby, and the earliest such hour
-- rule 1
WITH dysfunction AS (
    SELECT
        stay_id,
        endtime,
        sofa_24hours,
        respiration_24hours,
        coagulation_24hours,
        liver_24hours,
        cardiovascular_24hours,
        cns_24hours,
        renal_24hours
    FROM mimiciv_derived.sofa
    WHERE sofa_24hours >= 2
),

suspicion AS (
    SELECT subject_id, stay_id, antibiotic_time, culture_time, suspected_infection_time
    FROM $suspicion_of_stay AS infection
    WHERE stay_id IS NOT NULL AND suspected_infection_time IS NOT NULL
),

-- suspicions and hours of a stay on one axis, so that a window finds the hour and nothing is compared pairwise
moment AS (
    SELECT
        TRUE AS is_suspicion,
        subject_id,
        stay_id,
        suspected_infection_time AS moment,
        antibiotic_time,
        culture_time,
        CAST(NULL AS TIMESTAMP) AS sofa_time
    FROM suspicion
    UNION ALL
    SELECT
        FALSE AS is_suspicion,
        NULL AS subject_id,
        stay_id,
        endtime AS moment,
        NULL AS antibiotic_time,
        NULL AS culture_time,
        endtime AS sofa_time
    FROM dysfunction
),

-- rule 2: closed at both ends; of the hours within, the earliest (rule 3)
paired AS (
    SELECT
        is_suspicion,
        subject_id,
        stay_id,
        moment AS suspected_infection_time,
        antibiotic_time,
        culture_time,
        MIN(sofa_time) OVER (
            PARTITION BY stay_id ORDER BY moment NULLS FIRST
            RANGE BETWEEN INTERVAL 48 HOUR PRECEDING AND INTERVAL 24 HOUR FOLLOWING
        ) AS sofa_time
    FROM moment
),

-- rule 3
ranked AS (
    SELECT
        subject_id,
        stay_id,
        suspected_infection_time,
        antibiotic_time,
        culture_time,
        sofa_time,
        ROW_NUMBER() OVER (
            PARTITION BY stay_id
            ORDER BY
                suspected_infection_time,
                antibiotic_time NULLS FIRST,
                culture_time NULLS FIRST
        ) AS suspicion_number
    FROM paired
    WHERE is_suspicion AND sofa_time IS NOT NULL
)

SELECT
    ranked.subject_id,
    ranked.stay_id,
    ranked.antibiotic_time,
    ranked.culture_time,
    ranked.suspected_infection_time,
    ranked.sofa_time,
    dysfunction.sofa_24hours AS sofa_score,
    dysfunction.respiration_24hours AS respiration,
    dysfunction.coagulation_24hours AS coagulation,
    dysfunction.liver_24hours AS liver,
    dysfunction.cardiovascular_24hours AS cardiovascular,
    dysfunction.cns_24hours AS cns,
    dysfunction.renal_24hours AS renal,
    TRUE AS sepsis3
FROM ranked
INNER JOIN dysfunction ON ranked.stay_id = dysfunction.stay_id AND ranked.sofa_time = dysfunction.endtime
WHERE ranked.suspicion_number = 1
