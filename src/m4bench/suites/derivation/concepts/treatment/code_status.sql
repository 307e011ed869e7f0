/*
name: code_status
kind: concept
title: Documented resuscitation preferences
grain: one row per charted code status, or detail of a code-status order and ICU stay that holds its time
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: "ICU stay, null for an order outside of one"}
  - {name: charttime, type: TIMESTAMP, meaning: charting or order time}
  - {name: fullcode, type: INTEGER, meaning: full code (0/1)}
  - {name: cmo, type: INTEGER, meaning: comfort measures only (0/1)}
  - {name: dni, type: INTEGER, meaning: do not intubate (0/1)}
  - {name: dnr, type: INTEGER, meaning: do not resuscitate (0/1)}
inputs:
  - mimiciv_hosp.poe
  - mimiciv_hosp.poe_detail
  - mimiciv_icu.chartevents
  - mimiciv_icu.icustays
spec: code_status
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions:
  - name: comfort_measures
    published: "FALSE"
    adjudicated: value = 'Comfort measures only'
    difference: "Comfort measures only imply that the patient is neither to be intubated nor resuscitated."
    source: "specification's adjudicated line"
    example: "Comfort measures only -> dni 0 / 0 / 1, dnr 0 / 0 / 1"
unresolved:
  - says: "use transaction type and status and report the status in force"
    reason: "The status in force is carried over time, which would change the grain."
  - says: "drop or flag unrecognised text as unknown"
    reason: "Two ways are named and no source chooses; a row without any flag tells it from the others."
*/
-- Code status from the chart and from orders; texts are compared exactly, blanks too.
WITH code_status_order AS (
  -- rule 2: every detail of an order gives a row, an order without details none
  SELECT
    poe.subject_id,
    poe.hadm_id,
    poe.ordertime,
    detail.field_value
  FROM mimiciv_hosp.poe AS poe
  INNER JOIN mimiciv_hosp.poe_detail AS detail
    ON detail.poe_id = poe.poe_id
  WHERE poe.order_type = 'General Care'
    AND poe.order_subtype = 'Code status'
)
-- rule 1: an unknown or missing text leaves all flags 0
SELECT
  subject_id,
  hadm_id,
  stay_id,
  charttime,
  CASE WHEN value = 'Full code' THEN 1 ELSE 0 END AS fullcode,
  CASE WHEN value = 'Comfort measures only' THEN 1 ELSE 0 END AS cmo,
  CASE WHEN value IN ('DNI (do not intubate)', 'DNR / DNI') OR $comfort_measures THEN 1 ELSE 0 END AS dni,
  CASE WHEN value IN ('DNR (do not resuscitate)', 'DNR / DNI') OR $comfort_measures THEN 1 ELSE 0 END AS dnr
FROM mimiciv_icu.chartevents
WHERE itemid = 223758 -- Code Status, text
-- rules 4 and 5: nothing is merged or carried forward
UNION ALL
SELECT
  code_status_order.subject_id,
  code_status_order.hadm_id,
  icu.stay_id,
  code_status_order.ordertime AS charttime,
  CASE
    WHEN code_status_order.field_value IN ('Resuscitate (Full code)', 'Full code  (attempt resuscitation)') THEN 1
    ELSE 0
  END AS fullcode,
  0 AS cmo,
  CASE WHEN code_status_order.field_value = 'Do not resuscitate (DNR/DNI)' THEN 1 ELSE 0 END AS dni,
  CASE
    WHEN code_status_order.field_value IN (
        'Do not resuscitate (DNR/DNI)', 'DNAR (DO NOT attempt resuscitation for cardiac arrest) '
      ) THEN 1
    ELSE 0
  END AS dnr
FROM code_status_order
-- rule 3: closed at both ends, so that two stays can hold one time
LEFT JOIN mimiciv_icu.icustays AS icu
  ON icu.hadm_id = code_status_order.hadm_id
  AND code_status_order.ordertime >= icu.intime
  AND code_status_order.ordertime <= icu.outtime
