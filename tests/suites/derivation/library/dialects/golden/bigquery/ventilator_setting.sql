-- ventilator_setting: Ventilator settings and readings at each charting time
-- one row per patient and charttime with any kept entry; published convention
-- reads mimiciv_icu.chartevents
/* Ventilator settings and readings, one row a patient and charttime. */
WITH entry AS (
  /* rule 1: a number without its text is dropped */
  SELECT
    subject_id,
    stay_id,
    charttime,
    itemid,
    value,
    valuenum
  FROM mimiciv_icu.chartevents
  WHERE
    NOT value IS NULL
    AND NOT stay_id IS NULL
    AND itemid IN (
      224688, /* Respiratory Rate (Set), /min */
      224690, /* Respiratory Rate (Total), /min */
      224689, /* Respiratory Rate (spontaneous), /min */
      224687, /* Minute Volume, L/min */
      224684, /* Tidal Volume (set), mL */
      224685, /* Tidal Volume (observed), mL */
      224686, /* Tidal Volume (spontaneous), mL */
      224696, /* Plateau Pressure, cmH2O */
      220339, /* PEEP set, cmH2O */
      224700, /* Total PEEP Level, cmH2O */
      223835, /* Inspired O2 Fraction, % or fraction */
      224691, /* Flow Rate (L/min) */
      223849, /* Ventilator Mode, text */
      229314, /* Ventilator Mode (Hamilton), text */
      223848 /* Ventilator Type, text */
    )
)
/* rules 2 and 3: a value out of range is void, its row stays */
SELECT
  subject_id,
  MAX(stay_id) AS stay_id,
  charttime,
  MAX(CASE WHEN itemid = 224688 THEN valuenum END) AS respiratory_rate_set,
  MAX(CASE WHEN itemid = 224690 THEN valuenum END) AS respiratory_rate_total,
  MAX(CASE WHEN itemid = 224689 THEN valuenum END) AS respiratory_rate_spontaneous,
  MAX(CASE WHEN itemid = 224687 THEN valuenum END) AS minute_volume,
  MAX(CASE WHEN itemid = 224684 THEN valuenum END) AS tidal_volume_set,
  MAX(CASE WHEN itemid = 224685 THEN valuenum END) AS tidal_volume_observed,
  MAX(CASE WHEN itemid = 224686 THEN valuenum END) AS tidal_volume_spontaneous,
  MAX(CASE WHEN itemid = 224696 THEN valuenum END) AS plateau_pressure,
  MAX(CASE WHEN itemid IN (220339, 224700) AND valuenum >= 0 AND valuenum <= 100 THEN valuenum END) AS peep,
  MAX(
    CASE
      WHEN itemid = 223835
      THEN (
        CASE
          WHEN valuenum >= 0.20 AND valuenum <= 1
          THEN valuenum * 100
          WHEN valuenum >= 20 AND valuenum <= 100
          THEN valuenum
        END
      )
    END
  ) AS fio2,
  MAX(CASE WHEN itemid = 224691 THEN valuenum END) AS flow_rate,
  MAX(CASE WHEN itemid = 223849 THEN value END) AS ventilator_mode,
  MAX(CASE WHEN itemid = 229314 THEN value END) AS ventilator_mode_hamilton,
  MAX(CASE WHEN itemid = 223848 THEN value END) AS ventilator_type
FROM entry
GROUP BY
  subject_id,
  charttime
;
