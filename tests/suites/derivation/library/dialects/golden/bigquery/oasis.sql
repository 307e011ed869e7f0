-- oasis: Oxford Acute Severity of Illness Score of the first ICU day
-- one row per ICU stay with a known admission and patient; published convention
-- reads mimiciv_derived.age, mimiciv_derived.first_day_gcs, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_vitalsign, mimiciv_derived.ventilation, mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_hosp.services, mimiciv_icu.icustays
/* ten scores of the first day, each with the value that decided it */
/* rule 2 */
WITH surgical_service AS (
  SELECT
    hadm_id,
    MIN(transfertime) AS surgical_from
  FROM mimiciv_hosp.services
  WHERE
    (
      LOWER(curr_service) LIKE '%surg%' OR curr_service = 'ORTHO'
    )
  GROUP BY
    hadm_id
), ventilated_stay /* rule 4: an episode that meets the first 24 hours, all ends closed */ AS (
  SELECT DISTINCT
    icu.stay_id
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_derived.ventilation AS episode
    ON icu.stay_id = episode.stay_id
    AND episode.starttime <= icu.intime + INTERVAL 24 HOUR
    AND episode.endtime >= icu.intime
  WHERE
    episode.ventilation_status = 'InvasiveVent'
), vital AS (
  SELECT
    stay_id,
    (
      heart_rate_min
    ) AS heart_rate_min,
    (
      heart_rate_max
    ) AS heart_rate_max,
    (
      mbp_min
    ) AS mbp_min,
    (
      mbp_max
    ) AS mbp_max,
    (
      resp_rate_min
    ) AS resp_rate_min,
    (
      resp_rate_max
    ) AS resp_rate_max,
    temperature_min, /* in hundredths already */
    temperature_max
  FROM mimiciv_derived.first_day_vitalsign
), first_day AS (
  SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    age.age,
    (
      CAST(DATETIME_DIFF(icu.intime, adm.admittime, MICROSECOND) AS FLOAT64) / CAST(60000000 AS FLOAT64)
    ) AS preiculos, /* rule 1 */
    coma.gcs_min AS gcs,
    vital.heart_rate_min,
    vital.heart_rate_max,
    (
      CASE
        WHEN vital.heart_rate_max IS NULL
        THEN NULL
        WHEN vital.heart_rate_max > 125
        THEN 6
        WHEN vital.heart_rate_min < 33
        THEN 4
        WHEN vital.heart_rate_max >= 107
        THEN 3
        WHEN vital.heart_rate_max >= 89 AND vital.heart_rate_max <= 106
        THEN 1
        ELSE 0
      END
    ) AS heart_rate_score,
    vital.mbp_min,
    vital.mbp_max,
    (
      CASE
        WHEN vital.mbp_min IS NULL
        THEN NULL
        WHEN vital.mbp_min < 20.65
        THEN 4
        WHEN vital.mbp_min < 51
        THEN 3
        WHEN vital.mbp_max > 143.44
        THEN 3
        WHEN vital.mbp_min < 61.33
        THEN 2
        ELSE 0
      END
    ) AS mbp_score,
    vital.resp_rate_min,
    vital.resp_rate_max,
    (
      CASE
        WHEN vital.resp_rate_min IS NULL
        THEN NULL
        WHEN vital.resp_rate_min < 6
        THEN 10
        WHEN vital.resp_rate_max > 44
        THEN 9
        WHEN vital.resp_rate_max > 30
        THEN 6
        WHEN vital.resp_rate_max > 22
        THEN 1
        WHEN vital.resp_rate_min < 13
        THEN 1
        ELSE 0
      END
    ) AS resp_rate_score,
    vital.temperature_min,
    vital.temperature_max,
    (
      CASE
        WHEN vital.temperature_max IS NULL
        THEN NULL
        WHEN vital.temperature_max > 39.88
        THEN 6
        WHEN vital.temperature_min >= 33.22 AND vital.temperature_min <= 35.93
        THEN 4
        WHEN vital.temperature_max >= 33.22 AND vital.temperature_max <= 35.93
        THEN 4
        WHEN vital.temperature_min < 33.22
        THEN 3
        WHEN vital.temperature_min <= 36.39
        THEN 2
        WHEN vital.temperature_max >= 36.89
        THEN 2
        ELSE 0
      END
    ) AS temp_score,
    urine.urineoutput,
    (
      CASE
        WHEN (
          (
            urine.urineoutput
          )
        ) IS NULL
        THEN NULL
        WHEN (
          (
            urine.urineoutput
          )
        ) < 671.09
        THEN 10
        WHEN (
          (
            urine.urineoutput
          )
        ) > 6896.80
        THEN 8
        WHEN (
          (
            urine.urineoutput
          )
        ) <= 1426.99
        THEN 5
        WHEN (
          (
            urine.urineoutput
          )
        ) >= 1427.00 AND (
          (
            urine.urineoutput
          )
        ) <= 2544.14
        THEN 1
        ELSE 0
      END
    ) AS urineoutput_score,
    CASE WHEN ventilated_stay.stay_id IS NULL THEN 0 ELSE 1 END AS mechvent,
    CASE
      WHEN adm.admission_type IS NULL
      THEN NULL
      WHEN (
        adm.admission_type = 'ELECTIVE'
      ) AND surgery.surgical_from < icu.intime + INTERVAL 24 HOUR
      THEN 1
      ELSE 0
    END AS electivesurgery /* rule 3 */
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_hosp.admissions AS adm
    ON icu.hadm_id = adm.hadm_id
  INNER JOIN mimiciv_hosp.patients AS pat
    ON icu.subject_id = pat.subject_id
  LEFT JOIN mimiciv_derived.age AS age
    ON icu.hadm_id = age.hadm_id
  LEFT JOIN surgical_service AS surgery
    ON icu.hadm_id = surgery.hadm_id
  LEFT JOIN ventilated_stay
    ON icu.stay_id = ventilated_stay.stay_id
  LEFT JOIN mimiciv_derived.first_day_gcs AS coma
    ON icu.stay_id = coma.stay_id
  LEFT JOIN vital
    ON icu.stay_id = vital.stay_id
  LEFT JOIN mimiciv_derived.first_day_urine_output AS urine
    ON icu.stay_id = urine.stay_id
), scored /* rules 5 and 6 */ AS (
  SELECT
    subject_id,
    hadm_id,
    stay_id,
    age,
    (
      CASE
        WHEN age IS NULL
        THEN NULL
        WHEN age < 24
        THEN 0
        WHEN age <= 53
        THEN 3
        WHEN age <= 77
        THEN 6
        WHEN age <= 89
        THEN 9
        WHEN age >= 90
        THEN 7
        ELSE 0
      END
    ) AS age_score,
    preiculos,
    (
      CASE
        WHEN preiculos IS NULL
        THEN NULL
        WHEN preiculos < 10.2
        THEN 5
        WHEN preiculos < 297
        THEN 3
        WHEN preiculos < 1440
        THEN 0
        WHEN preiculos < 18708
        THEN 2
        ELSE 1
      END
    ) AS preiculos_score,
    gcs,
    (
      CASE WHEN gcs IS NULL THEN NULL WHEN gcs <= 7 THEN 10 WHEN gcs < 14 THEN 4 WHEN gcs = 14 THEN 3 ELSE 0 END
    ) AS gcs_score,
    (
      CASE
        WHEN heart_rate_score = 4
        THEN heart_rate_min
        WHEN heart_rate_score > 0
        THEN heart_rate_max
        WHEN heart_rate_score = 0
        THEN (
          heart_rate_min + heart_rate_max
        ) / CAST(2 AS FLOAT64)
      END
    ) AS heartrate,
    heart_rate_score,
    (
      CASE
        WHEN mbp_score = 3 AND mbp_min >= 51
        THEN mbp_max
        WHEN mbp_score > 0
        THEN mbp_min
        WHEN mbp_score = 0
        THEN (
          mbp_min + mbp_max
        ) / CAST(2 AS FLOAT64)
      END
    ) AS meanbp,
    mbp_score,
    (
      CASE
        WHEN resp_rate_score = 10
        THEN resp_rate_min
        WHEN resp_rate_score > 0 AND resp_rate_max > 22
        THEN resp_rate_max
        WHEN resp_rate_score > 0
        THEN resp_rate_min
        WHEN resp_rate_score = 0
        THEN (
          resp_rate_min + resp_rate_max
        ) / CAST(2 AS FLOAT64)
      END
    ) AS resprate,
    resp_rate_score,
    (
      CASE
        WHEN temp_score = 3
        OR temp_score = 4
        AND temperature_min >= 33.22
        OR temp_score = 2
        AND temperature_min <= 36.39
        THEN CAST(temperature_min AS FLOAT64)
        WHEN temp_score > 0
        THEN CAST(temperature_max AS FLOAT64)
        WHEN temp_score = 0
        THEN CAST(temperature_min + temperature_max AS FLOAT64) / CAST(2 AS FLOAT64)
      END
    ) AS temp,
    temp_score,
    urineoutput,
    urineoutput_score,
    mechvent,
    CASE WHEN mechvent = 1 THEN 9 ELSE 0 END AS mechvent_score,
    electivesurgery,
    CASE electivesurgery WHEN 1 THEN 0 WHEN 0 THEN 6 END AS electivesurgery_score
  FROM first_day
), total /* rule 7 */ AS (
  SELECT
    stay_id,
    COALESCE(age_score, 0) + COALESCE(preiculos_score, 0) + COALESCE(gcs_score, 0) + COALESCE(heart_rate_score, 0) + COALESCE(mbp_score, 0) + COALESCE(resp_rate_score, 0) + COALESCE(temp_score, 0) + COALESCE(urineoutput_score, 0) + COALESCE(mechvent_score, 0) + COALESCE(electivesurgery_score, 0) AS oasis
  FROM scored
)
SELECT
  scored.subject_id,
  scored.hadm_id,
  scored.stay_id,
  total.oasis,
  CAST(1 AS FLOAT64) /* rule 8: the linear part is an exact decimal, a double only under the exponential */ / (
    CAST(1 AS FLOAT64) + EXP(
      -CAST(ROUND(CAST(-6.1746 AS NUMERIC), 4) + ROUND(CAST(0.1275 AS NUMERIC), 4) * CAST(total.oasis AS NUMERIC) AS FLOAT64)
    )
  ) AS oasis_prob,
  scored.age,
  scored.age_score,
  scored.preiculos,
  scored.preiculos_score,
  scored.gcs,
  scored.gcs_score,
  scored.heartrate,
  scored.heart_rate_score,
  scored.meanbp,
  scored.mbp_score,
  scored.resprate,
  scored.resp_rate_score,
  scored.temp,
  scored.temp_score,
  scored.urineoutput,
  scored.urineoutput_score,
  scored.mechvent,
  scored.mechvent_score,
  scored.electivesurgery,
  scored.electivesurgery_score
FROM scored
INNER JOIN total
  ON scored.stay_id = total.stay_id
;
