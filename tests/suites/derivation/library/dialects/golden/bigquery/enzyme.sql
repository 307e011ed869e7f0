-- enzyme: Enzymes and bilirubin of a laboratory specimen
-- one row per laboratory specimen with at least one accepted result; published convention
-- reads mimiciv_hosp.labevents
/* Liver, pancreatic and muscle enzymes and bilirubin, one row a specimen. */
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
    (
      itemid IN (
        50861, /* Alanine Aminotransferase (ALT), IU/L; newer 53084 */
        50863, /* Alkaline Phosphatase, IU/L; newer 53086 */
        50878, /* Asparate Aminotransferase (AST), IU/L; newer 53088 */
        50867, /* Amylase, IU/L; newer 53087 */
        50885, /* Bilirubin, Total, mg/dL; newer 53089 */
        50883, /* Bilirubin, Direct, mg/dL */
        50884, /* Bilirubin, Indirect, mg/dL */
        50910, /* Creatine Kinase (CK), IU/L */
        50911, /* Creatine Kinase, MB Isoenzyme, ng/mL */
        50927, /* Gamma Glutamyltransferase, IU/L; newer 53093 */
        50954 /* Lactate Dehydrogenase (LD), IU/L */
      )
      OR FALSE
    )
    AND (
      valuenum > 0 OR (
        FALSE
      ) OR (
        FALSE
      )
    )
)
/* rule 2 */
SELECT
  MAX(subject_id) AS subject_id,
  MAX(hadm_id) AS hadm_id,
  MAX(charttime) AS charttime,
  specimen_id,
  MAX(CASE WHEN itemid IN (50861, 53084) THEN valuenum END) AS alt,
  MAX(CASE WHEN itemid IN (50863, 53086) THEN valuenum END) AS alp,
  MAX(CASE WHEN itemid IN (50878, 53088) THEN valuenum END) AS ast,
  MAX(CASE WHEN itemid IN (50867, 53087) THEN valuenum END) AS amylase,
  MAX(CASE WHEN itemid IN (50885, 53089) THEN valuenum END) AS bilirubin_total,
  MAX(CASE WHEN itemid = 50883 THEN valuenum END) AS bilirubin_direct,
  MAX(CASE WHEN itemid = 50884 THEN valuenum END) AS bilirubin_indirect,
  MAX(CASE WHEN itemid = 50910 THEN valuenum END) AS ck_cpk,
  MAX(CASE WHEN itemid = 50911 THEN valuenum END) AS ck_mb,
  MAX(CASE WHEN itemid IN (50927, 53093) THEN valuenum END) AS ggt,
  MAX(CASE WHEN itemid = 50954 THEN valuenum END) AS ld_ldh
FROM accepted_result
GROUP BY
  specimen_id
;
