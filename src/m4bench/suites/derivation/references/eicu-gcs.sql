/*
name: eicu-gcs
kind: reference
title: Lowest Glasgow Coma Scale of the first day of an eICU unit stay with its components
grain: one row per eICU unit stay
key: [patientunitstayid]
columns:
  - {name: patientunitstayid, type: INTEGER, meaning: unit stay}
  - {name: uniquepid, type: VARCHAR, meaning: patient}
  - {name: patienthealthsystemstayid, type: INTEGER, meaning: hospital stay}
  - {name: gcs_min, type: "DECIMAL(18,3)", unit: points, meaning: "lowest total; 15 when nothing is charted"}
  - {name: gcs_motor, type: "DECIMAL(18,3)", unit: points, meaning: "motor at that time, 6 if not charted then"}
  - {name: gcs_verbal, type: "DECIMAL(18,3)", unit: points, meaning: "verbal at that time, 5 if not charted then"}
  - {name: gcs_eyes, type: "DECIMAL(18,3)", unit: points, meaning: "eyes at that time, 4 if not charted then"}
inputs: [eicu_crd.nursecharting, eicu_crd.patient]
spec: eicu-gcs
source: "Teasdale and Jennett, 1974, Lancet 2(7872):81-84"
conventions: []
*/
-- the lowest total of the window, of a tie the earliest, missing parts filled in as normal
WITH charted_item AS (
    SELECT quantity, label, name
    FROM (
        VALUES
            ('total', 'Glasgow coma score', 'GCS Total'),
            ('total', 'Score (Glasgow Coma Scale)', 'Value'),
            ('motor', 'Glasgow coma score', 'Motor'),
            ('verbal', 'Glasgow coma score', 'Verbal'),
            ('eyes', 'Glasgow coma score', 'Eyes')
    ) AS listed(quantity, label, name)
),

-- texts that are no number are null
charted_value AS (
    SELECT
        chart.patientunitstayid,
        chart.nursingchartoffset,
        item.quantity,
        TRY_CAST(chart.nursingchartvalue AS DECIMAL(18, 3)) AS points
    FROM eicu_crd.nursecharting AS chart
    INNER JOIN charted_item AS item
        ON chart.nursingchartcelltypevallabel = item.label AND chart.nursingchartcelltypevalname = item.name
    WHERE chart.nursingchartcelltypecat IN ('Scores', 'Other Vital Signs and Infusions')
),

-- rule 1
observation AS (
    SELECT
        patientunitstayid,
        nursingchartoffset,
        MIN(CASE WHEN quantity = 'total' THEN points END) AS total,
        MIN(CASE WHEN quantity = 'motor' THEN points END) AS motor,
        MIN(CASE WHEN quantity = 'verbal' THEN points END) AS verbal,
        MIN(CASE WHEN quantity = 'eyes' THEN points END) AS eyes
    FROM charted_value
    GROUP BY patientunitstayid, nursingchartoffset
),

-- rule 2 keeps a time with any value; after it, rule 3 nulls a total out of range
first_day_observation AS (
    SELECT
        patientunitstayid,
        nursingchartoffset,
        motor,
        verbal,
        eyes,
        CASE
            WHEN total > 2 AND total < 16 THEN total  -- rule 3
            ELSE COALESCE(eyes, 4) + COALESCE(motor, 6) + COALESCE(verbal, 5)
        END AS working_total  -- rule 4
    FROM observation
    WHERE COALESCE(total, motor, verbal, eyes) IS NOT NULL  -- rule 2
        AND nursingchartoffset BETWEEN -360 AND 1440  -- rule 5
),

ranked_observation AS (
    SELECT
        patientunitstayid,
        working_total,
        motor,
        verbal,
        eyes,
        ROW_NUMBER() OVER (  -- rule 6
            PARTITION BY patientunitstayid ORDER BY working_total ASC, nursingchartoffset ASC
        ) AS rank_from_worst
    FROM first_day_observation
)

SELECT
    patient.patientunitstayid,
    patient.uniquepid,
    patient.patienthealthsystemstayid,
    CAST(COALESCE(worst.working_total, 15) AS DECIMAL(18, 3)) AS gcs_min,  -- rule 8, as for the components
    CAST(COALESCE(worst.motor, 6) AS DECIMAL(18, 3)) AS gcs_motor,  -- rule 7, as for the others
    CAST(COALESCE(worst.verbal, 5) AS DECIMAL(18, 3)) AS gcs_verbal,
    CAST(COALESCE(worst.eyes, 4) AS DECIMAL(18, 3)) AS gcs_eyes
FROM eicu_crd.patient AS patient
LEFT JOIN ranked_observation AS worst
    ON patient.patientunitstayid = worst.patientunitstayid AND worst.rank_from_worst = 1
