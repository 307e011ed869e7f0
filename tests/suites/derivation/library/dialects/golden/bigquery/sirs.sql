-- sirs: Systemic inflammatory response criteria of the first ICU day
-- one row per ICU stay; published convention
-- reads mimiciv_derived.first_day_bg_art, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_vitalsign, mimiciv_icu.icustays
/* four criteria over the extremes of the first day; the first line that holds gives the point */
WITH criterion AS (
  SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
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
      WHEN gas.pco2_min < 32
      THEN 1
      WHEN COALESCE(vital.resp_rate_max, gas.pco2_min) IS NULL
      THEN NULL
      ELSE 0
    END AS resp_score,
    CASE
      WHEN lab.wbc_min < 4.0
      THEN 1
      WHEN lab.wbc_max > 12.0
      THEN 1
      WHEN lab.bands_max > 10
      THEN 1
      WHEN COALESCE(lab.wbc_min, lab.bands_max) IS NULL
      THEN NULL
      ELSE 0
    END AS wbc_score
  FROM mimiciv_icu.icustays AS icu
  LEFT JOIN mimiciv_derived.first_day_vitalsign AS vital
    ON icu.stay_id = vital.stay_id
  LEFT JOIN mimiciv_derived.first_day_bg_art AS gas
    ON icu.stay_id = gas.stay_id
  LEFT JOIN mimiciv_derived.first_day_lab AS lab
    ON icu.stay_id = lab.stay_id
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
