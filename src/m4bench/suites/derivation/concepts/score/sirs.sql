/*
name: sirs
kind: concept
title: Systemic inflammatory response criteria of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: sirs, type: INTEGER, meaning: "criteria met, missing counted as not met, 0 to 4"}
  - {name: temp_score, type: INTEGER, meaning: "temperature, 0, 1 or null"}
  - {name: heart_rate_score, type: INTEGER, meaning: "heart rate, 0, 1 or null"}
  - {name: resp_score, type: INTEGER, meaning: "respiratory rate or carbon dioxide tension, 0, 1 or null"}
  - {name: wbc_score, type: INTEGER, meaning: "white cells or bands, 0, 1 or null"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.first_day_vitalsign, mimiciv_derived.first_day_bg_art, mimiciv_derived.first_day_lab]
spec: sirs
source: "ACCP/SCCM Consensus Conference, 1992, Critical Care Medicine 20:864-874"
conventions: []
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
  - says: require two criteria at the same time
    reason: Vital signs and laboratory values are never charted at one time, and no source says how near is the same.
  - says: count PaCO2 of ventilated patients only where the clinician has not set it
    reason: No entry tells who set it.
  - says: report the score as incomplete
    reason: "The criteria do, being null where unknown; the total is that of what is known."
settings:
  hours_after: "24" # of the window, which the first day's concepts have themselves
  ends: intime + INTERVAL $hours_after HOUR
  missing: "NULL"
  vital: SELECT stay_id, temperature_min, temperature_max, heart_rate_max, resp_rate_max FROM mimiciv_derived.first_day_vitalsign
  arterial_gas: SELECT stay_id, pco2_min FROM mimiciv_derived.first_day_bg_art
  blood: SELECT stay_id, wbc_min, wbc_max, bands_max FROM mimiciv_derived.first_day_lab
*/
-- four criteria over the extremes of the first hours; the first line that holds gives the point
WITH first_hours AS (
    -- rule 1: closed window
    SELECT
        subject_id,
        hadm_id,
        stay_id,
        intime - INTERVAL 6 HOUR AS opens,
        intime + INTERVAL $hours_after HOUR AS closes,  -- of what is charted under the stay
        $ends AS ends  -- of what could be another stay's
    FROM mimiciv_icu.icustays
),

-- rule 2: the extremes of each stay
vital AS (
    $vital
),

arterial_gas AS (
    $arterial_gas
),

blood AS (
    $blood
),

-- rule 3
criterion AS (
    SELECT
        first_hours.subject_id,
        first_hours.hadm_id,
        first_hours.stay_id,
        CASE
            WHEN vital.temperature_min < 36.0 THEN 1
            WHEN vital.temperature_max > 38.0 THEN 1
            WHEN vital.temperature_min IS NULL THEN $missing
            ELSE 0
        END AS temp_score,
        CASE
            WHEN vital.heart_rate_max > 90 THEN 1
            WHEN vital.heart_rate_max IS NULL THEN $missing
            ELSE 0
        END AS heart_rate_score,
        CASE
            WHEN vital.resp_rate_max > 20 THEN 1
            WHEN arterial_gas.pco2_min < 32 THEN 1
            WHEN COALESCE(vital.resp_rate_max, arterial_gas.pco2_min) IS NULL THEN $missing
            ELSE 0
        END AS resp_score,
        CASE
            WHEN blood.wbc_min < 4.0 THEN 1
            WHEN blood.wbc_max > 12.0 THEN 1
            WHEN blood.bands_max > 10 THEN 1
            WHEN COALESCE(blood.wbc_min, blood.bands_max) IS NULL THEN $missing
            ELSE 0
        END AS wbc_score
    FROM first_hours
    LEFT JOIN vital ON first_hours.stay_id = vital.stay_id
    LEFT JOIN arterial_gas ON first_hours.stay_id = arterial_gas.stay_id
    LEFT JOIN blood ON first_hours.stay_id = blood.stay_id
)

SELECT
    subject_id,
    hadm_id,
    stay_id,
    COALESCE(temp_score, 0)
    + COALESCE(heart_rate_score, 0)
    + COALESCE(resp_score, 0)
    + COALESCE(wbc_score, 0) AS sirs,
    temp_score,
    heart_rate_score,
    resp_score,
    wbc_score
FROM criterion
