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
  - {name: gcs_motor, type: "DECIMAL(18,3)", unit: points, meaning: "motor at that time; published: 6 if not charted then"}
  - {name: gcs_verbal, type: "DECIMAL(18,3)", unit: points, meaning: "verbal at that time; published: 5 if not charted then"}
  - {name: gcs_eyes, type: "DECIMAL(18,3)", unit: points, meaning: "eyes at that time; published: 4 if not charted then"}
inputs: [eicu_crd.nursecharting, eicu_crd.patient]
spec: eicu-gcs
source: "Teasdale and Jennett, 1974, Lancet 2(7872):81-84"
conventions:
  - name: counts
    published: "TRUE"
    adjudicated: points BETWEEN least AND most
    difference: Of two values of one time the lower is taken before its range is looked at, or values off the scale are left out first.
    source: "total 3 to 15, eyes 4, motor 6, verbal 5 (Teasdale and Jennett, 1974 and 1976, Lancet and Acta Neurochir)"
    example: "totals 2 and 7 at one time: 15 / 15 / 7"
  - name: past
    published: observation
    adjudicated: with_last_stated
    difference: Where no total is charted, a missing component counts as normal, or as last stated within six hours.
    source: "carried forward as in the coma scale of MIMIC-IV: the most recent value within six hours"
    example: "motor 4 at 10 min, eyes 2 at 60 min: 13 / 13 / 11"
  - name: taken_as_normal
    published: "TRUE"
    adjudicated: worst.working_total IS NULL
    difference: A component nobody charted is reported as normal, or as missing; where nothing at all is charted both say normal.
    source: "a component that was not tested has no grade (Teasdale et al., 2014, Lancet Neurol)"
    example: "total 3 alone: motor 6 / 6 / null"
unresolved:
  - says: mark an intubated patient, as the coma scale of MIMIC-IV does
    reason: nurse charting of eICU has no response that tells a tube, so a verbal 1 may be either
*/
-- the lowest total of the window, of a tie the earliest, missing parts filled in as normal
WITH charted_item AS (
    SELECT quantity, label, name, least, most
    FROM (
        VALUES
            ('total', 'Glasgow coma score', 'GCS Total', 3, 15),
            ('total', 'Score (Glasgow Coma Scale)', 'Value', 3, 15),
            ('motor', 'Glasgow coma score', 'Motor', 1, 6),
            ('verbal', 'Glasgow coma score', 'Verbal', 1, 5),
            ('eyes', 'Glasgow coma score', 'Eyes', 1, 4)
    ) AS listed(quantity, label, name, least, most)
),

-- texts that are no number are null
charted_value AS (
    SELECT
        chart.patientunitstayid,
        chart.nursingchartoffset,
        item.quantity,
        item.least,
        item.most,
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
    WHERE $counts
    GROUP BY patientunitstayid, nursingchartoffset
),

-- how many observations of the stay so far state each component: the last value of a component is the
-- one stated by the observations of its number
numbered AS (
    SELECT
        patientunitstayid,
        nursingchartoffset,
        total,
        motor,
        verbal,
        eyes,
        COUNT(motor) OVER in_stay AS motor_number,
        COUNT(verbal) OVER in_stay AS verbal_number,
        COUNT(eyes) OVER in_stay AS eyes_number
    FROM observation
    WHERE nursingchartoffset IS NOT NULL
    WINDOW in_stay AS (PARTITION BY patientunitstayid ORDER BY nursingchartoffset)
),

last_stated AS (
    SELECT
        patientunitstayid,
        nursingchartoffset,
        total,
        motor,
        verbal,
        eyes,
        MAX(motor) OVER of_motor AS last_motor,
        nursingchartoffset - MIN(nursingchartoffset) OVER of_motor AS motor_age,
        MAX(verbal) OVER of_verbal AS last_verbal,
        nursingchartoffset - MIN(nursingchartoffset) OVER of_verbal AS verbal_age,
        MAX(eyes) OVER of_eyes AS last_eyes,
        nursingchartoffset - MIN(nursingchartoffset) OVER of_eyes AS eyes_age
    FROM numbered
    WINDOW
        of_motor AS (PARTITION BY patientunitstayid, motor_number),
        of_verbal AS (PARTITION BY patientunitstayid, verbal_number),
        of_eyes AS (PARTITION BY patientunitstayid, eyes_number)
),

-- a total stands for itself; what makes one up is the last value of each component, under six hours old
with_last_stated AS (
    SELECT
        patientunitstayid,
        nursingchartoffset,
        total,
        CASE WHEN total IS NULL AND motor_age < 360 THEN last_motor ELSE motor END AS motor,
        CASE WHEN total IS NULL AND verbal_age < 360 THEN last_verbal ELSE verbal END AS verbal,
        CASE WHEN total IS NULL AND eyes_age < 360 THEN last_eyes ELSE eyes END AS eyes
    FROM last_stated
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
    FROM $past
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
    CAST(COALESCE(worst.motor, CASE WHEN $taken_as_normal THEN 6 END) AS DECIMAL(18, 3)) AS gcs_motor,  -- rule 7, as for the others
    CAST(COALESCE(worst.verbal, CASE WHEN $taken_as_normal THEN 5 END) AS DECIMAL(18, 3)) AS gcs_verbal,
    CAST(COALESCE(worst.eyes, CASE WHEN $taken_as_normal THEN 4 END) AS DECIMAL(18, 3)) AS gcs_eyes
FROM eicu_crd.patient AS patient
LEFT JOIN ranked_observation AS worst
    ON patient.patientunitstayid = worst.patientunitstayid AND worst.rank_from_worst = 1
