-- rrt: Renal replacement therapy
-- one row per dialysis finding and range in force at a charted time or range start; identical rows occur; published convention
-- reads mimiciv_icu.chartevents, mimiciv_icu.inputevents, mimiciv_icu.procedureevents
/* charted evidence of dialysis, overlaid with the ranges of dialysis infusions and procedures */
WITH chart_item AS (
  SELECT
    itemid,
    active,
    dialysis_type
  FROM UNNEST([
    STRUCT(226118 AS itemid, 0 AS active, CAST(NULL AS STRING) AS dialysis_type),
    STRUCT(227357 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225725 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(226499 AS itemid, 1 AS active, 'IHD' AS dialysis_type),
    STRUCT(224154 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(225810 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225959 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(227639 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225183 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(227438 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(224191 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(225806 AS itemid, 1 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225807 AS itemid, 1 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(228004 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(228005 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(228006 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(224144 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(224145 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(224149 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(224150 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(224151 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(224152 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(224153 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(224404 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(224406 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(226457 AS itemid, 1 AS active, NULL AS dialysis_type),
    STRUCT(224135 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(224139 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(224146 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225323 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225740 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225776 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225951 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225952 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225953 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225954 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225956 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225958 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225961 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225963 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225965 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225976 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225977 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(227124 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(227290 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(227638 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(227640 AS itemid, 0 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(227753 AS itemid, 0 AS active, NULL AS dialysis_type)
  ]) AS charted
), charted_point AS (
  SELECT
    chart.stay_id,
    chart.charttime,
    CASE WHEN chart.itemid = 225965 AND chart.value = 'In use' THEN 1 ELSE item.active END AS active,
    CASE WHEN chart.itemid = 227290 THEN chart.value ELSE item.dialysis_type END AS dialysis_type
  FROM mimiciv_icu.chartevents AS chart
  INNER JOIN chart_item AS item
    ON chart.itemid = item.itemid
  WHERE
    NOT chart.value IS NULL
), procedure_item AS (
  SELECT
    itemid,
    active,
    dialysis_type
  FROM UNNEST([
    STRUCT(225441 AS itemid, 1 AS active, 'IHD' AS dialysis_type),
    STRUCT(225802 AS itemid, 1 AS active, 'CRRT' AS dialysis_type),
    STRUCT(225803 AS itemid, 1 AS active, 'CVVHD' AS dialysis_type),
    STRUCT(225805 AS itemid, 1 AS active, 'Peritoneal' AS dialysis_type),
    STRUCT(225809 AS itemid, 1 AS active, 'CVVHDF' AS dialysis_type),
    STRUCT(225955 AS itemid, 1 AS active, 'SCUF' AS dialysis_type),
    STRUCT(224270 AS itemid, 0 AS active, NULL AS dialysis_type),
    STRUCT(225436 AS itemid, 0 AS active, NULL AS dialysis_type)
  ]) AS procedure
), dialysis_range /* rule 1: UNION drops exact duplicates */ AS (
  SELECT
    stay_id,
    starttime,
    endtime,
    1 AS active,
    'CRRT' AS dialysis_type
  FROM mimiciv_icu.inputevents
  WHERE
    itemid IN (227536, /* KCl (CRRT) */227525 /* Calcium Gluconate (CRRT) */) AND amount > 0
  UNION DISTINCT
  SELECT
    proc.stay_id,
    proc.starttime,
    proc.endtime,
    item.active,
    item.dialysis_type
  FROM mimiciv_icu.procedureevents AS proc
  INNER JOIN procedure_item AS item
    ON proc.itemid = item.itemid
  WHERE
    NOT proc.value IS NULL
), dialysis_point /* rule 2: UNION drops exact duplicates */ AS (
  SELECT
    stay_id,
    charttime,
    active,
    dialysis_type
  FROM charted_point
  UNION DISTINCT
  SELECT
    stay_id,
    starttime AS charttime,
    active,
    dialysis_type
  FROM dialysis_range
), numbered_point /* points of one time share a number, so that a range holds for a run of numbers */ AS (
  SELECT
    stay_id,
    charttime,
    active,
    dialysis_type,
    DENSE_RANK() OVER (PARTITION BY stay_id ORDER BY charttime) AS time_number
  FROM dialysis_point
), numbered_time AS (
  SELECT DISTINCT
    stay_id,
    charttime,
    time_number
  FROM numbered_point
), timeline /* rule 3, both ends closed: the start of a range is itself one of the times, its end lies among them */ AS (
  SELECT
    stay_id,
    charttime AS moment,
    0 AS place,
    time_number
  FROM numbered_time
  UNION ALL
  SELECT DISTINCT
    stay_id,
    endtime AS moment,
    1 AS place,
    CAST(NULL AS INT64) AS time_number
  FROM dialysis_range
), last_time AS (
  SELECT
    stay_id,
    moment,
    place,
    MAX(time_number) OVER (PARTITION BY stay_id ORDER BY moment, place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS time_number
  FROM timeline
), range_run /* a range holds for the run of times between its ends, so that nothing is compared pairwise */ AS (
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
  WHERE
    span.starttime <= span.endtime
), range_at_time AS (
  SELECT
    run.stay_id,
    run.active,
    run.dialysis_type,
    `within` AS time_number
  FROM range_run AS run
  CROSS JOIN UNNEST(GENERATE_ARRAY(run.first_number, run.last_number)) AS `within`
)
SELECT
  point.stay_id,
  point.charttime,
  1 AS dialysis_present,
  COALESCE(span.active, point.active) AS dialysis_active,
  COALESCE(span.dialysis_type, point.dialysis_type) AS dialysis_type
FROM numbered_point AS point
LEFT JOIN range_at_time AS span
  ON point.stay_id = span.stay_id AND point.time_number = span.time_number
;
