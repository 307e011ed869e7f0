/*
name: weight_durations
kind: concept
title: Body weights as consecutive validity intervals
grain: one row per accepted weight, and at most one back-filled row per ICU stay
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: starttime, type: TIMESTAMP, meaning: start of validity}
  - {name: endtime, type: TIMESTAMP, meaning: end of validity}
  - {name: weight, type: DOUBLE, unit: kg, meaning: "weight, unrounded"}
  - {name: weight_type, type: VARCHAR, meaning: admit or daily}
inputs: [mimiciv_icu.chartevents, mimiciv_icu.icustays]
spec: weight_durations
source: KDIGO, 2012, Kidney International Supplements (use of a current weight)
conventions: []
*/
-- each charted weight holds until the next, the first one back to two hours before admission
WITH charted_weight AS (
    SELECT
        stay_id,
        charttime,
        valuenum AS weight,
        CASE itemid
            WHEN 226512 THEN 'admit'  -- Admission Weight (Kg)
            WHEN 224639 THEN 'daily'  -- Daily Weight, kg
        END AS weight_type
    FROM mimiciv_icu.chartevents
    WHERE itemid IN (226512, 224639) AND valuenum > 0  -- rule 1
),

-- rules 2, 3 and 8
numbered_weight AS (
    SELECT
        wt.stay_id,
        icu.intime,
        icu.outtime,
        wt.charttime,
        wt.weight,
        wt.weight_type,
        ROW_NUMBER() OVER (
            PARTITION BY wt.stay_id, wt.weight_type
            ORDER BY wt.charttime ASC NULLS FIRST, wt.weight ASC
        ) AS number_of_type
    FROM charted_weight AS wt
    INNER JOIN mimiciv_icu.icustays AS icu ON wt.stay_id = icu.stay_id
),

-- rule 4
started_weight AS (
    SELECT
        stay_id,
        intime,
        outtime,
        CASE
            WHEN weight_type = 'admit' AND number_of_type = 1 THEN intime - INTERVAL 2 HOUR
            ELSE charttime
        END AS starttime,
        weight,
        weight_type
    FROM numbered_weight
),

-- rules 5, 6 and 8
interval_of_weight AS (
    SELECT
        stay_id,
        intime,
        starttime,
        CASE
            WHEN ROW_NUMBER() OVER stay_in_time = COUNT(*) OVER (PARTITION BY stay_id) THEN outtime + INTERVAL 2 HOUR
            ELSE LEAD(starttime) OVER stay_in_time
        END AS endtime,
        weight,
        weight_type,
        ROW_NUMBER() OVER stay_in_time AS number_in_stay
    FROM started_weight
    WINDOW stay_in_time AS (
        PARTITION BY stay_id
        -- 'admit' stands before 'daily' in byte order
        ORDER BY starttime ASC NULLS FIRST, weight_type ASC, weight ASC
    )
)

SELECT
    stay_id,
    starttime,
    endtime,
    weight,
    weight_type
FROM interval_of_weight
UNION ALL
-- rule 7
SELECT
    stay_id,
    intime - INTERVAL 2 HOUR AS starttime,
    starttime AS endtime,
    weight,
    weight_type
FROM interval_of_weight
WHERE number_in_stay = 1 AND intime < starttime
