/*
name: complete_blood_count
kind: concept
title: Complete blood count of a laboratory specimen
grain: one row per laboratory specimen with at least one accepted result
key: [specimen_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: "admission, may be null"}
  - {name: charttime, type: TIMESTAMP, meaning: specimen time}
  - {name: specimen_id, type: INTEGER, meaning: specimen}
  - {name: hematocrit, type: DOUBLE, unit: "%", meaning: hematocrit}
  - {name: hemoglobin, type: DOUBLE, unit: "g/dL", meaning: hemoglobin}
  - {name: mch, type: DOUBLE, unit: pg, meaning: mean corpuscular hemoglobin}
  - {name: mchc, type: DOUBLE, unit: "g/dL", meaning: mean corpuscular hemoglobin concentration}
  - {name: mcv, type: DOUBLE, unit: fL, meaning: mean corpuscular volume}
  - {name: platelet, type: DOUBLE, unit: "K/µL", meaning: platelets}
  - {name: rbc, type: DOUBLE, unit: "m/µL", meaning: red cells}
  - {name: rdw, type: DOUBLE, unit: "%", meaning: red cell distribution width}
  - {name: rdwsd, type: DOUBLE, unit: fL, meaning: "red cell distribution width as a standard deviation, in the published form practically always null"}
  - {name: wbc, type: DOUBLE, unit: "K/µL", meaning: white cells}
inputs: [mimiciv_hosp.labevents]
spec: complete_blood_count
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: rdwsd_item
    published: "52159"
    adjudicated: "52172"
    difference: The standard deviation of the red cell width is read from an item that is called Platelet Aggregation, or from its own.
    source: "dictionary of release 2.2 and later: 52172 is RDW-SD, fL"
    example: "52172 of 45 fL: no row / no row / 45"
  - name: white_cell_items
    published: "51301"
    adjudicated: 51300, 51301, 51755
    difference: White cells are read from one item, or from all three that the differential reads too.
    source: "one test under three items"
    example: "51300 of 9: no row / no row / 9"
unresolved:
  - says: physiological upper limits
    reason: no limit is stated
*/
-- Blood counts, one row a specimen.
WITH accepted_result AS (
  -- rule 1
  SELECT subject_id, hadm_id, charttime, specimen_id, itemid, valuenum
  FROM mimiciv_hosp.labevents
  WHERE itemid IN (
      51221, -- Hematocrit, %
      51222, -- Hemoglobin, g/dL
      51248, -- MCH, pg
      51249, -- MCHC, g/dL
      51250, -- MCV, fL
      51265, -- Platelet Count, K/µL
      51279, -- Red Blood Cells, m/µL
      51277, -- RDW, %
      $rdwsd_item, -- RDW-SD, fL, or what is taken for it
      $white_cell_items -- White Blood Cells, WBC Count, K/µL
    )
    AND valuenum > 0
)
-- rule 2
SELECT
  max(subject_id) AS subject_id,
  max(hadm_id) AS hadm_id,
  max(charttime) AS charttime,
  specimen_id,
  max(CASE WHEN itemid = 51221 THEN valuenum END) AS hematocrit,
  max(CASE WHEN itemid = 51222 THEN valuenum END) AS hemoglobin,
  max(CASE WHEN itemid = 51248 THEN valuenum END) AS mch,
  max(CASE WHEN itemid = 51249 THEN valuenum END) AS mchc,
  max(CASE WHEN itemid = 51250 THEN valuenum END) AS mcv,
  max(CASE WHEN itemid = 51265 THEN valuenum END) AS platelet,
  max(CASE WHEN itemid = 51279 THEN valuenum END) AS rbc,
  max(CASE WHEN itemid = 51277 THEN valuenum END) AS rdw,
  max(CASE WHEN itemid = $rdwsd_item THEN valuenum END) AS rdwsd,
  max(CASE WHEN itemid IN ($white_cell_items) THEN valuenum END) AS wbc
FROM accepted_result
GROUP BY specimen_id
