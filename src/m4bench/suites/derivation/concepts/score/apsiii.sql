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
inputs:
  - mimiciv_icu.icustays
  - mimiciv_hosp.admissions
  - mimiciv_hosp.patients
  - mimiciv_hosp.diagnoses_icd
  - mimiciv_derived.bg
  - mimiciv_derived.ventilation
  - mimiciv_derived.vitalsign
  - mimiciv_derived.first_day_vitalsign
  - mimiciv_derived.first_day_lab
  - mimiciv_derived.first_day_urine_output
  - mimiciv_derived.first_day_gcs
spec: apsiii
source: "Knaus et al., 1991, Chest 100(6):1619-1636; probability after Johnson, 2015, thesis, University of Oxford"
conventions:
  - name: gas_in_window
    published: bg.charttime < icu.outtime
    adjudicated: |-
      bg.charttime <= LEAST(icu.intime + INTERVAL 24 HOUR, COALESCE(icu.outtime, icu.intime + INTERVAL 24 HOUR))
    difference: Gases of the whole stay count, or those of the first day.
    source: "Knaus et al., 1991 (first day in the unit); reported fault 60"
    example: "day 1 pH 7.40 at 40 mmHg, day 5 pH 7.15 at 30: acid-base 12 / 12 / 0"
  - name: scored_tension
    published: MAX
    adjudicated: MIN
    difference: Of several oxygen tensions the highest, which is the best, is scored, or the lowest.
    source: "Knaus et al., 1991 (the worst value of the day); reported fault 61"
    example: "room air, PaO2 55 and 95: 0 / 0 / 5"
  - name: scored_as_tension
    published: (ventilated_until IS NULL OR ventilated_until < charttime) AND COALESCE(fio2, 21) < 50
    adjudicated: ventilated_until IS NULL OR ventilated_until < charttime OR fio2 < 50
    difference: A ventilated patient on less than 50 % of oxygen, or another on 50 % or more, has no points, or those of PaO2; a ventilated one whose oxygen is not known has none under any convention.
    source: "Knaus et al., 1991 (the difference is for intubated patients on 50 % or more, PaO2 for all others); clinical review of the references"
    example: "ventilated, PaO2 60, on 40 %: null / null / 5; oxygen not known: null / null / null"
  - name: gradient
    published: bg.aado2
    adjudicated: COALESCE(bg.aado2, bg.aado2_calc)
    difference: A difference counts where the laboratory reports it, or is calculated where it does not.
    source: "Knaus et al., 1991 (a calculated difference); specification's adjudicated line"
    example: "ventilated, 60 %, calculated difference 360 alone: null / null / 11"
  - name: oxygenation_points
    published: COALESCE(apsiii_oxygen_tension(day.pao2), apsiii_oxygen_difference(day.aado2))
    adjudicated: |-
      CASE
                  WHEN apsiii_oxygen_difference(day.aado2) > apsiii_oxygen_tension(day.pao2)
                      THEN apsiii_oxygen_difference(day.aado2)
                  ELSE COALESCE(apsiii_oxygen_tension(day.pao2), apsiii_oxygen_difference(day.aado2))
              END
    difference: A PaO2 goes before a difference whatever the points, or the worse of the two is scored.
    source: "Knaus et al., 1991 (the worst value of the day); specification's adjudicated line"
    example: "PaO2 90 before and a difference of 360 under ventilation: 0 / 0 / 11"
  - name: rate_excepted
    published: below_14
    adjudicated: from_6_to_12
    difference: Of a ventilated patient no rate below 14 has points, or none from 6 to 12.
    source: "Knaus et al., 1991, note to the table; reported fault 59"
    example: "ventilated, lowest rate 4: 0 / 0 / 17"
  - name: lowest_rate
    published: day.resp_rate_min
    adjudicated: CASE WHEN day.ventilated AND $rate_excepted(day.resp_rate_min) THEN day.resp_rate_max ELSE day.resp_rate_min END
    difference: A low rate that the ventilator takes out of account hides a high one, or leaves the high one to be scored.
    source: "Knaus et al., 1991, note to the table (the worst of what is scored)"
    example: "ventilated, rates 8 and 29: 0 / 0 / 6"
  - name: chronic_dialysis
    # chronic kidney disease of stage 4 or 5 and end-stage renal disease
    published: |-
      icd_version = 9 AND SUBSTRING(icd_code, 1, 4) IN ('5854', '5855', '5856')
                  OR icd_version = 10 AND SUBSTRING(icd_code, 1, 4) IN ('N184', 'N185', 'N186')
    adjudicated: dialysis_dependent(icd_code, icd_version)
    difference: Chronic kidney disease from stage 4 on rules acute renal failure out, or chronic dialysis alone does.
    source: "Knaus et al., 1991 (no chronic dialysis); specification's adjudicated line"
    example: "N184, creatinine 1.6, 409 mL: creatinine 4 / 4 / 10"
  - name: not_on_dialysis
    published: kidney.ckd = 0
    adjudicated: COALESCE(kidney.ckd, 0) = 0
    difference: An admission without any diagnosis row cannot have acute renal failure, or it can.
    source: "specification's adjudicated line (no row, no chronic dialysis)"
    example: "no diagnosis, creatinine 1.6, 409 mL: creatinine 4 / 4 / 10"
  - name: temperature_of_day
    published: SELECT stay_id, temperature_min, temperature_max FROM mimiciv_derived.first_day_vitalsign
    adjudicated: |-
      SELECT
              icu.stay_id,
              MIN(sign.temperature + CASE WHEN LOWER(sign.temperature_site) LIKE '%axil%' THEN 1 ELSE 0 END)
                  AS temperature_min,
              MAX(sign.temperature + CASE WHEN LOWER(sign.temperature_site) LIKE '%axil%' THEN 1 ELSE 0 END)
                  AS temperature_max
          FROM mimiciv_icu.icustays AS icu
          INNER JOIN mimiciv_derived.vitalsign AS sign
              ON icu.stay_id = sign.stay_id
              AND sign.charttime >= icu.intime - INTERVAL 6 HOUR
              AND sign.charttime <= icu.intime + INTERVAL 24 HOUR
          GROUP BY icu.stay_id
    difference: A temperature taken in the armpit counts as it is, or 1 °C higher.
    source: "Knaus et al., 1991, note to the table; specification's adjudicated line"
    example: "35.5 °C axillary: 2 / 2 / 0"
  - name: neurologic_points
    published: |-
      CASE
                  WHEN day.gcs_unable = 1 THEN 0
                  ELSE apsiii_neurologic(day.gcs_eyes, day.gcs_verbal, day.gcs_motor)
              END
    adjudicated: |-
      apsiii_neurologic(
                  day.gcs_eyes,
                  CASE
                      WHEN day.gcs_verbal = 0
                          THEN total_without_verbal(day.gcs_eyes + day.gcs_motor) - (day.gcs_eyes + day.gcs_motor)
                      ELSE day.gcs_verbal
                  END,
                  day.gcs_motor
              )
    difference: A patient whose speech is blocked by a tube has no points, or those of the last assessment before it; where there was none, those of eyes, motor and a verbal response estimated from both.
    source: "score before sedation: Le Gall et al., 1993, JAMA; specification's adjudicated line, estimate after Brennan et al., 2020, J Neurosurg"
    example: "tube, eyes 1, motor 1, nothing before: 0 / 0 / 48; eyes 3, verbal 3, motor 5 before: 0 / 0 / 13"
unresolved:
  - says: urine of a stay of less than a day
    reason: "The specification takes it as charted; SAPS II scales it to a day and SOFA asks for a full day: a clinician must choose."
  - says: begin the first day of vital signs and laboratory values at ICU admission, as that of gases
    reason: "Reported fault 8 gives the six hours before as right and the original scores count from admission: a clinician must choose, for all scores at once."
  - says: the nearest admissible cell for combinations of responses the table has none for
    reason: "Two or three cells are equally near: they stay null."
  - says: tell dialysis from what is charted
    reason: A charted dialysis may be acute, and the rule asks for a chronic one.
  - says: report missingness in place of 0
    reason: "The components do, being null; the total is that of what is known."
settings:
  missing: "NULL"
*/
-- sixteen components; under the published form physiology of the first day, gases of the whole stay
WITH arterial_gas AS (
    -- rule A: by admission
    SELECT
        icu.stay_id,
        bg.charttime,
        bg.po2,
        $gradient AS aado2,
        COALESCE(bg.fio2, bg.fio2_chartevents) AS fio2,
        apsiii_acid_base(bg.ph, bg.pco2) AS acidbase_points  -- rule 3 with table D
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.bg AS bg
        ON icu.hadm_id = bg.hadm_id
        AND bg.charttime >= icu.intime
        AND $gas_in_window
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
        $scored_tension(CASE WHEN $scored_as_tension THEN po2 END) AS pao2,  -- rule 1
        MAX(CASE WHEN ventilated_until >= charttime AND fio2 >= 50 THEN aado2 END) AS aado2,  -- rule 2
        MAX(acidbase_points) AS acidbase_score
    FROM swept
    GROUP BY stay_id
),

-- rule 4
kidney_disease AS (
    SELECT hadm_id, MAX(CASE WHEN $chronic_dialysis THEN 1 ELSE 0 END) AS ckd
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

temperature AS (
    $temperature_of_day
),

first_day AS (
    SELECT
        icu.stay_id,
        vital.heart_rate_min,
        vital.heart_rate_max,
        vital.mbp_min,
        vital.mbp_max,
        temperature.temperature_min,
        temperature.temperature_max,
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
        COALESCE(lab.creatinine_max >= 1.5 AND urine.urineoutput < 410 AND $not_on_dialysis, FALSE) AS renal_failure
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_hosp.admissions AS adm ON icu.hadm_id = adm.hadm_id
    INNER JOIN mimiciv_hosp.patients AS pat ON icu.subject_id = pat.subject_id
    LEFT JOIN mimiciv_derived.first_day_vitalsign AS vital ON icu.stay_id = vital.stay_id
    LEFT JOIN temperature ON icu.stay_id = temperature.stay_id
    LEFT JOIN mimiciv_derived.first_day_lab AS lab ON icu.stay_id = lab.stay_id
    LEFT JOIN mimiciv_derived.first_day_urine_output AS urine ON icu.stay_id = urine.stay_id
    LEFT JOIN mimiciv_derived.first_day_gcs AS coma ON icu.stay_id = coma.stay_id
    LEFT JOIN gas_of_stay AS gas ON icu.stay_id = gas.stay_id
    LEFT JOIN kidney_disease AS kidney ON icu.hadm_id = kidney.hadm_id
    LEFT JOIN ventilated_stay ON icu.stay_id = ventilated_stay.stay_id
),

-- rule 8 with tables C: lowest, highest, normal value, points of each
scored AS (
    SELECT
        day.stay_id,
        worst_from_normal(
            day.heart_rate_min, day.heart_rate_max, 75,
            apsiii_heart_rate(day.heart_rate_min), apsiii_heart_rate(day.heart_rate_max)
        ) AS hr_score,
        worst_from_normal(
            day.mbp_min, day.mbp_max, 90, apsiii_mean_pressure(day.mbp_min), apsiii_mean_pressure(day.mbp_max)
        ) AS mbp_score,
        worst_from_normal(
            day.temperature_min, day.temperature_max, 38,
            apsiii_temperature(day.temperature_min), apsiii_temperature(day.temperature_max)
        ) AS temp_score,
        worst_from_normal(
            $lowest_rate, day.resp_rate_max, 19,
            apsiii_respiratory_rate($lowest_rate, day.ventilated AND $rate_excepted($lowest_rate)),
            apsiii_respiratory_rate(day.resp_rate_max, day.ventilated AND $rate_excepted(day.resp_rate_max))
        ) AS resp_rate_score,
        $oxygenation_points AS pao2_aado2_score,  -- rule 10
        worst_from_normal(
            day.hematocrit_min, day.hematocrit_max, CAST(45.5 AS DOUBLE),
            apsiii_hematocrit(day.hematocrit_min), apsiii_hematocrit(day.hematocrit_max)
        ) AS hematocrit_score,
        worst_from_normal(
            day.wbc_min, day.wbc_max, CAST(11.5 AS DOUBLE), apsiii_white_cells(day.wbc_min), apsiii_white_cells(day.wbc_max)
        ) AS wbc_score,
        CASE
            WHEN day.renal_failure THEN 10
            ELSE worst_from_normal(
                day.creatinine_min, day.creatinine_max, 1,
                apsiii_creatinine(day.creatinine_min), apsiii_creatinine(day.creatinine_max)
            )
        END AS creatinine_score,
        apsiii_urine(day.urineoutput) AS uo_score,  -- rule 9
        apsiii_urea_nitrogen(day.bun_max) AS bun_score,
        worst_from_normal(
            day.sodium_min, day.sodium_max, CAST(145.5 AS DOUBLE),
            apsiii_sodium(day.sodium_min), apsiii_sodium(day.sodium_max)
        ) AS sodium_score,
        worst_from_normal(
            day.albumin_min, day.albumin_max, CAST(3.5 AS DOUBLE),
            apsiii_albumin(day.albumin_min), apsiii_albumin(day.albumin_max)
        ) AS albumin_score,
        apsiii_bilirubin(day.bilirubin_total_max) AS bilirubin_score,
        worst_from_normal(
            day.glucose_min, day.glucose_max, 130, apsiii_glucose(day.glucose_min), apsiii_glucose(day.glucose_max)
        ) AS glucose_score,
        day.acidbase_score,
        $neurologic_points AS gcs_score  -- rule 11
    FROM first_day AS day
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
    COALESCE(total.apsiii, $missing) AS apsiii,
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
    COALESCE(scored.hr_score, $missing) AS hr_score,
    COALESCE(scored.mbp_score, $missing) AS mbp_score,
    COALESCE(scored.temp_score, $missing) AS temp_score,
    COALESCE(scored.resp_rate_score, $missing) AS resp_rate_score,
    COALESCE(scored.pao2_aado2_score, $missing) AS pao2_aado2_score,
    COALESCE(scored.hematocrit_score, $missing) AS hematocrit_score,
    COALESCE(scored.wbc_score, $missing) AS wbc_score,
    COALESCE(scored.creatinine_score, $missing) AS creatinine_score,
    COALESCE(scored.uo_score, $missing) AS uo_score,
    COALESCE(scored.bun_score, $missing) AS bun_score,
    COALESCE(scored.sodium_score, $missing) AS sodium_score,
    COALESCE(scored.albumin_score, $missing) AS albumin_score,
    COALESCE(scored.bilirubin_score, $missing) AS bilirubin_score,
    COALESCE(scored.glucose_score, $missing) AS glucose_score,
    COALESCE(scored.acidbase_score, $missing) AS acidbase_score,
    COALESCE(scored.gcs_score, $missing) AS gcs_score
FROM mimiciv_icu.icustays AS icu
LEFT JOIN scored ON icu.stay_id = scored.stay_id
LEFT JOIN total ON icu.stay_id = total.stay_id
