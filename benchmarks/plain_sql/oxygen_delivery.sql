-- SPDX-License-Identifier: MIT
-- oxygen_delivery as its specification reads: flows and devices scanned apart, numbered and joined.
WITH flow AS (
    SELECT
        ce.subject_id,
        ce.stay_id,
        ce.charttime,
        CASE WHEN ce.itemid = 227582 THEN 223834 ELSE ce.itemid END AS itemid,
        ce.valuenum,
        ce.storetime
    FROM mimiciv_icu.chartevents AS ce
    WHERE ce.itemid IN (223834, 227582, 227287) AND ce.value IS NOT NULL
),

latest AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        itemid,
        valuenum,
        ROW_NUMBER() OVER (
            PARTITION BY subject_id, charttime, itemid
            ORDER BY storetime DESC NULLS LAST, valuenum DESC NULLS LAST
        ) AS place
    FROM flow
),

device AS (
    SELECT
        ce.subject_id,
        ce.charttime,
        ce.value,
        ROW_NUMBER() OVER (PARTITION BY ce.subject_id, ce.charttime ORDER BY ce.value NULLS FIRST) AS place
    FROM mimiciv_icu.chartevents AS ce
    WHERE ce.itemid = 226732
)

SELECT
    flow.subject_id,
    MAX(flow.stay_id) AS stay_id,
    flow.charttime,
    MAX(CASE WHEN flow.itemid = 223834 THEN flow.valuenum END) AS o2_flow,
    MAX(CASE WHEN flow.itemid = 227287 THEN flow.valuenum END) AS o2_flow_additional,
    MAX(CASE WHEN device.place = 1 THEN device.value END) AS o2_delivery_device_1,
    MAX(CASE WHEN device.place = 2 THEN device.value END) AS o2_delivery_device_2,
    MAX(CASE WHEN device.place = 3 THEN device.value END) AS o2_delivery_device_3,
    MAX(CASE WHEN device.place = 4 THEN device.value END) AS o2_delivery_device_4
FROM latest AS flow
LEFT JOIN device ON flow.subject_id = device.subject_id AND flow.charttime = device.charttime
WHERE flow.place = 1
GROUP BY flow.subject_id, flow.charttime
