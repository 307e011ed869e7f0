-- chemistry: Serum chemistry panel of a laboratory specimen
-- one row per laboratory specimen with at least one accepted result; published convention
-- reads mimiciv_hosp.labevents
/* Central laboratory chemistry, one row a specimen; blood-gas and point-of-care items are not used. */
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
        50862, /* Albumin, g/dL; newer 53085 */
        50930, /* Globulin, g/dL */
        50976, /* Protein, Total, g/dL; newer 53096 */
        50868, /* Anion Gap, mEq/L; newer 52500 */
        50882, /* Bicarbonate, mEq/L */
        51006, /* Urea Nitrogen, mg/dL; newer 52647 */
        50893, /* Calcium, Total, mg/dL */
        50902, /* Chloride, mEq/L; newer 52535 */
        50912, /* Creatinine, mg/dL; newer 52546 */
        50931, /* Glucose, mg/dL; newer 52569 */
        50983, /* Sodium, mEq/L; newer 52623 */
        50971 /* Potassium, mEq/L; newer 52610 */
      )
      OR FALSE
    )
    AND (
      valuenum > 0 OR (
        itemid IN (50868, 52500) AND NOT valuenum IS NULL
      )
    ) /* an anion gap may be zero or negative */
), specimen AS (
  /* rule 2: above the upper limit the value is void */
  SELECT
    MAX(subject_id) AS subject_id,
    MAX(hadm_id) AS hadm_id,
    MAX(charttime) AS charttime,
    specimen_id,
    MAX(CASE WHEN itemid IN (50862, 53085) AND valuenum <= 10 THEN valuenum END) AS albumin,
    MAX(CASE WHEN itemid = 50930 AND valuenum <= 10 THEN valuenum END) AS globulin,
    MAX(CASE WHEN itemid IN (50976, 53096) AND valuenum <= 20 THEN valuenum END) AS total_protein,
    MAX(CASE WHEN itemid IN (50868, 52500) AND valuenum <= 10000 THEN valuenum END) AS aniongap,
    MAX(CASE WHEN itemid = 50882 AND valuenum <= 10000 THEN valuenum END) AS bicarbonate,
    MAX(CASE WHEN itemid IN (51006, 52647) AND valuenum <= 300 THEN valuenum END) AS bun,
    MAX(CASE WHEN itemid = 50893 AND valuenum <= 10000 THEN valuenum END) AS calcium,
    MAX(CASE WHEN itemid IN (50902, 52535) AND valuenum <= 10000 THEN valuenum END) AS chloride,
    MAX(CASE WHEN itemid IN (50912, 52546) AND valuenum <= 150 THEN valuenum END) AS creatinine,
    MAX(CASE WHEN itemid IN (50931, 52569) AND valuenum <= 10000 THEN valuenum END) AS glucose,
    MAX(CASE WHEN itemid IN (50983, 52623) AND valuenum <= 200 THEN valuenum END) AS sodium,
    MAX(CASE WHEN itemid IN (50971, 52610) AND valuenum <= 30 THEN valuenum END) AS potassium
  FROM accepted_result
  GROUP BY
    specimen_id
)
/* rule 3: what becomes of a specimen of void values only */
SELECT
  subject_id,
  hadm_id,
  charttime,
  specimen_id,
  albumin,
  globulin,
  total_protein,
  aniongap,
  bicarbonate,
  bun,
  calcium,
  chloride,
  creatinine,
  glucose,
  sodium,
  potassium
FROM specimen
WHERE
  TRUE
;
