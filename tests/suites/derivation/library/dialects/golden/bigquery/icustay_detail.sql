-- icustay_detail: Patient, admission and order of every ICU stay
-- one row per ICU stay with a known patient and admission; published convention
-- reads mimiciv_hosp.admissions, mimiciv_hosp.patients, mimiciv_icu.icustays
/* One line a stay, from which cohorts are drawn. */
WITH numbered_admission AS (
  SELECT
    subject_id,
    hadm_id,
    admittime,
    dischtime,
    race,
    hospital_expire_flag,
    DENSE_RANK() OVER (PARTITION BY subject_id ORDER BY admittime) AS admission_number
  FROM mimiciv_hosp.admissions
), numbered_stay AS (
  SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    icu.intime,
    icu.outtime,
    adm.admittime,
    adm.dischtime,
    adm.race,
    adm.hospital_expire_flag,
    pat.gender,
    pat.dod,
    pat.anchor_age,
    pat.anchor_year,
    DENSE_RANK() OVER (PARTITION BY adm.subject_id ORDER BY adm.admittime) AS hospstay_seq, /* rule 5 */
    DENSE_RANK() OVER (PARTITION BY icu.hadm_id ORDER BY icu.intime) AS icustay_seq /* rule 6 */
  FROM mimiciv_icu.icustays AS icu
  /* rule 1 */
  INNER JOIN numbered_admission AS adm
    ON adm.hadm_id = icu.hadm_id
  INNER JOIN mimiciv_hosp.patients AS pat
    ON pat.subject_id = icu.subject_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  gender,
  dod,
  admittime,
  dischtime,
  (
    CAST(DATETIME_DIFF(dischtime, admittime, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
  ) / CAST(24 AS FLOAT64) AS los_hospital, /* rules 2 and 8 */
  (
    CAST(anchor_age AS FLOAT64) + CAST(DATETIME_DIFF(admittime, DATETIME(anchor_year, 1, 1, 0, 0, 0), MICROSECOND) AS FLOAT64) / CAST(31556908800000 AS FLOAT64)
  ) AS admission_age, /* rule 3 */
  race,
  hospital_expire_flag,
  hospstay_seq,
  hospstay_seq = 1 AS first_hosp_stay, /* rule 7 */
  intime AS icu_intime,
  outtime AS icu_outtime,
  ROUND(
    CAST(CASE
      WHEN ABS(
        (
          CAST(DATETIME_DIFF(outtime, intime, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
        ) / CAST(24 AS FLOAT64)
      ) < 999999999999999.9995
      THEN CAST(ROUND(
        (
          (
            CAST(DATETIME_DIFF(outtime, intime, MICROSECOND) AS FLOAT64) / CAST(3600000000 AS FLOAT64)
          ) / CAST(24 AS FLOAT64)
        ) * 1000
      ) AS NUMERIC) / 1000
    END AS NUMERIC),
    2
  ) AS los_icu, /* rules 4 and 8 */
  icustay_seq,
  icustay_seq = 1 AS first_icu_stay /* rule 7 */
FROM numbered_stay
;
