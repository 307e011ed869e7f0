-- complete_blood_count: Complete blood count of a laboratory specimen
-- one row per laboratory specimen with at least one accepted result; published convention
-- reads mimiciv_hosp.labevents
/* Blood counts, one row a specimen. */
WITH accepted_result AS (
  /* rule 1 */
  SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen_id,
    itemid,
    valuenum
  FROM mimiciv_hosp.labevents
  WHERE
    itemid IN (
      51221, /* Hematocrit, % */
      51222, /* Hemoglobin, g/dL */
      51248, /* MCH, pg */
      51249, /* MCHC, g/dL */
      51250, /* MCV, fL */
      51265, /* Platelet Count, K/µL */
      51279, /* Red Blood Cells, m/µL */
      51277, /* RDW, % */
      52159, /* RDW-SD, fL, or what is taken for it */
      51301 /* White Blood Cells, WBC Count, K/µL */
    )
    AND valuenum > 0
)
/* rule 2 */
SELECT
  MAX(subject_id) AS subject_id,
  MAX(hadm_id) AS hadm_id,
  MAX(charttime) AS charttime,
  specimen_id,
  MAX(CASE WHEN itemid = 51221 THEN valuenum END) AS hematocrit,
  MAX(CASE WHEN itemid = 51222 THEN valuenum END) AS hemoglobin,
  MAX(CASE WHEN itemid = 51248 THEN valuenum END) AS mch,
  MAX(CASE WHEN itemid = 51249 THEN valuenum END) AS mchc,
  MAX(CASE WHEN itemid = 51250 THEN valuenum END) AS mcv,
  MAX(CASE WHEN itemid = 51265 THEN valuenum END) AS platelet,
  MAX(CASE WHEN itemid = 51279 THEN valuenum END) AS rbc,
  MAX(CASE WHEN itemid = 51277 THEN valuenum END) AS rdw,
  MAX(CASE WHEN itemid = 52159 THEN valuenum END) AS rdwsd,
  MAX(CASE WHEN itemid IN (51301) THEN valuenum END) AS wbc
FROM accepted_result
GROUP BY
  specimen_id
;
