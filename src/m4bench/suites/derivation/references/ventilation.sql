/*
name: ventilation
kind: reference
title: Numbered episodes of respiratory support in the ICU
grain: one row per episode
key: [stay_id, ventilation_seq]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: ventilation_seq, type: BIGINT, meaning: "number of the episode within the stay, from 1"}
  - {name: starttime, type: TIMESTAMP, meaning: first documentation of the episode}
  - {name: endtime, type: TIMESTAMP, meaning: "next documentation after the episode, or its last when none follows within 14 hours"}
  - {name: ventilation_status, type: VARCHAR, meaning: "Tracheostomy, InvasiveVent, NonInvasiveVent, HFNC, SupplementalOxygen or the text None"}
inputs: [mimiciv_derived.ventilation]
spec: ventilation
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA 25(1):32-39)"
conventions: []
*/
-- the episodes of the concept, numbered by their start (rule 2)
SELECT
    stay_id,
    ROW_NUMBER() OVER (
        PARTITION BY stay_id
        ORDER BY starttime NULLS FIRST, endtime NULLS FIRST, ventilation_status NULLS FIRST
    ) AS ventilation_seq,
    starttime,
    endtime,
    ventilation_status
FROM mimiciv_derived.ventilation
