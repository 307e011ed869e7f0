-- first_day_sofa: SOFA of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.bg, mimiciv_derived.dobutamine, mimiciv_derived.dopamine, mimiciv_derived.epinephrine, mimiciv_derived.first_day_gcs, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_vitalsign, mimiciv_derived.norepinephrine, mimiciv_derived.ventilation, mimiciv_icu.icustays
/* Sequential Organ Failure Assessment of the first hours in the ICU, per stay. */
WITH first_hours AS (
  /* rules 1 and 2: closed window */
  SELECT
    subject_id,
    hadm_id,
    stay_id,
    outtime,
    intime - INTERVAL 6 HOUR AS opens,
    intime + INTERVAL 24 HOUR AS closes, /* of what is charted under the stay */
    intime + INTERVAL 24 HOUR AS ends /* of what could be another stay's */
  FROM mimiciv_icu.icustays
), infusion AS (
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
    'epinephrine' AS agent,
    vaso_rate
  FROM mimiciv_derived.epinephrine
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
), infusion_in_window AS (
  /* rule 1 */
  SELECT
    first_hours.stay_id,
    infusion.agent,
    infusion.vaso_rate,
    COALESCE(GREATEST(infusion.starttime, first_hours.opens), infusion.starttime, first_hours.opens) AS starttime,
    COALESCE(LEAST(infusion.endtime, first_hours.ends), infusion.endtime, first_hours.ends) AS endtime
  FROM first_hours
  JOIN infusion
    ON infusion.stay_id = first_hours.stay_id
    AND infusion.starttime >= first_hours.opens
    AND infusion.starttime <= first_hours.ends
), rate AS (
  SELECT
    stay_id,
    MAX(CASE WHEN agent = 'norepinephrine' THEN vaso_rate END) AS norepinephrine,
    MAX(CASE WHEN agent = 'epinephrine' THEN vaso_rate END) AS epinephrine,
    MAX(CASE WHEN agent = 'dopamine' THEN vaso_rate END) AS dopamine,
    MAX(CASE WHEN agent = 'dobutamine' THEN vaso_rate END) AS dobutamine
  FROM infusion_in_window AS given
  GROUP BY
    stay_id
), gas AS (
  /* rule 2: by patient */
  SELECT
    first_hours.stay_id,
    gas.charttime,
    gas.pao2fio2ratio
  FROM first_hours
  JOIN mimiciv_derived.bg AS gas
    ON gas.subject_id = first_hours.subject_id
    AND gas.charttime >= first_hours.opens
    AND gas.charttime <= first_hours.ends
  WHERE
    TRUE
), moment AS (
  /* one axis of gases and of the starts of respiratory support, for a single sweep */
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
), swept AS (
  /* rule 2: an episode covers a gas when it has begun by then and the latest end so far is not past */
  SELECT
    stay_id,
    charttime,
    pao2fio2ratio,
    MAX(supported_until) OVER (
      PARTITION BY stay_id
      ORDER BY charttime IS NULL ASC, charttime
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS supported_until
  FROM moment
), oxygenation AS (
  /* rule 2 */
  SELECT
    stay_id,
    MIN(CASE WHEN supported_until >= charttime THEN pao2fio2ratio END) AS supported,
    MIN(CASE WHEN supported_until IS NULL OR supported_until < charttime THEN pao2fio2ratio END) AS unsupported
  FROM swept
  GROUP BY
    stay_id
), bedside AS (
  /* pressure, coma scale and urine, by stay */
  SELECT
    first_hours.stay_id,
    MIN(charted.mbp_min) AS mbp_min,
    MIN(charted.gcs_min) AS gcs_min,
    MAX(charted.urineoutput) AS urineoutput
  FROM first_hours
  JOIN (
    SELECT
      stay_id,
      mbp_min,
      CAST(NULL AS FLOAT64) AS gcs_min,
      CAST(NULL AS FLOAT64) AS urineoutput
    FROM mimiciv_derived.first_day_vitalsign
    UNION ALL
    SELECT
      stay_id,
      NULL AS mbp_min,
      gcs_min,
      NULL AS urineoutput
    FROM mimiciv_derived.first_day_gcs
    UNION ALL
    SELECT
      stay_id,
      NULL AS mbp_min,
      NULL AS gcs_min,
      urineoutput
    FROM mimiciv_derived.first_day_urine_output
  ) AS charted
    ON charted.stay_id = first_hours.stay_id AND TRUE
  GROUP BY
    first_hours.stay_id
), laboratory AS (
  SELECT
    first_hours.stay_id,
    MIN(lab.platelets_min) AS platelets_min,
    MAX(lab.bilirubin_total_max) AS bilirubin_total_max,
    MAX(lab.creatinine_max) AS creatinine_max
  FROM first_hours
  JOIN (
    SELECT
      stay_id,
      platelets_min,
      bilirubin_total_max,
      creatinine_max
    FROM mimiciv_derived.first_day_lab
  ) AS lab
    ON lab.stay_id = first_hours.stay_id
  GROUP BY
    first_hours.stay_id
), component AS (
  /* rule 3 */
  SELECT
    first_hours.subject_id,
    first_hours.hadm_id,
    first_hours.stay_id,
    (
      CASE
        WHEN oxygenation.supported < 100
        THEN 4
        WHEN oxygenation.supported < 200
        THEN 3
        WHEN oxygenation.unsupported < 300 OR (
          CAST(NULL AS FLOAT64)
        ) < 300
        THEN 2
        WHEN oxygenation.unsupported < 400 OR (
          CAST(NULL AS FLOAT64)
        ) < 400
        THEN 1
        WHEN COALESCE(oxygenation.supported, oxygenation.unsupported) IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS respiration,
    (
      CASE
        WHEN laboratory.platelets_min < 20
        THEN 4
        WHEN laboratory.platelets_min < 50
        THEN 3
        WHEN laboratory.platelets_min < 100
        THEN 2
        WHEN laboratory.platelets_min < 150
        THEN 1
        WHEN laboratory.platelets_min IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS coagulation,
    (
      CASE
        WHEN laboratory.bilirubin_total_max >= 12.0
        THEN 4
        WHEN laboratory.bilirubin_total_max >= 6.0
        THEN 3
        WHEN laboratory.bilirubin_total_max >= 2.0
        THEN 2
        WHEN laboratory.bilirubin_total_max >= 1.2
        THEN 1
        WHEN laboratory.bilirubin_total_max IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS liver,
    (
      CASE
        WHEN rate.dopamine > 15 OR rate.epinephrine > 0.1 OR rate.norepinephrine > 0.1
        THEN 4
        WHEN rate.dopamine > 5 OR (
          NOT rate.epinephrine IS NULL OR NOT rate.norepinephrine IS NULL
        )
        THEN 3
        WHEN rate.dopamine > 0 OR rate.dobutamine > 0
        THEN 2
        WHEN bedside.mbp_min < 70
        THEN 1
        WHEN COALESCE(bedside.mbp_min, rate.dopamine, rate.dobutamine, rate.epinephrine, rate.norepinephrine) IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS cardiovascular,
    (
      CASE
        WHEN bedside.gcs_min >= 13 AND bedside.gcs_min <= 14
        THEN 1
        WHEN bedside.gcs_min >= 10 AND bedside.gcs_min <= 12
        THEN 2
        WHEN bedside.gcs_min >= 6 AND bedside.gcs_min <= 9
        THEN 3
        WHEN bedside.gcs_min < 6
        THEN 4
        WHEN bedside.gcs_min IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS cns,
    (
      CASE
        WHEN laboratory.creatinine_max >= 5.0 OR (
          CASE WHEN TRUE THEN bedside.urineoutput END
        ) < 200
        THEN 4
        WHEN laboratory.creatinine_max >= 3.5 OR (
          CASE WHEN TRUE THEN bedside.urineoutput END
        ) < 500
        THEN 3
        WHEN laboratory.creatinine_max >= 2.0
        THEN 2
        WHEN laboratory.creatinine_max >= 1.2
        THEN 1
        WHEN COALESCE(laboratory.creatinine_max, (
          CASE WHEN TRUE THEN bedside.urineoutput END
        )) IS NULL
        THEN NULL
        ELSE 0
      END
    ) AS renal
  FROM first_hours
  LEFT JOIN rate
    ON rate.stay_id = first_hours.stay_id
  LEFT JOIN oxygenation
    ON oxygenation.stay_id = first_hours.stay_id
  LEFT JOIN bedside
    ON bedside.stay_id = first_hours.stay_id
  LEFT JOIN laboratory
    ON laboratory.stay_id = first_hours.stay_id
)
/* rule 4: a missing component counts 0 in the total, whatever it is in itself */
SELECT
  subject_id,
  hadm_id,
  stay_id,
  COALESCE(respiration, 0) + COALESCE(coagulation, 0) + COALESCE(liver, 0) + COALESCE(cardiovascular, 0) + COALESCE(cns, 0) + COALESCE(renal, 0) AS sofa,
  COALESCE(respiration, NULL) AS respiration,
  COALESCE(coagulation, NULL) AS coagulation,
  COALESCE(liver, NULL) AS liver,
  COALESCE(cardiovascular, NULL) AS cardiovascular,
  COALESCE(cns, NULL) AS cns,
  COALESCE(renal, NULL) AS renal
FROM component
;
