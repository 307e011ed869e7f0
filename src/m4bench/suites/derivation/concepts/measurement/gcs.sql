/*
name: gcs
kind: concept
title: Glasgow Coma Scale at each charting time
grain: one row per patient, ICU stay and charttime with a charted component
key: [stay_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: gcs, type: DOUBLE, unit: points, meaning: "total, 3-15; 15 while the verbal response is blocked by a tube"}
  - {name: gcs_motor, type: DOUBLE, unit: points, meaning: "motor, current or carried"}
  - {name: gcs_verbal, type: DOUBLE, unit: points, meaning: "verbal, current or carried; 0 is a tube in place"}
  - {name: gcs_eyes, type: DOUBLE, unit: points, meaning: "eyes, current or carried"}
  - {name: gcs_unable, type: INTEGER, meaning: 1 when the tube response is charted at this very time}
inputs: [mimiciv_icu.chartevents]
spec: gcs
source: "Teasdale and Jennett, 1974, Lancet; intubated patients after Le Gall et al., 1993, JAMA"
conventions: []
*/
-- components charted together, a single step of carry-forward, and the total
WITH charted_component AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        CASE WHEN itemid = 223901 THEN valuenum END AS motor,  -- GCS - Motor Response
        CASE
            WHEN itemid = 223900 AND value = 'No Response-ETT' THEN 0  -- GCS - Verbal Response
            WHEN itemid = 223900 THEN valuenum
        END AS verbal,
        CASE WHEN itemid = 220739 THEN valuenum END AS eyes,  -- GCS - Eye Opening
        CASE WHEN itemid = 223900 AND value = 'No Response-ETT' THEN 1 ELSE 0 END AS tube_response
    FROM mimiciv_icu.chartevents
    WHERE itemid IN (223901, 223900, 220739)
),

-- rule 1
observation AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        MAX(motor) AS motor,
        MAX(verbal) AS verbal,
        MAX(eyes) AS eyes,
        MAX(tube_response) AS tube_response
    FROM charted_component
    GROUP BY subject_id, stay_id, charttime
),

-- rule 2: the raw values of the one observation before, if less than six hours old and of a known stay
with_preceding AS (
    SELECT
        subject_id,
        stay_id,
        charttime,
        motor,
        verbal,
        eyes,
        tube_response,
        CASE WHEN LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND stay_id IS NOT NULL
            THEN LAG(motor) OVER in_stay END AS preceding_motor,
        CASE WHEN LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND stay_id IS NOT NULL
            THEN LAG(verbal) OVER in_stay END AS preceding_verbal,
        CASE WHEN LAG(charttime) OVER in_stay > charttime - INTERVAL 6 HOUR AND stay_id IS NOT NULL
            THEN LAG(eyes) OVER in_stay END AS preceding_eyes
    FROM observation
    WINDOW in_stay AS (PARTITION BY stay_id ORDER BY charttime NULLS FIRST, subject_id NULLS FIRST)
)

SELECT
    subject_id,
    stay_id,
    charttime,
    CAST(
        CASE
            WHEN verbal = 0 THEN 15  -- rule 3a
            WHEN verbal IS NULL AND preceding_verbal = 0 THEN 15  -- rule 3b
            WHEN preceding_verbal = 0  -- rule 3c: nothing is carried out of an intubation
                THEN COALESCE(motor, 6) + COALESCE(verbal, 5) + COALESCE(eyes, 4)
            ELSE  -- rule 3d
                COALESCE(motor, preceding_motor, 6)
                + COALESCE(verbal, preceding_verbal, 5)
                + COALESCE(eyes, preceding_eyes, 4)
        END AS DOUBLE
    ) AS gcs,
    COALESCE(motor, preceding_motor) AS gcs_motor,  -- rule 4
    COALESCE(verbal, preceding_verbal) AS gcs_verbal,
    COALESCE(eyes, preceding_eyes) AS gcs_eyes,
    tube_response AS gcs_unable  -- rule 5
FROM with_preceding
