-- sapsii: Simplified Acute Physiology Score II of the first 24 ICU hours
-- one row per ICU stay with a known admission; published convention
-- reads mimiciv_derived.age, mimiciv_derived.bg, mimiciv_derived.chemistry, mimiciv_derived.complete_blood_count, mimiciv_derived.enzyme, mimiciv_derived.gcs, mimiciv_derived.urine_output, mimiciv_derived.ventilation, mimiciv_derived.vitalsign, mimiciv_hosp.admissions, mimiciv_hosp.diagnoses_icd, mimiciv_hosp.services, mimiciv_icu.chartevents, mimiciv_icu.icustays
/* fifteen scores of the 24 hours after ICU admission */
/* rule 1: under the published form open at the start, closed at the end */
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
  INNER JOIN mimiciv_hosp.admissions AS adm
    ON icu.hadm_id = adm.hadm_id
), vital /* rules 1 and 2: vital signs and laboratory values by patient, coma scale and urine by stay */ AS (
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
    ON first_day.subject_id = sign.subject_id
    AND sign.charttime > first_day.starttime
    AND sign.charttime <= first_day.endtime
  GROUP BY
    first_day.stay_id
), coma AS (
  SELECT
    first_day.stay_id,
    MIN(observation.gcs) AS gcs_min
  FROM first_day
  INNER JOIN mimiciv_derived.gcs AS observation
    ON first_day.stay_id = observation.stay_id
    AND observation.charttime > first_day.starttime
    AND observation.charttime <= first_day.endtime
  GROUP BY
    first_day.stay_id
), urine AS (
  SELECT
    first_day.stay_id,
    CAST(SUM(
      (
        CASE
          WHEN ABS(output.urineoutput) < 100000000000000000000000000000
          THEN CAST(ROUND(output.urineoutput * 1000000000) AS NUMERIC) / 1000000000
        END
      )
    ) AS FLOAT64) AS urineoutput
  FROM first_day
  INNER JOIN mimiciv_derived.urine_output AS output
    ON first_day.stay_id = output.stay_id
    AND output.charttime > first_day.starttime /* what is charted at admission was made before it */
    AND output.charttime <= first_day.endtime
  GROUP BY
    first_day.stay_id
), serum AS (
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
    AND specimen.charttime > first_day.starttime
    AND specimen.charttime <= first_day.endtime
  GROUP BY
    first_day.stay_id
), white_cells AS (
  SELECT
    first_day.stay_id,
    MIN(specimen.wbc) AS wbc_min,
    MAX(specimen.wbc) AS wbc_max
  FROM first_day
  INNER JOIN mimiciv_derived.complete_blood_count AS specimen
    ON first_day.subject_id = specimen.subject_id
    AND specimen.charttime > first_day.starttime
    AND specimen.charttime <= first_day.endtime
  GROUP BY
    first_day.stay_id
), liver AS (
  SELECT
    first_day.stay_id,
    MAX(specimen.bilirubin_total) AS bilirubin_max
  FROM first_day
  INNER JOIN mimiciv_derived.enzyme AS specimen
    ON first_day.subject_id = specimen.subject_id
    AND specimen.charttime > first_day.starttime
    AND specimen.charttime <= first_day.endtime
  GROUP BY
    first_day.stay_id
), cpap_period /* rule 3: one period, cut to the window */ AS (
  SELECT
    first_day.subject_id,
    first_day.stay_id,
    COALESCE(
      GREATEST((
        (
          MIN(chart.charttime)
        ) - INTERVAL 1 HOUR
      ), first_day.starttime),
      (
        (
          MIN(chart.charttime)
        ) - INTERVAL 1 HOUR
      ),
      first_day.starttime
    ) AS starttime,
    COALESCE(
      LEAST((
        (
          MAX(chart.charttime)
        ) + INTERVAL 4 HOUR
      ), first_day.endtime),
      (
        (
          MAX(chart.charttime)
        ) + INTERVAL 4 HOUR
      ),
      first_day.endtime
    ) AS endtime
  FROM first_day
  INNER JOIN mimiciv_icu.chartevents AS chart
    ON first_day.stay_id = chart.stay_id
    AND chart.charttime > first_day.starttime
    AND chart.charttime <= first_day.endtime
  WHERE
    chart.itemid = 226732 /* O2 Delivery Device(s) */
    AND (
      (
        LOWER(chart.value) LIKE '%cpap mask%' OR LOWER(chart.value) LIKE '%bipap%'
      )
    )
  GROUP BY
    first_day.subject_id,
    first_day.stay_id,
    first_day.starttime,
    first_day.endtime
), moment /* rule 4: arterial gases by patient; ventilation of the stay, CPAP of any stay of the patient; */ /* on one axis for a single sweep, under the published form gases before starts since support excludes its start */ AS (
  SELECT
    first_day.stay_id,
    gas.charttime,
    0 AS place,
    gas.pao2fio2ratio,
    CAST(NULL AS DATETIME) AS supported_until
  FROM first_day
  INNER JOIN mimiciv_derived.bg AS gas
    ON first_day.subject_id = gas.subject_id
    AND gas.charttime > first_day.starttime
    AND gas.charttime <= first_day.endtime
  WHERE
    gas.specimen = 'ART.'
  UNION ALL
  SELECT
    stay_id,
    starttime AS charttime,
    1 AS place,
    NULL AS pao2fio2ratio,
    endtime AS supported_until
  FROM mimiciv_derived.ventilation
  WHERE
    ventilation_status = 'InvasiveVent'
  UNION ALL
  SELECT
    first_day.stay_id,
    cpap_period.starttime AS charttime,
    1 AS place,
    NULL AS pao2fio2ratio,
    cpap_period.endtime AS supported_until
  FROM first_day
  INNER JOIN cpap_period
    ON first_day.subject_id = cpap_period.subject_id
), swept AS (
  SELECT
    stay_id,
    charttime,
    pao2fio2ratio,
    MAX(supported_until) OVER (PARTITION BY stay_id ORDER BY charttime, place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS supported_until
  FROM moment
), oxygenation AS (
  SELECT
    stay_id,
    MIN(pao2fio2ratio) AS pao2fio2ratio
  FROM swept
  WHERE
    supported_until >= charttime
  GROUP BY
    stay_id
), supported_stay /* support that meets the first day of the stay, whether or not a gas was drawn */ AS (
  SELECT DISTINCT
    first_day.stay_id
  FROM first_day
  INNER JOIN moment
    ON first_day.stay_id = moment.stay_id
  WHERE
    moment.supported_until >= first_day.starttime AND moment.charttime <= first_day.endtime
), comorbidity /* rule 5 */ AS (
  SELECT
    hadm_id,
    MAX(
      CASE
        WHEN (
          icd_version = 9
          AND SUBSTRING(icd_code, 1, 3) BETWEEN '042' AND '044'
          OR icd_version = 10
          AND (
            SUBSTRING(icd_code, 1, 3) BETWEEN 'B20' AND 'B22' OR SUBSTRING(icd_code, 1, 3) = 'B24'
          )
        )
        THEN 1
        ELSE 0
      END
    ) AS aids,
    MAX(
      CASE
        WHEN (
          icd_version = 9
          AND (
            SUBSTRING(icd_code, 1, 5) BETWEEN '20000' AND '20238'
            OR SUBSTRING(icd_code, 1, 5) BETWEEN '20240' AND '20248'
            OR SUBSTRING(icd_code, 1, 5) BETWEEN '20250' AND '20382'
            OR SUBSTRING(icd_code, 1, 5) BETWEEN '20400' AND '20522'
            OR SUBSTRING(icd_code, 1, 5) BETWEEN '20580' AND '20702'
            OR SUBSTRING(icd_code, 1, 5) BETWEEN '20720' AND '20892'
            OR SUBSTRING(icd_code, 1, 4) IN ('2386', '2733')
          )
          OR icd_version = 10
          AND SUBSTRING(icd_code, 1, 3) BETWEEN 'C81' AND 'C96'
        )
        THEN 1
        ELSE 0
      END
    ) AS haematological_malignancy,
    MAX(
      CASE
        WHEN (
          icd_version = 9
          AND (
            SUBSTRING(icd_code, 1, 4) BETWEEN '1960' AND '1991'
            OR SUBSTRING(icd_code, 1, 5) BETWEEN '20970' AND '20975'
            OR SUBSTRING(icd_code, 1, 5) IN ('20979', '78951')
          )
          OR icd_version = 10
          AND (
            SUBSTRING(icd_code, 1, 3) BETWEEN 'C77' AND 'C79' OR SUBSTRING(icd_code, 1, 4) = 'C800'
          )
        )
        THEN 1
        ELSE 0
      END
    ) AS metastatic_cancer
  FROM mimiciv_hosp.diagnoses_icd
  GROUP BY
    hadm_id
), ranked_service /* rule 6: of services at one time the first by name, where the definition leaves it open */ AS (
  SELECT
    hadm_id,
    curr_service,
    ROW_NUMBER() OVER (PARTITION BY hadm_id ORDER BY transfertime, curr_service) AS service_number
  FROM mimiciv_hosp.services
), scored /* rule 7 */ AS (
  SELECT
    first_day.subject_id,
    first_day.hadm_id,
    first_day.stay_id,
    first_day.starttime,
    first_day.endtime,
    (
      CASE
        WHEN age.age < 40
        THEN 0
        WHEN age.age < 60
        THEN 7
        WHEN age.age < 70
        THEN 12
        WHEN age.age < 75
        THEN 15
        WHEN age.age < 80
        THEN 16
        WHEN age.age >= 80
        THEN 18
      END
    ) AS age_score,
    (
      CASE
        WHEN vital.heart_rate_max IS NULL
        THEN NULL
        WHEN vital.heart_rate_min < 40
        THEN 11
        WHEN vital.heart_rate_max >= 160
        THEN 7
        WHEN vital.heart_rate_max >= 120
        THEN 4
        WHEN vital.heart_rate_min < 70
        THEN 2
        ELSE 0
      END
    ) AS hr_score,
    (
      CASE
        WHEN vital.sbp_min IS NULL
        THEN NULL
        WHEN vital.sbp_min < 70
        THEN 13
        WHEN vital.sbp_min < 100
        THEN 5
        WHEN vital.sbp_max >= 200
        THEN 2
        ELSE 0
      END
    ) AS sysbp_score,
    (
      CASE WHEN vital.temperature_max >= 39.0 THEN 3 WHEN vital.temperature_min < 39.0 THEN 0 END
    ) AS temp_score,
    COALESCE(
      (
        CASE
          WHEN oxygenation.pao2fio2ratio < 100
          THEN 11
          WHEN oxygenation.pao2fio2ratio < 200
          THEN 9
          WHEN oxygenation.pao2fio2ratio >= 200
          THEN 6
        END
      ),
      CAST(NULL AS INT64)
    ) AS pao2fio2_score,
    (
      CASE
        WHEN urine.urineoutput < 500
        THEN 11
        WHEN urine.urineoutput < 1000
        THEN 4
        WHEN urine.urineoutput >= 1000
        THEN 0
      END
    ) AS uo_score,
    (
      CASE WHEN serum.bun_max < 28 THEN 0 WHEN serum.bun_max < 84 THEN 6 WHEN serum.bun_max >= 84 THEN 10 END
    ) AS bun_score,
    (
      CASE
        WHEN white_cells.wbc_max IS NULL
        THEN NULL
        WHEN white_cells.wbc_min < 1.0
        THEN 12
        WHEN white_cells.wbc_max >= 20.0
        THEN 3
        ELSE 0
      END
    ) AS wbc_score,
    (
      CASE
        WHEN serum.potassium_max IS NULL
        THEN NULL
        WHEN serum.potassium_min < 3.0 OR serum.potassium_max >= 5.0
        THEN 3
        ELSE 0
      END
    ) AS potassium_score,
    (
      CASE
        WHEN serum.sodium_max IS NULL
        THEN NULL
        WHEN serum.sodium_min < 125
        THEN 5
        WHEN serum.sodium_max >= 145
        THEN 1
        ELSE 0
      END
    ) AS sodium_score,
    (
      CASE
        WHEN serum.bicarbonate_max IS NULL
        THEN NULL
        WHEN serum.bicarbonate_min < 15.0
        THEN 6
        WHEN serum.bicarbonate_min < 20.0
        THEN 3
        ELSE 0
      END
    ) AS bicarbonate_score,
    (
      CASE
        WHEN liver.bilirubin_max < 4.0
        THEN 0
        WHEN liver.bilirubin_max < 6.0
        THEN 4
        WHEN liver.bilirubin_max >= 6.0
        THEN 9
      END
    ) AS bilirubin_score,
    (
      CASE
        WHEN coma.gcs_min < 3
        THEN NULL
        WHEN coma.gcs_min < 6
        THEN 26
        WHEN coma.gcs_min < 9
        THEN 13
        WHEN coma.gcs_min < 11
        THEN 7
        WHEN coma.gcs_min < 14
        THEN 5
        WHEN coma.gcs_min <= 15
        THEN 0
      END
    ) AS gcs_score,
    CASE
      WHEN comorbidity.aids = 1
      THEN 17
      WHEN comorbidity.haematological_malignancy = 1
      THEN 10
      WHEN comorbidity.metastatic_cancer = 1
      THEN 9
      ELSE 0
    END AS comorbidity_score,
    CASE
      WHEN (
        LOWER(service.curr_service) LIKE '%surg%'
      ) AND (
        first_day.admission_type = 'ELECTIVE'
      )
      THEN 0
      WHEN (
        LOWER(service.curr_service) LIKE '%surg%'
      ) AND NOT first_day.admission_type IS NULL
      THEN 8
      ELSE 6
    END AS admissiontype_score
  FROM first_day
  LEFT JOIN mimiciv_derived.age AS age
    ON first_day.hadm_id = age.hadm_id
  LEFT JOIN vital
    ON first_day.stay_id = vital.stay_id
  LEFT JOIN coma
    ON first_day.stay_id = coma.stay_id
  LEFT JOIN urine
    ON first_day.stay_id = urine.stay_id
  LEFT JOIN serum
    ON first_day.stay_id = serum.stay_id
  LEFT JOIN white_cells
    ON first_day.stay_id = white_cells.stay_id
  LEFT JOIN liver
    ON first_day.stay_id = liver.stay_id
  LEFT JOIN oxygenation
    ON first_day.stay_id = oxygenation.stay_id
  LEFT JOIN supported_stay
    ON first_day.stay_id = supported_stay.stay_id
  LEFT JOIN comorbidity
    ON first_day.hadm_id = comorbidity.hadm_id
  LEFT JOIN ranked_service AS service
    ON first_day.hadm_id = service.hadm_id AND service.service_number = 1
), total /* rule 8 */ AS (
  SELECT
    stay_id,
    COALESCE(age_score, 0) + COALESCE(hr_score, 0) + COALESCE(sysbp_score, 0) + COALESCE(temp_score, 0) + COALESCE(pao2fio2_score, 0) + COALESCE(uo_score, 0) + COALESCE(bun_score, 0) + COALESCE(wbc_score, 0) + COALESCE(potassium_score, 0) + COALESCE(sodium_score, 0) + COALESCE(bicarbonate_score, 0) + COALESCE(bilirubin_score, 0) + COALESCE(gcs_score, 0) + comorbidity_score + admissiontype_score AS sapsii
  FROM scored
)
SELECT
  scored.subject_id,
  scored.hadm_id,
  scored.stay_id,
  scored.starttime,
  scored.endtime,
  total.sapsii,
  CAST(1 AS FLOAT64) /* rule 9: the linear part is an exact decimal that becomes a double, the logarithm is one throughout */ / (
    CAST(1 AS FLOAT64) + EXP(
      -(
        CAST(ROUND(CAST(-7.7631 AS NUMERIC), 4) + ROUND(CAST(0.0737 AS NUMERIC), 4) * CAST(total.sapsii AS NUMERIC) AS FLOAT64) + CAST(0.9971 AS FLOAT64) * LN(CAST(total.sapsii + 1 AS FLOAT64))
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
INNER JOIN total
  ON scored.stay_id = total.stay_id
;
