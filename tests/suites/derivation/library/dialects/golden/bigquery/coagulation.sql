-- coagulation: Coagulation tests of a laboratory specimen
-- one row per laboratory specimen with at least one accepted result; published convention
-- reads mimiciv_hosp.labevents
/* Coagulation tests, one row a specimen. */
WITH result AS (
  SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen_id,
    itemid,
    valuenum AS valuenum
  FROM mimiciv_hosp.labevents
  WHERE
    itemid IN (
      51196, /* D-Dimer, ng/mL FEU; others 50915, 52551 */
      51214, /* Fibrinogen, Functional, mg/dL */
      51297, /* Thrombin, s; newer 52948 */
      51237, /* INR(PT) */
      51274, /* PT, s; newer 52921 */
      51275 /* PTT, s; newer 52923 */
    )
    OR (
      FALSE
    )
), accepted_result AS (
  /* rule 1 */
  SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen_id,
    itemid,
    valuenum
  FROM result
  WHERE
    NOT valuenum IS NULL
)
/* rule 2 */
SELECT
  MAX(subject_id) AS subject_id,
  MAX(hadm_id) AS hadm_id,
  MAX(charttime) AS charttime,
  specimen_id,
  MAX(CASE WHEN itemid IN (51196, 50915, 52551) THEN valuenum END) AS d_dimer,
  MAX(CASE WHEN itemid = 51214 THEN valuenum END) AS fibrinogen,
  MAX(CASE WHEN itemid IN (51297, 52948) THEN valuenum END) AS thrombin,
  MAX(CASE WHEN itemid = 51237 THEN valuenum END) AS inr,
  MAX(CASE WHEN itemid IN (51274, 52921) THEN valuenum END) AS pt,
  MAX(CASE WHEN itemid IN (51275, 52923) THEN valuenum END) AS ptt
FROM accepted_result
GROUP BY
  specimen_id
;
