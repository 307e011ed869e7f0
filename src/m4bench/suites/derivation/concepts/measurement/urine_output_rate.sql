/*
name: urine_output_rate
kind: concept
title: Urine output rate over trailing 6, 12 and 24 hours
grain: one row per ICU stay and urine charttime, for each weight interval that holds it (at most one as a rule)
key: [stay_id, charttime]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: urine charting time}
  - {name: weight, type: DOUBLE, unit: kg, meaning: "weight valid then, null when none is"}
  - {name: uo, type: DOUBLE, unit: mL, meaning: urine at this time}
  - {name: urineoutput_6hr, type: DOUBLE, unit: mL, meaning: urine of the 6 h window}
  - {name: urineoutput_12hr, type: DOUBLE, unit: mL, meaning: urine of the 12 h window}
  - {name: urineoutput_24hr, type: DOUBLE, unit: mL, meaning: urine of the 24 h window}
  - {name: uo_mlkghr_6hr, type: "DECIMAL(18,3)", unit: mL/kg/h, meaning: "6 h rate, null below 6 collected hours"}
  - {name: uo_mlkghr_12hr, type: "DECIMAL(18,3)", unit: mL/kg/h, meaning: "12 h rate, null below 12 collected hours"}
  - {name: uo_mlkghr_24hr, type: "DECIMAL(18,3)", unit: mL/kg/h, meaning: "24 h rate, null below 24 collected hours"}
  - {name: uo_tm_6hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 6 h window}
  - {name: uo_tm_12hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 12 h window}
  - {name: uo_tm_24hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 24 h window}
inputs: [mimiciv_derived.urine_output, mimiciv_derived.weight_durations, mimiciv_icu.chartevents, mimiciv_icu.icustays]
spec: urine_output_rate
source: KDIGO, 2012, Kidney International Supplements
conventions: []
*/
-- trailing urine volumes and the time they were collected over, per weight
-- rule 1: a stay without a heart rate is left out
WITH monitored_stay AS (
    SELECT icu.stay_id, MIN(hr.charttime) AS monitored_from
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_icu.chartevents AS hr
        ON icu.stay_id = hr.stay_id
        AND hr.charttime > icu.intime - INTERVAL 1 MONTH
        AND hr.charttime < icu.outtime + INTERVAL 1 MONTH
    WHERE hr.itemid = 220045  -- Heart Rate, bpm
    GROUP BY icu.stay_id
),

-- rule 2: the elapsed time a volume was collected over, in whole microseconds so that sums are exact
collected_urine AS (
    SELECT
        urine.stay_id,
        urine.charttime,
        urine.urineoutput,
        DATE_DIFF(
            'microsecond', COALESCE(LAG(urine.charttime) OVER in_stay, stay.monitored_from), urine.charttime
        ) AS gap,
        DENSE_RANK() OVER in_stay AS number_in_stay
    FROM mimiciv_derived.urine_output AS urine
    INNER JOIN monitored_stay AS stay ON urine.stay_id = stay.stay_id
    WINDOW in_stay AS (PARTITION BY urine.stay_id ORDER BY urine.charttime NULLS FIRST)
),

-- rules 3 and 4: each entry stands for the hour before it, hence 5, 11 and 23 hours of look-back
trailing_urine AS (
    SELECT
        stay_id,
        charttime,
        number_in_stay,
        urineoutput,
        SUM(urineoutput) OVER back_5h AS volume_6hr,
        SUM(urineoutput) OVER back_11h AS volume_12hr,
        SUM(urineoutput) OVER back_23h AS volume_24hr,
        CAST(SUM(gap) OVER back_5h AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_6hr,
        CAST(SUM(gap) OVER back_11h AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_12hr,
        CAST(SUM(gap) OVER back_23h AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_24hr
    FROM collected_urine
    WINDOW
        back_5h AS (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN INTERVAL 5 HOUR PRECEDING AND CURRENT ROW
        ),
        back_11h AS (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN INTERVAL 11 HOUR PRECEDING AND CURRENT ROW
        ),
        back_23h AS (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN INTERVAL 23 HOUR PRECEDING AND CURRENT ROW
        )
),

usable_weight AS (
    SELECT
        stay_id,
        starttime,
        endtime,
        weight,
        ROW_NUMBER() OVER (PARTITION BY stay_id ORDER BY starttime, endtime, weight) AS weight_number
    FROM mimiciv_derived.weight_durations
    WHERE weight > 0 AND starttime < endtime
),

-- rule 5, (starttime, endtime]: entries and ends of weights on one time line, at one time entries first
timeline AS (
    SELECT
        stay_id,
        charttime AS moment,
        0 AS place,
        number_in_stay,
        CAST(NULL AS BIGINT) AS weight_number,
        CAST(NULL AS DOUBLE) AS weight
    FROM collected_urine
    UNION ALL
    SELECT stay_id, starttime AS moment, 1 AS place, NULL AS number_in_stay, weight_number, weight
    FROM usable_weight
    UNION ALL
    SELECT stay_id, endtime AS moment, 1 AS place, NULL AS number_in_stay, weight_number, weight
    FROM usable_weight
),

last_entry AS (
    SELECT
        stay_id,
        weight_number,
        weight,
        COALESCE(
            MAX(number_in_stay) OVER (
                PARTITION BY stay_id
                ORDER BY moment NULLS FIRST, place NULLS FIRST
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ),
            0
        ) AS number_in_stay
    FROM timeline
),

-- a weight holds for the run of entries between its ends, so that nothing is compared pairwise
weight_run AS (
    SELECT stay_id, weight, MIN(number_in_stay) + 1 AS first_number, MAX(number_in_stay) AS last_number
    FROM last_entry
    WHERE weight_number IS NOT NULL
    GROUP BY stay_id, weight_number, weight
    HAVING MIN(number_in_stay) < MAX(number_in_stay)
),

weight_of_entry AS (
    SELECT run.stay_id, run.weight, entry.number_in_stay
    FROM weight_run AS run
    CROSS JOIN UNNEST(GENERATE_SERIES(run.first_number, run.last_number)) AS entry(number_in_stay)
)

SELECT
    urine.stay_id,
    urine.charttime,
    wt.weight,
    urine.urineoutput AS uo,
    urine.volume_6hr AS urineoutput_6hr,
    urine.volume_12hr AS urineoutput_12hr,
    urine.volume_24hr AS urineoutput_24hr,
    -- rule 6: on the unrounded hours; the decimal rounds half away from zero
    CASE WHEN urine.hours_6hr >= 6
        THEN TRY_CAST(urine.volume_6hr / wt.weight / urine.hours_6hr AS DECIMAL(18, 3)) END AS uo_mlkghr_6hr,
    CASE WHEN urine.hours_12hr >= 12
        THEN TRY_CAST(urine.volume_12hr / wt.weight / urine.hours_12hr AS DECIMAL(18, 3)) END AS uo_mlkghr_12hr,
    CASE WHEN urine.hours_24hr >= 24
        THEN TRY_CAST(urine.volume_24hr / wt.weight / urine.hours_24hr AS DECIMAL(18, 3)) END AS uo_mlkghr_24hr,
    -- rule 7: two roundings, one after the other
    CAST(TRY_CAST(urine.hours_6hr AS DECIMAL(18, 3)) AS DECIMAL(18, 2)) AS uo_tm_6hr,
    CAST(TRY_CAST(urine.hours_12hr AS DECIMAL(18, 3)) AS DECIMAL(18, 2)) AS uo_tm_12hr,
    CAST(TRY_CAST(urine.hours_24hr AS DECIMAL(18, 3)) AS DECIMAL(18, 2)) AS uo_tm_24hr
FROM trailing_urine AS urine
LEFT JOIN weight_of_entry AS wt
    ON urine.stay_id = wt.stay_id AND urine.number_in_stay = wt.number_in_stay
