/*
name: oasis
kind: concept
title: Oxford Acute Severity of Illness Score of the first ICU day
grain: one row per ICU stay with a known admission and patient
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: oasis, type: INTEGER, unit: points, meaning: "sum of the ten scores, missing counted 0"}
  - {name: oasis_prob, type: DOUBLE, meaning: probability of hospital death}
  - {name: age, type: DOUBLE, unit: years, meaning: "age at admission, with its fraction in the published form"}
  - {name: age_score, type: INTEGER, unit: points, meaning: "0, 3, 6, 7, 9 or null"}
  - {name: preiculos, type: DOUBLE, unit: min, meaning: "time from hospital to ICU admission, in the current form whole minutes of the clock"}
  - {name: preiculos_score, type: INTEGER, unit: points, meaning: "0, 1, 2, 3, 5 or null"}
  - {name: gcs, type: DOUBLE, unit: points, meaning: lowest Glasgow Coma Scale}
  - {name: gcs_score, type: INTEGER, unit: points, meaning: "0, 3, 4, 10 or null"}
  - {name: heartrate, type: DOUBLE, unit: /min, meaning: heart rate that decided the score}
  - {name: heart_rate_score, type: INTEGER, unit: points, meaning: "0, 1, 3, 4, 6 or null"}
  - {name: meanbp, type: DOUBLE, unit: mmHg, meaning: mean pressure that decided the score}
  - {name: mbp_score, type: INTEGER, unit: points, meaning: "0, 2, 3, 4 or null"}
  - {name: resprate, type: DOUBLE, unit: /min, meaning: respiratory rate that decided the score}
  - {name: resp_rate_score, type: INTEGER, unit: points, meaning: "0, 1, 6, 9, 10 or null"}
  - {name: temp, type: DOUBLE, unit: °C, meaning: temperature that decided the score}
  - {name: temp_score, type: INTEGER, unit: points, meaning: "0, 2, 3, 4, 6 or null"}
  - {name: urineoutput, type: DOUBLE, unit: mL, meaning: urine of the first 24 hours}
  - {name: urineoutput_score, type: INTEGER, unit: points, meaning: "0, 1, 5, 8, 10 or null"}
  - {name: mechvent, type: INTEGER, meaning: "0/1, invasive ventilation in the first 24 hours"}
  - {name: mechvent_score, type: INTEGER, unit: points, meaning: 0 or 9}
  - {name: electivesurgery, type: INTEGER, meaning: "0/1, elective admission with a surgical service, null without admission type"}
  - {name: electivesurgery_score, type: INTEGER, unit: points, meaning: "0, 6 or null"}
inputs: [mimiciv_icu.icustays, mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_hosp.services, mimiciv_derived.age, mimiciv_derived.ventilation, mimiciv_derived.first_day_gcs, mimiciv_derived.first_day_vitalsign, mimiciv_derived.first_day_urine_output]
spec: oasis
source: "Johnson, Kramer and Clifford, 2013, Critical Care Medicine 41(7):1711-1718"
conventions:
  - name: minutes_before
    published: minutes_between
    current: clock_minutes_between
    adjudicated: minutes_between
    difference: The time before the ICU is what elapsed, or the full minutes of the clock begun in it.
    source: "community's current form (minutes of the clock); elapsed in the published form, since the bands of Johnson et al., 2013, are of hours with decimals"
    example: "admitted 09:50:00, ICU at 10:00:20: 10.33 with 3 points / 10 with 5 / 10.33 with 3"
  - name: scored_age
    published: age
    adjudicated: FLOOR(age)
    difference: Bands of whole years are compared with an age with its fraction, so that 53.4 moves up and 89.5 has no points, or with completed years.
    source: "Johnson et al., 2013; reported faults 98 and 109"
    example: "89.5 years: 0 / 0 / 9 (the current form's age is whole beforehand)"
  - name: stated
    published: unrounded
    adjudicated: rounded_to
    difference: A value between two bands has no points or those of the next band, or is rounded to the precision of the bands and has those of its own.
    source: "specification's adjudicated line (continuous bins on rounded values); Johnson et al., 2013 (bands of whole beats and breaths, and of hundredths)"
    example: "106.5 a minute: 0 / 0 / 3; 22.4 breaths: 1 / 1 / 0"
  - name: time_before
    published: oasis_time_before
    adjudicated: oasis_time_before_closed
    difference: Exactly 24 hours, or 311.80, before the ICU belong to the next band, or to the one that ends there.
    source: "Johnson et al., 2013 (4.95 to 24.00 and 24.01 to 311.80 hours), as in eicu-oasis"
    example: "1440 minutes: 2 / 2 / 0; 18708 minutes: 1 / 1 / 2"
  - name: planned
    published: named_elective
    adjudicated: elective_or_same_day
    difference: A surgical admission on the day of operation is not elective, or is.
    source: "specification's adjudicated line; reported fault 51. Sources disagree: the community's form counts it as not elective"
    example: "SURGICAL SAME DAY ADMISSION under CSURG: 6 / 6 / 0"
unresolved:
  - says: use records of procedures in place of the service
    reason: No source lists which procedures are operations.
  - says: the last coma scale before sedation
    reason: "It is the concept gcs that takes it under the adjudicated form; nothing is left to this score."
  - says: "one set of urine limits for both databases (here 671.09, 2544.14 and 6896.80 mL, in eicu-oasis 671, 2544 and 6896)"
    reason: Both specifications cite the same table of Johnson et al. with other digits; each keeps its own.
  - says: urine of a stay of less than a day
    reason: "The specification takes it as charted; SAPS II scales it to a day and SOFA asks for a full day: a clinician must choose."
  - says: report missingness in place of 0
    reason: "The scores do, being null; the total is that of what is known."
*/
-- ten scores of the first day, each with the value that decided it
-- rule 2
WITH surgical_service AS (
    SELECT hadm_id, MIN(transfertime) AS surgical_from
    FROM mimiciv_hosp.services
    WHERE surgery_or_orthopaedics(curr_service)
    GROUP BY hadm_id
),

-- rule 4: an episode that meets the first 24 hours, all ends closed
ventilated_stay AS (
    SELECT DISTINCT icu.stay_id
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.ventilation AS episode
        ON icu.stay_id = episode.stay_id
        AND episode.starttime <= icu.intime + INTERVAL 24 HOUR
        AND episode.endtime >= icu.intime
    WHERE episode.ventilation_status = 'InvasiveVent'
),

vital AS (
    SELECT
        stay_id,
        $stated(heart_rate_min, 0) AS heart_rate_min,
        $stated(heart_rate_max, 0) AS heart_rate_max,
        $stated(mbp_min, 2) AS mbp_min,
        $stated(mbp_max, 2) AS mbp_max,
        $stated(resp_rate_min, 0) AS resp_rate_min,
        $stated(resp_rate_max, 0) AS resp_rate_max,
        temperature_min,  -- in hundredths already
        temperature_max
    FROM mimiciv_derived.first_day_vitalsign
),

first_day AS (
    SELECT
        icu.subject_id,
        icu.hadm_id,
        icu.stay_id,
        age.age,
        $minutes_before(adm.admittime, icu.intime) AS preiculos,  -- rule 1
        coma.gcs_min AS gcs,
        vital.heart_rate_min,
        vital.heart_rate_max,
        oasis_heart_rate(vital.heart_rate_min, vital.heart_rate_max) AS heart_rate_score,
        vital.mbp_min,
        vital.mbp_max,
        oasis_mean_pressure(vital.mbp_min, vital.mbp_max) AS mbp_score,
        vital.resp_rate_min,
        vital.resp_rate_max,
        oasis_respiratory_rate(vital.resp_rate_min, vital.resp_rate_max) AS resp_rate_score,
        vital.temperature_min,
        vital.temperature_max,
        oasis_temperature(vital.temperature_min, vital.temperature_max) AS temp_score,
        urine.urineoutput,
        oasis_urine($stated(urine.urineoutput, 2)) AS urineoutput_score,
        CASE WHEN ventilated_stay.stay_id IS NULL THEN 0 ELSE 1 END AS mechvent,
        -- rule 3
        CASE
            WHEN adm.admission_type IS NULL THEN NULL
            WHEN $planned(adm.admission_type) AND surgery.surgical_from < icu.intime + INTERVAL 24 HOUR THEN 1
            ELSE 0
        END AS electivesurgery
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_hosp.admissions AS adm ON icu.hadm_id = adm.hadm_id
    INNER JOIN mimiciv_hosp.patients AS pat ON icu.subject_id = pat.subject_id
    LEFT JOIN mimiciv_derived.age AS age ON icu.hadm_id = age.hadm_id
    LEFT JOIN surgical_service AS surgery ON icu.hadm_id = surgery.hadm_id
    LEFT JOIN ventilated_stay ON icu.stay_id = ventilated_stay.stay_id
    LEFT JOIN mimiciv_derived.first_day_gcs AS coma ON icu.stay_id = coma.stay_id
    LEFT JOIN vital ON icu.stay_id = vital.stay_id
    LEFT JOIN mimiciv_derived.first_day_urine_output AS urine ON icu.stay_id = urine.stay_id
),

-- rules 5 and 6
scored AS (
    SELECT
        subject_id,
        hadm_id,
        stay_id,
        age,
        oasis_age($scored_age) AS age_score,
        preiculos,
        $time_before(preiculos) AS preiculos_score,
        gcs,
        oasis_coma_scale(gcs) AS gcs_score,
        oasis_deciding_heart_rate(heart_rate_min, heart_rate_max, heart_rate_score) AS heartrate,
        heart_rate_score,
        oasis_deciding_mean_pressure(mbp_min, mbp_max, mbp_score) AS meanbp,
        mbp_score,
        oasis_deciding_respiratory_rate(resp_rate_min, resp_rate_max, resp_rate_score) AS resprate,
        resp_rate_score,
        oasis_deciding_temperature(temperature_min, temperature_max, temp_score) AS temp,
        temp_score,
        urineoutput,
        urineoutput_score,
        mechvent,
        CASE WHEN mechvent = 1 THEN 9 ELSE 0 END AS mechvent_score,
        electivesurgery,
        CASE electivesurgery WHEN 1 THEN 0 WHEN 0 THEN 6 END AS electivesurgery_score
    FROM first_day
),

-- rule 7
total AS (
    SELECT
        stay_id,
        COALESCE(age_score, 0)
        + COALESCE(preiculos_score, 0)
        + COALESCE(gcs_score, 0)
        + COALESCE(heart_rate_score, 0)
        + COALESCE(mbp_score, 0)
        + COALESCE(resp_rate_score, 0)
        + COALESCE(temp_score, 0)
        + COALESCE(urineoutput_score, 0)
        + COALESCE(mechvent_score, 0)
        + COALESCE(electivesurgery_score, 0) AS oasis
    FROM scored
)

SELECT
    scored.subject_id,
    scored.hadm_id,
    scored.stay_id,
    total.oasis,
    -- rule 8: the linear part is an exact decimal, a double only under the exponential
    CAST(1 AS DOUBLE) / (
        CAST(1 AS DOUBLE)
        + EXP(
            -CAST(
                CAST(-6.1746 AS DECIMAL(9, 4)) + CAST(0.1275 AS DECIMAL(5, 4)) * CAST(total.oasis AS DECIMAL(4, 0))
                AS DOUBLE
            )
        )
    ) AS oasis_prob,
    scored.age,
    scored.age_score,
    scored.preiculos,
    scored.preiculos_score,
    scored.gcs,
    scored.gcs_score,
    scored.heartrate,
    scored.heart_rate_score,
    scored.meanbp,
    scored.mbp_score,
    scored.resprate,
    scored.resp_rate_score,
    scored.temp,
    scored.temp_score,
    scored.urineoutput,
    scored.urineoutput_score,
    scored.mechvent,
    scored.mechvent_score,
    scored.electivesurgery,
    scored.electivesurgery_score
FROM scored
INNER JOIN total ON scored.stay_id = total.stay_id
