-- sofa: SOFA of every hour of the ICU stay and of the 24 hours before it
-- one row per ICU stay and hour from the first monitored one; published convention
-- reads mimiciv_derived.bg, mimiciv_derived.chemistry, mimiciv_derived.complete_blood_count, mimiciv_derived.dobutamine, mimiciv_derived.dopamine, mimiciv_derived.enzyme, mimiciv_derived.epinephrine, mimiciv_derived.gcs, mimiciv_derived.icustay_hourly, mimiciv_derived.norepinephrine, mimiciv_derived.urine_output_rate, mimiciv_derived.ventilation, mimiciv_derived.vitalsign, mimiciv_icu.icustays
/* points of each hour of the stay, and of each organ the worst of 24 hours */
/* rule 1: the hours of a stay follow each other without a gap, so that a time gives the number of its hour */
WITH monitored_stay AS (
  SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    MIN(hourly.hr) AS first_hr,
    MAX(hourly.hr) AS last_hr,
    MIN(hourly.endtime) AS first_endtime,
    MAX(hourly.endtime) AS last_endtime
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_derived.icustay_hourly AS hourly
    ON icu.stay_id = hourly.stay_id
  GROUP BY
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id
), gas /* rule 2: gases by patient, arterial ones only */ AS (
  SELECT
    stay.stay_id,
    bg.charttime,
    bg.pao2fio2ratio
  FROM monitored_stay AS stay
  INNER JOIN mimiciv_derived.bg AS bg
    ON stay.subject_id = bg.subject_id
    AND bg.charttime > stay.first_endtime - INTERVAL 1 HOUR
    AND bg.charttime <= stay.last_endtime
  WHERE
    bg.specimen = 'ART.'
), moment /* one axis of gases and of the starts of invasive ventilation, for a single sweep */ AS (
  SELECT
    stay_id,
    charttime,
    pao2fio2ratio,
    CAST(NULL AS DATETIME) AS ventilated_until
  FROM gas
  UNION ALL
  SELECT
    stay_id,
    starttime AS charttime,
    NULL AS pao2fio2ratio,
    endtime AS ventilated_until
  FROM mimiciv_derived.ventilation
  WHERE
    ventilation_status = 'InvasiveVent'
), swept /* an episode covers a gas when it has begun by then and the latest end so far is not past */ AS (
  SELECT
    stay_id,
    charttime,
    pao2fio2ratio,
    MAX(ventilated_until) OVER (PARTITION BY stay_id ORDER BY charttime RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ventilated_until
  FROM moment
), measurement /* rule 2: all that is measured at a time, under the name of its column */ AS (
  SELECT
    stay_id,
    charttime,
    CASE WHEN ventilated_until >= charttime THEN 'pao2fio2ratio_vent' ELSE 'pao2fio2ratio_novent' END AS name,
    pao2fio2ratio AS value
  FROM swept
  WHERE
    NOT pao2fio2ratio IS NULL
  UNION ALL
  SELECT
    stay_id,
    charttime,
    'meanbp' AS name,
    mbp AS value
  FROM mimiciv_derived.vitalsign
  WHERE
    NOT mbp IS NULL
  UNION ALL
  SELECT
    stay_id,
    charttime,
    'gcs' AS name,
    gcs AS value
  FROM mimiciv_derived.gcs
  WHERE
    NOT gcs IS NULL
  UNION ALL
  SELECT
    stay_id,
    charttime,
    'uo_24hr' AS name,
    IEEE_DIVIDE(urineoutput_24hr, CAST(uo_tm_24hr AS FLOAT64)) * 24 AS value
  FROM mimiciv_derived.urine_output_rate
  WHERE
    uo_tm_24hr >= 22 AND uo_tm_24hr <= 30
  UNION ALL
  /* laboratory values by the admission of the stay, or by patient */
  SELECT
    stay.stay_id,
    lab.charttime,
    'bilirubin' AS name,
    lab.bilirubin_total AS value
  FROM monitored_stay AS stay
  INNER JOIN mimiciv_derived.enzyme AS lab
    ON stay.hadm_id = lab.hadm_id
  WHERE
    NOT lab.bilirubin_total IS NULL
  UNION ALL
  SELECT
    stay.stay_id,
    lab.charttime,
    'creatinine' AS name,
    lab.creatinine AS value
  FROM monitored_stay AS stay
  INNER JOIN mimiciv_derived.chemistry AS lab
    ON stay.hadm_id = lab.hadm_id
  WHERE
    NOT lab.creatinine IS NULL
  UNION ALL
  SELECT
    stay.stay_id,
    lab.charttime,
    'platelet' AS name,
    lab.platelet AS value
  FROM monitored_stay AS stay
  INNER JOIN mimiciv_derived.complete_blood_count AS lab
    ON stay.hadm_id = lab.hadm_id
  WHERE
    NOT lab.platelet IS NULL
), measurement_in_hour /* rule 1: the start of an hour is not in it, its end is */ AS (
  SELECT
    stay.stay_id,
    stay.first_hr + CAST(CEIL(
      (
        CAST(DATETIME_DIFF(measurement.charttime, stay.first_endtime, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
      )
    ) AS INT64) AS hr,
    measurement.name,
    measurement.value
  FROM monitored_stay AS stay
  INNER JOIN measurement
    ON stay.stay_id = measurement.stay_id
    AND measurement.charttime > stay.first_endtime - INTERVAL 1 HOUR
    AND measurement.charttime <= stay.last_endtime
), measured_hour AS (
  SELECT
    stay_id,
    hr,
    MIN(CASE WHEN name = 'pao2fio2ratio_novent' THEN value END) AS pao2fio2ratio_novent,
    MIN(CASE WHEN name = 'pao2fio2ratio_vent' THEN value END) AS pao2fio2ratio_vent,
    MIN(CASE WHEN name = 'meanbp' THEN value END) AS meanbp_min,
    MIN(CASE WHEN name = 'gcs' THEN value END) AS gcs_min,
    MAX(CASE WHEN name = 'uo_24hr' THEN value END) AS uo_24hr,
    MAX(CASE WHEN name = 'bilirubin' THEN value END) AS bilirubin_max,
    MAX(CASE WHEN name = 'creatinine' THEN value END) AS creatinine_max,
    MIN(CASE WHEN name = 'platelet' THEN value END) AS platelet_min
  FROM measurement_in_hour
  GROUP BY
    stay_id,
    hr
), infusion AS (
  SELECT
    stay_id,
    starttime,
    endtime,
    'epinephrine' AS agent,
    vaso_rate
  FROM mimiciv_derived.epinephrine
  UNION ALL
  SELECT
    stay_id,
    starttime,
    endtime,
    'norepinephrine' AS agent,
    vaso_rate
  FROM mimiciv_derived.norepinephrine
  UNION ALL
  SELECT
    stay_id,
    starttime,
    endtime,
    'dopamine' AS agent,
    vaso_rate
  FROM mimiciv_derived.dopamine
  UNION ALL
  SELECT
    stay_id,
    starttime,
    endtime,
    'dobutamine' AS agent,
    vaso_rate
  FROM mimiciv_derived.dobutamine
), infusion_run /* rule 3: the run of hours whose end lies after the start of the infusion and not after its end */ AS (
  SELECT
    stay.stay_id,
    infusion.agent,
    infusion.vaso_rate,
    COALESCE(
      GREATEST(
        stay.first_hr,
        stay.first_hr + CAST(FLOOR(
          (
            CAST(DATETIME_DIFF(infusion.starttime, stay.first_endtime, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
          )
        ) AS INT64) + 1
      ),
      stay.first_hr,
      stay.first_hr + CAST(FLOOR(
        (
          CAST(DATETIME_DIFF(infusion.starttime, stay.first_endtime, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
        )
      ) AS INT64) + 1
    ) AS from_hr,
    COALESCE(
      LEAST(
        stay.last_hr,
        stay.first_hr + CAST(FLOOR(
          (
            CAST(DATETIME_DIFF(infusion.endtime, stay.first_endtime, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
          )
        ) AS INT64)
      ),
      stay.last_hr,
      stay.first_hr + CAST(FLOOR(
        (
          CAST(DATETIME_DIFF(infusion.endtime, stay.first_endtime, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
        )
      ) AS INT64)
    ) AS to_hr
  FROM monitored_stay AS stay
  INNER JOIN infusion AS infusion
    ON stay.stay_id = infusion.stay_id
    AND infusion.starttime < stay.last_endtime
    AND infusion.endtime >= stay.first_endtime
  WHERE
    NOT infusion.vaso_rate IS NULL
), infused_hour AS (
  SELECT
    run.stay_id,
    `within` AS hr,
    MAX(CASE WHEN run.agent = 'epinephrine' THEN run.vaso_rate END) AS rate_epinephrine,
    MAX(CASE WHEN run.agent = 'norepinephrine' THEN run.vaso_rate END) AS rate_norepinephrine,
    MAX(CASE WHEN run.agent = 'dopamine' THEN run.vaso_rate END) AS rate_dopamine,
    MAX(CASE WHEN run.agent = 'dobutamine' THEN run.vaso_rate END) AS rate_dobutamine
  FROM infusion_run AS run
  CROSS JOIN UNNEST(GENERATE_ARRAY(run.from_hr, run.to_hr)) AS `within`
  WHERE
    run.from_hr <= run.to_hr
  GROUP BY
    run.stay_id,
    `within`
), scored_hour /* rule 4: a recorded rate of epinephrine or norepinephrine, even of 0, scores */ AS (
  SELECT
    hourly.stay_id,
    hourly.hr,
    hourly.endtime,
    measured.pao2fio2ratio_novent,
    measured.pao2fio2ratio_vent,
    infused.rate_epinephrine,
    infused.rate_norepinephrine,
    infused.rate_dopamine,
    infused.rate_dobutamine,
    measured.meanbp_min,
    measured.gcs_min,
    measured.uo_24hr,
    measured.bilirubin_max,
    measured.creatinine_max,
    measured.platelet_min,
    (
      CASE
        WHEN measured.pao2fio2ratio_vent < 100
        THEN 4
        WHEN measured.pao2fio2ratio_vent < 200
        THEN 3
        WHEN measured.pao2fio2ratio_novent < 300 OR measured.pao2fio2ratio_vent < 300
        THEN 2
        WHEN measured.pao2fio2ratio_novent < 400 OR measured.pao2fio2ratio_vent < 400
        THEN 1
        WHEN COALESCE(measured.pao2fio2ratio_vent, measured.pao2fio2ratio_novent) IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS respiration,
    (
      CASE
        WHEN measured.platelet_min < 20
        THEN 4
        WHEN measured.platelet_min < 50
        THEN 3
        WHEN measured.platelet_min < 100
        THEN 2
        WHEN measured.platelet_min < 150
        THEN 1
        WHEN measured.platelet_min IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS coagulation,
    (
      CASE
        WHEN measured.bilirubin_max >= 12.0
        THEN 4
        WHEN measured.bilirubin_max >= 6.0
        THEN 3
        WHEN measured.bilirubin_max >= 2.0
        THEN 2
        WHEN measured.bilirubin_max >= 1.2
        THEN 1
        WHEN measured.bilirubin_max IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS liver,
    (
      CASE
        WHEN infused.rate_dopamine > 15 OR infused.rate_epinephrine > 0.1 OR infused.rate_norepinephrine > 0.1
        THEN 4
        WHEN infused.rate_dopamine > 5
        OR (
          NOT infused.rate_epinephrine IS NULL OR NOT infused.rate_norepinephrine IS NULL
        )
        THEN 3
        WHEN infused.rate_dopamine > 0 OR infused.rate_dobutamine > 0
        THEN 2
        WHEN measured.meanbp_min < 70
        THEN 1
        WHEN COALESCE(
          measured.meanbp_min,
          infused.rate_dopamine,
          infused.rate_dobutamine,
          infused.rate_epinephrine,
          infused.rate_norepinephrine
        ) IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS cardiovascular,
    (
      CASE
        WHEN measured.gcs_min >= 13 AND measured.gcs_min <= 14
        THEN 1
        WHEN measured.gcs_min >= 10 AND measured.gcs_min <= 12
        THEN 2
        WHEN measured.gcs_min >= 6 AND measured.gcs_min <= 9
        THEN 3
        WHEN measured.gcs_min < 6
        THEN 4
        WHEN measured.gcs_min IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS cns,
    (
      CASE
        WHEN measured.creatinine_max >= 5.0 OR measured.uo_24hr < 200
        THEN 4
        WHEN measured.creatinine_max >= 3.5 OR measured.uo_24hr < 500
        THEN 3
        WHEN measured.creatinine_max >= 2.0
        THEN 2
        WHEN measured.creatinine_max >= 1.2
        THEN 1
        WHEN COALESCE(measured.creatinine_max, measured.uo_24hr) IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS renal
  FROM monitored_stay AS stay
  INNER JOIN mimiciv_derived.icustay_hourly AS hourly
    ON stay.stay_id = hourly.stay_id
  LEFT JOIN measured_hour AS measured
    ON hourly.stay_id = measured.stay_id AND hourly.hr = measured.hr
  LEFT JOIN infused_hour AS infused
    ON hourly.stay_id = infused.stay_id AND hourly.hr = infused.hr
), trailing_day /* rule 5: rows are counted, the negative hours with them */ AS (
  SELECT
    stay_id,
    hr,
    endtime,
    pao2fio2ratio_novent,
    pao2fio2ratio_vent,
    rate_epinephrine,
    rate_norepinephrine,
    rate_dopamine,
    rate_dobutamine,
    meanbp_min,
    gcs_min,
    uo_24hr,
    bilirubin_max,
    creatinine_max,
    platelet_min,
    respiration,
    coagulation,
    liver,
    cardiovascular,
    cns,
    renal,
    COALESCE(MAX(respiration) OVER back_24h, 0) AS respiration_24hours,
    COALESCE(MAX(coagulation) OVER back_24h, 0) AS coagulation_24hours,
    COALESCE(MAX(liver) OVER back_24h, 0) AS liver_24hours,
    COALESCE(MAX(cardiovascular) OVER back_24h, 0) AS cardiovascular_24hours,
    COALESCE(MAX(cns) OVER back_24h, 0) AS cns_24hours,
    COALESCE(MAX(renal) OVER back_24h, 0) AS renal_24hours
  FROM scored_hour
  WINDOW back_24h AS (PARTITION BY stay_id ORDER BY hr ROWS BETWEEN 23 PRECEDING AND CURRENT ROW)
)
/* rule 6 */
SELECT
  stay_id,
  hr,
  endtime - INTERVAL 1 HOUR AS starttime,
  endtime,
  pao2fio2ratio_novent,
  pao2fio2ratio_vent,
  rate_epinephrine,
  rate_norepinephrine,
  rate_dopamine,
  rate_dobutamine,
  meanbp_min,
  gcs_min,
  uo_24hr,
  bilirubin_max,
  creatinine_max,
  platelet_min,
  respiration,
  coagulation,
  liver,
  cardiovascular,
  cns,
  renal,
  respiration_24hours,
  coagulation_24hours,
  liver_24hours,
  cardiovascular_24hours,
  cns_24hours,
  renal_24hours,
  COALESCE(respiration_24hours, 0) + COALESCE(coagulation_24hours, 0) + COALESCE(liver_24hours, 0) + COALESCE(cardiovascular_24hours, 0) + COALESCE(cns_24hours, 0) + COALESCE(renal_24hours, 0) AS sofa_24hours
FROM trailing_day
WHERE
  hr >= 0
;
