/*
name: chemistry
kind: concept
title: Serum chemistry panel of a laboratory specimen
grain: one row per laboratory specimen with at least one accepted result
key: [specimen_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: "admission, may be null"}
  - {name: charttime, type: TIMESTAMP, meaning: specimen time}
  - {name: specimen_id, type: INTEGER, meaning: specimen}
  - {name: albumin, type: DOUBLE, unit: "g/dL", meaning: albumin}
  - {name: globulin, type: DOUBLE, unit: "g/dL", meaning: globulin}
  - {name: total_protein, type: DOUBLE, unit: "g/dL", meaning: total protein}
  - {name: aniongap, type: DOUBLE, unit: "mEq/L", meaning: anion gap}
  - {name: bicarbonate, type: DOUBLE, unit: "mEq/L", meaning: bicarbonate}
  - {name: bun, type: DOUBLE, unit: "mg/dL", meaning: urea nitrogen}
  - {name: calcium, type: DOUBLE, unit: "mg/dL", meaning: total calcium}
  - {name: chloride, type: DOUBLE, unit: "mEq/L", meaning: chloride}
  - {name: creatinine, type: DOUBLE, unit: "mg/dL", meaning: creatinine}
  - {name: glucose, type: DOUBLE, unit: "mg/dL", meaning: glucose}
  - {name: sodium, type: DOUBLE, unit: "mEq/L", meaning: sodium}
  - {name: potassium, type: DOUBLE, unit: "mEq/L", meaning: potassium}
inputs: [mimiciv_hosp.labevents]
spec: chemistry
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: further_result
    published: "FALSE"
    adjudicated: |-
      (itemid IN (53085, 53096) AND lower(trim(valueuom)) = 'g/dl')
          OR (itemid IN (52546, 52569, 52647) AND lower(trim(valueuom)) = 'mg/dl')
          OR (itemid IN (52500, 52535, 52610, 52623) AND lower(trim(valueuom)) = 'meq/l')
    difference: Results of newer items of the same substances are passed over, or read where their unit is that of the older ones.
    source: "dictionary of release 3.1: blood, chemistry, same names"
    example: "52546 of 1.4 mg/dL alone: no row / no row / creatinine 1.4"
  - name: row_kept
    published: "TRUE"
    adjudicated: |-
      coalesce(
          albumin, globulin, total_protein, aniongap, bicarbonate, bun, calcium, chloride, creatinine, glucose,
          sodium, potassium
        ) IS NOT NULL
    difference: A specimen with values above the limits only is a row without any, or no row.
    source: "specification of the concept"
    example: "albumin 11 alone: a row of nulls / a row of nulls / no row"
unresolved:
  - says: physiological limits per analyte
    reason: no limit is stated
*/
-- Central laboratory chemistry, one row a specimen; blood-gas and point-of-care items are not used.
WITH accepted_result AS (
  -- rule 1
  SELECT subject_id, hadm_id, charttime, specimen_id, itemid, valuenum
  FROM mimiciv_hosp.labevents
  WHERE (
      itemid IN (
        50862, -- Albumin, g/dL; newer 53085
        50930, -- Globulin, g/dL
        50976, -- Protein, Total, g/dL; newer 53096
        50868, -- Anion Gap, mEq/L; newer 52500
        50882, -- Bicarbonate, mEq/L
        51006, -- Urea Nitrogen, mg/dL; newer 52647
        50893, -- Calcium, Total, mg/dL
        50902, -- Chloride, mEq/L; newer 52535
        50912, -- Creatinine, mg/dL; newer 52546
        50931, -- Glucose, mg/dL; newer 52569
        50983, -- Sodium, mEq/L; newer 52623
        50971 -- Potassium, mEq/L; newer 52610
      )
      OR $further_result
    )
    AND (valuenum > 0 OR (itemid IN (50868, 52500) AND valuenum IS NOT NULL)) -- an anion gap may be zero or negative
),
specimen AS (
  -- rule 2: above the upper limit the value is void
  SELECT
    max(subject_id) AS subject_id,
    max(hadm_id) AS hadm_id,
    max(charttime) AS charttime,
    specimen_id,
    max(CASE WHEN itemid IN (50862, 53085) AND valuenum <= 10 THEN valuenum END) AS albumin,
    max(CASE WHEN itemid = 50930 AND valuenum <= 10 THEN valuenum END) AS globulin,
    max(CASE WHEN itemid IN (50976, 53096) AND valuenum <= 20 THEN valuenum END) AS total_protein,
    max(CASE WHEN itemid IN (50868, 52500) AND valuenum <= 10000 THEN valuenum END) AS aniongap,
    max(CASE WHEN itemid = 50882 AND valuenum <= 10000 THEN valuenum END) AS bicarbonate,
    max(CASE WHEN itemid IN (51006, 52647) AND valuenum <= 300 THEN valuenum END) AS bun,
    max(CASE WHEN itemid = 50893 AND valuenum <= 10000 THEN valuenum END) AS calcium,
    max(CASE WHEN itemid IN (50902, 52535) AND valuenum <= 10000 THEN valuenum END) AS chloride,
    max(CASE WHEN itemid IN (50912, 52546) AND valuenum <= 150 THEN valuenum END) AS creatinine,
    max(CASE WHEN itemid IN (50931, 52569) AND valuenum <= 10000 THEN valuenum END) AS glucose,
    max(CASE WHEN itemid IN (50983, 52623) AND valuenum <= 200 THEN valuenum END) AS sodium,
    max(CASE WHEN itemid IN (50971, 52610) AND valuenum <= 30 THEN valuenum END) AS potassium
  FROM accepted_result
  GROUP BY specimen_id
)
-- rule 3: what becomes of a specimen of void values only
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
WHERE $row_kept
