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
conventions:
  - name: ends
    published: intime + INTERVAL $hours_after HOUR
    adjudicated: CASE WHEN outtime < intime + INTERVAL $hours_after HOUR THEN outtime ELSE intime + INTERVAL $hours_after HOUR END
    difference: Gases and blood counts up to the end of the window count, or up to that of the stay where it comes first.
    source: "a result belongs to the stay in which it was taken; the first day's concepts end so"
    example: "left after 5 h, wbc 20 an hour later: 1 / 1 / null"
  - name: missing
    published: "0"
    adjudicated: "NULL"
    difference: "A criterion of which nothing was measured is not met, or stays unknown in itself and counts 0 in the total alone."
    source: "specification's adjudicated line (missing is unknown); clinical review of the references"
    example: "heart rate 100 alone: other criteria 0 / 0 / null, total 1 under all"
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
  - says: require two criteria at the same time
    reason: Vital signs and laboratory values are never charted at one time, and no source says how near is the same.
  - says: count PaCO2 of ventilated patients only where the clinician has not set it
    reason: No entry tells who set it.
body: sirs
settings:
  hours_after: "12"
  # rule 2: vital signs by stay, laboratory values by patient
  vital: |-
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
  arterial_gas: |-
    SELECT first_hours.stay_id, MIN(gas.pco2) AS pco2_min
        FROM first_hours
        INNER JOIN mimiciv_derived.bg AS gas
            ON first_hours.subject_id = gas.subject_id
            AND gas.charttime >= first_hours.opens
            AND gas.charttime <= first_hours.ends
        WHERE gas.specimen = 'ART.'
        GROUP BY first_hours.stay_id
  blood: |-
    SELECT
            first_hours.stay_id,
            MIN(specimen.wbc) AS wbc_min,
            MAX(specimen.wbc) AS wbc_max,
            MAX(specimen.bands) AS bands_max
        FROM first_hours
        INNER JOIN (
            SELECT subject_id, charttime, wbc, CAST(NULL AS DOUBLE) AS bands
            FROM mimiciv_derived.complete_blood_count
            UNION ALL
            SELECT subject_id, charttime, NULL AS wbc, bands
            FROM mimiciv_derived.blood_differential
        ) AS specimen
            ON first_hours.subject_id = specimen.subject_id
            AND specimen.charttime >= first_hours.opens
            AND specimen.charttime <= first_hours.ends
        GROUP BY first_hours.stay_id
*/
