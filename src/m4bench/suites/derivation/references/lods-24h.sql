/*
name: lods-24h
kind: reference
title: "Logistic Organ Dysfunction System of the first ICU day, gases of that day only, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: lods, type: INTEGER, unit: points, meaning: sum of the six organ systems}
  - {name: neurologic, type: INTEGER, unit: points, meaning: "0, 1, 3 or 5"}
  - {name: cardiovascular, type: INTEGER, unit: points, meaning: "0, 1, 3 or 5"}
  - {name: renal, type: INTEGER, unit: points, meaning: "0, 1, 3 or 5"}
  - {name: pulmonary, type: INTEGER, unit: points, meaning: "0, 1 or 3"}
  - {name: hematologic, type: INTEGER, unit: points, meaning: "0, 1 or 3"}
  - {name: hepatic, type: INTEGER, unit: points, meaning: 0 or 1}
inputs: [mimiciv_icu.icustays, mimiciv_icu.chartevents, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.lods]
spec: lods-24h
source: "Le Gall et al., 1996, JAMA 276(10):802-810"
conventions: []
*/
-- the concept, with the pulmonary points taken again from the gases of the first day
-- one period from an hour before the first CPAP entry of the day to four hours after the last
WITH cpap_period AS (
    SELECT
        icu.stay_id,
        MIN(chart.charttime) - INTERVAL 1 HOUR AS starttime,
        MAX(chart.charttime) + INTERVAL 4 HOUR AS endtime
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_icu.chartevents AS chart
        ON icu.stay_id = chart.stay_id
        AND chart.charttime >= icu.intime
        AND chart.charttime <= icu.intime + INTERVAL 24 HOUR
    WHERE
        chart.itemid = 226732  -- O2 Delivery Device(s)
        AND (LOWER(chart.value) LIKE '%cpap%' OR LOWER(chart.value) LIKE '%bipap mask%')
    GROUP BY icu.stay_id
),

-- deviation 1: the gases of the first day; any specimen, by admission
gas AS (
    SELECT icu.stay_id, bg.charttime, bg.pao2fio2ratio
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.bg AS bg
        ON icu.hadm_id = bg.hadm_id
        AND bg.charttime >= icu.intime
        AND bg.charttime < icu.intime + INTERVAL 24 HOUR
        AND bg.charttime < COALESCE(icu.outtime, icu.intime + INTERVAL 24 HOUR)
),

-- one axis of gases and of the starts of support, for a single sweep
moment AS (
    SELECT stay_id, charttime, pao2fio2ratio, CAST(NULL AS TIMESTAMP) AS supported_until
    FROM gas
    UNION ALL
    SELECT stay_id, starttime AS charttime, NULL AS pao2fio2ratio, endtime AS supported_until
    FROM mimiciv_derived.ventilation
    WHERE ventilation_status = 'InvasiveVent'
    UNION ALL
    SELECT stay_id, starttime AS charttime, NULL AS pao2fio2ratio, endtime AS supported_until
    FROM cpap_period
),

-- support covers a gas when it has begun by then and the latest end so far is not past
swept AS (
    SELECT
        stay_id,
        charttime,
        pao2fio2ratio,
        MAX(supported_until) OVER (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS supported_until
    FROM moment
),

oxygenation AS (
    SELECT stay_id, MIN(pao2fio2ratio) AS pao2fio2ratio
    FROM swept
    WHERE supported_until >= charttime
    GROUP BY stay_id
),

-- deviation 2: a missing component is 0
organ AS (
    SELECT
        score.subject_id,
        score.hadm_id,
        score.stay_id,
        COALESCE(score.neurologic, 0) AS neurologic,
        COALESCE(score.cardiovascular, 0) AS cardiovascular,
        COALESCE(score.renal, 0) AS renal,
        CASE
            WHEN score.pulmonary IS NULL OR oxygenation.pao2fio2ratio IS NULL THEN 0
            WHEN oxygenation.pao2fio2ratio >= 150 THEN 1
            ELSE 3
        END AS pulmonary,
        COALESCE(score.hematologic, 0) AS hematologic,
        COALESCE(score.hepatic, 0) AS hepatic
    FROM mimiciv_derived.lods AS score
    LEFT JOIN oxygenation ON score.stay_id = oxygenation.stay_id
)

SELECT
    subject_id,
    hadm_id,
    stay_id,
    neurologic + cardiovascular + renal + pulmonary + hematologic + hepatic AS lods,
    neurologic,
    cardiovascular,
    renal,
    pulmonary,
    hematologic,
    hepatic
FROM organ
