-- sirs: Systemic inflammatory response criteria of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.first_day_bg_art, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_vitalsign, mimiciv_icu.icustays
/* four criteria over the extremes of the first hours; the first line that holds gives the point */
WITH first_hours AS (
  /* rule 1: closed window */
  SELECT
    subject_id,
    hadm_id,
    stay_id,
    intime - INTERVAL 6 HOUR AS opens,
    intime + INTERVAL 24 HOUR AS closes, /* of what is charted under the stay */
    intime + INTERVAL 24 HOUR AS ends /* of what could be another stay's */
  FROM mimiciv_icu.icustays
), vital /* rule 2: the extremes of each stay */ AS (
  SELECT
    stay_id,
    temperature_min,
    temperature_max,
    heart_rate_max,
    resp_rate_max
  FROM mimiciv_derived.first_day_vitalsign
), arterial_gas AS (
  SELECT
    stay_id,
    pco2_min
  FROM mimiciv_derived.first_day_bg_art
), blood AS (
  SELECT
    stay_id,
    wbc_min,
    wbc_max,
    bands_max
  FROM mimiciv_derived.first_day_lab
), criterion /* rule 3 */ AS (
  SELECT
    first_hours.subject_id,
    first_hours.hadm_id,
    first_hours.stay_id,
    CASE
      WHEN vital.temperature_min < 36.0
      THEN 1
      WHEN vital.temperature_max > 38.0
      THEN 1
      WHEN vital.temperature_min IS NULL
      THEN NULL
      ELSE 0
    END AS temp_score,
    CASE WHEN vital.heart_rate_max > 90 THEN 1 WHEN vital.heart_rate_max IS NULL THEN NULL ELSE 0 END AS heart_rate_score,
    CASE
      WHEN vital.resp_rate_max > 20
      THEN 1
      WHEN arterial_gas.pco2_min < 32
      THEN 1
      WHEN COALESCE(vital.resp_rate_max, arterial_gas.pco2_min) IS NULL
      THEN NULL
      ELSE 0
    END AS resp_score,
    CASE
      WHEN blood.wbc_min < 4.0
      THEN 1
      WHEN blood.wbc_max > 12.0
      THEN 1
      WHEN blood.bands_max > 10
      THEN 1
      WHEN COALESCE(blood.wbc_min, blood.bands_max) IS NULL
      THEN NULL
      ELSE 0
    END AS wbc_score
  FROM first_hours
  LEFT JOIN vital
    ON first_hours.stay_id = vital.stay_id
  LEFT JOIN arterial_gas
    ON first_hours.stay_id = arterial_gas.stay_id
  LEFT JOIN blood
    ON first_hours.stay_id = blood.stay_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  COALESCE(temp_score, 0) + COALESCE(heart_rate_score, 0) + COALESCE(resp_score, 0) + COALESCE(wbc_score, 0) AS sirs,
  temp_score,
  heart_rate_score,
  resp_score,
  wbc_score
FROM criterion
;
