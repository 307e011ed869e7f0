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
  - {name: uo_mlkghr_6hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "6 h rate, null below 6 collected hours"}
  - {name: uo_mlkghr_12hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "12 h rate, null below 12 collected hours"}
  - {name: uo_mlkghr_24hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "24 h rate, null below 24 collected hours"}
  - {name: uo_tm_6hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 6 h window}
  - {name: uo_tm_12hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 12 h window}
  - {name: uo_tm_24hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 24 h window}
inputs: [mimiciv_derived.urine_output, mimiciv_derived.weight_durations, mimiciv_icu.chartevents, mimiciv_icu.icustays]
spec: urine_output_rate
source: KDIGO, 2012, Kidney International Supplements
conventions:
  - name: monitored_from
    published: MIN(hr.charttime)
    adjudicated: MIN(icu.intime)
    difference: The first volume was collected since ICU admission, in place of since the first heart rate.
    source: adjudicated reading of the specification
    example: "admitted 00:00, first heart rate 02:00, first urine 06:00: 4 h / 4 h / 6 h"
  - name: gap
    published: DATE_DIFF('microsecond', previous_time, charttime)
    current: DATE_DIFF('microsecond', DATE_TRUNC('minute', previous_time), DATE_TRUNC('minute', charttime))
    adjudicated: DATE_DIFF('microsecond', LEAST(previous_time, charttime), charttime)
    difference: Collection time is counted in full clock minutes, or is never negative, in place of elapsed time of either sign.
    source: "community's current form; adjudicated reading of the specification"
    example: "first urine 60 min before admission and first heart rate: -1.00 h / -1.00 h / 0.00 h"
  - name: trailing_sums
    published: |
      SUM(urineoutput) OVER back_5h AS volume_6hr,
      SUM(urineoutput) OVER back_11h AS volume_12hr,
      SUM(urineoutput) OVER back_23h AS volume_24hr,
      CAST(SUM(gap) OVER back_5h AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_6hr,
      CAST(SUM(gap) OVER back_11h AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_12hr,
      CAST(SUM(gap) OVER back_23h AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_24hr
    current: |
      sum_over_both(urineoutput, clock_5h, within_hour) AS volume_6hr,
      sum_over_both(urineoutput, clock_11h, within_hour) AS volume_12hr,
      SUM(urineoutput) OVER back_23h AS volume_24hr,
      ROUND(CAST(sum_over_both(gap, clock_5h, within_hour) AS DOUBLE) / CAST(3600000000 AS DOUBLE), 6) AS hours_6hr,
      ROUND(CAST(sum_over_both(gap, clock_11h, within_hour) AS DOUBLE) / CAST(3600000000 AS DOUBLE), 6) AS hours_12hr,
      ROUND(CAST(SUM(gap) OVER back_23h AS DOUBLE) / CAST(3600000000 AS DOUBLE), 6) AS hours_24hr
    adjudicated: |
      volume_within(urineoutput, moment, gap, 21600000000, back_6h) AS volume_6hr,
      volume_within(urineoutput, moment, gap, 43200000000, back_12h) AS volume_12hr,
      volume_within(urineoutput, moment, gap, 86400000000, back_24h) AS volume_24hr,
      CAST(time_within(moment, gap, 21600000000, back_6h) AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_6hr,
      CAST(time_within(moment, gap, 43200000000, back_12h) AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_12hr,
      CAST(time_within(moment, gap, 86400000000, back_24h) AS DOUBLE) / CAST(3600000000 AS DOUBLE) AS hours_24hr
    difference: >-
      Look-back in clock hours for 6 and 12 h, with collection times rounded to six decimals; or windows of exactly
      6, 12 and 24 hours, of an entry that reaches beyond only its share; in place of whole entries of the last
      5, 11 and 23 elapsed hours with all the time they stand for.
    source: "community's current form; adjudicated reading of the specification (KDIGO, 2012, asks for 6, 12 and 24 hours)"
    example: "from 00:00, 200 mL at 02:05, 120 at 04:00, 150 at 07:50, urine of 6 h at the last: 270 / 470 / 294"
  - name: windows
    published: |
      back_5h AS (
          PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN INTERVAL 5 HOUR PRECEDING AND CURRENT ROW
      ),
      back_11h AS (
          PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN INTERVAL 11 HOUR PRECEDING AND CURRENT ROW
      ),
      back_23h AS (
          PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN INTERVAL 23 HOUR PRECEDING AND CURRENT ROW
      )
    current: |
      clock_5h AS (
          PARTITION BY stay_id ORDER BY clock_hour NULLS FIRST
          RANGE BETWEEN INTERVAL 5 HOUR PRECEDING AND INTERVAL 1 HOUR PRECEDING
      ),
      clock_11h AS (
          PARTITION BY stay_id ORDER BY clock_hour NULLS FIRST
          RANGE BETWEEN INTERVAL 11 HOUR PRECEDING AND INTERVAL 1 HOUR PRECEDING
      ),
      within_hour AS (
          PARTITION BY stay_id, clock_hour ORDER BY charttime NULLS FIRST
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ),
      back_23h AS (
          PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN INTERVAL 23 HOUR PRECEDING AND CURRENT ROW
      )
    adjudicated: |
      back_6h AS (
          PARTITION BY stay_id ORDER BY moment NULLS FIRST RANGE BETWEEN 21600000000 PRECEDING AND CURRENT ROW
      ),
      back_12h AS (
          PARTITION BY stay_id ORDER BY moment NULLS FIRST RANGE BETWEEN 43200000000 PRECEDING AND CURRENT ROW
      ),
      back_24h AS (
          PARTITION BY stay_id ORDER BY moment NULLS FIRST RANGE BETWEEN 86400000000 PRECEDING AND CURRENT ROW
      )
    difference: The windows over which trailing_sums adds.
    source: "community's current form; adjudicated reading of the specification"
    example: "80 kg, 6 h in all: an entry 5 h 59 min old in the sixth clock hour: outside / inside / its share"
  - name: rate_rounded_at_first
    published: DECIMAL(18, 3)
    current: DECIMAL(38, 9)
    adjudicated: DOUBLE
    difference: A rate is rounded by way of nine decimals, or not at all, in place of to three at once.
    source: "community's current form; adjudicated reading of the specification"
    example: "279.776 mL over 7 h at 80 kg: 0.500 / 0.4996 / 0.4996"
  - name: rate_type
    published: DECIMAL(18, 3)
    current: DECIMAL(18, 4)
    adjudicated: DOUBLE
    difference: A rate keeps four decimals, or is not rounded, in place of three.
    source: "community's current form; adjudicated reading of the specification"
    example: "279.776 mL over 7 h at 80 kg: 0.500 / 0.4996 / 0.4996"
  - name: hours_rounded_at_first
    published: DECIMAL(18, 3)
    adjudicated: DECIMAL(18, 6)
    difference: A collection time is rounded once to two decimals, in place of to three and then to two.
    source: "community's current form, in whose full minutes it makes no difference"
    example: "1 h 50 min 41 s: 1.85 / 1.83 (full minutes) / 1.84"
  - name: weight_place
    published: "1"
    adjudicated: "-1"
    difference: At the time one weight follows another the earlier holds, or the one that begins then, as in kdigo_uo.
    source: "reported fault 39 (two concepts, two rules); the specifications leave open which, a weight charted at a time is known from then on"
    example: "80 kg until 06:00, 85 kg from 06:00, urine at 06:00: 80 / 80 / 85"
unresolved:
  - says: Of weight intervals that overlap one should hold.
    reason: Those of weight_durations never overlap.
*/
-- trailing urine volumes and the time they were collected over, per weight
-- rule 1: a stay without a heart rate is left out
WITH monitored_stay AS (
    SELECT icu.stay_id, $monitored_from AS monitored_from
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_icu.chartevents AS hr
        ON icu.stay_id = hr.stay_id
        AND hr.charttime > icu.intime - INTERVAL 1 MONTH
        AND hr.charttime < icu.outtime + INTERVAL 1 MONTH
    WHERE hr.itemid = 220045  -- Heart Rate, bpm
    GROUP BY icu.stay_id
),

timed_urine AS (
    SELECT
        urine.stay_id,
        urine.charttime,
        urine.urineoutput,
        COALESCE(LAG(urine.charttime) OVER in_stay, stay.monitored_from) AS previous_time,
        DATE_DIFF('microsecond', stay.monitored_from, urine.charttime) AS moment,
        DENSE_RANK() OVER in_stay AS number_in_stay
    FROM mimiciv_derived.urine_output AS urine
    INNER JOIN monitored_stay AS stay ON urine.stay_id = stay.stay_id
    WINDOW in_stay AS (PARTITION BY urine.stay_id ORDER BY urine.charttime NULLS FIRST)
),

-- rule 2: the time a volume was collected over, in whole microseconds so that sums are exact
collected_urine AS (
    SELECT
        stay_id,
        charttime,
        urineoutput,
        moment,
        DATE_TRUNC('hour', charttime) AS clock_hour,
        $gap AS gap,
        number_in_stay
    FROM timed_urine
),

-- rules 3 and 4
trailing_urine AS (
    SELECT
        stay_id,
        charttime,
        number_in_stay,
        urineoutput,
        $trailing_sums
    FROM collected_urine
    WINDOW
        $windows
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

-- rule 5: entries and ends of weights on one time line, under the published form (starttime, endtime], so that at
-- one time entries come first, else [starttime, endtime)
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
    SELECT stay_id, starttime AS moment, $weight_place AS place, NULL AS number_in_stay, weight_number, weight
    FROM usable_weight
    UNION ALL
    SELECT stay_id, endtime AS moment, $weight_place AS place, NULL AS number_in_stay, weight_number, weight
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
    -- rule 6: a decimal rounds half away from zero
    CASE WHEN urine.hours_6hr >= 6
        THEN CAST(TRY_CAST(urine.volume_6hr / wt.weight / urine.hours_6hr AS $rate_rounded_at_first) AS $rate_type) END AS uo_mlkghr_6hr,
    CASE WHEN urine.hours_12hr >= 12
        THEN CAST(TRY_CAST(urine.volume_12hr / wt.weight / urine.hours_12hr AS $rate_rounded_at_first) AS $rate_type) END AS uo_mlkghr_12hr,
    CASE WHEN urine.hours_24hr >= 24
        THEN CAST(TRY_CAST(urine.volume_24hr / wt.weight / urine.hours_24hr AS $rate_rounded_at_first) AS $rate_type) END AS uo_mlkghr_24hr,
    -- rule 7
    CAST(TRY_CAST(urine.hours_6hr AS $hours_rounded_at_first) AS DECIMAL(18, 2)) AS uo_tm_6hr,
    CAST(TRY_CAST(urine.hours_12hr AS $hours_rounded_at_first) AS DECIMAL(18, 2)) AS uo_tm_12hr,
    CAST(TRY_CAST(urine.hours_24hr AS $hours_rounded_at_first) AS DECIMAL(18, 2)) AS uo_tm_24hr
FROM trailing_urine AS urine
LEFT JOIN weight_of_entry AS wt
    ON urine.stay_id = wt.stay_id AND urine.number_in_stay = wt.number_in_stay
