-- age: Age at hospital admission
-- one row per hospital admission of a known patient; published convention
-- reads mimiciv_hosp.admissions, mimiciv_hosp.patients
/* the age of the anchor year, moved on to the admission */
SELECT
  adm.subject_id,
  adm.hadm_id,
  adm.admittime,
  pat.anchor_age,
  pat.anchor_year,
  (
    CAST(pat.anchor_age AS FLOAT64) + CAST(DATETIME_DIFF(adm.admittime, DATETIME(pat.anchor_year, 1, 1, 0, 0, 0), MICROSECOND) AS FLOAT64) / CAST(31556908800000 AS FLOAT64)
  ) AS age /* rules 3-5 */
FROM mimiciv_hosp.admissions AS adm
INNER JOIN mimiciv_hosp.patients AS pat /* rule 1 */
  ON adm.subject_id = pat.subject_id
;
