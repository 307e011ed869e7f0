/*
name: apsiii
kind: concept
title: Acute Physiology Score III of the ICU stay
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: apsiii, type: INTEGER, unit: points, meaning: "sum of the sixteen components, missing counted 0; null without admission or patient"}
  - {name: apsiii_prob, type: DOUBLE, meaning: probability of hospital death}
  - {name: hr_score, type: INTEGER, unit: points, meaning: "heart rate, 0 to 17 or null"}
  - {name: mbp_score, type: INTEGER, unit: points, meaning: "mean blood pressure, 0 to 23 or null"}
  - {name: temp_score, type: INTEGER, unit: points, meaning: "temperature, 0 to 20 or null"}
  - {name: resp_rate_score, type: INTEGER, unit: points, meaning: "respiratory rate, 0 to 18 or null"}
  - {name: pao2_aado2_score, type: INTEGER, unit: points, meaning: "oxygenation, 0 to 15 or null"}
  - {name: hematocrit_score, type: INTEGER, unit: points, meaning: "hematocrit, 0, 3 or null"}
  - {name: wbc_score, type: INTEGER, unit: points, meaning: "white cells, 0 to 19 or null"}
  - {name: creatinine_score, type: INTEGER, unit: points, meaning: "creatinine, 0 to 10 or null"}
  - {name: uo_score, type: INTEGER, unit: points, meaning: "urine output, 0 to 15 or null"}
  - {name: bun_score, type: INTEGER, unit: points, meaning: "urea nitrogen, 0 to 12 or null"}
  - {name: sodium_score, type: INTEGER, unit: points, meaning: "sodium, 0 to 4 or null"}
  - {name: albumin_score, type: INTEGER, unit: points, meaning: "albumin, 0 to 11 or null"}
  - {name: bilirubin_score, type: INTEGER, unit: points, meaning: "bilirubin, 0 to 16 or null"}
  - {name: glucose_score, type: INTEGER, unit: points, meaning: "glucose, 0 to 9 or null"}
  - {name: acidbase_score, type: INTEGER, unit: points, meaning: "pH and carbon dioxide tension, 0 to 12 or null"}
  - {name: gcs_score, type: INTEGER, unit: points, meaning: "eyes, verbal and motor response, 0 to 48 or null"}
inputs: [mimiciv_icu.icustays, mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_hosp.diagnoses_icd, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.first_day_vitalsign, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_gcs]
spec: apsiii
source: "Knaus et al., 1991, Chest 100(6):1619-1636; probability after Johnson, 2015, thesis, University of Oxford"
conventions: []
*/
-- sixteen components; physiology of the first day, gases of the whole stay
-- table C: points of a value from a lower end on, the lowest band without one
WITH band_start AS (
    SELECT scale, lower_end, points
    FROM (
        VALUES
            ('heart rate', CAST(NULL AS DOUBLE), 8),  -- /min
            ('heart rate', 40, 5),
            ('heart rate', 50, 0),
            ('heart rate', 100, 1),
            ('heart rate', 110, 5),
            ('heart rate', 120, 7),
            ('heart rate', 140, 13),
            ('heart rate', 155, 17),
            ('mean pressure', NULL, 23),  -- mmHg
            ('mean pressure', 40, 15),
            ('mean pressure', 60, 7),
            ('mean pressure', 70, 6),
            ('mean pressure', 80, 0),
            ('mean pressure', 100, 4),
            ('mean pressure', 120, 7),
            ('mean pressure', 130, 9),
            ('mean pressure', 140, 10),
            ('temperature', NULL, 20),  -- °C
            ('temperature', 33.0, 16),
            ('temperature', 33.5, 13),
            ('temperature', 34.0, 8),
            ('temperature', 35.0, 2),
            ('temperature', 36.0, 0),
            ('temperature', 40.0, 4),
            ('respiratory rate', NULL, 17),  -- /min
            ('respiratory rate', 6, 8),
            ('respiratory rate', 12, 7),
            ('respiratory rate', 14, 0),
            ('respiratory rate', 25, 6),
            ('respiratory rate', 35, 9),
            ('respiratory rate', 40, 11),
            ('respiratory rate', 50, 18),
            ('ventilated respiratory rate', NULL, 0),  -- /min, no points for a low rate
            ('ventilated respiratory rate', 25, 6),
            ('ventilated respiratory rate', 35, 9),
            ('ventilated respiratory rate', 40, 11),
            ('ventilated respiratory rate', 50, 18),
            ('hematocrit', NULL, 3),  -- %
            ('hematocrit', 41.0, 0),
            ('hematocrit', 50.0, 3),
            ('white cells', NULL, 19),  -- K/µL
            ('white cells', 1.0, 5),
            ('white cells', 3.0, 0),
            ('white cells', 20.0, 1),
            ('white cells', 25.0, 5),
            ('creatinine', NULL, 3),  -- mg/dL
            ('creatinine', 0.5, 0),
            ('creatinine', 1.5, 4),
            ('creatinine', 1.95, 7),
            ('creatinine in acute renal failure', NULL, 10),  -- mg/dL, at least 1.5 there
            ('urea nitrogen', NULL, 0),  -- mg/dL
            ('urea nitrogen', 17.0, 2),
            ('urea nitrogen', 20.0, 7),
            ('urea nitrogen', 40.0, 11),
            ('urea nitrogen', 80.0, 12),
            ('sodium', NULL, 3),  -- mEq/L
            ('sodium', 120, 2),
            ('sodium', 135, 0),
            ('sodium', 155, 4),
            ('albumin', NULL, 11),  -- g/dL
            ('albumin', 2.0, 6),
            ('albumin', 2.5, 0),
            ('albumin', 4.5, 4),
            ('bilirubin', NULL, 0),  -- mg/dL
            ('bilirubin', 2.0, 5),
            ('bilirubin', 3.0, 6),
            ('bilirubin', 5.0, 8),
            ('bilirubin', 8.0, 16),
            ('glucose', NULL, 8),  -- mg/dL
            ('glucose', 40, 9),
            ('glucose', 60, 0),
            ('glucose', 200, 3),
            ('glucose', 350, 5)
    ) AS listed(scale, lower_end, points)
),

-- a band ends where the next begins
band AS (
    SELECT
        scale,
        lower_end,
        LEAD(lower_end) OVER (PARTITION BY scale ORDER BY lower_end NULLS FIRST) AS upper_end,
        points
    FROM band_start
),

-- rule A: by admission, over the whole stay
arterial_gas AS (
    SELECT
        icu.stay_id,
        bg.charttime,
        bg.po2,
        bg.aado2,
        COALESCE(bg.fio2, bg.fio2_chartevents) AS fio2,
        -- rule 3 with table D
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
        AND bg.charttime < icu.outtime
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

gas_of_stay AS (
    SELECT
        stay_id,
        -- rule 1
        MAX(
            CASE
                WHEN (ventilated_until IS NULL OR ventilated_until < charttime) AND COALESCE(fio2, 21) < 50 THEN po2
            END
        ) AS pao2,
        -- rule 2
        MAX(CASE WHEN ventilated_until >= charttime AND fio2 >= 50 THEN aado2 END) AS aado2,
        MAX(acidbase_points) AS acidbase_score
    FROM swept
    GROUP BY stay_id
),

-- rule 4
kidney_disease AS (
    SELECT
        hadm_id,
        MAX(
            CASE
                WHEN icd_version = 9 AND SUBSTRING(icd_code, 1, 4) IN ('5854', '5855', '5856') THEN 1
                WHEN icd_version = 10 AND SUBSTRING(icd_code, 1, 4) IN ('N184', 'N185', 'N186') THEN 1
                ELSE 0
            END
        ) AS ckd
    FROM mimiciv_hosp.diagnoses_icd
    GROUP BY hadm_id
),

-- rule 6: an episode that meets the first 24 hours, all ends closed
ventilated_stay AS (
    SELECT DISTINCT icu.stay_id
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN invasive_episode AS episode
        ON icu.stay_id = episode.stay_id
        AND episode.starttime <= icu.intime + INTERVAL 24 HOUR
        AND episode.endtime >= icu.intime
),

first_day AS (
    SELECT
        icu.stay_id,
        vital.heart_rate_min,
        vital.heart_rate_max,
        vital.mbp_min,
        vital.mbp_max,
        vital.temperature_min,
        vital.temperature_max,
        vital.resp_rate_min,
        vital.resp_rate_max,
        lab.hematocrit_min,
        lab.hematocrit_max,
        lab.wbc_min,
        lab.wbc_max,
        lab.creatinine_min,
        lab.creatinine_max,
        lab.bun_max,
        lab.sodium_min,
        lab.sodium_max,
        lab.albumin_min,
        lab.albumin_max,
        lab.bilirubin_total_max,
        -- rule 7: laboratory and bedside together
        LEAST(COALESCE(lab.glucose_min, vital.glucose_min), COALESCE(vital.glucose_min, lab.glucose_min))
            AS glucose_min,
        GREATEST(COALESCE(lab.glucose_max, vital.glucose_max), COALESCE(vital.glucose_max, lab.glucose_max))
            AS glucose_max,
        urine.urineoutput,
        coma.gcs_motor,
        coma.gcs_verbal,
        coma.gcs_eyes,
        coma.gcs_unable,
        gas.pao2,
        gas.aado2,
        gas.acidbase_score,
        ventilated_stay.stay_id IS NOT NULL AS ventilated,
        -- rule 5
        COALESCE(lab.creatinine_max >= 1.5 AND urine.urineoutput < 410 AND kidney.ckd = 0, FALSE) AS renal_failure
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_hosp.admissions AS adm ON icu.hadm_id = adm.hadm_id
    INNER JOIN mimiciv_hosp.patients AS pat ON icu.subject_id = pat.subject_id
    LEFT JOIN mimiciv_derived.first_day_vitalsign AS vital ON icu.stay_id = vital.stay_id
    LEFT JOIN mimiciv_derived.first_day_lab AS lab ON icu.stay_id = lab.stay_id
    LEFT JOIN mimiciv_derived.first_day_urine_output AS urine ON icu.stay_id = urine.stay_id
    LEFT JOIN mimiciv_derived.first_day_gcs AS coma ON icu.stay_id = coma.stay_id
    LEFT JOIN gas_of_stay AS gas ON icu.stay_id = gas.stay_id
    LEFT JOIN kidney_disease AS kidney ON icu.hadm_id = kidney.hadm_id
    LEFT JOIN ventilated_stay ON icu.stay_id = ventilated_stay.stay_id
),

-- rule 8: what is scored with its distance from the reference point; where always the maximum counts it
-- stands for both
measure AS (
    SELECT
        stay_id,
        'heart rate' AS scale,
        heart_rate_min AS lowest,
        heart_rate_max AS highest,
        ABS(heart_rate_min - 75) AS distance_of_lowest,
        ABS(heart_rate_max - 75) AS distance_of_highest
    FROM first_day
    UNION ALL
    SELECT stay_id, 'mean pressure', mbp_min, mbp_max, ABS(mbp_min - 90), ABS(mbp_max - 90)
    FROM first_day
    UNION ALL
    -- exact decimals until the distance is known
    SELECT
        stay_id,
        'temperature',
        CAST(temperature_min AS DOUBLE),
        CAST(temperature_max AS DOUBLE),
        CAST(ABS(temperature_min - 38) AS DOUBLE),
        CAST(ABS(temperature_max - 38) AS DOUBLE)
    FROM first_day
    UNION ALL
    SELECT
        stay_id,
        CASE WHEN ventilated THEN 'ventilated respiratory rate' ELSE 'respiratory rate' END,
        resp_rate_min,
        resp_rate_max,
        ABS(resp_rate_min - 19),
        ABS(resp_rate_max - 19)
    FROM first_day
    UNION ALL
    SELECT
        stay_id,
        'hematocrit',
        hematocrit_min,
        hematocrit_max,
        ABS(hematocrit_min - CAST(45.5 AS DOUBLE)),
        ABS(hematocrit_max - CAST(45.5 AS DOUBLE))
    FROM first_day
    UNION ALL
    SELECT
        stay_id,
        'white cells',
        wbc_min,
        wbc_max,
        ABS(wbc_min - CAST(11.5 AS DOUBLE)),
        ABS(wbc_max - CAST(11.5 AS DOUBLE))
    FROM first_day
    UNION ALL
    SELECT stay_id, 'creatinine', creatinine_min, creatinine_max, ABS(creatinine_min - 1), ABS(creatinine_max - 1)
    FROM first_day
    WHERE NOT renal_failure
    UNION ALL
    SELECT
        stay_id,
        'creatinine in acute renal failure',
        creatinine_max,
        creatinine_max,
        creatinine_max,
        creatinine_max
    FROM first_day
    WHERE renal_failure
    UNION ALL
    SELECT stay_id, 'urea nitrogen', bun_max, bun_max, bun_max, bun_max
    FROM first_day
    UNION ALL
    SELECT
        stay_id,
        'sodium',
        sodium_min,
        sodium_max,
        ABS(sodium_min - CAST(145.5 AS DOUBLE)),
        ABS(sodium_max - CAST(145.5 AS DOUBLE))
    FROM first_day
    UNION ALL
    SELECT
        stay_id,
        'albumin',
        albumin_min,
        albumin_max,
        ABS(albumin_min - CAST(3.5 AS DOUBLE)),
        ABS(albumin_max - CAST(3.5 AS DOUBLE))
    FROM first_day
    UNION ALL
    SELECT stay_id, 'bilirubin', bilirubin_total_max, bilirubin_total_max, bilirubin_total_max, bilirubin_total_max
    FROM first_day
    UNION ALL
    SELECT stay_id, 'glucose', glucose_min, glucose_max, ABS(glucose_min - 130), ABS(glucose_max - 130)
    FROM first_day
),

-- rule 8: the value farther from the reference point, at equal distance the larger points
chosen AS (
    SELECT
        measure.stay_id,
        measure.scale,
        CASE
            WHEN measure.distance_of_highest > measure.distance_of_lowest THEN of_highest.points
            WHEN measure.distance_of_highest < measure.distance_of_lowest THEN of_lowest.points
            ELSE GREATEST(of_lowest.points, of_highest.points)
        END AS points
    FROM measure
    INNER JOIN band AS of_lowest
        ON measure.scale = of_lowest.scale
        AND (of_lowest.lower_end IS NULL OR measure.lowest >= of_lowest.lower_end)
        AND (of_lowest.upper_end IS NULL OR measure.lowest < of_lowest.upper_end)
    INNER JOIN band AS of_highest
        ON measure.scale = of_highest.scale
        AND (of_highest.lower_end IS NULL OR measure.highest >= of_highest.lower_end)
        AND (of_highest.upper_end IS NULL OR measure.highest < of_highest.upper_end)
),

points_of_stay AS (
    SELECT
        stay_id,
        MAX(CASE WHEN scale = 'heart rate' THEN points END) AS hr_score,
        MAX(CASE WHEN scale = 'mean pressure' THEN points END) AS mbp_score,
        MAX(CASE WHEN scale = 'temperature' THEN points END) AS temp_score,
        MAX(CASE WHEN scale IN ('respiratory rate', 'ventilated respiratory rate') THEN points END) AS resp_rate_score,
        MAX(CASE WHEN scale = 'hematocrit' THEN points END) AS hematocrit_score,
        MAX(CASE WHEN scale = 'white cells' THEN points END) AS wbc_score,
        MAX(CASE WHEN scale IN ('creatinine', 'creatinine in acute renal failure') THEN points END) AS creatinine_score,
        MAX(CASE WHEN scale = 'urea nitrogen' THEN points END) AS bun_score,
        MAX(CASE WHEN scale = 'sodium' THEN points END) AS sodium_score,
        MAX(CASE WHEN scale = 'albumin' THEN points END) AS albumin_score,
        MAX(CASE WHEN scale = 'bilirubin' THEN points END) AS bilirubin_score,
        MAX(CASE WHEN scale = 'glucose' THEN points END) AS glucose_score
    FROM chosen
    GROUP BY stay_id
),

-- the first line that holds gives the points
scored AS (
    SELECT
        day.stay_id,
        points.hr_score,
        points.mbp_score,
        points.temp_score,
        points.resp_rate_score,
        -- rule 10
        CASE
            WHEN day.pao2 < 50 THEN 15
            WHEN day.pao2 < 70 THEN 5
            WHEN day.pao2 < 80 THEN 2
            WHEN day.pao2 >= 80 THEN 0
            WHEN day.aado2 < 100 THEN 0
            WHEN day.aado2 < 250 THEN 7
            WHEN day.aado2 < 350 THEN 9
            WHEN day.aado2 < 500 THEN 11
            WHEN day.aado2 >= 500 THEN 14
        END AS pao2_aado2_score,
        points.hematocrit_score,
        points.wbc_score,
        points.creatinine_score,
        -- rule 9
        CASE
            WHEN day.urineoutput < 400 THEN 15
            WHEN day.urineoutput < 600 THEN 8
            WHEN day.urineoutput < 900 THEN 7
            WHEN day.urineoutput < 1500 THEN 5
            WHEN day.urineoutput < 2000 THEN 4
            WHEN day.urineoutput < 4000 THEN 0
            WHEN day.urineoutput >= 4000 THEN 1
        END AS uo_score,
        points.bun_score,
        points.sodium_score,
        points.albumin_score,
        points.bilirubin_score,
        points.glucose_score,
        day.acidbase_score,
        -- rule 11
        CASE
            WHEN day.gcs_unable = 1 THEN 0
            WHEN day.gcs_eyes = 1 AND day.gcs_verbal = 1 THEN
                CASE
                    WHEN day.gcs_motor IN (1, 2) THEN 48
                    WHEN day.gcs_motor IN (3, 4) THEN 33
                    WHEN day.gcs_motor IN (5, 6) THEN 16
                END
            WHEN day.gcs_eyes = 1 AND day.gcs_verbal IN (2, 3) THEN
                CASE WHEN day.gcs_motor IN (1, 2) THEN 29 WHEN day.gcs_motor IN (3, 4) THEN 24 END
            WHEN day.gcs_eyes > 1 AND day.gcs_verbal = 1 THEN
                CASE
                    WHEN day.gcs_motor IN (1, 2) THEN 29
                    WHEN day.gcs_motor IN (3, 4) THEN 24
                    WHEN day.gcs_motor IN (5, 6) THEN 15
                END
            WHEN day.gcs_eyes > 1 AND day.gcs_verbal IN (2, 3) THEN
                CASE
                    WHEN day.gcs_motor IN (1, 2) THEN 29
                    WHEN day.gcs_motor IN (3, 4) THEN 24
                    WHEN day.gcs_motor = 5 THEN 13
                    WHEN day.gcs_motor = 6 THEN 10
                END
            WHEN day.gcs_eyes > 1 AND day.gcs_verbal = 4 THEN
                CASE
                    WHEN day.gcs_motor IN (1, 2, 3, 4) THEN 13
                    WHEN day.gcs_motor = 5 THEN 8
                    WHEN day.gcs_motor = 6 THEN 3
                END
            WHEN day.gcs_eyes > 1 AND day.gcs_verbal = 5 THEN
                CASE WHEN day.gcs_motor IN (1, 2, 3, 4, 5) THEN 3 WHEN day.gcs_motor = 6 THEN 0 END
        END AS gcs_score
    FROM first_day AS day
    LEFT JOIN points_of_stay AS points ON day.stay_id = points.stay_id
),

-- rule 12
total AS (
    SELECT
        stay_id,
        COALESCE(hr_score, 0)
        + COALESCE(mbp_score, 0)
        + COALESCE(temp_score, 0)
        + COALESCE(resp_rate_score, 0)
        + COALESCE(pao2_aado2_score, 0)
        + COALESCE(hematocrit_score, 0)
        + COALESCE(wbc_score, 0)
        + COALESCE(creatinine_score, 0)
        + COALESCE(uo_score, 0)
        + COALESCE(bun_score, 0)
        + COALESCE(sodium_score, 0)
        + COALESCE(albumin_score, 0)
        + COALESCE(bilirubin_score, 0)
        + COALESCE(glucose_score, 0)
        + COALESCE(acidbase_score, 0)
        + COALESCE(gcs_score, 0) AS apsiii
    FROM scored
)

SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    total.apsiii,
    -- rule 13: the linear part is an exact decimal, a double only under the exponential
    CAST(1 AS DOUBLE) / (
        CAST(1 AS DOUBLE)
        + EXP(
            -CAST(
                CAST(-4.4360 AS DECIMAL(9, 5)) + CAST(0.04726 AS DECIMAL(6, 5)) * CAST(total.apsiii AS DECIMAL(4, 0))
                AS DOUBLE
            )
        )
    ) AS apsiii_prob,
    scored.hr_score,
    scored.mbp_score,
    scored.temp_score,
    scored.resp_rate_score,
    scored.pao2_aado2_score,
    scored.hematocrit_score,
    scored.wbc_score,
    scored.creatinine_score,
    scored.uo_score,
    scored.bun_score,
    scored.sodium_score,
    scored.albumin_score,
    scored.bilirubin_score,
    scored.glucose_score,
    scored.acidbase_score,
    scored.gcs_score
FROM mimiciv_icu.icustays AS icu
LEFT JOIN scored ON icu.stay_id = scored.stay_id
LEFT JOIN total ON icu.stay_id = total.stay_id
