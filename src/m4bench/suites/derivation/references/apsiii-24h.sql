/*
name: apsiii-24h
kind: reference
title: "Acute Physiology Score III of the first ICU day, gases of that day only, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: apsiii, type: INTEGER, unit: points, meaning: sum of the sixteen components}
  - {name: hr_score, type: INTEGER, unit: points, meaning: "heart rate, missing as 0 (as all components)"}
  - {name: mbp_score, type: INTEGER, unit: points, meaning: "mean blood pressure"}
  - {name: temp_score, type: INTEGER, unit: points, meaning: "temperature"}
  - {name: resp_rate_score, type: INTEGER, unit: points, meaning: "respiratory rate"}
  - {name: pao2_aado2_score, type: INTEGER, unit: points, meaning: "oxygenation"}
  - {name: hematocrit_score, type: INTEGER, unit: points, meaning: "hematocrit"}
  - {name: wbc_score, type: INTEGER, unit: points, meaning: "white cells"}
  - {name: creatinine_score, type: INTEGER, unit: points, meaning: "creatinine"}
  - {name: uo_score, type: INTEGER, unit: points, meaning: "urine output"}
  - {name: bun_score, type: INTEGER, unit: points, meaning: "urea nitrogen"}
  - {name: sodium_score, type: INTEGER, unit: points, meaning: "sodium"}
  - {name: albumin_score, type: INTEGER, unit: points, meaning: "albumin"}
  - {name: bilirubin_score, type: INTEGER, unit: points, meaning: "bilirubin"}
  - {name: glucose_score, type: INTEGER, unit: points, meaning: "glucose"}
  - {name: acidbase_score, type: INTEGER, unit: points, meaning: "pH and carbon dioxide tension"}
  - {name: gcs_score, type: INTEGER, unit: points, meaning: "eyes, verbal and motor response"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.apsiii]
spec: apsiii-24h
source: "Knaus et al., 1991, Chest 100(6):1619-1636"
conventions: []
*/
-- the concept, with the components of blood gases taken again from the first day
-- rules 1 and 6: by admission, over the first day
WITH arterial_gas AS (
    SELECT
        icu.stay_id,
        bg.charttime,
        bg.po2,
        bg.aado2,
        COALESCE(bg.fio2, bg.fio2_chartevents) AS fio2,
        -- table D of the concept
        CASE
            WHEN bg.ph IS NULL OR bg.pco2 IS NULL THEN NULL
            WHEN bg.ph < 7.20 THEN CASE WHEN bg.pco2 < 50 THEN 12 ELSE 4 END
            WHEN bg.ph < 7.30 THEN
                CASE WHEN bg.pco2 < 30 THEN 9 WHEN bg.pco2 < 40 THEN 6 WHEN bg.pco2 < 50 THEN 3 ELSE 2 END
            WHEN bg.ph < 7.35 THEN CASE WHEN bg.pco2 < 30 THEN 9 WHEN bg.pco2 < 45 THEN 0 ELSE 1 END
            WHEN bg.ph < 7.45 THEN CASE WHEN bg.pco2 < 30 THEN 5 WHEN bg.pco2 < 45 THEN 0 ELSE 1 END
            WHEN bg.ph < 7.50 THEN
                CASE WHEN bg.pco2 < 30 THEN 5 WHEN bg.pco2 < 35 THEN 0 WHEN bg.pco2 < 45 THEN 2 ELSE 12 END
            WHEN bg.ph < 7.60 THEN CASE WHEN bg.pco2 < 40 THEN 3 ELSE 12 END
            ELSE CASE WHEN bg.pco2 < 25 THEN 0 WHEN bg.pco2 < 40 THEN 3 ELSE 12 END
        END AS acidbase_points
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.bg AS bg
        ON icu.hadm_id = bg.hadm_id
        AND bg.charttime >= icu.intime
        AND bg.charttime < icu.intime + INTERVAL 24 HOUR
        AND bg.charttime < COALESCE(icu.outtime, icu.intime + INTERVAL 24 HOUR)
    WHERE bg.specimen = 'ART.'
),

invasive_episode AS (
    SELECT stay_id, starttime, endtime
    FROM mimiciv_derived.ventilation
    WHERE ventilation_status = 'InvasiveVent'
),

-- one axis of gases and of the starts of invasive ventilation, for a single sweep
moment AS (
    SELECT stay_id, charttime, po2, aado2, fio2, acidbase_points, CAST(NULL AS TIMESTAMP) AS ventilated_until
    FROM arterial_gas
    UNION ALL
    SELECT
        stay_id,
        starttime AS charttime,
        NULL AS po2,
        NULL AS aado2,
        NULL AS fio2,
        NULL AS acidbase_points,
        endtime AS ventilated_until
    FROM invasive_episode
),

-- an episode covers a gas when it has begun by then and the latest end so far is not past
swept AS (
    SELECT
        stay_id,
        charttime,
        po2,
        aado2,
        fio2,
        acidbase_points,
        MAX(ventilated_until) OVER (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS ventilated_until
    FROM moment
),

-- rule 6
gas_of_day AS (
    SELECT
        stay_id,
        MAX(
            CASE
                WHEN (ventilated_until IS NULL OR ventilated_until < charttime) AND COALESCE(fio2, 21) < 50 THEN po2
            END
        ) AS pao2,
        MAX(CASE WHEN ventilated_until >= charttime AND fio2 >= 50 THEN aado2 END) AS aado2,
        MAX(acidbase_points) AS acidbase_score
    FROM swept
    GROUP BY stay_id
),

-- rule 3: a missing component is 0
component AS (
    SELECT
        score.subject_id,
        score.hadm_id,
        score.stay_id,
        COALESCE(score.hr_score, 0) AS hr_score,
        COALESCE(score.mbp_score, 0) AS mbp_score,
        COALESCE(score.temp_score, 0) AS temp_score,
        COALESCE(score.resp_rate_score, 0) AS resp_rate_score,
        CASE
            WHEN score.apsiii IS NULL THEN 0  -- without admission or patient nothing is scored
            WHEN gas.pao2 < 50 THEN 15
            WHEN gas.pao2 < 70 THEN 5
            WHEN gas.pao2 < 80 THEN 2
            WHEN gas.pao2 >= 80 THEN 0
            WHEN gas.aado2 < 100 THEN 0
            WHEN gas.aado2 < 250 THEN 7
            WHEN gas.aado2 < 350 THEN 9
            WHEN gas.aado2 < 500 THEN 11
            WHEN gas.aado2 >= 500 THEN 14
            ELSE 0
        END AS pao2_aado2_score,
        COALESCE(score.hematocrit_score, 0) AS hematocrit_score,
        COALESCE(score.wbc_score, 0) AS wbc_score,
        COALESCE(score.creatinine_score, 0) AS creatinine_score,
        COALESCE(score.uo_score, 0) AS uo_score,
        COALESCE(score.bun_score, 0) AS bun_score,
        COALESCE(score.sodium_score, 0) AS sodium_score,
        COALESCE(score.albumin_score, 0) AS albumin_score,
        COALESCE(score.bilirubin_score, 0) AS bilirubin_score,
        COALESCE(score.glucose_score, 0) AS glucose_score,
        CASE WHEN score.apsiii IS NULL THEN 0 ELSE COALESCE(gas.acidbase_score, 0) END AS acidbase_score,
        COALESCE(score.gcs_score, 0) AS gcs_score
    FROM mimiciv_derived.apsiii AS score
    LEFT JOIN gas_of_day AS gas ON score.stay_id = gas.stay_id
)

SELECT
    subject_id,
    hadm_id,
    stay_id,
    hr_score
    + mbp_score
    + temp_score
    + resp_rate_score
    + pao2_aado2_score
    + hematocrit_score
    + wbc_score
    + creatinine_score
    + uo_score
    + bun_score
    + sodium_score
    + albumin_score
    + bilirubin_score
    + glucose_score
    + acidbase_score
    + gcs_score AS apsiii,
    hr_score,
    mbp_score,
    temp_score,
    resp_rate_score,
    pao2_aado2_score,
    hematocrit_score,
    wbc_score,
    creatinine_score,
    uo_score,
    bun_score,
    sodium_score,
    albumin_score,
    bilirubin_score,
    glucose_score,
    acidbase_score,
    gcs_score
FROM component
