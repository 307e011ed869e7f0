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
  - {name: weight, type: DOUBLE, unit: kg, meaning: "weight, unrounded in the published form"}
  - {name: weight_type, type: VARCHAR, meaning: admit or daily}
inputs: [mimiciv_icu.chartevents, mimiciv_icu.icustays]
spec: weight_durations
source: KDIGO, 2012, Kidney International Supplements (use of a current weight)
conventions:
  - name: accepted_weight
    published: valuenum > 0
    current: valuenum > 0 AND valuenum < 1500
    adjudicated: valuenum >= 20 AND valuenum <= 350
    difference: A weight counts below 1500 kg, or from 20 to 350 kg, in place of any above 0.
    source: "community's current form; adjudicated reading of the specification, which names the limits itself"
    example: "1600 kg: kept / left out / left out; 400 kg and 10 kg: kept / kept / left out"
  - name: weight_kept
    published: valuenum
    current: CAST(CAST(valuenum AS DECIMAL(18, 3)) AS DOUBLE)
    difference: A weight is rounded to grams.
    source: "community's current form"
    example: "80.1234 kg: 80.1234 / 80.123 / 80.123"
  - name: dated_back
    published: weight_type = 'admit' AND number_of_type = 1
    adjudicated: weight_type = 'admit' AND number_of_type = 1 AND (first_daily IS NULL OR first_daily >= charttime)
    difference: The first admission weight is dated back to two hours before admission unless a daily weight was charted before it.
    source: adjudicated reading of the specification
    example: "daily 82 at 12:00, admission weight 80 charted at 14:00, weight at 13:00: 82; at 15:00: 82 / 82 / 80"
  - name: interval_kept
    published: "TRUE"
    adjudicated: endtime IS NULL OR starttime < endtime
    difference: Intervals of no or negative length are left out; at most one weight holds at a time.
    source: adjudicated reading of the specification
    example: "two weights charted at 06:00: two intervals / two / one"
unresolved:
  - says: Abrupt jumps of weight should be treated as errors.
    reason: No source says what is abrupt.
  - says: The first daily weight, carried back to the start, should be flagged as imputed.
    reason: A flag would be a further column.
*/
-- each charted weight holds until the next, the first one back to two hours before admission
WITH charted_weight AS (
    SELECT
        stay_id,
        charttime,
        $weight_kept AS weight,
        weight_type_of(itemid) AS weight_type
    FROM mimiciv_icu.chartevents
    WHERE itemid IN (226512, 224639) AND $accepted_weight  -- rule 1
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
        ) AS number_of_type,
        MIN(CASE WHEN wt.weight_type = 'daily' THEN wt.charttime END) OVER (PARTITION BY wt.stay_id) AS first_daily
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
            WHEN $dated_back THEN intime - INTERVAL 2 HOUR
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
WHERE $interval_kept
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
