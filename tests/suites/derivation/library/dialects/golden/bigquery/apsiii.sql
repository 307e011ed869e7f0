-- apsiii: Acute Physiology Score III of the ICU stay
-- one row per ICU stay; published convention
-- reads mimiciv_derived.bg, mimiciv_derived.first_day_gcs, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_vitalsign, mimiciv_derived.ventilation, mimiciv_hosp.admissions, mimiciv_hosp.diagnoses_icd, mimiciv_hosp.patients, mimiciv_icu.icustays
/* sixteen components; physiology of the first day, gases of the whole stay */
/* table C: points of a value from a lower end on, the lowest band without one */
WITH band_start AS (
  SELECT
    scale,
    lower_end,
    points
  FROM UNNEST([
    STRUCT('heart rate' AS scale, CAST(NULL AS FLOAT64) AS lower_end, 8 AS points),
    STRUCT('heart rate' AS scale, 40.0 AS lower_end, 5 AS points),
    STRUCT('heart rate' AS scale, 50.0 AS lower_end, 0 AS points),
    STRUCT('heart rate' AS scale, 100.0 AS lower_end, 1 AS points),
    STRUCT('heart rate' AS scale, 110.0 AS lower_end, 5 AS points),
    STRUCT('heart rate' AS scale, 120.0 AS lower_end, 7 AS points),
    STRUCT('heart rate' AS scale, 140.0 AS lower_end, 13 AS points),
    STRUCT('heart rate' AS scale, 155.0 AS lower_end, 17 AS points),
    STRUCT('mean pressure' AS scale, NULL AS lower_end, 23 AS points),
    STRUCT('mean pressure' AS scale, 40.0 AS lower_end, 15 AS points),
    STRUCT('mean pressure' AS scale, 60.0 AS lower_end, 7 AS points),
    STRUCT('mean pressure' AS scale, 70.0 AS lower_end, 6 AS points),
    STRUCT('mean pressure' AS scale, 80.0 AS lower_end, 0 AS points),
    STRUCT('mean pressure' AS scale, 100.0 AS lower_end, 4 AS points),
    STRUCT('mean pressure' AS scale, 120.0 AS lower_end, 7 AS points),
    STRUCT('mean pressure' AS scale, 130.0 AS lower_end, 9 AS points),
    STRUCT('mean pressure' AS scale, 140.0 AS lower_end, 10 AS points),
    STRUCT('temperature' AS scale, NULL AS lower_end, 20 AS points),
    STRUCT('temperature' AS scale, 33.0 AS lower_end, 16 AS points),
    STRUCT('temperature' AS scale, 33.5 AS lower_end, 13 AS points),
    STRUCT('temperature' AS scale, 34.0 AS lower_end, 8 AS points),
    STRUCT('temperature' AS scale, 35.0 AS lower_end, 2 AS points),
    STRUCT('temperature' AS scale, 36.0 AS lower_end, 0 AS points),
    STRUCT('temperature' AS scale, 40.0 AS lower_end, 4 AS points),
    STRUCT('respiratory rate' AS scale, NULL AS lower_end, 17 AS points),
    STRUCT('respiratory rate' AS scale, 6.0 AS lower_end, 8 AS points),
    STRUCT('respiratory rate' AS scale, 12.0 AS lower_end, 7 AS points),
    STRUCT('respiratory rate' AS scale, 14.0 AS lower_end, 0 AS points),
    STRUCT('respiratory rate' AS scale, 25.0 AS lower_end, 6 AS points),
    STRUCT('respiratory rate' AS scale, 35.0 AS lower_end, 9 AS points),
    STRUCT('respiratory rate' AS scale, 40.0 AS lower_end, 11 AS points),
    STRUCT('respiratory rate' AS scale, 50.0 AS lower_end, 18 AS points),
    STRUCT('ventilated respiratory rate' AS scale, NULL AS lower_end, 0 AS points),
    STRUCT('ventilated respiratory rate' AS scale, 25.0 AS lower_end, 6 AS points),
    STRUCT('ventilated respiratory rate' AS scale, 35.0 AS lower_end, 9 AS points),
    STRUCT('ventilated respiratory rate' AS scale, 40.0 AS lower_end, 11 AS points),
    STRUCT('ventilated respiratory rate' AS scale, 50.0 AS lower_end, 18 AS points),
    STRUCT('hematocrit' AS scale, NULL AS lower_end, 3 AS points),
    STRUCT('hematocrit' AS scale, 41.0 AS lower_end, 0 AS points),
    STRUCT('hematocrit' AS scale, 50.0 AS lower_end, 3 AS points),
    STRUCT('white cells' AS scale, NULL AS lower_end, 19 AS points),
    STRUCT('white cells' AS scale, 1.0 AS lower_end, 5 AS points),
    STRUCT('white cells' AS scale, 3.0 AS lower_end, 0 AS points),
    STRUCT('white cells' AS scale, 20.0 AS lower_end, 1 AS points),
    STRUCT('white cells' AS scale, 25.0 AS lower_end, 5 AS points),
    STRUCT('creatinine' AS scale, NULL AS lower_end, 3 AS points),
    STRUCT('creatinine' AS scale, 0.5 AS lower_end, 0 AS points),
    STRUCT('creatinine' AS scale, 1.5 AS lower_end, 4 AS points),
    STRUCT('creatinine' AS scale, 1.95 AS lower_end, 7 AS points),
    STRUCT('creatinine in acute renal failure' AS scale, NULL AS lower_end, 10 AS points),
    STRUCT('urea nitrogen' AS scale, NULL AS lower_end, 0 AS points),
    STRUCT('urea nitrogen' AS scale, 17.0 AS lower_end, 2 AS points),
    STRUCT('urea nitrogen' AS scale, 20.0 AS lower_end, 7 AS points),
    STRUCT('urea nitrogen' AS scale, 40.0 AS lower_end, 11 AS points),
    STRUCT('urea nitrogen' AS scale, 80.0 AS lower_end, 12 AS points),
    STRUCT('sodium' AS scale, NULL AS lower_end, 3 AS points),
    STRUCT('sodium' AS scale, 120.0 AS lower_end, 2 AS points),
    STRUCT('sodium' AS scale, 135.0 AS lower_end, 0 AS points),
    STRUCT('sodium' AS scale, 155.0 AS lower_end, 4 AS points),
    STRUCT('albumin' AS scale, NULL AS lower_end, 11 AS points),
    STRUCT('albumin' AS scale, 2.0 AS lower_end, 6 AS points),
    STRUCT('albumin' AS scale, 2.5 AS lower_end, 0 AS points),
    STRUCT('albumin' AS scale, 4.5 AS lower_end, 4 AS points),
    STRUCT('bilirubin' AS scale, NULL AS lower_end, 0 AS points),
    STRUCT('bilirubin' AS scale, 2.0 AS lower_end, 5 AS points),
    STRUCT('bilirubin' AS scale, 3.0 AS lower_end, 6 AS points),
    STRUCT('bilirubin' AS scale, 5.0 AS lower_end, 8 AS points),
    STRUCT('bilirubin' AS scale, 8.0 AS lower_end, 16 AS points),
    STRUCT('glucose' AS scale, NULL AS lower_end, 8 AS points),
    STRUCT('glucose' AS scale, 40.0 AS lower_end, 9 AS points),
    STRUCT('glucose' AS scale, 60.0 AS lower_end, 0 AS points),
    STRUCT('glucose' AS scale, 200.0 AS lower_end, 3 AS points),
    STRUCT('glucose' AS scale, 350.0 AS lower_end, 5 AS points)
  ]) AS listed
), band /* a band ends where the next begins */ AS (
  SELECT
    scale,
    lower_end,
    LEAD(lower_end) OVER (PARTITION BY scale ORDER BY lower_end) AS upper_end,
    points
  FROM band_start
), arterial_gas /* rule A: by admission, over the whole stay */ AS (
  SELECT
    icu.stay_id,
    bg.charttime,
    bg.po2,
    bg.aado2,
    COALESCE(bg.fio2, bg.fio2_chartevents) AS fio2,
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
    END AS acidbase_points /* rule 3 with table D */
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
        WHEN icd_version = 9 AND SUBSTRING(icd_code, 1, 4) IN ('5854', '5855', '5856')
        THEN 1
        WHEN icd_version = 10 AND SUBSTRING(icd_code, 1, 4) IN ('N184', 'N185', 'N186')
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
), first_day AS (
  SELECT
    icu.stay_id,
    vital.heart_rate_min,
    vital.heart_rate_max,
    vital.mbp_min,
    vital.mbp_max,
    vital.temperature_min,
    vital.temperature_max,
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
), measure /* rule 8: what is scored with its distance from the reference point; where always the maximum counts it */ /* stands for both */ AS (
  SELECT
    stay_id,
    'heart rate' AS scale,
    heart_rate_min AS lowest,
    heart_rate_max AS highest,
    ABS(heart_rate_min - 75) AS distance_of_lowest,
    ABS(heart_rate_max - 75) AS distance_of_highest
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    'mean pressure',
    mbp_min,
    mbp_max,
    ABS(mbp_min - 90),
    ABS(mbp_max - 90)
  FROM first_day
  UNION ALL
  /* exact decimals until the distance is known */
  SELECT
    stay_id,
    'temperature',
    CAST(temperature_min AS FLOAT64),
    CAST(temperature_max AS FLOAT64),
    CAST(ABS(temperature_min - 38) AS FLOAT64),
    CAST(ABS(temperature_max - 38) AS FLOAT64)
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    CASE WHEN ventilated THEN 'ventilated respiratory rate' ELSE 'respiratory rate' END,
    resp_rate_min,
    resp_rate_max,
    ABS(resp_rate_min - 19),
    ABS(resp_rate_max - 19)
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    'hematocrit',
    hematocrit_min,
    hematocrit_max,
    ABS(hematocrit_min - CAST(45.5 AS FLOAT64)),
    ABS(hematocrit_max - CAST(45.5 AS FLOAT64))
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    'white cells',
    wbc_min,
    wbc_max,
    ABS(wbc_min - CAST(11.5 AS FLOAT64)),
    ABS(wbc_max - CAST(11.5 AS FLOAT64))
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    'creatinine',
    creatinine_min,
    creatinine_max,
    ABS(creatinine_min - 1),
    ABS(creatinine_max - 1)
  FROM first_day
  WHERE
    NOT renal_failure
  UNION ALL
  SELECT
    stay_id,
    'creatinine in acute renal failure',
    creatinine_max,
    creatinine_max,
    creatinine_max,
    creatinine_max
  FROM first_day
  WHERE
    renal_failure
  UNION ALL
  SELECT
    stay_id,
    'urea nitrogen',
    bun_max,
    bun_max,
    bun_max,
    bun_max
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    'sodium',
    sodium_min,
    sodium_max,
    ABS(sodium_min - CAST(145.5 AS FLOAT64)),
    ABS(sodium_max - CAST(145.5 AS FLOAT64))
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    'albumin',
    albumin_min,
    albumin_max,
    ABS(albumin_min - CAST(3.5 AS FLOAT64)),
    ABS(albumin_max - CAST(3.5 AS FLOAT64))
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    'bilirubin',
    bilirubin_total_max,
    bilirubin_total_max,
    bilirubin_total_max,
    bilirubin_total_max
  FROM first_day
  UNION ALL
  SELECT
    stay_id,
    'glucose',
    glucose_min,
    glucose_max,
    ABS(glucose_min - 130),
    ABS(glucose_max - 130)
  FROM first_day
), chosen /* rule 8: the value farther from the reference point, at equal distance the larger points */ AS (
  SELECT
    measure.stay_id,
    measure.scale,
    CASE
      WHEN measure.distance_of_highest > measure.distance_of_lowest
      THEN of_highest.points
      WHEN measure.distance_of_highest < measure.distance_of_lowest
      THEN of_lowest.points
      ELSE COALESCE(GREATEST(of_lowest.points, of_highest.points), of_lowest.points, of_highest.points)
    END AS points
  FROM measure
  INNER JOIN band AS of_lowest
    ON measure.scale = of_lowest.scale
    AND (
      of_lowest.lower_end IS NULL OR measure.lowest >= of_lowest.lower_end
    )
    AND (
      of_lowest.upper_end IS NULL OR measure.lowest < of_lowest.upper_end
    )
  INNER JOIN band AS of_highest
    ON measure.scale = of_highest.scale
    AND (
      of_highest.lower_end IS NULL OR measure.highest >= of_highest.lower_end
    )
    AND (
      of_highest.upper_end IS NULL OR measure.highest < of_highest.upper_end
    )
), points_of_stay AS (
  SELECT
    stay_id,
    MAX(CASE WHEN scale = 'heart rate' THEN points END) AS hr_score,
    MAX(CASE WHEN scale = 'mean pressure' THEN points END) AS mbp_score,
    MAX(CASE WHEN scale = 'temperature' THEN points END) AS temp_score,
    MAX(CASE WHEN scale IN ('respiratory rate', 'ventilated respiratory rate') THEN points END) AS resp_rate_score,
    MAX(CASE WHEN scale = 'hematocrit' THEN points END) AS hematocrit_score,
    MAX(CASE WHEN scale = 'white cells' THEN points END) AS wbc_score,
    MAX(CASE WHEN scale IN ('creatinine', 'creatinine in acute renal failure') THEN points END) AS creatinine_score,
    MAX(CASE WHEN scale = 'urea nitrogen' THEN points END) AS bun_score,
    MAX(CASE WHEN scale = 'sodium' THEN points END) AS sodium_score,
    MAX(CASE WHEN scale = 'albumin' THEN points END) AS albumin_score,
    MAX(CASE WHEN scale = 'bilirubin' THEN points END) AS bilirubin_score,
    MAX(CASE WHEN scale = 'glucose' THEN points END) AS glucose_score
  FROM chosen
  GROUP BY
    stay_id
), scored /* the first line that holds gives the points */ AS (
  SELECT
    day.stay_id,
    points.hr_score,
    points.mbp_score,
    points.temp_score,
    points.resp_rate_score,
    CASE
      WHEN day.pao2 < 50
      THEN 15
      WHEN day.pao2 < 70
      THEN 5
      WHEN day.pao2 < 80
      THEN 2
      WHEN day.pao2 >= 80
      THEN 0
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
    END AS pao2_aado2_score, /* rule 10 */
    points.hematocrit_score,
    points.wbc_score,
    points.creatinine_score,
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
    END AS uo_score, /* rule 9 */
    points.bun_score,
    points.sodium_score,
    points.albumin_score,
    points.bilirubin_score,
    points.glucose_score,
    day.acidbase_score,
    CASE
      WHEN day.gcs_unable = 1
      THEN 0
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
    END AS gcs_score /* rule 11 */
  FROM first_day AS day
  LEFT JOIN points_of_stay AS points
    ON day.stay_id = points.stay_id
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
  total.apsiii,
  CAST(1 AS FLOAT64) /* rule 13: the linear part is an exact decimal, a double only under the exponential */ / (
    CAST(1 AS FLOAT64) + EXP(
      -CAST(ROUND(CAST(-4.4360 AS NUMERIC), 5) + ROUND(CAST(0.04726 AS NUMERIC), 5) * CAST(total.apsiii AS NUMERIC) AS FLOAT64)
    )
  ) AS apsiii_prob,
  scored.hr_score,
  scored.mbp_score,
  scored.temp_score,
  scored.resp_rate_score,
  scored.pao2_aado2_score,
  scored.hematocrit_score,
  scored.wbc_score,
  scored.creatinine_score,
  scored.uo_score,
  scored.bun_score,
  scored.sodium_score,
  scored.albumin_score,
  scored.bilirubin_score,
  scored.glucose_score,
  scored.acidbase_score,
  scored.gcs_score
FROM mimiciv_icu.icustays AS icu
LEFT JOIN scored
  ON icu.stay_id = scored.stay_id
LEFT JOIN total
  ON icu.stay_id = total.stay_id
;
