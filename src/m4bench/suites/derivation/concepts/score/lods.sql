/*
name: lods
kind: concept
title: Logistic Organ Dysfunction System of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: lods, type: INTEGER, unit: points, meaning: "sum of the six organ systems, missing counted 0"}
  - {name: neurologic, type: INTEGER, unit: points, meaning: "0, 1, 3, 5 or null"}
  - {name: cardiovascular, type: INTEGER, unit: points, meaning: "0, 1, 3, 5 or null"}
  - {name: renal, type: INTEGER, unit: points, meaning: "0, 1, 3, 5 or null"}
  - {name: pulmonary, type: INTEGER, unit: points, meaning: "0, 1 or 3; null for a stay without admission or patient, in the adjudicated form also for one supported without a gas"}
  - {name: hematologic, type: INTEGER, unit: points, meaning: "0, 1, 3 or null"}
  - {name: hepatic, type: INTEGER, unit: points, meaning: "0, 1 or null"}
inputs: [mimiciv_icu.icustays, mimiciv_icu.chartevents, mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.first_day_gcs, mimiciv_derived.first_day_vitalsign, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_lab]
spec: lods
source: "Le Gall et al., 1996, JAMA 276(10):802-810"
conventions:
  - name: gas_in_window
    published: bg.charttime < icu.outtime
    adjudicated: |-
      bg.charttime <= LEAST(icu.intime + INTERVAL 24 HOUR, COALESCE(icu.outtime, icu.intime + INTERVAL 24 HOUR))
    difference: Gases of the whole stay count, or those of the first day.
    source: "Le Gall et al., 1996 (first day in the unit); reported fault 60, its kind"
    example: "ventilated on day 5 with a ratio of 80: pulmonary 3 / 3 / 0"
  - name: specimen
    published: "TRUE"
    adjudicated: bg.specimen = 'ART.'
    difference: Gases of any specimen count, venous ones too, or arterial ones alone.
    source: "Le Gall et al., 1996 (PaO2 is arterial); reported fault 1, its kind"
    example: "ventilated, VEN. 80 and ART. 200: pulmonary 3 / 3 / 1"
  - name: supporting_status
    published: ventilation_status = 'InvasiveVent'
    adjudicated: ventilation_status IN ('InvasiveVent', 'NonInvasiveVent')
    difference: Support by mask is read from the device by a rule of this score, or is the episodes of the concept ventilation, the same for every score.
    source: "specification's adjudicated line (one shared definition of non-invasive support); Le Gall et al., 1996 (ventilation or CPAP)"
    example: "episode of NonInvasiveVent, ratio 80: pulmonary 0 / 0 / 3"
  - name: mask_charted
    published: cpap_or_bipap_mask(chart.value)
    adjudicated: "FALSE"
    difference: One period spans all entries of a mask, with an hour before and four after, or the episodes of the concept ventilation alone count.
    source: "specification's adjudicated line (one shared definition of non-invasive support)"
    example: "CPAP mask charted at 10:00 and 20:00, ratio 80 at 15:00, no episode: pulmonary 3 / 3 / 0"
  - name: bun_of_one_point
    published: "7.50"
    adjudicated: "17"
    difference: A point is given from 7.5 mg/dL of urea nitrogen on, which is the limit in another unit, or from 17.
    source: "Le Gall et al., 1996; reported fault 54"
    example: "urea nitrogen 10, creatinine 0.9, 1500 mL: renal 1 / 1 / 0"
  - name: pulmonary_without_gas
    published: "0"
    adjudicated: CASE WHEN supported_stay.stay_id IS NULL THEN 0 END
    difference: Without a gas under support the lung has 0 points, or is unknown where the stay was supported on its first day.
    source: "Le Gall et al., 1996 (0 without ventilation or CPAP); clinical review of the references (unknown kept apart from 0); as in sapsii"
    example: "ventilated, no gas: pulmonary 0 / 0 / null; never ventilated: 0 under all"
  - name: renal_known
    published: lab.bun_max IS NOT NULL AND urine.urineoutput IS NOT NULL AND lab.creatinine_max IS NOT NULL
    adjudicated: lab.bun_max IS NOT NULL OR urine.urineoutput IS NOT NULL OR lab.creatinine_max IS NOT NULL
    difference: Without one of urea nitrogen, creatinine and urine the kidney has no points, or those of what is known.
    source: "specification's adjudicated line (score what is known)"
    example: "200 mL of urine alone: renal null / null / 5"
unresolved:
  - says: apply the original rule for patients on haemodialysis
    reason: The rule takes what was measured before the treatment, and which day that was is not told.
  - says: the laboratory's own normal prothrombin time, and an activity below 25 %
    reason: Neither is in the tables; 12 s and its quarter stay.
  - says: urine of a stay of less than a day
    reason: "The specification takes it as charted; SAPS II scales it to a day and SOFA asks for a full day: a clinician must choose."
  - says: report missingness in place of 0
    reason: "The components do, being null; the total is that of what is known."
settings:
  missing: "NULL"
*/
-- points of six organ systems over the first day; under the published form the gases come from the whole stay
-- rule 1: one period, not cut to the day
WITH cpap_period AS (
    SELECT
        icu.stay_id,
        support_from(MIN(chart.charttime)) AS starttime,
        support_until(MAX(chart.charttime)) AS endtime
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_icu.chartevents AS chart
        ON icu.stay_id = chart.stay_id
        AND chart.charttime >= icu.intime
        AND chart.charttime <= icu.intime + INTERVAL 24 HOUR
    WHERE
        chart.itemid = 226732  -- O2 Delivery Device(s)
        AND ($mask_charted)
    GROUP BY icu.stay_id
),

-- rule 2: by admission
gas AS (
    SELECT icu.stay_id, bg.charttime, bg.pao2fio2ratio
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.bg AS bg
        ON icu.hadm_id = bg.hadm_id
        AND bg.charttime >= icu.intime
        AND $gas_in_window
    WHERE $specimen
),

-- one axis of gases and of the starts of support, for a single sweep
moment AS (
    SELECT stay_id, charttime, pao2fio2ratio, CAST(NULL AS TIMESTAMP) AS supported_until
    FROM gas
    UNION ALL
    SELECT stay_id, starttime AS charttime, NULL AS pao2fio2ratio, endtime AS supported_until
    FROM mimiciv_derived.ventilation
    WHERE $supporting_status
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

-- support that meets the first day of the stay, whether or not a gas was drawn
supported_stay AS (
    SELECT DISTINCT icu.stay_id
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN moment ON icu.stay_id = moment.stay_id
    WHERE moment.supported_until >= icu.intime
        AND moment.charttime <= icu.intime + INTERVAL 24 HOUR
),

-- rule 3
organ AS (
    SELECT
        icu.stay_id,
        lods_neurologic(coma.gcs_min) AS neurologic,
        lods_cardiovascular(vital.heart_rate_min, vital.heart_rate_max, vital.sbp_min, vital.sbp_max)
            AS cardiovascular,
        CASE WHEN $renal_known THEN lods_renal(lab.bun_max, lab.creatinine_max, urine.urineoutput, $bun_of_one_point) END
            AS renal,
        CASE
            WHEN oxygenation.pao2fio2ratio IS NULL THEN $pulmonary_without_gas
            ELSE lods_pulmonary(oxygenation.pao2fio2ratio)
        END AS pulmonary,
        lods_hematologic(lab.wbc_min, lab.wbc_max, lab.platelets_min) AS hematologic,
        lods_hepatic(lab.bilirubin_total_max, lab.pt_min, lab.pt_max) AS hepatic
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_hosp.admissions AS adm ON icu.hadm_id = adm.hadm_id
    INNER JOIN mimiciv_hosp.patients AS pat ON icu.subject_id = pat.subject_id
    LEFT JOIN oxygenation ON icu.stay_id = oxygenation.stay_id
    LEFT JOIN supported_stay ON icu.stay_id = supported_stay.stay_id
    LEFT JOIN mimiciv_derived.first_day_gcs AS coma ON icu.stay_id = coma.stay_id
    LEFT JOIN mimiciv_derived.first_day_vitalsign AS vital ON icu.stay_id = vital.stay_id
    LEFT JOIN mimiciv_derived.first_day_urine_output AS urine ON icu.stay_id = urine.stay_id
    LEFT JOIN mimiciv_derived.first_day_lab AS lab ON icu.stay_id = lab.stay_id
)

SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    -- rule 4
    COALESCE(organ.neurologic, 0)
    + COALESCE(organ.cardiovascular, 0)
    + COALESCE(organ.renal, 0)
    + COALESCE(organ.pulmonary, 0)
    + COALESCE(organ.hematologic, 0)
    + COALESCE(organ.hepatic, 0) AS lods,
    COALESCE(organ.neurologic, $missing) AS neurologic,
    COALESCE(organ.cardiovascular, $missing) AS cardiovascular,
    COALESCE(organ.renal, $missing) AS renal,
    COALESCE(organ.pulmonary, $missing) AS pulmonary,
    COALESCE(organ.hematologic, $missing) AS hematologic,
    COALESCE(organ.hepatic, $missing) AS hepatic
FROM mimiciv_icu.icustays AS icu
LEFT JOIN organ ON icu.stay_id = organ.stay_id
