/*
name: ventilator_setting
kind: concept
title: Ventilator settings and readings at each charting time
grain: one row per patient and charttime with any kept entry
key: [subject_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: "ICU stay, the highest of the group"}
  - {name: charttime, type: TIMESTAMP, meaning: charting time}
  - {name: respiratory_rate_set, type: DOUBLE, unit: "/min", meaning: "respiratory rate, set"}
  - {name: respiratory_rate_total, type: DOUBLE, unit: "/min", meaning: "respiratory rate, total"}
  - {name: respiratory_rate_spontaneous, type: DOUBLE, unit: "/min", meaning: "respiratory rate, spontaneous"}
  - {name: minute_volume, type: DOUBLE, unit: "L/min", meaning: minute volume}
  - {name: tidal_volume_set, type: DOUBLE, unit: mL, meaning: "tidal volume, set"}
  - {name: tidal_volume_observed, type: DOUBLE, unit: mL, meaning: "tidal volume, observed"}
  - {name: tidal_volume_spontaneous, type: DOUBLE, unit: mL, meaning: "tidal volume, spontaneous"}
  - {name: plateau_pressure, type: DOUBLE, unit: cmH2O, meaning: plateau pressure}
  - {name: peep, type: DOUBLE, unit: cmH2O, meaning: "positive end-expiratory pressure"}
  - {name: fio2, type: DOUBLE, unit: "%", meaning: inspired oxygen}
  - {name: flow_rate, type: DOUBLE, unit: "L/min", meaning: "ventilator flow, not oxygen flow"}
  - {name: ventilator_mode, type: VARCHAR, meaning: ventilator mode}
  - {name: ventilator_mode_hamilton, type: VARCHAR, meaning: ventilator mode of Hamilton machines}
  - {name: ventilator_type, type: VARCHAR, meaning: ventilator type}
inputs: [mimiciv_icu.chartevents]
spec: ventilator_setting
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data)"
conventions:
  - name: pressure_items
    published: (220339, 224700)
    adjudicated: (220339)
    difference: PEEP is the larger of what is set and what is measured in total, or what is set.
    source: "total PEEP holds the patient's own trapped pressure, which nobody has set"
    example: "set 5, total 7: 7 / 7 / 5"
  - name: inspired_percent
    published: ventilator_oxygen
    adjudicated: air_to_pure_oxygen
    difference: Inspired oxygen counts from 20 % or a fraction of 0.20, or from 21 to 100 %.
    source: "no gas in use holds less oxygen than room air"
    example: "20: 20 / 20 / null"
unresolved:
  - says: total PEEP apart from set PEEP
    reason: there is no column for it
  - says: physiological limits of volumes, rates and plateau pressure
    reason: no limit is stated
  - says: include the stay
    reason: the grain is the patient's charting time
*/
-- Ventilator settings and readings, one row a patient and charttime.
WITH entry AS (
  -- rule 1: a number without its text is dropped
  SELECT subject_id, stay_id, charttime, itemid, value, valuenum
  FROM mimiciv_icu.chartevents
  WHERE value IS NOT NULL
    AND stay_id IS NOT NULL
    AND itemid IN (
      224688, -- Respiratory Rate (Set), /min
      224690, -- Respiratory Rate (Total), /min
      224689, -- Respiratory Rate (spontaneous), /min
      224687, -- Minute Volume, L/min
      224684, -- Tidal Volume (set), mL
      224685, -- Tidal Volume (observed), mL
      224686, -- Tidal Volume (spontaneous), mL
      224696, -- Plateau Pressure, cmH2O
      220339, -- PEEP set, cmH2O
      224700, -- Total PEEP Level, cmH2O
      223835, -- Inspired O2 Fraction, % or fraction
      224691, -- Flow Rate (L/min)
      223849, -- Ventilator Mode, text
      229314, -- Ventilator Mode (Hamilton), text
      223848 -- Ventilator Type, text
    )
)
-- rules 2 and 3: a value out of range is void, its row stays
SELECT
  subject_id,
  max(stay_id) AS stay_id,
  charttime,
  max(CASE WHEN itemid = 224688 THEN valuenum END) AS respiratory_rate_set,
  max(CASE WHEN itemid = 224690 THEN valuenum END) AS respiratory_rate_total,
  max(CASE WHEN itemid = 224689 THEN valuenum END) AS respiratory_rate_spontaneous,
  max(CASE WHEN itemid = 224687 THEN valuenum END) AS minute_volume,
  max(CASE WHEN itemid = 224684 THEN valuenum END) AS tidal_volume_set,
  max(CASE WHEN itemid = 224685 THEN valuenum END) AS tidal_volume_observed,
  max(CASE WHEN itemid = 224686 THEN valuenum END) AS tidal_volume_spontaneous,
  max(CASE WHEN itemid = 224696 THEN valuenum END) AS plateau_pressure,
  max(
    CASE WHEN itemid IN $pressure_items AND valuenum >= 0 AND valuenum <= 100 THEN valuenum END
  ) AS peep,
  max(CASE WHEN itemid = 223835 THEN $inspired_percent(valuenum) END) AS fio2,
  max(CASE WHEN itemid = 224691 THEN valuenum END) AS flow_rate,
  max(CASE WHEN itemid = 223849 THEN value END) AS ventilator_mode,
  max(CASE WHEN itemid = 229314 THEN value END) AS ventilator_mode_hamilton,
  max(CASE WHEN itemid = 223848 THEN value END) AS ventilator_type
FROM entry
GROUP BY subject_id, charttime
