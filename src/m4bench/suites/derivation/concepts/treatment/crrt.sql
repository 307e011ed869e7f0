/*
name: crrt
kind: concept
title: Settings and circuit state of continuous renal replacement therapy
grain: one row per ICU stay and charttime with a charted value
key: [stay_id, charttime]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: crrt_mode, type: VARCHAR, meaning: "mode: CVVH, CVVHD, CVVHDF or SCUF"}
  - {name: access_pressure, type: DOUBLE, unit: mmHg, meaning: access pressure}
  - {name: blood_flow, type: DOUBLE, unit: mL/min, meaning: blood flow}
  - {name: citrate, type: DOUBLE, unit: mL/h, meaning: citrate (ACD-A)}
  - {name: current_goal, type: DOUBLE, unit: mL, meaning: current goal}
  - {name: dialysate_fluid, type: VARCHAR, meaning: dialysate fluid}
  - {name: dialysate_rate, type: DOUBLE, unit: mL/h, meaning: dialysate rate}
  - {name: effluent_pressure, type: DOUBLE, unit: mmHg, meaning: effluent pressure}
  - {name: filter_pressure, type: DOUBLE, unit: mmHg, meaning: filter pressure}
  - {name: heparin_concentration, type: VARCHAR, unit: units/mL, meaning: heparin concentration}
  - {name: heparin_dose, type: DOUBLE, unit: units/h, meaning: heparin dose}
  - {name: hourly_patient_fluid_removal, type: DOUBLE, unit: mL, meaning: fluid removed in the hour}
  - {name: prefilter_replacement_rate, type: DOUBLE, unit: mL/h, meaning: replacement rate before the filter}
  - {name: postfilter_replacement_rate, type: DOUBLE, unit: mL/h, meaning: replacement rate after the filter}
  - {name: replacement_fluid, type: VARCHAR, meaning: replacement fluid}
  - {name: replacement_rate, type: DOUBLE, unit: mL/h, meaning: replacement rate}
  - {name: return_pressure, type: DOUBLE, unit: mmHg, meaning: return pressure}
  - {name: ultrafiltrate_output, type: DOUBLE, unit: mL, meaning: ultrafiltrate}
  - {name: system_active, type: INTEGER, meaning: "1 running, 0 not, null when not told"}
  - {name: clots, type: INTEGER, meaning: "1 clots, 0 none, null when not told"}
  - {name: clots_increasing, type: INTEGER, meaning: "1 more clots, else 0 or null"}
  - {name: clotted, type: INTEGER, meaning: "1 clotted, else 0 or null"}
inputs: [mimiciv_icu.chartevents]
spec: crrt
source: "Johnson AEW et al., 2018, J Am Med Inform Assoc (public MIMIC concept set)"
conventions:
  - name: state_counted
    published: "TRUE"
    adjudicated: "storage_order = 1"
    difference: Of several states of the system charted at one time the one stored last holds, in place of active above not.
    source: adjudicated reading of the specification
    example: "Active stored 11:05, Discontinued stored 11:10: 1 / 1 / 0"
  - name: other_state
    published: "NULL"
    adjudicated: "0"
    difference: Clots do not increase, and the circuit is not clotted, where another integrity of the system is charted.
    source: adjudicated reading of the specification
    example: "Active alone, clotted: null / null / 0"
*/
-- What was charted of a running circuit, one row a charted time, nothing carried forward.
WITH circuit_entry AS (
  SELECT
    stay_id,
    charttime,
    itemid,
    value,
    valuenum,
    -- among the entries that tell whether the system runs
    rank() OVER (
      PARTITION BY stay_id, charttime, itemid, system_state(itemid, value) IS NOT NULL
      ORDER BY storetime DESC NULLS LAST
    ) AS storage_order
  FROM mimiciv_icu.chartevents
  -- rule 4: the reason of a filter change (225956) is not read
  WHERE itemid IN (
      227290, -- CRRT mode, text
      224149, -- Access Pressure, mmHg
      224144, -- Blood Flow, mL/min
      228004, -- Citrate (ACD-A), mL/hr
      225183, -- Current Goal, mL
      225977, -- Dialysate Fluid, text
      224154, -- Dialysate Rate, mL/hr
      224151, -- Effluent Pressure, mmHg
      224150, -- Filter Pressure, mmHg
      225958, -- Heparin Concentration, units/mL, text
      224145, -- Heparin Dose, units per hour
      224191, -- Hourly Patient Fluid Removal, mL
      228005, -- Prefilter Replacement Rate, mL/hr
      228006, -- Postfilter Replacement Rate, mL/hr
      225976, -- Replacement Fluid, text
      224153, -- Replacement Rate, mL/hr
      224152, -- Return Pressure, mmHg
      226457, -- Ultrafiltrate Output, mL
      224146 -- System Integrity, text
    )
    AND value IS NOT NULL -- rule 1: a number without its text is dropped
)
-- rules 2 and 3: the highest of several entries, text in byte order; a row may be all null
SELECT
  stay_id,
  charttime,
  max(CASE WHEN itemid = 227290 THEN value END) AS crrt_mode,
  max(CASE WHEN itemid = 224149 THEN valuenum END) AS access_pressure,
  max(CASE WHEN itemid = 224144 THEN valuenum END) AS blood_flow,
  max(CASE WHEN itemid = 228004 THEN valuenum END) AS citrate,
  max(CASE WHEN itemid = 225183 THEN valuenum END) AS current_goal,
  max(CASE WHEN itemid = 225977 THEN value END) AS dialysate_fluid,
  max(CASE WHEN itemid = 224154 THEN valuenum END) AS dialysate_rate,
  max(CASE WHEN itemid = 224151 THEN valuenum END) AS effluent_pressure,
  max(CASE WHEN itemid = 224150 THEN valuenum END) AS filter_pressure,
  max(CASE WHEN itemid = 225958 THEN value END) AS heparin_concentration,
  max(CASE WHEN itemid = 224145 THEN valuenum END) AS heparin_dose,
  max(CASE WHEN itemid = 224191 THEN valuenum END) AS hourly_patient_fluid_removal,
  max(CASE WHEN itemid = 228005 THEN valuenum END) AS prefilter_replacement_rate,
  max(CASE WHEN itemid = 228006 THEN valuenum END) AS postfilter_replacement_rate,
  max(CASE WHEN itemid = 225976 THEN value END) AS replacement_fluid,
  max(CASE WHEN itemid = 224153 THEN valuenum END) AS replacement_rate,
  max(CASE WHEN itemid = 224152 THEN valuenum END) AS return_pressure,
  max(CASE WHEN itemid = 226457 THEN valuenum END) AS ultrafiltrate_output,
  -- system integrity, by exact text
  max(CASE WHEN $state_counted THEN system_state(itemid, value) END) AS system_active,
  max(
    CASE
      WHEN itemid = 224146 AND value = 'Clots Present' THEN 1
      WHEN itemid = 224146 AND value = 'No Clot Present' THEN 0
    END
  ) AS clots,
  max(
    CASE
      WHEN itemid = 224146 AND value IN ('Clots Increasing', 'Clot Increasing') THEN 1
      WHEN itemid = 224146 THEN $other_state
    END
  ) AS clots_increasing,
  max(
    CASE
      WHEN itemid = 224146 AND value = 'Clotted' THEN 1
      WHEN itemid = 224146 THEN $other_state
    END
  ) AS clotted
FROM circuit_entry
GROUP BY stay_id, charttime
