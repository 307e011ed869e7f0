/*
name: sirs-12h
kind: reference
title: "Systemic inflammatory response criteria of the first 12 ICU hours, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: sirs, type: INTEGER, meaning: "criteria met, 0 to 4"}
  - {name: temp_score, type: INTEGER, meaning: "temperature, 0 or 1"}
  - {name: heart_rate_score, type: INTEGER, meaning: "heart rate, 0 or 1"}
  - {name: resp_score, type: INTEGER, meaning: "respiratory rate or carbon dioxide tension, 0 or 1"}
  - {name: wbc_score, type: INTEGER, meaning: "white cells or bands, 0 or 1"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.vitalsign, mimiciv_derived.bg, mimiciv_derived.complete_blood_count, mimiciv_derived.blood_differential]
spec: sirs-12h
source: "Bone et al., 1992, Chest 101(6):1644-1655"
conventions: []
*/
-- four criteria over the extremes from six hours before to twelve hours after admission
WITH first_hours AS (
    -- rule 1: closed window
    SELECT
        subject_id,
        hadm_id,
        stay_id,
        intime - INTERVAL 6 HOUR AS opens,
        intime + INTERVAL 12 HOUR AS closes
    FROM mimiciv_icu.icustays
),

-- rule 2: vital signs by stay, laboratory values by patient
vital AS (
    SELECT
        first_hours.stay_id,
        MIN(sign.temperature) AS temperature_min,
        MAX(sign.temperature) AS temperature_max,
        MAX(sign.heart_rate) AS heart_rate_max,
        MAX(sign.resp_rate) AS resp_rate_max
    FROM first_hours
    INNER JOIN mimiciv_derived.vitalsign AS sign
        ON first_hours.stay_id = sign.stay_id
        AND sign.charttime >= first_hours.opens
        AND sign.charttime <= first_hours.closes
    GROUP BY first_hours.stay_id
),

arterial_gas AS (
    SELECT first_hours.stay_id, MIN(gas.pco2) AS pco2_min
    FROM first_hours
    INNER JOIN mimiciv_derived.bg AS gas
        ON first_hours.subject_id = gas.subject_id
        AND gas.charttime >= first_hours.opens
        AND gas.charttime <= first_hours.closes
    WHERE gas.specimen = 'ART.'
    GROUP BY first_hours.stay_id
),

white_cells AS (
    SELECT
        first_hours.stay_id,
        MIN(count.wbc) AS wbc_min,
        MAX(count.wbc) AS wbc_max
    FROM first_hours
    INNER JOIN mimiciv_derived.complete_blood_count AS count
        ON first_hours.subject_id = count.subject_id
        AND count.charttime >= first_hours.opens
        AND count.charttime <= first_hours.closes
    GROUP BY first_hours.stay_id
),

band_forms AS (
    SELECT first_hours.stay_id, MAX(differential.bands) AS bands_max
    FROM first_hours
    INNER JOIN mimiciv_derived.blood_differential AS differential
        ON first_hours.subject_id = differential.subject_id
        AND differential.charttime >= first_hours.opens
        AND differential.charttime <= first_hours.closes
    GROUP BY first_hours.stay_id
),

-- rule 3: a missing value meets nothing
criterion AS (
    SELECT
        first_hours.subject_id,
        first_hours.hadm_id,
        first_hours.stay_id,
        CASE WHEN vital.temperature_min < 36.0 OR vital.temperature_max > 38.0 THEN 1 ELSE 0 END AS temp_score,
        CASE WHEN vital.heart_rate_max > 90 THEN 1 ELSE 0 END AS heart_rate_score,
        CASE WHEN vital.resp_rate_max > 20 OR arterial_gas.pco2_min < 32 THEN 1 ELSE 0 END AS resp_score,
        CASE
            WHEN white_cells.wbc_min < 4.0 OR white_cells.wbc_max > 12.0 OR band_forms.bands_max > 10 THEN 1
            ELSE 0
        END AS wbc_score
    FROM first_hours
    LEFT JOIN vital ON first_hours.stay_id = vital.stay_id
    LEFT JOIN arterial_gas ON first_hours.stay_id = arterial_gas.stay_id
    LEFT JOIN white_cells ON first_hours.stay_id = white_cells.stay_id
    LEFT JOIN band_forms ON first_hours.stay_id = band_forms.stay_id
)

SELECT
    subject_id,
    hadm_id,
    stay_id,
    temp_score + heart_rate_score + resp_score + wbc_score AS sirs,
    temp_score,
    heart_rate_score,
    resp_score,
    wbc_score
FROM criterion
