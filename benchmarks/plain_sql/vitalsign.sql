-- SPDX-License-Identifier: MIT
-- vitalsign as its specification reads: one scan, a mean a column.
SELECT
    ce.subject_id,
    ce.stay_id,
    ce.charttime,
    AVG(CASE WHEN ce.itemid = 220045 AND ce.valuenum > 0 AND ce.valuenum < 300 THEN ce.valuenum END) AS heart_rate,
    AVG(CASE WHEN ce.itemid IN (220179, 220050, 225309) AND ce.valuenum > 0 AND ce.valuenum < 400
        THEN ce.valuenum END) AS sbp,
    AVG(CASE WHEN ce.itemid IN (220180, 220051, 225310) AND ce.valuenum > 0 AND ce.valuenum < 300
        THEN ce.valuenum END) AS dbp,
    AVG(CASE WHEN ce.itemid IN (220181, 220052, 225312) AND ce.valuenum > 0 AND ce.valuenum < 300
        THEN ce.valuenum END) AS mbp,
    AVG(CASE WHEN ce.itemid = 220179 AND ce.valuenum > 0 AND ce.valuenum < 400 THEN ce.valuenum END) AS sbp_ni,
    AVG(CASE WHEN ce.itemid = 220180 AND ce.valuenum > 0 AND ce.valuenum < 300 THEN ce.valuenum END) AS dbp_ni,
    AVG(CASE WHEN ce.itemid = 220181 AND ce.valuenum > 0 AND ce.valuenum < 300 THEN ce.valuenum END) AS mbp_ni,
    AVG(CASE WHEN ce.itemid IN (220210, 224690) AND ce.valuenum > 0 AND ce.valuenum < 70
        THEN ce.valuenum END) AS resp_rate,
    ROUND(CAST(AVG(CASE
        WHEN ce.itemid = 223761 AND ce.valuenum > 70 AND ce.valuenum < 120 THEN (ce.valuenum - 32) / 1.8
        WHEN ce.itemid = 223762 AND ce.valuenum > 10 AND ce.valuenum < 50 THEN ce.valuenum
    END) AS DECIMAL(18, 3)), 2) AS temperature,
    MAX(CASE WHEN ce.itemid = 224642 THEN ce.value END) AS temperature_site,
    AVG(CASE WHEN ce.itemid = 220277 AND ce.valuenum > 0 AND ce.valuenum <= 100 THEN ce.valuenum END) AS spo2,
    AVG(CASE WHEN ce.itemid IN (225664, 220621, 226537) AND ce.valuenum > 0 THEN ce.valuenum END) AS glucose
FROM mimiciv_icu.chartevents AS ce
WHERE ce.stay_id IS NOT NULL
    AND ce.itemid IN (
        220045, 220179, 220050, 225309, 220180, 220051, 225310, 220181, 220052, 225312, 220210, 224690,
        223761, 223762, 224642, 220277, 225664, 220621, 226537
    )
GROUP BY ce.subject_id, ce.stay_id, ce.charttime
