-- crrt: Settings and circuit state of continuous renal replacement therapy
-- one row per ICU stay and charttime with a charted value; published convention
-- reads mimiciv_icu.chartevents
/* What was charted of a running circuit, one row a charted time, nothing carried forward. */
WITH circuit_entry AS (
  SELECT
    stay_id,
    charttime,
    itemid,
    value,
    valuenum,
    RANK() OVER (
      PARTITION BY stay_id, charttime, itemid, NOT (
        CASE
          WHEN itemid = 224146 AND value IN ('Active', 'Initiated', 'Reinitiated', 'New Filter')
          THEN 1
          WHEN itemid = 224146 AND value IN ('Recirculating', 'Discontinued')
          THEN 0
        END
      ) IS NULL
      ORDER BY storetime DESC
    ) AS storage_order /* among the entries that tell whether the system runs */
  FROM mimiciv_icu.chartevents
  /* rule 4: the reason of a filter change (225956) is not read */
  WHERE
    itemid IN (
      227290, /* CRRT mode, text */
      224149, /* Access Pressure, mmHg */
      224144, /* Blood Flow, mL/min */
      228004, /* Citrate (ACD-A), mL/hr */
      225183, /* Current Goal, mL */
      225977, /* Dialysate Fluid, text */
      224154, /* Dialysate Rate, mL/hr */
      224151, /* Effluent Pressure, mmHg */
      224150, /* Filter Pressure, mmHg */
      225958, /* Heparin Concentration, units/mL, text */
      224145, /* Heparin Dose, units per hour */
      224191, /* Hourly Patient Fluid Removal, mL */
      228005, /* Prefilter Replacement Rate, mL/hr */
      228006, /* Postfilter Replacement Rate, mL/hr */
      225976, /* Replacement Fluid, text */
      224153, /* Replacement Rate, mL/hr */
      224152, /* Return Pressure, mmHg */
      226457, /* Ultrafiltrate Output, mL */
      224146 /* System Integrity, text */
    )
    AND NOT value IS NULL /* rule 1: a number without its text is dropped */
)
/* rules 2 and 3: the highest of several entries, text in byte order; a row may be all null */
SELECT
  stay_id,
  charttime,
  MAX(CASE WHEN itemid = 227290 THEN value END) AS crrt_mode,
  MAX(CASE WHEN itemid = 224149 THEN valuenum END) AS access_pressure,
  MAX(CASE WHEN itemid = 224144 THEN valuenum END) AS blood_flow,
  MAX(CASE WHEN itemid = 228004 THEN valuenum END) AS citrate,
  MAX(CASE WHEN itemid = 225183 THEN valuenum END) AS current_goal,
  MAX(CASE WHEN itemid = 225977 THEN value END) AS dialysate_fluid,
  MAX(CASE WHEN itemid = 224154 THEN valuenum END) AS dialysate_rate,
  MAX(CASE WHEN itemid = 224151 THEN valuenum END) AS effluent_pressure,
  MAX(CASE WHEN itemid = 224150 THEN valuenum END) AS filter_pressure,
  MAX(CASE WHEN itemid = 225958 THEN value END) AS heparin_concentration,
  MAX(CASE WHEN itemid = 224145 THEN valuenum END) AS heparin_dose,
  MAX(CASE WHEN itemid = 224191 THEN valuenum END) AS hourly_patient_fluid_removal,
  MAX(CASE WHEN itemid = 228005 THEN valuenum END) AS prefilter_replacement_rate,
  MAX(CASE WHEN itemid = 228006 THEN valuenum END) AS postfilter_replacement_rate,
  MAX(CASE WHEN itemid = 225976 THEN value END) AS replacement_fluid,
  MAX(CASE WHEN itemid = 224153 THEN valuenum END) AS replacement_rate,
  MAX(CASE WHEN itemid = 224152 THEN valuenum END) AS return_pressure,
  MAX(CASE WHEN itemid = 226457 THEN valuenum END) AS ultrafiltrate_output,
  MAX(
    CASE
      WHEN TRUE
      THEN (
        CASE
          WHEN itemid = 224146 AND value IN ('Active', 'Initiated', 'Reinitiated', 'New Filter')
          THEN 1
          WHEN itemid = 224146 AND value IN ('Recirculating', 'Discontinued')
          THEN 0
        END
      )
    END
  ) AS system_active, /* system integrity, by exact text */
  MAX(
    CASE
      WHEN itemid = 224146 AND value = 'Clots Present'
      THEN 1
      WHEN itemid = 224146 AND value = 'No Clot Present'
      THEN 0
    END
  ) AS clots,
  MAX(
    CASE
      WHEN itemid = 224146 AND value IN ('Clots Increasing', 'Clot Increasing')
      THEN 1
      WHEN itemid = 224146
      THEN NULL
    END
  ) AS clots_increasing,
  MAX(CASE WHEN itemid = 224146 AND value = 'Clotted' THEN 1 WHEN itemid = 224146 THEN NULL END) AS clotted
FROM circuit_entry
GROUP BY
  stay_id,
  charttime
;
