-- blood_differential: White-cell differential of a laboratory specimen
-- one row per laboratory specimen with at least one accepted result; published convention
-- reads mimiciv_hosp.labevents
/* White-cell differential, one row a specimen; absolute counts are imputed from percentages where missing. */
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
      51300, /* WBC Count, K/µL */
      51301, /* White Blood Cells, K/µL */
      51755, /* White Blood Cells, K/µL */
      52069, /* Absolute Basophil Count, K/µL */
      52073, /* Absolute Eosinophil Count, K/µL */
      51199, /* Eosinophil Count, #/µL */
      51133, /* Absolute Lymphocyte Count, K/µL */
      52769, /* Absolute Lymphocyte Count, #/µL */
      52074, /* Absolute Monocyte Count, K/µL */
      51253, /* Monocyte Count, #/µL */
      52075, /* Absolute Neutrophil Count, K/µL */
      51218, /* Granulocyte Count, #/µL: selects the specimen, feeds no column */
      51146, /* Basophils, % */
      51200, /* Eosinophils, % */
      51244, /* Lymphocytes, % */
      51245, /* Lymphocytes, Percent, % */
      51254, /* Monocytes, % */
      51256, /* Neutrophils, % */
      51143, /* Atypical Lymphocytes, % */
      51144, /* Bands, % */
      52135, /* Immature Granulocytes, % */
      51251, /* Metamyelocytes, % */
      51257 /* Nucleated Red Cells, % */
    )
    AND valuenum >= 0
    AND TRUE
), measured AS (
  /* rule 1: counts per µL are divided by 1000 before the maximum */
  SELECT
    MAX(subject_id) AS subject_id,
    MAX(hadm_id) AS hadm_id,
    MAX(charttime) AS charttime,
    specimen_id,
    MAX(CASE WHEN itemid IN (51300, 51301, 51755) THEN valuenum END) AS wbc,
    MAX(CASE WHEN itemid = 52069 THEN valuenum END) AS basophils_abs,
    MAX(CASE WHEN itemid = 52073 THEN valuenum WHEN itemid = 51199 THEN valuenum / CAST(1000 AS FLOAT64) END) AS eosinophils_abs,
    MAX(CASE WHEN itemid = 51133 THEN valuenum WHEN itemid = 52769 THEN valuenum / CAST(1000 AS FLOAT64) END) AS lymphocytes_abs,
    MAX(CASE WHEN itemid = 52074 THEN valuenum WHEN itemid = 51253 THEN valuenum / CAST(1000 AS FLOAT64) END) AS monocytes_abs,
    MAX(CASE WHEN itemid = 52075 THEN valuenum END) AS neutrophils_abs,
    MAX(CASE WHEN itemid = 51146 THEN valuenum END) AS basophils,
    MAX(CASE WHEN itemid = 51200 THEN valuenum END) AS eosinophils,
    MAX(CASE WHEN itemid IN (51244, 51245) THEN valuenum END) AS lymphocytes,
    MAX(CASE WHEN itemid = 51254 THEN valuenum END) AS monocytes,
    MAX(CASE WHEN itemid = 51256 THEN valuenum END) AS neutrophils,
    MAX(CASE WHEN itemid = 51143 THEN valuenum END) AS atypical_lymphocytes,
    MAX(CASE WHEN itemid = 51144 THEN valuenum END) AS bands,
    MAX(CASE WHEN itemid = 52135 THEN valuenum END) AS immature_granulocytes,
    MAX(CASE WHEN itemid = 51251 THEN valuenum END) AS metamyelocytes,
    MAX(CASE WHEN itemid = 51257 THEN valuenum END) AS nrbc,
    MAX(CASE WHEN itemid IN (51146, 51200, 51244, 51245, 51254, 51256) THEN valuenum END) AS largest_share /* no value is negative, so the sum of the percentages is above 0 exactly when their maximum is */
  FROM accepted_result
  GROUP BY
    specimen_id
  HAVING
    TRUE
), judged AS (
  /* rule 2 */
  SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen_id,
    wbc,
    basophils_abs,
    eosinophils_abs,
    lymphocytes_abs,
    monocytes_abs,
    neutrophils_abs,
    basophils,
    eosinophils,
    lymphocytes,
    monocytes,
    neutrophils,
    atypical_lymphocytes,
    bands,
    immature_granulocytes,
    metamyelocytes,
    nrbc,
    wbc > 0 AND largest_share > 0 AS may_impute
  FROM measured
)
/* rules 3 to 6: rounded half away from zero */
SELECT
  subject_id,
  hadm_id,
  charttime,
  specimen_id,
  wbc,
  CASE
    WHEN ABS(
      CASE
        WHEN basophils_abs IS NULL AND may_impute
        THEN basophils * wbc / CAST(100 AS FLOAT64)
        ELSE basophils_abs
      END
    ) < 999999999999999.9995
    THEN CAST(ROUND(
      (
        CASE
          WHEN basophils_abs IS NULL AND may_impute
          THEN basophils * wbc / CAST(100 AS FLOAT64)
          ELSE basophils_abs
        END
      ) * 1000
    ) AS NUMERIC) / 1000
  END AS basophils_abs,
  CASE
    WHEN ABS(
      CASE
        WHEN eosinophils_abs IS NULL AND may_impute
        THEN eosinophils * wbc / CAST(100 AS FLOAT64)
        ELSE eosinophils_abs
      END
    ) < 999999999999999.9995
    THEN CAST(ROUND(
      (
        CASE
          WHEN eosinophils_abs IS NULL AND may_impute
          THEN eosinophils * wbc / CAST(100 AS FLOAT64)
          ELSE eosinophils_abs
        END
      ) * 1000
    ) AS NUMERIC) / 1000
  END AS eosinophils_abs,
  CASE
    WHEN ABS(
      CASE
        WHEN lymphocytes_abs IS NULL AND may_impute
        THEN lymphocytes * wbc / CAST(100 AS FLOAT64)
        ELSE lymphocytes_abs
      END
    ) < 999999999999999.9995
    THEN CAST(ROUND(
      (
        CASE
          WHEN lymphocytes_abs IS NULL AND may_impute
          THEN lymphocytes * wbc / CAST(100 AS FLOAT64)
          ELSE lymphocytes_abs
        END
      ) * 1000
    ) AS NUMERIC) / 1000
  END AS lymphocytes_abs,
  CASE
    WHEN ABS(
      CASE
        WHEN monocytes_abs IS NULL AND may_impute
        THEN monocytes * wbc / CAST(100 AS FLOAT64)
        ELSE monocytes_abs
      END
    ) < 999999999999999.9995
    THEN CAST(ROUND(
      (
        CASE
          WHEN monocytes_abs IS NULL AND may_impute
          THEN monocytes * wbc / CAST(100 AS FLOAT64)
          ELSE monocytes_abs
        END
      ) * 1000
    ) AS NUMERIC) / 1000
  END AS monocytes_abs,
  CASE
    WHEN ABS(
      CASE
        WHEN neutrophils_abs IS NULL AND may_impute
        THEN neutrophils * wbc / CAST(100 AS FLOAT64)
        ELSE neutrophils_abs
      END
    ) < 999999999999999.9995
    THEN CAST(ROUND(
      (
        CASE
          WHEN neutrophils_abs IS NULL AND may_impute
          THEN neutrophils * wbc / CAST(100 AS FLOAT64)
          ELSE neutrophils_abs
        END
      ) * 1000
    ) AS NUMERIC) / 1000
  END AS neutrophils_abs,
  basophils,
  eosinophils,
  lymphocytes,
  monocytes,
  neutrophils,
  atypical_lymphocytes,
  bands,
  immature_granulocytes,
  metamyelocytes,
  nrbc
FROM judged
;
