-- apsiii: Acute Physiology Score III of the ICU stay
-- one row per ICU stay; published convention
-- reads mimiciv_derived.bg, mimiciv_derived.first_day_gcs, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_vitalsign, mimiciv_derived.ventilation, mimiciv_hosp.admissions, mimiciv_hosp.diagnoses_icd, mimiciv_hosp.patients, mimiciv_icu.icustays
/* sixteen components; under the published form physiology of the first day, gases of the whole stay */
WITH arterial_gas AS (
  /* rule A: by admission */
  SELECT
    icu.stay_id,
    bg.charttime,
    bg.po2,
    bg.aado2 AS aado2,
    COALESCE(bg.fio2, bg.fio2_chartevents) AS fio2,
    (
      CASE
        WHEN bg.ph IS NULL OR bg.pco2 IS NULL
        THEN NULL
        WHEN bg.ph < 7.20
        THEN CASE WHEN bg.pco2 < 50 THEN 12 ELSE 4 END
        WHEN bg.ph < 7.30
        THEN CASE WHEN bg.pco2 < 30 THEN 9 WHEN bg.pco2 < 40 THEN 6 WHEN bg.pco2 < 50 THEN 3 ELSE 2 END
        WHEN bg.ph < 7.35
        THEN CASE WHEN bg.pco2 < 30 THEN 9 WHEN bg.pco2 < 45 THEN 0 ELSE 1 END
        WHEN bg.ph < 7.45
        THEN CASE WHEN bg.pco2 < 30 THEN 5 WHEN bg.pco2 < 45 THEN 0 ELSE 1 END
        WHEN bg.ph < 7.50
        THEN CASE WHEN bg.pco2 < 30 THEN 5 WHEN bg.pco2 < 35 THEN 0 WHEN bg.pco2 < 45 THEN 2 ELSE 12 END
        WHEN bg.ph < 7.60
        THEN CASE WHEN bg.pco2 < 40 THEN 3 ELSE 12 END
        ELSE CASE WHEN bg.pco2 < 25 THEN 0 WHEN bg.pco2 < 40 THEN 3 ELSE 12 END
      END
    ) AS acidbase_points /* rule 3 with table D */
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_derived.bg AS bg
    ON icu.hadm_id = bg.hadm_id AND bg.charttime >= icu.intime AND bg.charttime < icu.outtime
  WHERE
    bg.specimen = 'ART.'
), invasive_episode AS (
  SELECT
    stay_id,
    starttime,
    endtime
  FROM mimiciv_derived.ventilation
  WHERE
    ventilation_status = 'InvasiveVent'
), moment /* one axis of gases and of the starts of invasive ventilation, for a single sweep */ AS (
  SELECT
    stay_id,
    charttime,
    po2,
    aado2,
    fio2,
    acidbase_points,
    CAST(NULL AS DATETIME) AS ventilated_until
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
), swept /* an episode covers a gas when it has begun by then and the latest end so far is not past */ AS (
  SELECT
    stay_id,
    charttime,
    po2,
    aado2,
    fio2,
    acidbase_points,
    MAX(ventilated_until) OVER (PARTITION BY stay_id ORDER BY charttime RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ventilated_until
  FROM moment
), gas_of_stay AS (
  SELECT
    stay_id,
    MAX(
      CASE
        WHEN (
          ventilated_until IS NULL OR ventilated_until < charttime
        ) AND COALESCE(fio2, 21) < 50
        THEN po2
      END
    ) AS pao2, /* rule 1 */
    MAX(CASE WHEN ventilated_until >= charttime AND fio2 >= 50 THEN aado2 END) AS aado2, /* rule 2 */
    MAX(acidbase_points) AS acidbase_score
  FROM swept
  GROUP BY
    stay_id
), kidney_disease /* rule 4 */ AS (
  SELECT
    hadm_id,
    MAX(
      CASE
        WHEN icd_version = 9
        AND SUBSTRING(icd_code, 1, 4) IN ('5854', '5855', '5856')
        OR icd_version = 10
        AND SUBSTRING(icd_code, 1, 4) IN ('N184', 'N185', 'N186')
        THEN 1
        ELSE 0
      END
    ) AS ckd
  FROM mimiciv_hosp.diagnoses_icd
  GROUP BY
    hadm_id
), ventilated_stay /* rule 6: an episode that meets the first 24 hours, all ends closed */ AS (
  SELECT DISTINCT
    icu.stay_id
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN invasive_episode AS episode
    ON icu.stay_id = episode.stay_id
    AND episode.starttime <= icu.intime + INTERVAL 24 HOUR
    AND episode.endtime >= icu.intime
), temperature AS (
  SELECT
    stay_id,
    temperature_min,
    temperature_max
  FROM mimiciv_derived.first_day_vitalsign
), first_day AS (
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
    COALESCE(
      LEAST(COALESCE(lab.glucose_min, vital.glucose_min), COALESCE(vital.glucose_min, lab.glucose_min)),
      COALESCE(lab.glucose_min, vital.glucose_min),
      COALESCE(vital.glucose_min, lab.glucose_min)
    ) AS glucose_min, /* rule 7: laboratory and bedside together */
    COALESCE(
      GREATEST(COALESCE(lab.glucose_max, vital.glucose_max), COALESCE(vital.glucose_max, lab.glucose_max)),
      COALESCE(lab.glucose_max, vital.glucose_max),
      COALESCE(vital.glucose_max, lab.glucose_max)
    ) AS glucose_max,
    urine.urineoutput,
    coma.gcs_motor,
    coma.gcs_verbal,
    coma.gcs_eyes,
    coma.gcs_unable,
    gas.pao2,
    gas.aado2,
    gas.acidbase_score,
    NOT ventilated_stay.stay_id IS NULL AS ventilated,
    COALESCE(lab.creatinine_max >= 1.5 AND urine.urineoutput < 410 AND kidney.ckd = 0, FALSE) AS renal_failure /* rule 5 */
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_hosp.admissions AS adm
    ON icu.hadm_id = adm.hadm_id
  INNER JOIN mimiciv_hosp.patients AS pat
    ON icu.subject_id = pat.subject_id
  LEFT JOIN mimiciv_derived.first_day_vitalsign AS vital
    ON icu.stay_id = vital.stay_id
  LEFT JOIN temperature
    ON icu.stay_id = temperature.stay_id
  LEFT JOIN mimiciv_derived.first_day_lab AS lab
    ON icu.stay_id = lab.stay_id
  LEFT JOIN mimiciv_derived.first_day_urine_output AS urine
    ON icu.stay_id = urine.stay_id
  LEFT JOIN mimiciv_derived.first_day_gcs AS coma
    ON icu.stay_id = coma.stay_id
  LEFT JOIN gas_of_stay AS gas
    ON icu.stay_id = gas.stay_id
  LEFT JOIN kidney_disease AS kidney
    ON icu.hadm_id = kidney.hadm_id
  LEFT JOIN ventilated_stay
    ON icu.stay_id = ventilated_stay.stay_id
), scored /* rule 8 with tables C: lowest, highest, normal value, points of each */ AS (
  SELECT
    day.stay_id,
    (
      CASE
        WHEN NOT day.heart_rate_min IS NULL AND NOT day.heart_rate_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.heart_rate_min - 75) >= ABS(day.heart_rate_max - 75)
              THEN (
                (
                  CASE
                    WHEN day.heart_rate_min < 40
                    THEN 8
                    WHEN day.heart_rate_min < 50
                    THEN 5
                    WHEN day.heart_rate_min < 100
                    THEN 0
                    WHEN day.heart_rate_min < 110
                    THEN 1
                    WHEN day.heart_rate_min < 120
                    THEN 5
                    WHEN day.heart_rate_min < 140
                    THEN 7
                    WHEN day.heart_rate_min < 155
                    THEN 13
                    WHEN day.heart_rate_min >= 155
                    THEN 17
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.heart_rate_max - 75) >= ABS(day.heart_rate_min - 75)
              THEN (
                (
                  CASE
                    WHEN day.heart_rate_max < 40
                    THEN 8
                    WHEN day.heart_rate_max < 50
                    THEN 5
                    WHEN day.heart_rate_max < 100
                    THEN 0
                    WHEN day.heart_rate_max < 110
                    THEN 1
                    WHEN day.heart_rate_max < 120
                    THEN 5
                    WHEN day.heart_rate_max < 140
                    THEN 7
                    WHEN day.heart_rate_max < 155
                    THEN 13
                    WHEN day.heart_rate_max >= 155
                    THEN 17
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.heart_rate_min - 75) >= ABS(day.heart_rate_max - 75)
            THEN (
              (
                CASE
                  WHEN day.heart_rate_min < 40
                  THEN 8
                  WHEN day.heart_rate_min < 50
                  THEN 5
                  WHEN day.heart_rate_min < 100
                  THEN 0
                  WHEN day.heart_rate_min < 110
                  THEN 1
                  WHEN day.heart_rate_min < 120
                  THEN 5
                  WHEN day.heart_rate_min < 140
                  THEN 7
                  WHEN day.heart_rate_min < 155
                  THEN 13
                  WHEN day.heart_rate_min >= 155
                  THEN 17
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.heart_rate_max - 75) >= ABS(day.heart_rate_min - 75)
            THEN (
              (
                CASE
                  WHEN day.heart_rate_max < 40
                  THEN 8
                  WHEN day.heart_rate_max < 50
                  THEN 5
                  WHEN day.heart_rate_max < 100
                  THEN 0
                  WHEN day.heart_rate_max < 110
                  THEN 1
                  WHEN day.heart_rate_max < 120
                  THEN 5
                  WHEN day.heart_rate_max < 140
                  THEN 7
                  WHEN day.heart_rate_max < 155
                  THEN 13
                  WHEN day.heart_rate_max >= 155
                  THEN 17
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS hr_score,
    (
      CASE
        WHEN NOT day.mbp_min IS NULL AND NOT day.mbp_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.mbp_min - 90) >= ABS(day.mbp_max - 90)
              THEN (
                (
                  CASE
                    WHEN day.mbp_min < 40
                    THEN 23
                    WHEN day.mbp_min < 60
                    THEN 15
                    WHEN day.mbp_min < 70
                    THEN 7
                    WHEN day.mbp_min < 80
                    THEN 6
                    WHEN day.mbp_min < 100
                    THEN 0
                    WHEN day.mbp_min < 120
                    THEN 4
                    WHEN day.mbp_min < 130
                    THEN 7
                    WHEN day.mbp_min < 140
                    THEN 9
                    WHEN day.mbp_min >= 140
                    THEN 10
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.mbp_max - 90) >= ABS(day.mbp_min - 90)
              THEN (
                (
                  CASE
                    WHEN day.mbp_max < 40
                    THEN 23
                    WHEN day.mbp_max < 60
                    THEN 15
                    WHEN day.mbp_max < 70
                    THEN 7
                    WHEN day.mbp_max < 80
                    THEN 6
                    WHEN day.mbp_max < 100
                    THEN 0
                    WHEN day.mbp_max < 120
                    THEN 4
                    WHEN day.mbp_max < 130
                    THEN 7
                    WHEN day.mbp_max < 140
                    THEN 9
                    WHEN day.mbp_max >= 140
                    THEN 10
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.mbp_min - 90) >= ABS(day.mbp_max - 90)
            THEN (
              (
                CASE
                  WHEN day.mbp_min < 40
                  THEN 23
                  WHEN day.mbp_min < 60
                  THEN 15
                  WHEN day.mbp_min < 70
                  THEN 7
                  WHEN day.mbp_min < 80
                  THEN 6
                  WHEN day.mbp_min < 100
                  THEN 0
                  WHEN day.mbp_min < 120
                  THEN 4
                  WHEN day.mbp_min < 130
                  THEN 7
                  WHEN day.mbp_min < 140
                  THEN 9
                  WHEN day.mbp_min >= 140
                  THEN 10
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.mbp_max - 90) >= ABS(day.mbp_min - 90)
            THEN (
              (
                CASE
                  WHEN day.mbp_max < 40
                  THEN 23
                  WHEN day.mbp_max < 60
                  THEN 15
                  WHEN day.mbp_max < 70
                  THEN 7
                  WHEN day.mbp_max < 80
                  THEN 6
                  WHEN day.mbp_max < 100
                  THEN 0
                  WHEN day.mbp_max < 120
                  THEN 4
                  WHEN day.mbp_max < 130
                  THEN 7
                  WHEN day.mbp_max < 140
                  THEN 9
                  WHEN day.mbp_max >= 140
                  THEN 10
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS mbp_score,
    (
      CASE
        WHEN NOT day.temperature_min IS NULL AND NOT day.temperature_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.temperature_min - 38) >= ABS(day.temperature_max - 38)
              THEN (
                (
                  CASE
                    WHEN day.temperature_min < 33.0
                    THEN 20
                    WHEN day.temperature_min < 33.5
                    THEN 16
                    WHEN day.temperature_min < 34.0
                    THEN 13
                    WHEN day.temperature_min < 35.0
                    THEN 8
                    WHEN day.temperature_min < 36.0
                    THEN 2
                    WHEN day.temperature_min < 40.0
                    THEN 0
                    WHEN day.temperature_min >= 40.0
                    THEN 4
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.temperature_max - 38) >= ABS(day.temperature_min - 38)
              THEN (
                (
                  CASE
                    WHEN day.temperature_max < 33.0
                    THEN 20
                    WHEN day.temperature_max < 33.5
                    THEN 16
                    WHEN day.temperature_max < 34.0
                    THEN 13
                    WHEN day.temperature_max < 35.0
                    THEN 8
                    WHEN day.temperature_max < 36.0
                    THEN 2
                    WHEN day.temperature_max < 40.0
                    THEN 0
                    WHEN day.temperature_max >= 40.0
                    THEN 4
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.temperature_min - 38) >= ABS(day.temperature_max - 38)
            THEN (
              (
                CASE
                  WHEN day.temperature_min < 33.0
                  THEN 20
                  WHEN day.temperature_min < 33.5
                  THEN 16
                  WHEN day.temperature_min < 34.0
                  THEN 13
                  WHEN day.temperature_min < 35.0
                  THEN 8
                  WHEN day.temperature_min < 36.0
                  THEN 2
                  WHEN day.temperature_min < 40.0
                  THEN 0
                  WHEN day.temperature_min >= 40.0
                  THEN 4
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.temperature_max - 38) >= ABS(day.temperature_min - 38)
            THEN (
              (
                CASE
                  WHEN day.temperature_max < 33.0
                  THEN 20
                  WHEN day.temperature_max < 33.5
                  THEN 16
                  WHEN day.temperature_max < 34.0
                  THEN 13
                  WHEN day.temperature_max < 35.0
                  THEN 8
                  WHEN day.temperature_max < 36.0
                  THEN 2
                  WHEN day.temperature_max < 40.0
                  THEN 0
                  WHEN day.temperature_max >= 40.0
                  THEN 4
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS temp_score,
    (
      CASE
        WHEN NOT day.resp_rate_min IS NULL AND NOT day.resp_rate_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.resp_rate_min - 19) >= ABS(day.resp_rate_max - 19)
              THEN (
                (
                  CASE
                    WHEN (
                      day.ventilated AND (
                        day.resp_rate_min < 14
                      )
                    )
                    THEN 0
                    WHEN day.resp_rate_min < 6
                    THEN 17
                    WHEN day.resp_rate_min < 12
                    THEN 8
                    WHEN day.resp_rate_min < 14
                    THEN 7
                    WHEN day.resp_rate_min < 25
                    THEN 0
                    WHEN day.resp_rate_min < 35
                    THEN 6
                    WHEN day.resp_rate_min < 40
                    THEN 9
                    WHEN day.resp_rate_min < 50
                    THEN 11
                    WHEN day.resp_rate_min >= 50
                    THEN 18
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.resp_rate_max - 19) >= ABS(day.resp_rate_min - 19)
              THEN (
                (
                  CASE
                    WHEN (
                      day.ventilated AND (
                        day.resp_rate_max < 14
                      )
                    )
                    THEN 0
                    WHEN day.resp_rate_max < 6
                    THEN 17
                    WHEN day.resp_rate_max < 12
                    THEN 8
                    WHEN day.resp_rate_max < 14
                    THEN 7
                    WHEN day.resp_rate_max < 25
                    THEN 0
                    WHEN day.resp_rate_max < 35
                    THEN 6
                    WHEN day.resp_rate_max < 40
                    THEN 9
                    WHEN day.resp_rate_max < 50
                    THEN 11
                    WHEN day.resp_rate_max >= 50
                    THEN 18
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.resp_rate_min - 19) >= ABS(day.resp_rate_max - 19)
            THEN (
              (
                CASE
                  WHEN (
                    day.ventilated AND (
                      day.resp_rate_min < 14
                    )
                  )
                  THEN 0
                  WHEN day.resp_rate_min < 6
                  THEN 17
                  WHEN day.resp_rate_min < 12
                  THEN 8
                  WHEN day.resp_rate_min < 14
                  THEN 7
                  WHEN day.resp_rate_min < 25
                  THEN 0
                  WHEN day.resp_rate_min < 35
                  THEN 6
                  WHEN day.resp_rate_min < 40
                  THEN 9
                  WHEN day.resp_rate_min < 50
                  THEN 11
                  WHEN day.resp_rate_min >= 50
                  THEN 18
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.resp_rate_max - 19) >= ABS(day.resp_rate_min - 19)
            THEN (
              (
                CASE
                  WHEN (
                    day.ventilated AND (
                      day.resp_rate_max < 14
                    )
                  )
                  THEN 0
                  WHEN day.resp_rate_max < 6
                  THEN 17
                  WHEN day.resp_rate_max < 12
                  THEN 8
                  WHEN day.resp_rate_max < 14
                  THEN 7
                  WHEN day.resp_rate_max < 25
                  THEN 0
                  WHEN day.resp_rate_max < 35
                  THEN 6
                  WHEN day.resp_rate_max < 40
                  THEN 9
                  WHEN day.resp_rate_max < 50
                  THEN 11
                  WHEN day.resp_rate_max >= 50
                  THEN 18
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS resp_rate_score,
    COALESCE(
      (
        CASE
          WHEN day.pao2 < 50
          THEN 15
          WHEN day.pao2 < 70
          THEN 5
          WHEN day.pao2 < 80
          THEN 2
          WHEN day.pao2 >= 80
          THEN 0
        END
      ),
      (
        CASE
          WHEN day.aado2 < 100
          THEN 0
          WHEN day.aado2 < 250
          THEN 7
          WHEN day.aado2 < 350
          THEN 9
          WHEN day.aado2 < 500
          THEN 11
          WHEN day.aado2 >= 500
          THEN 14
        END
      )
    ) AS pao2_aado2_score, /* rule 10 */
    (
      CASE
        WHEN NOT day.hematocrit_min IS NULL AND NOT day.hematocrit_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.hematocrit_min - (
                CAST(45.5 AS FLOAT64)
              )) >= ABS(day.hematocrit_max - (
                CAST(45.5 AS FLOAT64)
              ))
              THEN (
                (
                  CASE
                    WHEN day.hematocrit_min < 41.0
                    THEN 3
                    WHEN day.hematocrit_min < 50.0
                    THEN 0
                    WHEN day.hematocrit_min >= 50.0
                    THEN 3
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.hematocrit_max - (
                CAST(45.5 AS FLOAT64)
              )) >= ABS(day.hematocrit_min - (
                CAST(45.5 AS FLOAT64)
              ))
              THEN (
                (
                  CASE
                    WHEN day.hematocrit_max < 41.0
                    THEN 3
                    WHEN day.hematocrit_max < 50.0
                    THEN 0
                    WHEN day.hematocrit_max >= 50.0
                    THEN 3
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.hematocrit_min - (
              CAST(45.5 AS FLOAT64)
            )) >= ABS(day.hematocrit_max - (
              CAST(45.5 AS FLOAT64)
            ))
            THEN (
              (
                CASE
                  WHEN day.hematocrit_min < 41.0
                  THEN 3
                  WHEN day.hematocrit_min < 50.0
                  THEN 0
                  WHEN day.hematocrit_min >= 50.0
                  THEN 3
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.hematocrit_max - (
              CAST(45.5 AS FLOAT64)
            )) >= ABS(day.hematocrit_min - (
              CAST(45.5 AS FLOAT64)
            ))
            THEN (
              (
                CASE
                  WHEN day.hematocrit_max < 41.0
                  THEN 3
                  WHEN day.hematocrit_max < 50.0
                  THEN 0
                  WHEN day.hematocrit_max >= 50.0
                  THEN 3
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS hematocrit_score,
    (
      CASE
        WHEN NOT day.wbc_min IS NULL AND NOT day.wbc_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.wbc_min - (
                CAST(11.5 AS FLOAT64)
              )) >= ABS(day.wbc_max - (
                CAST(11.5 AS FLOAT64)
              ))
              THEN (
                (
                  CASE
                    WHEN day.wbc_min < 1.0
                    THEN 19
                    WHEN day.wbc_min < 3.0
                    THEN 5
                    WHEN day.wbc_min < 20.0
                    THEN 0
                    WHEN day.wbc_min < 25.0
                    THEN 1
                    WHEN day.wbc_min >= 25.0
                    THEN 5
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.wbc_max - (
                CAST(11.5 AS FLOAT64)
              )) >= ABS(day.wbc_min - (
                CAST(11.5 AS FLOAT64)
              ))
              THEN (
                (
                  CASE
                    WHEN day.wbc_max < 1.0
                    THEN 19
                    WHEN day.wbc_max < 3.0
                    THEN 5
                    WHEN day.wbc_max < 20.0
                    THEN 0
                    WHEN day.wbc_max < 25.0
                    THEN 1
                    WHEN day.wbc_max >= 25.0
                    THEN 5
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.wbc_min - (
              CAST(11.5 AS FLOAT64)
            )) >= ABS(day.wbc_max - (
              CAST(11.5 AS FLOAT64)
            ))
            THEN (
              (
                CASE
                  WHEN day.wbc_min < 1.0
                  THEN 19
                  WHEN day.wbc_min < 3.0
                  THEN 5
                  WHEN day.wbc_min < 20.0
                  THEN 0
                  WHEN day.wbc_min < 25.0
                  THEN 1
                  WHEN day.wbc_min >= 25.0
                  THEN 5
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.wbc_max - (
              CAST(11.5 AS FLOAT64)
            )) >= ABS(day.wbc_min - (
              CAST(11.5 AS FLOAT64)
            ))
            THEN (
              (
                CASE
                  WHEN day.wbc_max < 1.0
                  THEN 19
                  WHEN day.wbc_max < 3.0
                  THEN 5
                  WHEN day.wbc_max < 20.0
                  THEN 0
                  WHEN day.wbc_max < 25.0
                  THEN 1
                  WHEN day.wbc_max >= 25.0
                  THEN 5
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS wbc_score,
    CASE
      WHEN day.renal_failure
      THEN 10
      ELSE (
        CASE
          WHEN NOT day.creatinine_min IS NULL AND NOT day.creatinine_max IS NULL
          THEN COALESCE(
            GREATEST(
              CASE
                WHEN ABS(day.creatinine_min - 1) >= ABS(day.creatinine_max - 1)
                THEN (
                  (
                    CASE
                      WHEN day.creatinine_min < 0.5
                      THEN 3
                      WHEN day.creatinine_min < 1.5
                      THEN 0
                      WHEN day.creatinine_min < 1.95
                      THEN 4
                      WHEN day.creatinine_min >= 1.95
                      THEN 7
                    END
                  )
                )
                ELSE 0
              END,
              CASE
                WHEN ABS(day.creatinine_max - 1) >= ABS(day.creatinine_min - 1)
                THEN (
                  (
                    CASE
                      WHEN day.creatinine_max < 0.5
                      THEN 3
                      WHEN day.creatinine_max < 1.5
                      THEN 0
                      WHEN day.creatinine_max < 1.95
                      THEN 4
                      WHEN day.creatinine_max >= 1.95
                      THEN 7
                    END
                  )
                )
                ELSE 0
              END
            ),
            CASE
              WHEN ABS(day.creatinine_min - 1) >= ABS(day.creatinine_max - 1)
              THEN (
                (
                  CASE
                    WHEN day.creatinine_min < 0.5
                    THEN 3
                    WHEN day.creatinine_min < 1.5
                    THEN 0
                    WHEN day.creatinine_min < 1.95
                    THEN 4
                    WHEN day.creatinine_min >= 1.95
                    THEN 7
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.creatinine_max - 1) >= ABS(day.creatinine_min - 1)
              THEN (
                (
                  CASE
                    WHEN day.creatinine_max < 0.5
                    THEN 3
                    WHEN day.creatinine_max < 1.5
                    THEN 0
                    WHEN day.creatinine_max < 1.95
                    THEN 4
                    WHEN day.creatinine_max >= 1.95
                    THEN 7
                  END
                )
              )
              ELSE 0
            END
          )
        END
      )
    END AS creatinine_score,
    (
      CASE
        WHEN day.urineoutput < 400
        THEN 15
        WHEN day.urineoutput < 600
        THEN 8
        WHEN day.urineoutput < 900
        THEN 7
        WHEN day.urineoutput < 1500
        THEN 5
        WHEN day.urineoutput < 2000
        THEN 4
        WHEN day.urineoutput < 4000
        THEN 0
        WHEN day.urineoutput >= 4000
        THEN 1
      END
    ) AS uo_score, /* rule 9 */
    (
      CASE
        WHEN day.bun_max < 17.0
        THEN 0
        WHEN day.bun_max < 20.0
        THEN 2
        WHEN day.bun_max < 40.0
        THEN 7
        WHEN day.bun_max < 80.0
        THEN 11
        WHEN day.bun_max >= 80.0
        THEN 12
      END
    ) AS bun_score,
    (
      CASE
        WHEN NOT day.sodium_min IS NULL AND NOT day.sodium_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.sodium_min - (
                CAST(145.5 AS FLOAT64)
              )) >= ABS(day.sodium_max - (
                CAST(145.5 AS FLOAT64)
              ))
              THEN (
                (
                  CASE
                    WHEN day.sodium_min < 120
                    THEN 3
                    WHEN day.sodium_min < 135
                    THEN 2
                    WHEN day.sodium_min < 155
                    THEN 0
                    WHEN day.sodium_min >= 155
                    THEN 4
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.sodium_max - (
                CAST(145.5 AS FLOAT64)
              )) >= ABS(day.sodium_min - (
                CAST(145.5 AS FLOAT64)
              ))
              THEN (
                (
                  CASE
                    WHEN day.sodium_max < 120
                    THEN 3
                    WHEN day.sodium_max < 135
                    THEN 2
                    WHEN day.sodium_max < 155
                    THEN 0
                    WHEN day.sodium_max >= 155
                    THEN 4
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.sodium_min - (
              CAST(145.5 AS FLOAT64)
            )) >= ABS(day.sodium_max - (
              CAST(145.5 AS FLOAT64)
            ))
            THEN (
              (
                CASE
                  WHEN day.sodium_min < 120
                  THEN 3
                  WHEN day.sodium_min < 135
                  THEN 2
                  WHEN day.sodium_min < 155
                  THEN 0
                  WHEN day.sodium_min >= 155
                  THEN 4
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.sodium_max - (
              CAST(145.5 AS FLOAT64)
            )) >= ABS(day.sodium_min - (
              CAST(145.5 AS FLOAT64)
            ))
            THEN (
              (
                CASE
                  WHEN day.sodium_max < 120
                  THEN 3
                  WHEN day.sodium_max < 135
                  THEN 2
                  WHEN day.sodium_max < 155
                  THEN 0
                  WHEN day.sodium_max >= 155
                  THEN 4
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS sodium_score,
    (
      CASE
        WHEN NOT day.albumin_min IS NULL AND NOT day.albumin_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.albumin_min - (
                CAST(3.5 AS FLOAT64)
              )) >= ABS(day.albumin_max - (
                CAST(3.5 AS FLOAT64)
              ))
              THEN (
                (
                  CASE
                    WHEN day.albumin_min < 2.0
                    THEN 11
                    WHEN day.albumin_min < 2.5
                    THEN 6
                    WHEN day.albumin_min < 4.5
                    THEN 0
                    WHEN day.albumin_min >= 4.5
                    THEN 4
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.albumin_max - (
                CAST(3.5 AS FLOAT64)
              )) >= ABS(day.albumin_min - (
                CAST(3.5 AS FLOAT64)
              ))
              THEN (
                (
                  CASE
                    WHEN day.albumin_max < 2.0
                    THEN 11
                    WHEN day.albumin_max < 2.5
                    THEN 6
                    WHEN day.albumin_max < 4.5
                    THEN 0
                    WHEN day.albumin_max >= 4.5
                    THEN 4
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.albumin_min - (
              CAST(3.5 AS FLOAT64)
            )) >= ABS(day.albumin_max - (
              CAST(3.5 AS FLOAT64)
            ))
            THEN (
              (
                CASE
                  WHEN day.albumin_min < 2.0
                  THEN 11
                  WHEN day.albumin_min < 2.5
                  THEN 6
                  WHEN day.albumin_min < 4.5
                  THEN 0
                  WHEN day.albumin_min >= 4.5
                  THEN 4
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.albumin_max - (
              CAST(3.5 AS FLOAT64)
            )) >= ABS(day.albumin_min - (
              CAST(3.5 AS FLOAT64)
            ))
            THEN (
              (
                CASE
                  WHEN day.albumin_max < 2.0
                  THEN 11
                  WHEN day.albumin_max < 2.5
                  THEN 6
                  WHEN day.albumin_max < 4.5
                  THEN 0
                  WHEN day.albumin_max >= 4.5
                  THEN 4
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS albumin_score,
    (
      CASE
        WHEN day.bilirubin_total_max < 2.0
        THEN 0
        WHEN day.bilirubin_total_max < 3.0
        THEN 5
        WHEN day.bilirubin_total_max < 5.0
        THEN 6
        WHEN day.bilirubin_total_max < 8.0
        THEN 8
        WHEN day.bilirubin_total_max >= 8.0
        THEN 16
      END
    ) AS bilirubin_score,
    (
      CASE
        WHEN NOT day.glucose_min IS NULL AND NOT day.glucose_max IS NULL
        THEN COALESCE(
          GREATEST(
            CASE
              WHEN ABS(day.glucose_min - 130) >= ABS(day.glucose_max - 130)
              THEN (
                (
                  CASE
                    WHEN day.glucose_min < 40
                    THEN 8
                    WHEN day.glucose_min < 60
                    THEN 9
                    WHEN day.glucose_min < 200
                    THEN 0
                    WHEN day.glucose_min < 350
                    THEN 3
                    WHEN day.glucose_min >= 350
                    THEN 5
                  END
                )
              )
              ELSE 0
            END,
            CASE
              WHEN ABS(day.glucose_max - 130) >= ABS(day.glucose_min - 130)
              THEN (
                (
                  CASE
                    WHEN day.glucose_max < 40
                    THEN 8
                    WHEN day.glucose_max < 60
                    THEN 9
                    WHEN day.glucose_max < 200
                    THEN 0
                    WHEN day.glucose_max < 350
                    THEN 3
                    WHEN day.glucose_max >= 350
                    THEN 5
                  END
                )
              )
              ELSE 0
            END
          ),
          CASE
            WHEN ABS(day.glucose_min - 130) >= ABS(day.glucose_max - 130)
            THEN (
              (
                CASE
                  WHEN day.glucose_min < 40
                  THEN 8
                  WHEN day.glucose_min < 60
                  THEN 9
                  WHEN day.glucose_min < 200
                  THEN 0
                  WHEN day.glucose_min < 350
                  THEN 3
                  WHEN day.glucose_min >= 350
                  THEN 5
                END
              )
            )
            ELSE 0
          END,
          CASE
            WHEN ABS(day.glucose_max - 130) >= ABS(day.glucose_min - 130)
            THEN (
              (
                CASE
                  WHEN day.glucose_max < 40
                  THEN 8
                  WHEN day.glucose_max < 60
                  THEN 9
                  WHEN day.glucose_max < 200
                  THEN 0
                  WHEN day.glucose_max < 350
                  THEN 3
                  WHEN day.glucose_max >= 350
                  THEN 5
                END
              )
            )
            ELSE 0
          END
        )
      END
    ) AS glucose_score,
    day.acidbase_score,
    CASE
      WHEN day.gcs_unable = 1
      THEN 0
      ELSE (
        CASE
          WHEN day.gcs_eyes = 1 AND day.gcs_verbal = 1
          THEN CASE
            WHEN day.gcs_motor IN (1, 2)
            THEN 48
            WHEN day.gcs_motor IN (3, 4)
            THEN 33
            WHEN day.gcs_motor IN (5, 6)
            THEN 16
          END
          WHEN day.gcs_eyes = 1 AND day.gcs_verbal IN (2, 3)
          THEN CASE WHEN day.gcs_motor IN (1, 2) THEN 29 WHEN day.gcs_motor IN (3, 4) THEN 24 END
          WHEN day.gcs_eyes > 1 AND day.gcs_verbal = 1
          THEN CASE
            WHEN day.gcs_motor IN (1, 2)
            THEN 29
            WHEN day.gcs_motor IN (3, 4)
            THEN 24
            WHEN day.gcs_motor IN (5, 6)
            THEN 15
          END
          WHEN day.gcs_eyes > 1 AND day.gcs_verbal IN (2, 3)
          THEN CASE
            WHEN day.gcs_motor IN (1, 2)
            THEN 29
            WHEN day.gcs_motor IN (3, 4)
            THEN 24
            WHEN day.gcs_motor = 5
            THEN 13
            WHEN day.gcs_motor = 6
            THEN 10
          END
          WHEN day.gcs_eyes > 1 AND day.gcs_verbal = 4
          THEN CASE
            WHEN day.gcs_motor IN (1, 2, 3, 4)
            THEN 13
            WHEN day.gcs_motor = 5
            THEN 8
            WHEN day.gcs_motor = 6
            THEN 3
          END
          WHEN day.gcs_eyes > 1 AND day.gcs_verbal = 5
          THEN CASE WHEN day.gcs_motor IN (1, 2, 3, 4, 5) THEN 3 WHEN day.gcs_motor = 6 THEN 0 END
        END
      )
    END AS gcs_score /* rule 11 */
  FROM first_day AS day
), total /* rule 12 */ AS (
  SELECT
    stay_id,
    COALESCE(hr_score, 0) + COALESCE(mbp_score, 0) + COALESCE(temp_score, 0) + COALESCE(resp_rate_score, 0) + COALESCE(pao2_aado2_score, 0) + COALESCE(hematocrit_score, 0) + COALESCE(wbc_score, 0) + COALESCE(creatinine_score, 0) + COALESCE(uo_score, 0) + COALESCE(bun_score, 0) + COALESCE(sodium_score, 0) + COALESCE(albumin_score, 0) + COALESCE(bilirubin_score, 0) + COALESCE(glucose_score, 0) + COALESCE(acidbase_score, 0) + COALESCE(gcs_score, 0) AS apsiii
  FROM scored
)
SELECT
  icu.subject_id,
  icu.hadm_id,
  icu.stay_id,
  COALESCE(total.apsiii, NULL) AS apsiii,
  CAST(1 AS FLOAT64) /* rule 13: the linear part is an exact decimal, a double only under the exponential */ / (
    CAST(1 AS FLOAT64) + EXP(
      -CAST(ROUND(CAST(-4.4360 AS NUMERIC), 5) + ROUND(CAST(0.04726 AS NUMERIC), 5) * CAST(total.apsiii AS NUMERIC) AS FLOAT64)
    )
  ) AS apsiii_prob,
  COALESCE(scored.hr_score, NULL) AS hr_score,
  COALESCE(scored.mbp_score, NULL) AS mbp_score,
  COALESCE(scored.temp_score, NULL) AS temp_score,
  COALESCE(scored.resp_rate_score, NULL) AS resp_rate_score,
  COALESCE(scored.pao2_aado2_score, NULL) AS pao2_aado2_score,
  COALESCE(scored.hematocrit_score, NULL) AS hematocrit_score,
  COALESCE(scored.wbc_score, NULL) AS wbc_score,
  COALESCE(scored.creatinine_score, NULL) AS creatinine_score,
  COALESCE(scored.uo_score, NULL) AS uo_score,
  COALESCE(scored.bun_score, NULL) AS bun_score,
  COALESCE(scored.sodium_score, NULL) AS sodium_score,
  COALESCE(scored.albumin_score, NULL) AS albumin_score,
  COALESCE(scored.bilirubin_score, NULL) AS bilirubin_score,
  COALESCE(scored.glucose_score, NULL) AS glucose_score,
  COALESCE(scored.acidbase_score, NULL) AS acidbase_score,
  COALESCE(scored.gcs_score, NULL) AS gcs_score
FROM mimiciv_icu.icustays AS icu
LEFT JOIN scored
  ON icu.stay_id = scored.stay_id
LEFT JOIN total
  ON icu.stay_id = total.stay_id
;
