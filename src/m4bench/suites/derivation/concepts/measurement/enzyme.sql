/*
name: enzyme
kind: concept
title: Enzymes and bilirubin of a laboratory specimen
grain: one row per laboratory specimen with at least one accepted result
key: [specimen_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: "admission, may be null"}
  - {name: charttime, type: TIMESTAMP, meaning: specimen time}
  - {name: specimen_id, type: INTEGER, meaning: specimen}
  - {name: alt, type: DOUBLE, unit: "IU/L", meaning: alanine aminotransferase}
  - {name: alp, type: DOUBLE, unit: "IU/L", meaning: alkaline phosphatase}
  - {name: ast, type: DOUBLE, unit: "IU/L", meaning: aspartate aminotransferase}
  - {name: amylase, type: DOUBLE, unit: "IU/L", meaning: amylase}
  - {name: bilirubin_total, type: DOUBLE, unit: "mg/dL", meaning: total bilirubin}
  - {name: bilirubin_direct, type: DOUBLE, unit: "mg/dL", meaning: direct bilirubin}
  - {name: bilirubin_indirect, type: DOUBLE, unit: "mg/dL", meaning: indirect bilirubin}
  - {name: ck_cpk, type: DOUBLE, unit: "IU/L", meaning: creatine kinase}
  - {name: ck_mb, type: DOUBLE, unit: "ng/mL", meaning: creatine kinase MB}
  - {name: ggt, type: DOUBLE, unit: "IU/L", meaning: gamma-glutamyltransferase}
  - {name: ld_ldh, type: DOUBLE, unit: "IU/L", meaning: lactate dehydrogenase}
inputs: [mimiciv_hosp.labevents]
spec: enzyme
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: fraction_accepted
    published: "FALSE"
    adjudicated: itemid IN (50883, 50884) AND valuenum = 0
    difference: A direct or indirect bilirubin of 0 is no result, or is one.
    source: "either fraction may be too little to be measured"
    example: "direct bilirubin 0: no row / no row / 0"
  - name: ck_mb_accepted
    published: "FALSE"
    adjudicated: itemid = 50911 AND valuenum = 0
    difference: A creatine kinase MB of 0 is no result here and one among the cardiac markers, or is a result in both.
    source: "one rule for one test"
    example: "CK-MB 0: no row / no row / 0"
  - name: further_result
    published: "FALSE"
    adjudicated: |-
      (itemid IN (53084, 53086, 53087, 53088, 53093) AND lower(trim(valueuom)) IN ('iu/l', 'u/l'))
          OR (itemid = 53089 AND lower(trim(valueuom)) = 'mg/dl')
    difference: Results of newer items of the same substances are passed over, or read where their unit is that of the older ones.
    source: "dictionary of release 3.1: blood, chemistry, same names"
    example: "53089 of 2.1 mg/dL alone: no row / no row / total bilirubin 2.1"
*/
-- Liver, pancreatic and muscle enzymes and bilirubin, one row a specimen.
WITH accepted_result AS (
  -- rule 1
  SELECT subject_id, hadm_id, charttime, specimen_id, itemid, valuenum
  FROM mimiciv_hosp.labevents
  WHERE (
      itemid IN (
        50861, -- Alanine Aminotransferase (ALT), IU/L; newer 53084
        50863, -- Alkaline Phosphatase, IU/L; newer 53086
        50878, -- Asparate Aminotransferase (AST), IU/L; newer 53088
        50867, -- Amylase, IU/L; newer 53087
        50885, -- Bilirubin, Total, mg/dL; newer 53089
        50883, -- Bilirubin, Direct, mg/dL
        50884, -- Bilirubin, Indirect, mg/dL
        50910, -- Creatine Kinase (CK), IU/L
        50911, -- Creatine Kinase, MB Isoenzyme, ng/mL
        50927, -- Gamma Glutamyltransferase, IU/L; newer 53093
        50954 -- Lactate Dehydrogenase (LD), IU/L
      )
      OR $further_result
    )
    AND (valuenum > 0 OR ($fraction_accepted) OR ($ck_mb_accepted))
)
-- rule 2
SELECT
  max(subject_id) AS subject_id,
  max(hadm_id) AS hadm_id,
  max(charttime) AS charttime,
  specimen_id,
  max(CASE WHEN itemid IN (50861, 53084) THEN valuenum END) AS alt,
  max(CASE WHEN itemid IN (50863, 53086) THEN valuenum END) AS alp,
  max(CASE WHEN itemid IN (50878, 53088) THEN valuenum END) AS ast,
  max(CASE WHEN itemid IN (50867, 53087) THEN valuenum END) AS amylase,
  max(CASE WHEN itemid IN (50885, 53089) THEN valuenum END) AS bilirubin_total,
  max(CASE WHEN itemid = 50883 THEN valuenum END) AS bilirubin_direct,
  max(CASE WHEN itemid = 50884 THEN valuenum END) AS bilirubin_indirect,
  max(CASE WHEN itemid = 50910 THEN valuenum END) AS ck_cpk,
  max(CASE WHEN itemid = 50911 THEN valuenum END) AS ck_mb,
  max(CASE WHEN itemid IN (50927, 53093) THEN valuenum END) AS ggt,
  max(CASE WHEN itemid = 50954 THEN valuenum END) AS ld_ldh
FROM accepted_result
GROUP BY specimen_id
