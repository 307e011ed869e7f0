/*
name: rhythm
kind: concept
title: Heart rhythm and ectopy
grain: one row per patient and charttime with any entry
key: [subject_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: heart_rhythm, type: VARCHAR, meaning: rhythm}
  - {name: ectopy_type, type: VARCHAR, meaning: first ectopy type}
  - {name: ectopy_frequency, type: VARCHAR, meaning: first ectopy frequency}
  - {name: ectopy_type_secondary, type: VARCHAR, meaning: second ectopy type}
  - {name: ectopy_frequency_secondary, type: VARCHAR, meaning: second ectopy frequency}
inputs: [mimiciv_icu.chartevents]
spec: rhythm
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: rhythms_of_a_time
    published: max(CASE WHEN itemid = 220048 THEN value END)
    current: string_agg(DISTINCT CASE WHEN itemid = 220048 THEN value END, '; ' ORDER BY CASE WHEN itemid = 220048 THEN value END NULLS FIRST)
    difference: Of several rhythms charted at one time the last by name alone is kept, or all of them are listed.
    source: "community's current form; a fibrillation charted beside a sinus rhythm is a fibrillation"
    example: "AF and SR at 08:00: SR / AF; SR / AF; SR"
unresolved:
  - says: keep the stay where two stays of a patient share a time
    reason: the grain is the patient's charting time, and there is no column for the stay
  - says: list several ectopies of one time as well
    reason: type and frequency are columns apart, and two lists would not tell which belongs to which
*/
-- Rhythm and ectopy as charted; of several texts of one ectopy item the last in byte order.
SELECT
  subject_id,
  charttime,
  -- rule 2
  $rhythms_of_a_time AS heart_rhythm,
  max(CASE WHEN itemid = 224650 THEN value END) AS ectopy_type,
  max(CASE WHEN itemid = 224651 THEN value END) AS ectopy_frequency,
  max(CASE WHEN itemid = 226479 THEN value END) AS ectopy_type_secondary,
  max(CASE WHEN itemid = 226480 THEN value END) AS ectopy_frequency_secondary
FROM mimiciv_icu.chartevents
WHERE itemid IN (
    220048, -- Heart Rhythm, text
    224650, -- Ectopy Type 1, text
    224651, -- Ectopy Frequency 1, text
    226479, -- Ectopy Type 2, text
    226480 -- Ectopy Frequency 2, text
  )
  AND stay_id IS NOT NULL -- rule 1: a missing text still makes a row
GROUP BY subject_id, charttime
