-- SPDX-License-Identifier: MIT
-- sofa as its specification reads: each source joined with the hours of a stay by their bounds.
WITH hours AS (
    SELECT
        ie.subject_id,
        ie.hadm_id,
        ih.stay_id,
        ih.hr,
        ih.endtime - INTERVAL 1 HOUR AS starttime,
        ih.endtime
    FROM mimiciv_derived.icustay_hourly AS ih
    INNER JOIN mimiciv_icu.icustays AS ie ON ih.stay_id = ie.stay_id
),

gases AS (
    SELECT
        ie.stay_id,
        bg.charttime,
        bg.pao2fio2ratio,
        EXISTS (
            SELECT 1
            FROM mimiciv_derived.ventilation AS ve
            WHERE ve.stay_id = ie.stay_id
                AND ve.ventilation_status = 'InvasiveVent'
                AND ve.starttime <= bg.charttime
                AND bg.charttime <= ve.endtime
        ) AS ventilated
    FROM mimiciv_derived.bg AS bg
    INNER JOIN mimiciv_icu.icustays AS ie ON bg.subject_id = ie.subject_id
    WHERE bg.specimen = 'ART.'
),

gas AS (
    SELECT
        ho.stay_id,
        ho.hr,
        MIN(CASE WHEN NOT ga.ventilated THEN ga.pao2fio2ratio END) AS pao2fio2ratio_novent,
        MIN(CASE WHEN ga.ventilated THEN ga.pao2fio2ratio END) AS pao2fio2ratio_vent
    FROM hours AS ho
    INNER JOIN gases AS ga
        ON ho.stay_id = ga.stay_id AND ga.charttime > ho.starttime AND ga.charttime <= ho.endtime
    GROUP BY ho.stay_id, ho.hr
),

pressure AS (
    SELECT ho.stay_id, ho.hr, MIN(vs.mbp) AS meanbp_min
    FROM hours AS ho
    INNER JOIN mimiciv_derived.vitalsign AS vs
        ON ho.stay_id = vs.stay_id AND vs.charttime > ho.starttime AND vs.charttime <= ho.endtime
    GROUP BY ho.stay_id, ho.hr
),

coma AS (
    SELECT ho.stay_id, ho.hr, MIN(gc.gcs) AS gcs_min
    FROM hours AS ho
    INNER JOIN mimiciv_derived.gcs AS gc
        ON ho.stay_id = gc.stay_id AND gc.charttime > ho.starttime AND gc.charttime <= ho.endtime
    GROUP BY ho.stay_id, ho.hr
),

bilirubin AS (
    SELECT ho.stay_id, ho.hr, MAX(en.bilirubin_total) AS bilirubin_max
    FROM hours AS ho
    INNER JOIN mimiciv_derived.enzyme AS en
        ON ho.hadm_id = en.hadm_id AND en.charttime > ho.starttime AND en.charttime <= ho.endtime
    GROUP BY ho.stay_id, ho.hr
),

creatinine AS (
    SELECT ho.stay_id, ho.hr, MAX(ch.creatinine) AS creatinine_max
    FROM hours AS ho
    INNER JOIN mimiciv_derived.chemistry AS ch
        ON ho.hadm_id = ch.hadm_id AND ch.charttime > ho.starttime AND ch.charttime <= ho.endtime
    GROUP BY ho.stay_id, ho.hr
),

platelet AS (
    SELECT ho.stay_id, ho.hr, MIN(cb.platelet) AS platelet_min
    FROM hours AS ho
    INNER JOIN mimiciv_derived.complete_blood_count AS cb
        ON ho.hadm_id = cb.hadm_id AND cb.charttime > ho.starttime AND cb.charttime <= ho.endtime
    GROUP BY ho.stay_id, ho.hr
),

urine AS (
    SELECT
        ho.stay_id,
        ho.hr,
        MAX(CASE
            WHEN ur.uo_tm_24hr >= 22 AND ur.uo_tm_24hr <= 30
                THEN ur.urineoutput_24hr / CAST(ur.uo_tm_24hr AS DOUBLE) * 24
        END) AS uo_24hr
    FROM hours AS ho
    INNER JOIN mimiciv_derived.urine_output_rate AS ur
        ON ho.stay_id = ur.stay_id AND ur.charttime > ho.starttime AND ur.charttime <= ho.endtime
    GROUP BY ho.stay_id, ho.hr
),

rates AS (
    SELECT
        ho.stay_id,
        ho.hr,
        MAX(ep.vaso_rate) AS rate_epinephrine,
        MAX(nor.vaso_rate) AS rate_norepinephrine,
        MAX(dop.vaso_rate) AS rate_dopamine,
        MAX(dob.vaso_rate) AS rate_dobutamine
    FROM hours AS ho
    LEFT JOIN mimiciv_derived.epinephrine AS ep
        ON ho.stay_id = ep.stay_id AND ep.starttime < ho.endtime AND ho.endtime <= ep.endtime
    LEFT JOIN mimiciv_derived.norepinephrine AS nor
        ON ho.stay_id = nor.stay_id AND nor.starttime < ho.endtime AND ho.endtime <= nor.endtime
    LEFT JOIN mimiciv_derived.dopamine AS dop
        ON ho.stay_id = dop.stay_id AND dop.starttime < ho.endtime AND ho.endtime <= dop.endtime
    LEFT JOIN mimiciv_derived.dobutamine AS dob
        ON ho.stay_id = dob.stay_id AND dob.starttime < ho.endtime AND ho.endtime <= dob.endtime
    GROUP BY ho.stay_id, ho.hr
),

points AS (
    SELECT
        ho.stay_id,
        ho.hr,
        ho.starttime,
        ho.endtime,
        gas.pao2fio2ratio_novent,
        gas.pao2fio2ratio_vent,
        ra.rate_epinephrine,
        ra.rate_norepinephrine,
        ra.rate_dopamine,
        ra.rate_dobutamine,
        pr.meanbp_min,
        co.gcs_min,
        ur.uo_24hr,
        bi.bilirubin_max,
        cr.creatinine_max,
        pl.platelet_min,
        CASE
            WHEN gas.pao2fio2ratio_vent < 100 THEN 4
            WHEN gas.pao2fio2ratio_vent < 200 THEN 3
            WHEN gas.pao2fio2ratio_novent < 300 THEN 2
            WHEN gas.pao2fio2ratio_vent < 300 THEN 2
            WHEN gas.pao2fio2ratio_novent < 400 THEN 1
            WHEN gas.pao2fio2ratio_vent < 400 THEN 1
            WHEN gas.pao2fio2ratio_vent IS NULL AND gas.pao2fio2ratio_novent IS NULL THEN NULL
            ELSE 0
        END AS respiration,
        CASE
            WHEN pl.platelet_min < 20 THEN 4
            WHEN pl.platelet_min < 50 THEN 3
            WHEN pl.platelet_min < 100 THEN 2
            WHEN pl.platelet_min < 150 THEN 1
            WHEN pl.platelet_min IS NULL THEN NULL
            ELSE 0
        END AS coagulation,
        CASE
            WHEN bi.bilirubin_max >= 12 THEN 4
            WHEN bi.bilirubin_max >= 6 THEN 3
            WHEN bi.bilirubin_max >= 2 THEN 2
            WHEN bi.bilirubin_max >= 1.2 THEN 1
            WHEN bi.bilirubin_max IS NULL THEN NULL
            ELSE 0
        END AS liver,
        CASE
            WHEN ra.rate_dopamine > 15 OR ra.rate_epinephrine > 0.1 OR ra.rate_norepinephrine > 0.1 THEN 4
            WHEN ra.rate_dopamine > 5 OR ra.rate_epinephrine <= 0.1 OR ra.rate_norepinephrine <= 0.1 THEN 3
            WHEN ra.rate_dopamine > 0 OR ra.rate_dobutamine > 0 THEN 2
            WHEN pr.meanbp_min < 70 THEN 1
            WHEN COALESCE(
                pr.meanbp_min, ra.rate_dopamine, ra.rate_dobutamine, ra.rate_epinephrine, ra.rate_norepinephrine
            ) IS NULL THEN NULL
            ELSE 0
        END AS cardiovascular,
        CASE
            WHEN co.gcs_min BETWEEN 13 AND 14 THEN 1
            WHEN co.gcs_min BETWEEN 10 AND 12 THEN 2
            WHEN co.gcs_min BETWEEN 6 AND 9 THEN 3
            WHEN co.gcs_min < 6 THEN 4
            WHEN co.gcs_min IS NULL THEN NULL
            ELSE 0
        END AS cns,
        CASE
            WHEN cr.creatinine_max >= 5 THEN 4
            WHEN ur.uo_24hr < 200 THEN 4
            WHEN cr.creatinine_max >= 3.5 THEN 3
            WHEN ur.uo_24hr < 500 THEN 3
            WHEN cr.creatinine_max >= 2 THEN 2
            WHEN cr.creatinine_max >= 1.2 THEN 1
            WHEN cr.creatinine_max IS NULL AND ur.uo_24hr IS NULL THEN NULL
            ELSE 0
        END AS renal
    FROM hours AS ho
    LEFT JOIN gas ON ho.stay_id = gas.stay_id AND ho.hr = gas.hr
    LEFT JOIN pressure AS pr ON ho.stay_id = pr.stay_id AND ho.hr = pr.hr
    LEFT JOIN coma AS co ON ho.stay_id = co.stay_id AND ho.hr = co.hr
    LEFT JOIN bilirubin AS bi ON ho.stay_id = bi.stay_id AND ho.hr = bi.hr
    LEFT JOIN creatinine AS cr ON ho.stay_id = cr.stay_id AND ho.hr = cr.hr
    LEFT JOIN platelet AS pl ON ho.stay_id = pl.stay_id AND ho.hr = pl.hr
    LEFT JOIN urine AS ur ON ho.stay_id = ur.stay_id AND ho.hr = ur.hr
    LEFT JOIN rates AS ra ON ho.stay_id = ra.stay_id AND ho.hr = ra.hr
),

worst AS (
    SELECT
        *,
        COALESCE(MAX(respiration) OVER day, 0) AS respiration_24hours,
        COALESCE(MAX(coagulation) OVER day, 0) AS coagulation_24hours,
        COALESCE(MAX(liver) OVER day, 0) AS liver_24hours,
        COALESCE(MAX(cardiovascular) OVER day, 0) AS cardiovascular_24hours,
        COALESCE(MAX(cns) OVER day, 0) AS cns_24hours,
        COALESCE(MAX(renal) OVER day, 0) AS renal_24hours
    FROM points
    WINDOW day AS (PARTITION BY stay_id ORDER BY hr ROWS BETWEEN 23 PRECEDING AND CURRENT ROW)
)

SELECT
    *,
    respiration_24hours
    + coagulation_24hours
    + liver_24hours
    + cardiovascular_24hours
    + cns_24hours
    + renal_24hours AS sofa_24hours
FROM worst
WHERE hr >= 0
