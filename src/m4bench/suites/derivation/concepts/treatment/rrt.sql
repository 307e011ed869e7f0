/*
name: rrt
kind: concept
title: Renal replacement therapy
grain: one row per dialysis finding and range in force at a charted time or range start; identical rows occur
key: null
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: charting time or start of a range}
  - {name: dialysis_present, type: INTEGER, meaning: always 1}
  - {name: dialysis_active, type: INTEGER, meaning: "0/1, dialysis running"}
  - {name: dialysis_type, type: VARCHAR, meaning: "charted mode (CVVH, CVVHDF, ...), CRRT, IHD, Peritoneal or null"}
inputs: [mimiciv_icu.chartevents, mimiciv_icu.inputevents, mimiciv_icu.procedureevents]
spec: rrt
source: "Johnson AEW et al., 2018, J Am Med Inform Assoc (public MIMIC concept set)"
conventions:
  - name: running
    published: COALESCE(span.active, point.active)
    adjudicated: CASE WHEN span.active = 1 OR point.active = 1 THEN 1 ELSE 0 END
    difference: Dialysis runs when chart or range says so, in place of as the range says where there is one.
    source: adjudicated reading of the specification
    example: "blood flow charted within the range of a dialysis catheter, active: 0 / 0 / 1"
  - name: kind_of_dialysis
    published: COALESCE(span.dialysis_type, point.dialysis_type)
    adjudicated: |
      CASE
          WHEN span.dialysis_type = 'CRRT' AND point.dialysis_type IN ('CVVH', 'CVVHD', 'CVVHDF', 'SCUF')
              THEN point.dialysis_type
          ELSE COALESCE(span.dialysis_type, point.dialysis_type)
      END
    difference: A charted exact mode of continuous replacement stands, in place of the general CRRT of the range around it.
    source: adjudicated reading of the specification
    example: "mode CVVHDF charted within a range of CRRT: CRRT / CRRT / CVVHDF"
unresolved:
  - says: A catheter or its dressing should not count as dialysis present.
    reason: "Those who read dialysis_present decide: meld and kdigo_stages take dialysis_active."
  - says: There should be one row a time, by precedence.
    reason: It would change the grain, and no precedence is named.
  - says: Dialysis outside the ICU and dialysis procedure codes should be added.
    reason: The former is not charted, and procedure codes bear no time.
*/
-- charted evidence of dialysis, overlaid with the ranges of dialysis infusions and procedures
WITH chart_item AS (
    SELECT itemid, active, dialysis_type
    FROM (
        VALUES
            (226118, 0, CAST(NULL AS VARCHAR)),  -- Dialysis Catheter placed in outside facility
            (227357, 0, NULL),  -- Dialysis Catheter Dressing Occlusive
            (225725, 0, NULL),  -- Dialysis Catheter Tip Cultured
            (226499, 1, 'IHD'),  -- Hemodialysis Output
            (224154, 1, NULL),  -- Dialysate Rate
            (225810, 0, 'Peritoneal'),  -- Dwell Time (Peritoneal Dialysis)
            (225959, 0, 'Peritoneal'),  -- Medication Added Amount #1 (PD)
            (227639, 0, 'Peritoneal'),  -- Medication Added Amount #2 (PD)
            (225183, 1, NULL),  -- Current Goal
            (227438, 1, NULL),  -- Volume not removed
            (224191, 1, NULL),  -- Hourly Patient Fluid Removal
            (225806, 1, 'Peritoneal'),  -- Volume In (PD)
            (225807, 1, 'Peritoneal'),  -- Volume Out (PD)
            (228004, 1, NULL),  -- Citrate (ACD-A)
            (228005, 1, NULL),  -- PBP (Prefilter) Replacement Rate
            (228006, 1, NULL),  -- Post Filter Replacement Rate
            (224144, 1, NULL),  -- Blood Flow (ml/min)
            (224145, 1, NULL),  -- Heparin Dose (per hour)
            (224149, 0, NULL),  -- Access Pressure
            (224150, 0, NULL),  -- Filter Pressure
            (224151, 0, NULL),  -- Effluent Pressure
            (224152, 0, NULL),  -- Return Pressure
            (224153, 1, NULL),  -- Replacement Rate
            (224404, 0, NULL),  -- ART Lumen Volume
            (224406, 0, NULL),  -- VEN Lumen Volume
            (226457, 1, NULL),  -- Ultrafiltrate Output
            (224135, 0, NULL),  -- Dialysis Access Site
            (224139, 0, NULL),  -- Dialysis Site Appearance
            (224146, 0, NULL),  -- System Integrity
            (225323, 0, NULL),  -- Dialysis Catheter Site Appear
            (225740, 0, NULL),  -- Dialysis Catheter Discontinued
            (225776, 0, NULL),  -- Dialysis Catheter Dressing Type
            (225951, 0, 'Peritoneal'),  -- Peritoneal Dialysis Fluid Appearance
            (225952, 0, 'Peritoneal'),  -- Medication Added #1 (PD)
            (225953, 0, 'Peritoneal'),  -- Solution (Peritoneal Dialysis)
            (225954, 0, NULL),  -- Dialysis Access Type
            (225956, 0, NULL),  -- Reason for CRRT Filter Change
            (225958, 0, NULL),  -- Heparin Concentration (units/mL)
            (225961, 0, 'Peritoneal'),  -- Medication Added Units #1 (PD)
            (225963, 0, 'Peritoneal'),  -- Peritoneal Dialysis Catheter Type
            (225965, 0, 'Peritoneal'),  -- Peritoneal Dialysis Catheter Status; active when In use
            (225976, 0, NULL),  -- Replacement Fluid
            (225977, 0, NULL),  -- Dialysate Fluid
            (227124, 0, NULL),  -- Dialysis Catheter Type
            (227290, 0, NULL),  -- CRRT mode; the type is its text
            (227638, 0, 'Peritoneal'),  -- Medication Added #2 (PD)
            (227640, 0, 'Peritoneal'),  -- Medication Added Units #2 (PD)
            (227753, 0, NULL)  -- Dialysis Catheter Placement Confirmed by X-ray
    ) AS charted(itemid, active, dialysis_type)
),

charted_point AS (
    SELECT
        chart.stay_id,
        chart.charttime,
        CASE WHEN chart.itemid = 225965 AND chart.value = 'In use' THEN 1 ELSE item.active END AS active,
        CASE WHEN chart.itemid = 227290 THEN chart.value ELSE item.dialysis_type END AS dialysis_type
    FROM mimiciv_icu.chartevents AS chart
    INNER JOIN chart_item AS item ON chart.itemid = item.itemid
    WHERE chart.value IS NOT NULL
),

procedure_item AS (
    SELECT itemid, active, dialysis_type
    FROM (
        VALUES
            (225441, 1, 'IHD'),  -- Hemodialysis
            (225802, 1, 'CRRT'),  -- Dialysis - CRRT
            (225803, 1, 'CVVHD'),  -- Dialysis - CVVHD
            (225805, 1, 'Peritoneal'),  -- Peritoneal Dialysis
            (225809, 1, 'CVVHDF'),  -- Dialysis - CVVHDF
            (225955, 1, 'SCUF'),  -- Dialysis - SCUF
            (224270, 0, NULL),  -- Dialysis Catheter
            (225436, 0, NULL)  -- CRRT Filter Change
    ) AS procedure(itemid, active, dialysis_type)
),

-- rule 1: UNION drops exact duplicates
dialysis_range AS (
    SELECT stay_id, starttime, endtime, 1 AS active, 'CRRT' AS dialysis_type
    FROM mimiciv_icu.inputevents
    WHERE
        itemid IN (
            227536,  -- KCl (CRRT)
            227525   -- Calcium Gluconate (CRRT)
        )
        AND amount > 0
    UNION
    SELECT proc.stay_id, proc.starttime, proc.endtime, item.active, item.dialysis_type
    FROM mimiciv_icu.procedureevents AS proc
    INNER JOIN procedure_item AS item ON proc.itemid = item.itemid
    WHERE proc.value IS NOT NULL
),

-- rule 2: UNION drops exact duplicates
dialysis_point AS (
    SELECT stay_id, charttime, active, dialysis_type
    FROM charted_point
    UNION
    SELECT stay_id, starttime AS charttime, active, dialysis_type
    FROM dialysis_range
),

-- points of one time share a number, so that a range holds for a run of numbers
numbered_point AS (
    SELECT
        stay_id,
        charttime,
        active,
        dialysis_type,
        DENSE_RANK() OVER (PARTITION BY stay_id ORDER BY charttime NULLS FIRST) AS time_number
    FROM dialysis_point
),

numbered_time AS (
    SELECT DISTINCT stay_id, charttime, time_number
    FROM numbered_point
),

-- rule 3, both ends closed: the start of a range is itself one of the times, its end lies among them
timeline AS (
    SELECT stay_id, charttime AS moment, 0 AS place, time_number
    FROM numbered_time
    UNION ALL
    SELECT DISTINCT stay_id, endtime AS moment, 1 AS place, CAST(NULL AS BIGINT) AS time_number
    FROM dialysis_range
),

last_time AS (
    SELECT
        stay_id,
        moment,
        place,
        MAX(time_number) OVER (
            PARTITION BY stay_id
            ORDER BY moment NULLS FIRST, place NULLS FIRST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS time_number
    FROM timeline
),

-- a range holds for the run of times between its ends, so that nothing is compared pairwise
range_run AS (
    SELECT
        span.stay_id,
        span.active,
        span.dialysis_type,
        at_start.time_number AS first_number,
        up_to_end.time_number AS last_number
    FROM dialysis_range AS span
    INNER JOIN numbered_time AS at_start
        ON span.stay_id = at_start.stay_id AND span.starttime = at_start.charttime
    INNER JOIN last_time AS up_to_end
        ON span.stay_id = up_to_end.stay_id AND span.endtime = up_to_end.moment AND up_to_end.place = 1
    WHERE span.starttime <= span.endtime
),

range_at_time AS (
    SELECT run.stay_id, run.active, run.dialysis_type, within.time_number
    FROM range_run AS run
    CROSS JOIN UNNEST(GENERATE_SERIES(run.first_number, run.last_number)) AS within(time_number)
)

SELECT
    point.stay_id,
    point.charttime,
    1 AS dialysis_present,
    $running AS dialysis_active,
    $kind_of_dialysis AS dialysis_type
FROM numbered_point AS point
LEFT JOIN range_at_time AS span
    ON point.stay_id = span.stay_id AND point.time_number = span.time_number
