-- SPDX-License-Identifier: MIT
-- bg as its specification reads: each gas joined with all oxygen charted in the four hours before it.
WITH specimen AS (
    SELECT
        MAX(le.subject_id) AS subject_id,
        MAX(le.hadm_id) AS hadm_id,
        MAX(le.charttime) AS charttime,
        le.specimen_id,
        MAX(CASE WHEN le.itemid = 52033 THEN le.value END) AS specimen,
        MAX(CASE WHEN le.itemid = 50801 THEN le.valuenum END) AS aado2,
        MAX(CASE WHEN le.itemid = 50802 THEN le.valuenum END) AS baseexcess,
        MAX(CASE WHEN le.itemid = 50803 THEN le.valuenum END) AS bicarbonate,
        MAX(CASE WHEN le.itemid = 50804 THEN le.valuenum END) AS totalco2,
        MAX(CASE WHEN le.itemid = 50805 THEN le.valuenum END) AS carboxyhemoglobin,
        MAX(CASE WHEN le.itemid = 50806 THEN le.valuenum END) AS chloride,
        MAX(CASE WHEN le.itemid = 50808 THEN le.valuenum END) AS calcium,
        MAX(CASE WHEN le.itemid = 50809 AND le.valuenum <= 10000 THEN le.valuenum END) AS glucose,
        MAX(CASE WHEN le.itemid = 50810 AND le.valuenum <= 100 THEN le.valuenum END) AS hematocrit,
        MAX(CASE WHEN le.itemid = 50811 THEN le.valuenum END) AS hemoglobin,
        MAX(CASE WHEN le.itemid = 50813 AND le.valuenum <= 10000 THEN le.valuenum END) AS lactate,
        MAX(CASE WHEN le.itemid = 50814 THEN le.valuenum END) AS methemoglobin,
        MAX(CASE
            WHEN le.itemid = 50816 AND le.valuenum > 20 AND le.valuenum <= 100 THEN le.valuenum
            WHEN le.itemid = 50816 AND le.valuenum > 0.2 AND le.valuenum <= 1.0 THEN le.valuenum * 100
        END) AS fio2,
        MAX(CASE WHEN le.itemid = 50817 AND le.valuenum <= 100 THEN le.valuenum END) AS so2,
        MAX(CASE WHEN le.itemid = 50818 THEN le.valuenum END) AS pco2,
        MAX(CASE WHEN le.itemid = 50820 THEN le.valuenum END) AS ph,
        MAX(CASE WHEN le.itemid = 50821 THEN le.valuenum END) AS po2,
        MAX(CASE WHEN le.itemid = 50822 THEN le.valuenum END) AS potassium,
        MAX(CASE WHEN le.itemid = 50824 THEN le.valuenum END) AS sodium,
        MAX(CASE WHEN le.itemid = 50825 THEN le.valuenum END) AS temperature
    FROM mimiciv_hosp.labevents AS le
    WHERE le.itemid IN (
        52033, 50801, 50802, 50803, 50804, 50805, 50806, 50807, 50808, 50809, 50810, 50811, 50813, 50814,
        50815, 50816, 50817, 50818, 50819, 50820, 50821, 50822, 50823, 50824, 50825
    )
    GROUP BY le.specimen_id
),

bedside AS (
    SELECT
        subject_id,
        charttime,
        MAX(CASE
            WHEN valuenum > 0.2 AND valuenum <= 1 THEN valuenum * 100
            WHEN valuenum >= 20 AND valuenum <= 100 THEN valuenum
        END) AS fio2
    FROM mimiciv_icu.chartevents
    WHERE itemid = 223835 AND valuenum > 0 AND valuenum <= 100
    GROUP BY subject_id, charttime
),

matched AS (
    SELECT
        sp.*,
        be.fio2 AS fio2_chartevents,
        COALESCE(sp.fio2, be.fio2) AS inspired,
        ROW_NUMBER() OVER (
            PARTITION BY sp.subject_id, sp.charttime ORDER BY sp.specimen_id, be.charttime DESC NULLS LAST
        ) AS place
    FROM specimen AS sp
    LEFT JOIN bedside AS be
        ON sp.subject_id = be.subject_id
        AND be.fio2 IS NOT NULL
        AND be.charttime >= sp.charttime - INTERVAL 4 HOUR
        AND be.charttime <= sp.charttime
    WHERE sp.po2 IS NOT NULL
)

SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen,
    so2,
    po2,
    pco2,
    fio2_chartevents,
    fio2,
    aado2,
    (inspired / 100) * 713 - pco2 / 0.8 - po2 AS aado2_calc,
    100 * po2 / inspired AS pao2fio2ratio,
    ph,
    baseexcess,
    bicarbonate,
    totalco2,
    hematocrit,
    hemoglobin,
    carboxyhemoglobin,
    methemoglobin,
    chloride,
    calcium,
    temperature,
    potassium,
    sodium,
    lactate,
    glucose
FROM matched
WHERE place = 1
