-- cardiac_marker: Cardiac markers of a laboratory specimen
-- one row per laboratory specimen with at least one accepted result; published convention
-- reads mimiciv_hosp.labevents
/* Markers of cardiac injury and strain, one row a specimen. */
WITH accepted_result AS (
  /* rule 1: zero too */
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
      51003, /* Troponin T, ng/mL */
      50911, /* Creatine Kinase, MB Isoenzyme, ng/mL */
      50963 /* NTproBNP, pg/mL */
    )
    AND NOT valuenum IS NULL
)
/* rule 2 */
SELECT
  MAX(subject_id) AS subject_id,
  MAX(hadm_id) AS hadm_id,
  MAX(charttime) AS charttime,
  specimen_id,
  MAX(CASE WHEN itemid = 51003 THEN valuenum END) AS troponin_t,
  MAX(CASE WHEN itemid = 50911 THEN valuenum END) AS ck_mb,
  MAX(CASE WHEN itemid = 50963 THEN valuenum END) AS ntprobnp
FROM accepted_result
GROUP BY
  specimen_id
;
