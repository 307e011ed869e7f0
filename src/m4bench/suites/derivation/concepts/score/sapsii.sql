/*
name: sapsii
kind: concept
title: Simplified Acute Physiology Score II of the first 24 ICU hours
grain: one row per ICU stay with a known admission
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: starttime, type: TIMESTAMP, meaning: "ICU admission, not itself in the window"}
  - {name: endtime, type: TIMESTAMP, meaning: "24 hours later, in the window"}
  - {name: sapsii, type: INTEGER, unit: points, meaning: "sum of the fifteen scores, missing counted 0"}
  - {name: sapsii_prob, type: DOUBLE, meaning: probability of hospital death}
  - {name: age_score, type: INTEGER, unit: points, meaning: "age, 0 to 18 or null"}
  - {name: hr_score, type: INTEGER, unit: points, meaning: "heart rate, 0 to 11 or null"}
  - {name: sysbp_score, type: INTEGER, unit: points, meaning: "systolic pressure, 0 to 13 or null"}
  - {name: temp_score, type: INTEGER, unit: points, meaning: "temperature, 0, 3 or null"}
  - {name: pao2fio2_score, type: INTEGER, unit: points, meaning: "oxygenation under ventilation or CPAP, 6, 9, 11 or null; 0 without either in the adjudicated form"}
  - {name: uo_score, type: INTEGER, unit: points, meaning: "urine output, 0, 4, 11 or null"}
  - {name: bun_score, type: INTEGER, unit: points, meaning: "urea nitrogen, 0, 6, 10 or null"}
  - {name: wbc_score, type: INTEGER, unit: points, meaning: "white cells, 0, 3, 12 or null"}
  - {name: potassium_score, type: INTEGER, unit: points, meaning: "potassium, 0, 3 or null"}
  - {name: sodium_score, type: INTEGER, unit: points, meaning: "sodium, 0, 1, 5 or null"}
  - {name: bicarbonate_score, type: INTEGER, unit: points, meaning: "bicarbonate, 0, 3, 6 or null"}
  - {name: bilirubin_score, type: INTEGER, unit: points, meaning: "bilirubin, 0, 4, 9 or null"}
  - {name: gcs_score, type: INTEGER, unit: points, meaning: "Glasgow Coma Scale, 0 to 26 or null"}
  - {name: comorbidity_score, type: INTEGER, unit: points, meaning: "chronic disease, 0, 9, 10 or 17"}
  - {name: admissiontype_score, type: INTEGER, unit: points, meaning: "0 scheduled surgical, 6 medical, 8 unscheduled surgical"}
inputs: [mimiciv_icu.icustays, mimiciv_icu.chartevents, mimiciv_hosp.admissions, mimiciv_hosp.services, mimiciv_hosp.diagnoses_icd, mimiciv_derived.age, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.gcs, mimiciv_derived.vitalsign, mimiciv_derived.urine_output, mimiciv_derived.chemistry, mimiciv_derived.complete_blood_count, mimiciv_derived.enzyme]
spec: sapsii
source: "Le Gall, Lemeshow and Saulnier, 1993, JAMA 270(24):2957-2963"
conventions:
  - name: from_admission
    published: ">"
    adjudicated: ">="
    difference: What is charted at the very time of admission is left out, or counts, but for urine, which was made before.
    source: "specification's adjudicated line (include both); urine as in first_day_urine_output"
    example: "urea nitrogen 90 at the time of admission: null / null / 10"
  - name: gas_before_support
    published: "0"
    adjudicated: "2"
    difference: Support has not begun for a gas drawn at its very start, or has.
    source: "specification's adjudicated line (include both)"
    example: "ventilated from 12:00, ratio 90 at 12:00: null / null / 11"
  - name: vital_of_stay
    published: first_day.subject_id = sign.subject_id
    adjudicated: first_day.stay_id = sign.stay_id
    difference: Vital signs are those of the patient, an adjacent stay's among them, or those of the stay.
    source: "specification's adjudicated line (link by stay)"
    example: "heart rate 170 in a stay 20 hours later: 7 / 7 / null"
  - name: laboratory_until
    published: first_day.endtime
    adjudicated: LEAST(first_day.endtime, COALESCE(first_day.outtime, first_day.endtime))
    difference: Laboratory values and gases of the patient count for 24 hours, or until the end of the stay, which they do not name.
    source: "specification's adjudicated line (link by stay)"
    example: "left after 5 hours, urea nitrogen 90 an hour later: 10 / 10 / null"
  - name: supporting_status
    published: ventilation_status = 'InvasiveVent'
    adjudicated: ventilation_status IN ('InvasiveVent', 'NonInvasiveVent')
    difference: Support by mask is read from the device by a rule of this score, or is the episodes of the concept ventilation, the same for every score.
    source: "specification's adjudicated line (intervals between chart rows in place of one period); Le Gall et al., 1993 (ventilation or CPAP)"
    example: "episode of NonInvasiveVent, ratio 80: null / null / 11"
  - name: mask_charted
    published: cpap_mask_or_bipap(chart.value)
    adjudicated: "FALSE"
    difference: One period spans all entries of a mask in any stay of the patient, or the episodes of the concept ventilation of the stay alone count.
    source: "specification's adjudicated line (intervals between chart rows in place of one period)"
    example: "CPAP mask charted at 10:30 and 20:00, ratio 80 at 15:00, no episode: 11 / 11 / null"
  - name: oxygenation_without_gas
    published: CAST(NULL AS INTEGER)
    adjudicated: CASE WHEN supported_stay.stay_id IS NULL THEN 0 END
    difference: Oxygenation of a stay never supported is unknown, or 0; that of one supported without a gas is unknown.
    source: "Le Gall et al., 1993 (scored only if ventilated or on CPAP); clinical review of the references (unknown kept apart from 0); as in lods"
    example: "never ventilated: null / null / 0; ventilated, no gas: null under all"
  - name: urine_of_day
    published: urine.urineoutput
    adjudicated: |-
      CASE
                  WHEN first_day.outtime > first_day.starttime AND first_day.outtime < first_day.endtime
                      THEN urine.urineoutput * CAST(24 AS DOUBLE) / hours_between(first_day.starttime, first_day.outtime)
                  ELSE urine.urineoutput
              END
    difference: Urine of a stay of less than a day is taken as that of a day, or is scaled to 24 hours.
    source: "Le Gall et al., 1993, note to the table (1 L in 8 hours is 3 L in 24); specification's adjudicated line"
    example: "left after 8 hours, 400 mL: 11 / 11 / 0"
  - name: aids_codes
    published: aids_but_b23
    adjudicated: aids
    difference: B23 of ICD-10 is not AIDS, or is.
    source: "specification's adjudicated line (full code groups)"
    example: "B230: 0 / 0 / 17"
  - name: haematological_codes
    published: haematological_but_two
    adjudicated: haematological
    difference: Myeloid sarcoma (205.3x) and chronic erythraemia (207.1x) do not count, or do.
    source: "specification's adjudicated line (full code groups)"
    example: "20530 of ICD-9: 0 / 0 / 10"
  - name: metastatic_codes
    published: metastatic
    adjudicated: metastatic_but_unspecified
    difference: A malignancy of unspecified site that is not disseminated (199.1 of ICD-9) is a metastasis though C80.1 of ICD-10 is none, or neither is.
    source: "adjudicated line of the specification of charlson (unspecified site only when disseminated), applied to both versions"
    example: "1991 of ICD-9: 9 / 9 / 0"
  - name: surgical
    published: LOWER(service.curr_service) LIKE '%surg%'
    adjudicated: surgery_or_orthopaedics(service.curr_service)
    difference: Orthopaedics is not surgery, or is, as in oasis.
    source: "specification's adjudicated line (one definition of a surgical service)"
    example: "ELECTIVE under ORTHO: 6 / 6 / 0"
  - name: planned
    published: named_elective
    adjudicated: elective_or_same_day
    difference: A surgical admission on the day of operation is unscheduled, or scheduled.
    source: "specification's adjudicated line; reported fault 51. Sources disagree: the community's form counts it as unscheduled"
    example: "SURGICAL SAME DAY ADMISSION under CSURG: 8 / 8 / 0"
unresolved:
  - says: use records of procedures in place of the service
    reason: No source lists which procedures are operations.
  - says: conditions present on admission in place of those coded at discharge
    reason: The codes do not tell which were present on admission.
  - says: report missingness in place of 0
    reason: "The scores do, being null; the total is that of what is known."
*/
-- fifteen scores of the 24 hours after ICU admission
-- rule 1: under the published form open at the start, closed at the end
WITH first_day AS (
    SELECT
        icu.subject_id,
        icu.hadm_id,
        icu.stay_id,
        icu.intime AS starttime,
        icu.intime + INTERVAL 24 HOUR AS endtime,
        icu.outtime,
        adm.admission_type
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_hosp.admissions AS adm ON icu.hadm_id = adm.hadm_id
),

-- rules 1 and 2: vital signs and laboratory values by patient, coma scale and urine by stay
vital AS (
    SELECT
        first_day.stay_id,
        MIN(sign.heart_rate) AS heart_rate_min,
        MAX(sign.heart_rate) AS heart_rate_max,
        MIN(sign.sbp) AS sbp_min,
        MAX(sign.sbp) AS sbp_max,
        MIN(sign.temperature) AS temperature_min,
        MAX(sign.temperature) AS temperature_max
    FROM first_day
    INNER JOIN mimiciv_derived.vitalsign AS sign
        ON $vital_of_stay
        AND sign.charttime $from_admission first_day.starttime
        AND sign.charttime <= first_day.endtime
    GROUP BY first_day.stay_id
),

coma AS (
    SELECT first_day.stay_id, MIN(observation.gcs) AS gcs_min
    FROM first_day
    INNER JOIN mimiciv_derived.gcs AS observation
        ON first_day.stay_id = observation.stay_id
        AND observation.charttime $from_admission first_day.starttime
        AND observation.charttime <= first_day.endtime
    GROUP BY first_day.stay_id
),

urine AS (
    SELECT
        first_day.stay_id,
        CAST(SUM(to_be_added(output.urineoutput)) AS DOUBLE) AS urineoutput
    FROM first_day
    INNER JOIN mimiciv_derived.urine_output AS output
        ON first_day.stay_id = output.stay_id
        AND output.charttime > first_day.starttime  -- what is charted at admission was made before it
        AND output.charttime <= first_day.endtime
    GROUP BY first_day.stay_id
),

serum AS (
    SELECT
        first_day.stay_id,
        MAX(specimen.bun) AS bun_max,
        MIN(specimen.potassium) AS potassium_min,
        MAX(specimen.potassium) AS potassium_max,
        MIN(specimen.sodium) AS sodium_min,
        MAX(specimen.sodium) AS sodium_max,
        MIN(specimen.bicarbonate) AS bicarbonate_min,
        MAX(specimen.bicarbonate) AS bicarbonate_max
    FROM first_day
    INNER JOIN mimiciv_derived.chemistry AS specimen
        ON first_day.subject_id = specimen.subject_id
        AND specimen.charttime $from_admission first_day.starttime
        AND specimen.charttime <= $laboratory_until
    GROUP BY first_day.stay_id
),

white_cells AS (
    SELECT first_day.stay_id, MIN(specimen.wbc) AS wbc_min, MAX(specimen.wbc) AS wbc_max
    FROM first_day
    INNER JOIN mimiciv_derived.complete_blood_count AS specimen
        ON first_day.subject_id = specimen.subject_id
        AND specimen.charttime $from_admission first_day.starttime
        AND specimen.charttime <= $laboratory_until
    GROUP BY first_day.stay_id
),

liver AS (
    SELECT first_day.stay_id, MAX(specimen.bilirubin_total) AS bilirubin_max
    FROM first_day
    INNER JOIN mimiciv_derived.enzyme AS specimen
        ON first_day.subject_id = specimen.subject_id
        AND specimen.charttime $from_admission first_day.starttime
        AND specimen.charttime <= $laboratory_until
    GROUP BY first_day.stay_id
),

-- rule 3: one period, cut to the window
cpap_period AS (
    SELECT
        first_day.subject_id,
        first_day.stay_id,
        GREATEST(support_from(MIN(chart.charttime)), first_day.starttime) AS starttime,
        LEAST(support_until(MAX(chart.charttime)), first_day.endtime) AS endtime
    FROM first_day
    INNER JOIN mimiciv_icu.chartevents AS chart
        ON first_day.stay_id = chart.stay_id
        AND chart.charttime $from_admission first_day.starttime
        AND chart.charttime <= first_day.endtime
    WHERE
        chart.itemid = 226732  -- O2 Delivery Device(s)
        AND ($mask_charted)
    GROUP BY first_day.subject_id, first_day.stay_id, first_day.starttime, first_day.endtime
),

-- rule 4: arterial gases by patient; ventilation of the stay, CPAP of any stay of the patient;
-- on one axis for a single sweep, under the published form gases before starts since support excludes its start
moment AS (
    SELECT
        first_day.stay_id,
        gas.charttime,
        $gas_before_support AS place,
        gas.pao2fio2ratio,
        CAST(NULL AS TIMESTAMP) AS supported_until
    FROM first_day
    INNER JOIN mimiciv_derived.bg AS gas
        ON first_day.subject_id = gas.subject_id
        AND gas.charttime $from_admission first_day.starttime
        AND gas.charttime <= $laboratory_until
    WHERE gas.specimen = 'ART.'
    UNION ALL
    SELECT stay_id, starttime AS charttime, 1 AS place, NULL AS pao2fio2ratio, endtime AS supported_until
    FROM mimiciv_derived.ventilation
    WHERE $supporting_status
    UNION ALL
    SELECT
        first_day.stay_id,
        cpap_period.starttime AS charttime,
        1 AS place,
        NULL AS pao2fio2ratio,
        cpap_period.endtime AS supported_until
    FROM first_day
    INNER JOIN cpap_period ON first_day.subject_id = cpap_period.subject_id
),

swept AS (
    SELECT
        stay_id,
        charttime,
        pao2fio2ratio,
        MAX(supported_until) OVER (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST, place NULLS FIRST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
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
    SELECT DISTINCT first_day.stay_id
    FROM first_day
    INNER JOIN moment ON first_day.stay_id = moment.stay_id
    WHERE moment.supported_until >= first_day.starttime AND moment.charttime <= first_day.endtime
),

-- rule 5
comorbidity AS (
    SELECT
        hadm_id,
        MAX(CASE WHEN $aids_codes(icd_code, icd_version) THEN 1 ELSE 0 END) AS aids,
        MAX(CASE WHEN $haematological_codes(icd_code, icd_version) THEN 1 ELSE 0 END) AS haematological_malignancy,
        MAX(CASE WHEN $metastatic_codes(icd_code, icd_version) THEN 1 ELSE 0 END) AS metastatic_cancer
    FROM mimiciv_hosp.diagnoses_icd
    GROUP BY hadm_id
),

-- rule 6: of services at one time the first by name, where the definition leaves it open
ranked_service AS (
    SELECT
        hadm_id,
        curr_service,
        ROW_NUMBER() OVER (
            PARTITION BY hadm_id ORDER BY transfertime NULLS FIRST, curr_service NULLS FIRST
        ) AS service_number
    FROM mimiciv_hosp.services
),

-- rule 7
scored AS (
    SELECT
        first_day.subject_id,
        first_day.hadm_id,
        first_day.stay_id,
        first_day.starttime,
        first_day.endtime,
        sapsii_age(age.age) AS age_score,
        sapsii_heart_rate(vital.heart_rate_min, vital.heart_rate_max) AS hr_score,
        sapsii_systolic_pressure(vital.sbp_min, vital.sbp_max) AS sysbp_score,
        sapsii_temperature(vital.temperature_min, vital.temperature_max) AS temp_score,
        COALESCE(sapsii_oxygenation(oxygenation.pao2fio2ratio), $oxygenation_without_gas) AS pao2fio2_score,
        sapsii_urine($urine_of_day) AS uo_score,
        sapsii_urea_nitrogen(serum.bun_max) AS bun_score,
        sapsii_white_cells(white_cells.wbc_min, white_cells.wbc_max) AS wbc_score,
        sapsii_potassium(serum.potassium_min, serum.potassium_max) AS potassium_score,
        sapsii_sodium(serum.sodium_min, serum.sodium_max) AS sodium_score,
        sapsii_bicarbonate(serum.bicarbonate_min, serum.bicarbonate_max) AS bicarbonate_score,
        sapsii_bilirubin(liver.bilirubin_max) AS bilirubin_score,
        sapsii_coma_scale(coma.gcs_min) AS gcs_score,
        CASE
            WHEN comorbidity.aids = 1 THEN 17
            WHEN comorbidity.haematological_malignancy = 1 THEN 10
            WHEN comorbidity.metastatic_cancer = 1 THEN 9
            ELSE 0
        END AS comorbidity_score,
        CASE
            WHEN ($surgical) AND $planned(first_day.admission_type) THEN 0
            WHEN ($surgical) AND first_day.admission_type IS NOT NULL THEN 8
            ELSE 6
        END AS admissiontype_score
    FROM first_day
    LEFT JOIN mimiciv_derived.age AS age ON first_day.hadm_id = age.hadm_id
    LEFT JOIN vital ON first_day.stay_id = vital.stay_id
    LEFT JOIN coma ON first_day.stay_id = coma.stay_id
    LEFT JOIN urine ON first_day.stay_id = urine.stay_id
    LEFT JOIN serum ON first_day.stay_id = serum.stay_id
    LEFT JOIN white_cells ON first_day.stay_id = white_cells.stay_id
    LEFT JOIN liver ON first_day.stay_id = liver.stay_id
    LEFT JOIN oxygenation ON first_day.stay_id = oxygenation.stay_id
    LEFT JOIN supported_stay ON first_day.stay_id = supported_stay.stay_id
    LEFT JOIN comorbidity ON first_day.hadm_id = comorbidity.hadm_id
    LEFT JOIN ranked_service AS service
        ON first_day.hadm_id = service.hadm_id AND service.service_number = 1
),

-- rule 8
total AS (
    SELECT
        stay_id,
        COALESCE(age_score, 0)
        + COALESCE(hr_score, 0)
        + COALESCE(sysbp_score, 0)
        + COALESCE(temp_score, 0)
        + COALESCE(pao2fio2_score, 0)
        + COALESCE(uo_score, 0)
        + COALESCE(bun_score, 0)
        + COALESCE(wbc_score, 0)
        + COALESCE(potassium_score, 0)
        + COALESCE(sodium_score, 0)
        + COALESCE(bicarbonate_score, 0)
        + COALESCE(bilirubin_score, 0)
        + COALESCE(gcs_score, 0)
        + comorbidity_score
        + admissiontype_score AS sapsii
    FROM scored
)

SELECT
    scored.subject_id,
    scored.hadm_id,
    scored.stay_id,
    scored.starttime,
    scored.endtime,
    total.sapsii,
    -- rule 9: the linear part is an exact decimal that becomes a double, the logarithm is one throughout
    CAST(1 AS DOUBLE) / (
        CAST(1 AS DOUBLE)
        + EXP(
            -(
                CAST(
                    CAST(-7.7631 AS DECIMAL(9, 4)) + CAST(0.0737 AS DECIMAL(5, 4)) * CAST(total.sapsii AS DECIMAL(4, 0))
                    AS DOUBLE
                )
                + CAST(0.9971 AS DOUBLE) * LN(CAST(total.sapsii + 1 AS DOUBLE))
            )
        )
    ) AS sapsii_prob,
    scored.age_score,
    scored.hr_score,
    scored.sysbp_score,
    scored.temp_score,
    scored.pao2fio2_score,
    scored.uo_score,
    scored.bun_score,
    scored.wbc_score,
    scored.potassium_score,
    scored.sodium_score,
    scored.bicarbonate_score,
    scored.bilirubin_score,
    scored.gcs_score,
    scored.comorbidity_score,
    scored.admissiontype_score
FROM scored
INNER JOIN total ON scored.stay_id = total.stay_id
