/*
name: kdigo_uo
kind: concept
title: Urine output for KDIGO staging
grain: one row per ICU stay and urine charttime, for each weight interval that holds it (at most one as a rule)
key: [stay_id, charttime]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: urine charting time}
  - {name: weight, type: DOUBLE, unit: kg, meaning: "weight in force, null when none is"}
  - {name: urineoutput_6hr, type: DOUBLE, unit: mL, meaning: urine of the 6 h window}
  - {name: urineoutput_12hr, type: DOUBLE, unit: mL, meaning: urine of the 12 h window}
  - {name: urineoutput_24hr, type: DOUBLE, unit: mL, meaning: urine of the 24 h window}
  - {name: uo_rt_6hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "6 h rate, null unless over 6 to below 12 hours"}
  - {name: uo_rt_12hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "12 h rate, null below 12 documented hours"}
  - {name: uo_rt_24hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "24 h rate, null below 24 documented hours"}
  - {name: uo_tm_6hr, type: DOUBLE, unit: h, meaning: hours of documentation behind the 6 h volume}
  - {name: uo_tm_12hr, type: DOUBLE, unit: h, meaning: hours of documentation behind the 12 h volume}
  - {name: uo_tm_24hr, type: DOUBLE, unit: h, meaning: hours of documentation behind the 24 h volume}
inputs: [mimiciv_derived.urine_output, mimiciv_derived.weight_durations, mimiciv_icu.icustays]
spec: kdigo_uo
source: KDIGO Acute Kidney Injury Work Group, 2012, Kidney Int Suppl
conventions:
  - name: trailing_sums
    published: |
      SUM(urineoutput) OVER back_6h AS volume_6hr,
      SUM(urineoutput) OVER back_12h AS volume_12hr,
      SUM(urineoutput) OVER back_24h AS volume_24hr,
      SUM(hours) OVER back_6h AS hours_6hr,
      SUM(hours) OVER back_12h AS hours_12hr,
      SUM(hours) OVER back_24h AS hours_24hr
    current: |
      SUM(urineoutput) OVER back_6h AS volume_6hr,
      SUM(urineoutput) OVER back_12h AS volume_12hr,
      SUM(urineoutput) OVER back_24h AS volume_24hr,
      ROUND(SUM(hours) OVER back_6h, 6) AS hours_6hr,
      ROUND(SUM(hours) OVER back_12h, 6) AS hours_12hr,
      ROUND(SUM(hours) OVER back_24h, 6) AS hours_24hr
    adjudicated: |
      volume_within(urineoutput, second_of_stay, gap, 21600, back_6h) AS volume_6hr,
      volume_within(urineoutput, second_of_stay, gap, 43200, back_12h) AS volume_12hr,
      volume_within(urineoutput, second_of_stay, gap, 86400, back_24h) AS volume_24hr,
      CAST(time_within(second_of_stay, gap, 21600, back_6h) AS DOUBLE) / CAST(3600 AS DOUBLE) AS hours_6hr,
      CAST(time_within(second_of_stay, gap, 43200, back_12h) AS DOUBLE) / CAST(3600 AS DOUBLE) AS hours_12hr,
      CAST(time_within(second_of_stay, gap, 86400, back_24h) AS DOUBLE) / CAST(3600 AS DOUBLE) AS hours_24hr
    difference: >-
      Of an entry that reaches beyond the window only its share counts, the first one reaches back to ICU admission,
      and a rate is over exactly 6, 12 or 24 hours, in place of whole entries, an hour for the first, and a 6 h rate
      only while its entries stand for less than 12 hours; the current form rounds the hours to six decimals.
    source: "community's current form; adjudicated reading of the specification (KDIGO, 2012, asks for 6, 12 and 24 hours)"
    example: "80 kg, 100 mL over 13 h, then again, 6 h rate at the second: null / null / 0.0962"
  - name: rate_rounded_at_first
    published: DECIMAL(18, 3)
    current: DECIMAL(38, 9)
    adjudicated: DOUBLE
    difference: A rate is rounded by way of nine decimals, or not at all before staging, in place of to three at once.
    source: "community's current form; adjudicated reading of the specification"
    example: "279.776 mL over 7 h at 80 kg: 0.500, no longer below 0.5 / 0.4996 / 0.4996"
  - name: rate_type
    published: DECIMAL(18, 3)
    current: DECIMAL(18, 4)
    adjudicated: DOUBLE
    difference: A rate keeps four decimals, or is not rounded, in place of three.
    source: "community's current form; adjudicated reading of the specification"
    example: "279.776 mL over 7 h at 80 kg: 0.500 / 0.4996 / 0.4996"
*/
-- trailing urine volumes and the hours they were documented over, per weight
WITH documented_urine AS (
    SELECT
        urine.stay_id,
        urine.charttime,
        urine.urineoutput,
        DATE_DIFF('second', icu.intime, urine.charttime) AS second_of_stay,  -- times are whole seconds
        -- rule 2: hours since the row before, 1 for the first
        COALESCE(
            CAST(DATE_DIFF('microsecond', LAG(urine.charttime) OVER in_stay, urine.charttime) AS DOUBLE)
            / CAST(3600000000 AS DOUBLE),
            CAST(1 AS DOUBLE)
        ) AS hours,
        -- seconds since the row before, since ICU admission for the first, none when that lies later
        DATE_DIFF(
            'second', LEAST(COALESCE(LAG(urine.charttime) OVER in_stay, icu.intime), urine.charttime), urine.charttime
        ) AS gap,
        DENSE_RANK() OVER in_stay AS number_in_stay
    FROM mimiciv_derived.urine_output AS urine
    INNER JOIN mimiciv_icu.icustays AS icu ON urine.stay_id = icu.stay_id  -- rule 1
    WINDOW in_stay AS (PARTITION BY urine.stay_id ORDER BY urine.charttime NULLS FIRST)
),

-- rules 3, 4 and 7: float sums of the engine's own window over the stay's rows, unless shares are taken
trailing_urine AS (
    SELECT
        stay_id,
        charttime,
        number_in_stay,
        $trailing_sums
    FROM documented_urine
    WINDOW
        back_6h AS (
            PARTITION BY stay_id ORDER BY second_of_stay NULLS FIRST RANGE BETWEEN 21600 PRECEDING AND CURRENT ROW
        ),
        back_12h AS (
            PARTITION BY stay_id ORDER BY second_of_stay NULLS FIRST RANGE BETWEEN 43200 PRECEDING AND CURRENT ROW
        ),
        back_24h AS (
            PARTITION BY stay_id ORDER BY second_of_stay NULLS FIRST RANGE BETWEEN 86400 PRECEDING AND CURRENT ROW
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
    WHERE starttime < endtime
),

-- rule 5, [starttime, endtime): entries and ends of weights on one time line, at one time ends first
timeline AS (
    SELECT
        stay_id,
        charttime AS moment,
        1 AS place,
        number_in_stay,
        CAST(NULL AS BIGINT) AS weight_number,
        CAST(NULL AS DOUBLE) AS weight
    FROM documented_urine
    UNION ALL
    SELECT stay_id, starttime AS moment, 0 AS place, NULL AS number_in_stay, weight_number, weight
    FROM usable_weight
    UNION ALL
    SELECT stay_id, endtime AS moment, 0 AS place, NULL AS number_in_stay, weight_number, weight
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
    urine.volume_6hr AS urineoutput_6hr,
    urine.volume_12hr AS urineoutput_12hr,
    urine.volume_24hr AS urineoutput_24hr,
    -- rule 6; a decimal rounds half away from zero
    CASE WHEN urine.hours_6hr >= 6 AND urine.hours_6hr < 12
        THEN CAST(TRY_CAST(urine.volume_6hr / wt.weight / urine.hours_6hr AS $rate_rounded_at_first) AS $rate_type) END AS uo_rt_6hr,
    CASE WHEN urine.hours_12hr >= 12
        THEN CAST(TRY_CAST(urine.volume_12hr / wt.weight / urine.hours_12hr AS $rate_rounded_at_first) AS $rate_type) END AS uo_rt_12hr,
    CASE WHEN urine.hours_24hr >= 24
        THEN CAST(TRY_CAST(urine.volume_24hr / wt.weight / urine.hours_24hr AS $rate_rounded_at_first) AS $rate_type) END AS uo_rt_24hr,
    urine.hours_6hr AS uo_tm_6hr,
    urine.hours_12hr AS uo_tm_12hr,
    urine.hours_24hr AS uo_tm_24hr
FROM trailing_urine AS urine
LEFT JOIN weight_of_entry AS wt
    ON urine.stay_id = wt.stay_id AND urine.number_in_stay = wt.number_in_stay
