-- oxygen_delivery: Oxygen flows and delivery devices
-- one row per patient and charttime with a flow entry; published convention
-- reads mimiciv_icu.chartevents
/* Oxygen flows with the devices charted at the same time, one row a patient and charttime with a flow. */
WITH entry AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    storetime,
    itemid,
    value,
    valuenum
  FROM mimiciv_icu.chartevents
  WHERE
    itemid IN (
      223834, /* O2 Flow, L/min */
      227582, /* BiPap O2 Flow, L/min */
      227287, /* O2 Flow (additional cannula), L/min */
      226732 /* O2 Delivery Device(s), text */
    )
), flow_entry AS (
  /* rule 1: flow on a bilevel mask counts as oxygen flow */
  SELECT
    subject_id,
    stay_id,
    charttime,
    storetime,
    CASE itemid WHEN 227582 THEN 223834 ELSE itemid END AS itemid,
    valuenum
  FROM entry
  WHERE
    itemid IN (223834, 227582, 227287) AND NOT value IS NULL
), numbered_flow AS (
  /* rule 2: the latest stored first, then the highest; the stay only makes the order total */
  SELECT
    subject_id,
    stay_id,
    charttime,
    itemid,
    valuenum,
    ROW_NUMBER() OVER (PARTITION BY subject_id, charttime, itemid ORDER BY storetime DESC, valuenum DESC, stay_id DESC) AS place
  FROM flow_entry
), flow AS (
  /* rules 2 and 6 */
  SELECT
    subject_id,
    MAX(stay_id) AS stay_id,
    charttime,
    MAX(CASE WHEN itemid = 223834 THEN valuenum END) AS o2_flow,
    MAX(CASE WHEN itemid = 227287 THEN valuenum END) AS o2_flow_additional
  FROM numbered_flow
  WHERE
    place = 1
  GROUP BY
    subject_id,
    charttime
), numbered_device AS (
  /* rule 3: a repeated text takes several numbers */
  SELECT
    subject_id,
    stay_id,
    charttime,
    value,
    ROW_NUMBER() OVER (PARTITION BY subject_id, charttime ORDER BY value ASC) AS place
  FROM entry
  WHERE
    itemid = 226732 AND TRUE
), device AS (
  /* rule 4 */
  SELECT
    subject_id,
    MAX(stay_id) AS stay_id,
    charttime,
    MAX(CASE WHEN place = 1 THEN value END) AS o2_delivery_device_1,
    MAX(CASE WHEN place = 2 THEN value END) AS o2_delivery_device_2,
    MAX(CASE WHEN place = 3 THEN value END) AS o2_delivery_device_3,
    MAX(CASE WHEN place = 4 THEN value END) AS o2_delivery_device_4
  FROM numbered_device
  WHERE
    place <= 4
  GROUP BY
    subject_id,
    charttime
)
/* rules 4 and 5: devices are attached to flows; what becomes of times with a device alone */
SELECT
  COALESCE(flow.subject_id, device.subject_id) AS subject_id,
  CASE WHEN flow.charttime IS NULL THEN device.stay_id ELSE flow.stay_id END AS stay_id,
  COALESCE(flow.charttime, device.charttime) AS charttime,
  flow.o2_flow,
  flow.o2_flow_additional,
  device.o2_delivery_device_1,
  device.o2_delivery_device_2,
  device.o2_delivery_device_3,
  device.o2_delivery_device_4
FROM flow
LEFT JOIN device
  ON device.subject_id = flow.subject_id AND device.charttime = flow.charttime
;
