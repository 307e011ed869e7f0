-- lods: Logistic Organ Dysfunction System of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.bg, mimiciv_derived.first_day_gcs, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_vitalsign, mimiciv_derived.ventilation, mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_icu.chartevents, mimiciv_icu.icustays
/* points of six organ systems over the first day; under the published form the gases come from the whole stay */
/* rule 1: one period, not cut to the day */
WITH cpap_period AS (
  SELECT
    icu.stay_id,
    (
      (
        MIN(chart.charttime)
      ) - INTERVAL 1 HOUR
    ) AS starttime,
    (
      (
        MAX(chart.charttime)
      ) + INTERVAL 4 HOUR
    ) AS endtime
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_icu.chartevents AS chart
    ON icu.stay_id = chart.stay_id
    AND chart.charttime >= icu.intime
    AND chart.charttime <= icu.intime + INTERVAL 24 HOUR
  WHERE
    chart.itemid = 226732 /* O2 Delivery Device(s) */
    AND (
      (
        LOWER(chart.value) LIKE '%cpap%' OR LOWER(chart.value) LIKE '%bipap mask%'
      )
    )
  GROUP BY
    icu.stay_id
), gas /* rule 2: by admission */ AS (
  SELECT
    icu.stay_id,
    bg.charttime,
    bg.pao2fio2ratio
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_derived.bg AS bg
    ON icu.hadm_id = bg.hadm_id AND bg.charttime >= icu.intime AND bg.charttime < icu.outtime
  WHERE
    TRUE
), moment /* one axis of gases and of the starts of support, for a single sweep */ AS (
  SELECT
    stay_id,
    charttime,
    pao2fio2ratio,
    CAST(NULL AS DATETIME) AS supported_until
  FROM gas
  UNION ALL
  SELECT
    stay_id,
    starttime AS charttime,
    NULL AS pao2fio2ratio,
    endtime AS supported_until
  FROM mimiciv_derived.ventilation
  WHERE
    ventilation_status = 'InvasiveVent'
  UNION ALL
  SELECT
    stay_id,
    starttime AS charttime,
    NULL AS pao2fio2ratio,
    endtime AS supported_until
  FROM cpap_period
), swept /* support covers a gas when it has begun by then and the latest end so far is not past */ AS (
  SELECT
    stay_id,
    charttime,
    pao2fio2ratio,
    MAX(supported_until) OVER (PARTITION BY stay_id ORDER BY charttime RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS supported_until
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
    icu.stay_id
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN moment
    ON icu.stay_id = moment.stay_id
  WHERE
    moment.supported_until >= icu.intime AND moment.charttime <= icu.intime + INTERVAL 24 HOUR
), organ /* rule 3 */ AS (
  SELECT
    icu.stay_id,
    (
      CASE
        WHEN coma.gcs_min < 3
        THEN NULL
        WHEN coma.gcs_min <= 5
        THEN 5
        WHEN coma.gcs_min <= 8
        THEN 3
        WHEN coma.gcs_min <= 13
        THEN 1
        WHEN coma.gcs_min > 13
        THEN 0
      END
    ) AS neurologic,
    (
      CASE
        WHEN vital.heart_rate_max IS NULL AND vital.sbp_min IS NULL
        THEN NULL
        WHEN vital.heart_rate_min < 30 OR vital.sbp_min < 40
        THEN 5
        WHEN vital.sbp_min < 70 OR vital.sbp_max >= 270
        THEN 3
        WHEN vital.heart_rate_max >= 140 OR vital.sbp_max >= 240 OR vital.sbp_min < 90
        THEN 1
        ELSE 0
      END
    ) AS cardiovascular,
    CASE
      WHEN NOT lab.bun_max IS NULL AND NOT urine.urineoutput IS NULL AND NOT lab.creatinine_max IS NULL
      THEN (
        CASE
          WHEN urine.urineoutput < 500 OR lab.bun_max >= 56
          THEN 5
          WHEN lab.creatinine_max >= 1.60
          OR urine.urineoutput < 750
          OR lab.bun_max >= 28
          OR urine.urineoutput >= 10000
          THEN 3
          WHEN lab.creatinine_max >= 1.20 OR lab.bun_max >= 7.50
          THEN 1
          ELSE 0
        END
      )
    END AS renal,
    CASE
      WHEN oxygenation.pao2fio2ratio IS NULL
      THEN 0
      ELSE (
        CASE WHEN oxygenation.pao2fio2ratio IS NULL THEN 0 WHEN oxygenation.pao2fio2ratio >= 150 THEN 1 ELSE 3 END
      )
    END AS pulmonary,
    (
      CASE
        WHEN lab.wbc_max IS NULL AND lab.platelets_min IS NULL
        THEN NULL
        WHEN lab.wbc_min < 1.0
        THEN 3
        WHEN lab.wbc_min < 2.5 OR lab.platelets_min < 50 OR lab.wbc_max >= 50
        THEN 1
        ELSE 0
      END
    ) AS hematologic,
    (
      CASE
        WHEN lab.pt_max IS NULL AND lab.bilirubin_total_max IS NULL
        THEN NULL
        WHEN lab.bilirubin_total_max >= 2.0 OR lab.pt_max > 15 OR lab.pt_min < 3
        THEN 1
        ELSE 0
      END
    ) AS hepatic
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_hosp.admissions AS adm
    ON icu.hadm_id = adm.hadm_id
  INNER JOIN mimiciv_hosp.patients AS pat
    ON icu.subject_id = pat.subject_id
  LEFT JOIN oxygenation
    ON icu.stay_id = oxygenation.stay_id
  LEFT JOIN supported_stay
    ON icu.stay_id = supported_stay.stay_id
  LEFT JOIN mimiciv_derived.first_day_gcs AS coma
    ON icu.stay_id = coma.stay_id
  LEFT JOIN mimiciv_derived.first_day_vitalsign AS vital
    ON icu.stay_id = vital.stay_id
  LEFT JOIN mimiciv_derived.first_day_urine_output AS urine
    ON icu.stay_id = urine.stay_id
  LEFT JOIN mimiciv_derived.first_day_lab AS lab
    ON icu.stay_id = lab.stay_id
)
SELECT
  icu.subject_id,
  icu.hadm_id,
  icu.stay_id,
  COALESCE(organ.neurologic, 0) /* rule 4 */ + COALESCE(organ.cardiovascular, 0) + COALESCE(organ.renal, 0) + COALESCE(organ.pulmonary, 0) + COALESCE(organ.hematologic, 0) + COALESCE(organ.hepatic, 0) AS lods,
  COALESCE(organ.neurologic, NULL) AS neurologic,
  COALESCE(organ.cardiovascular, NULL) AS cardiovascular,
  COALESCE(organ.renal, NULL) AS renal,
  COALESCE(organ.pulmonary, NULL) AS pulmonary,
  COALESCE(organ.hematologic, NULL) AS hematologic,
  COALESCE(organ.hepatic, NULL) AS hepatic
FROM mimiciv_icu.icustays AS icu
LEFT JOIN organ
  ON icu.stay_id = organ.stay_id
;
