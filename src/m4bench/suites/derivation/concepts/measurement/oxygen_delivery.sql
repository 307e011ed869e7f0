/*
name: oxygen_delivery
kind: concept
title: Oxygen flows and delivery devices
grain: one row per patient and charttime with a flow entry
key: [subject_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: "ICU stay, the highest over the retained flow entries, or over the devices where there is no flow"}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: o2_flow, type: DOUBLE, unit: "L/min", meaning: oxygen flow}
  - {name: o2_flow_additional, type: DOUBLE, unit: "L/min", meaning: oxygen flow of an additional cannula}
  - {name: o2_delivery_device_1, type: VARCHAR, meaning: device numbered 1}
  - {name: o2_delivery_device_2, type: VARCHAR, meaning: device numbered 2}
  - {name: o2_delivery_device_3, type: VARCHAR, meaning: device numbered 3}
  - {name: o2_delivery_device_4, type: VARCHAR, meaning: device numbered 4}
inputs: [mimiciv_icu.chartevents]
spec: oxygen_delivery
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: device_order
    published: value ASC NULLS FIRST
    current: storetime DESC NULLS LAST, value DESC NULLS LAST
    difference: Devices of one time are numbered by name, or from the one entered last.
    source: "community's current form"
    example: "Aerosol-cool entered 08:05, T-piece 08:10: Aerosol-cool, T-piece / T-piece, Aerosol-cool / the same"
  - name: device_accepted
    published: "TRUE"
    adjudicated: value IS NOT NULL
    difference: An entry without a text takes a number among the devices, or is passed over.
    source: "an entry without a text names no device"
    example: "no text and Nasal cannula by name: -, Nasal cannula / ... / Nasal cannula, -"
  - name: time_kept
    published: LEFT
    adjudicated: FULL OUTER
    difference: A device charted without an oxygen flow is lost, or is a row without flows.
    source: "an endotracheal tube is there whether or not a flow is charted with it"
    example: "Endotracheal tube alone at 09:00: no row / no row / a row without flow"
unresolved:
  - says: keep the flows of nasal cannula and bilevel mask apart
    reason: there is one column for both
  - says: include the stay
    reason: the grain is the patient's charting time
*/
-- Oxygen flows with the devices charted at the same time, one row a patient and charttime with a flow.
WITH entry AS (
  SELECT subject_id, stay_id, charttime, storetime, itemid, value, valuenum
  FROM mimiciv_icu.chartevents
  WHERE itemid IN (
      223834, -- O2 Flow, L/min
      227582, -- BiPap O2 Flow, L/min
      227287, -- O2 Flow (additional cannula), L/min
      226732 -- O2 Delivery Device(s), text
    )
),
flow_entry AS (
  -- rule 1: flow on a bilevel mask counts as oxygen flow
  SELECT
    subject_id,
    stay_id,
    charttime,
    storetime,
    CASE itemid WHEN 227582 THEN 223834 ELSE itemid END AS itemid,
    valuenum
  FROM entry
  WHERE itemid IN (223834, 227582, 227287)
    AND value IS NOT NULL
),
numbered_flow AS (
  -- rule 2: the latest stored first, then the highest; the stay only makes the order total
  SELECT
    subject_id,
    stay_id,
    charttime,
    itemid,
    valuenum,
    row_number() OVER (
      PARTITION BY subject_id, charttime, itemid
      ORDER BY storetime DESC NULLS LAST, valuenum DESC NULLS LAST, stay_id DESC NULLS LAST
    ) AS place
  FROM flow_entry
),
flow AS (
  -- rules 2 and 6
  SELECT
    subject_id,
    max(stay_id) AS stay_id,
    charttime,
    max(CASE WHEN itemid = 223834 THEN valuenum END) AS o2_flow,
    max(CASE WHEN itemid = 227287 THEN valuenum END) AS o2_flow_additional
  FROM numbered_flow
  WHERE place = 1
  GROUP BY subject_id, charttime
),
numbered_device AS (
  -- rule 3: a repeated text takes several numbers
  SELECT
    subject_id,
    stay_id,
    charttime,
    value,
    row_number() OVER (PARTITION BY subject_id, charttime ORDER BY $device_order) AS place
  FROM entry
  WHERE itemid = 226732
    AND $device_accepted
),
device AS (
  -- rule 4
  SELECT
    subject_id,
    max(stay_id) AS stay_id,
    charttime,
    max(CASE WHEN place = 1 THEN value END) AS o2_delivery_device_1,
    max(CASE WHEN place = 2 THEN value END) AS o2_delivery_device_2,
    max(CASE WHEN place = 3 THEN value END) AS o2_delivery_device_3,
    max(CASE WHEN place = 4 THEN value END) AS o2_delivery_device_4
  FROM numbered_device
  WHERE place <= 4
  GROUP BY subject_id, charttime
)
-- rules 4 and 5: devices are attached to flows; what becomes of times with a device alone
SELECT
  coalesce(flow.subject_id, device.subject_id) AS subject_id,
  CASE WHEN flow.charttime IS NULL THEN device.stay_id ELSE flow.stay_id END AS stay_id,
  coalesce(flow.charttime, device.charttime) AS charttime,
  flow.o2_flow,
  flow.o2_flow_additional,
  device.o2_delivery_device_1,
  device.o2_delivery_device_2,
  device.o2_delivery_device_3,
  device.o2_delivery_device_4
FROM flow
$time_kept JOIN device
  ON device.subject_id = flow.subject_id
  AND device.charttime = flow.charttime
