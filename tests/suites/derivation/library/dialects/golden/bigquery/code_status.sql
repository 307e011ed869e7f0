-- code_status: Documented resuscitation preferences
-- one row per charted code status, or detail of a code-status order and ICU stay that holds its time; published convention
-- reads mimiciv_hosp.poe, mimiciv_hosp.poe_detail, mimiciv_icu.chartevents, mimiciv_icu.icustays
/* Code status from the chart and from orders; texts are compared exactly, blanks too. */
WITH code_status_order AS (
  /* rule 2: every detail of an order gives a row, an order without details none */
  SELECT
    poe.subject_id,
    poe.hadm_id,
    poe.ordertime,
    detail.field_value
  FROM mimiciv_hosp.poe AS poe
  INNER JOIN mimiciv_hosp.poe_detail AS detail
    ON detail.poe_id = poe.poe_id
  WHERE
    poe.order_type = 'General Care' AND poe.order_subtype = 'Code status'
)
/* rule 1: an unknown or missing text leaves all flags 0 */
SELECT
  subject_id,
  hadm_id,
  stay_id,
  charttime,
  CASE WHEN value = 'Full code' THEN 1 ELSE 0 END AS fullcode,
  CASE WHEN value = 'Comfort measures only' THEN 1 ELSE 0 END AS cmo,
  CASE WHEN value IN ('DNI (do not intubate)', 'DNR / DNI') OR FALSE THEN 1 ELSE 0 END AS dni,
  CASE WHEN value IN ('DNR (do not resuscitate)', 'DNR / DNI') OR FALSE THEN 1 ELSE 0 END AS dnr
FROM mimiciv_icu.chartevents
WHERE
  itemid = 223758 /* Code Status, text */
/* rules 4 and 5: nothing is merged or carried forward */
UNION ALL
SELECT
  code_status_order.subject_id,
  code_status_order.hadm_id,
  icu.stay_id,
  code_status_order.ordertime AS charttime,
  CASE
    WHEN code_status_order.field_value IN ('Resuscitate (Full code)', 'Full code  (attempt resuscitation)')
    THEN 1
    ELSE 0
  END AS fullcode,
  0 AS cmo,
  CASE WHEN code_status_order.field_value = 'Do not resuscitate (DNR/DNI)' THEN 1 ELSE 0 END AS dni,
  CASE
    WHEN code_status_order.field_value IN ('Do not resuscitate (DNR/DNI)', 'DNAR (DO NOT attempt resuscitation for cardiac arrest) ')
    THEN 1
    ELSE 0
  END AS dnr
FROM code_status_order
/* rule 3: closed at both ends, so that two stays can hold one time */
LEFT JOIN mimiciv_icu.icustays AS icu
  ON icu.hadm_id = code_status_order.hadm_id
  AND code_status_order.ordertime >= icu.intime
  AND code_status_order.ordertime <= icu.outtime
;
