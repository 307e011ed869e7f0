/*
name: first_day_sofa
kind: concept
title: SOFA of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: sofa, type: INTEGER, meaning: "sum of the six components, missing counted 0, 0 to 24"}
  - {name: respiration, type: INTEGER, meaning: "respiration, 0 to 4 or null"}
  - {name: coagulation, type: INTEGER, meaning: "coagulation, 0 to 4 or null"}
  - {name: liver, type: INTEGER, meaning: "liver, 0 to 4 or null"}
  - {name: cardiovascular, type: INTEGER, meaning: "cardiovascular, 0 to 4 or null"}
  - {name: cns, type: INTEGER, meaning: "central nervous system, 0 to 4 or null"}
  - {name: renal, type: INTEGER, meaning: "renal, 0 to 4 or null"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.norepinephrine, mimiciv_derived.epinephrine, mimiciv_derived.dopamine, mimiciv_derived.dobutamine, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.first_day_vitalsign, mimiciv_derived.first_day_lab, mimiciv_derived.first_day_urine_output, mimiciv_derived.first_day_gcs]
spec: first_day_sofa
source: "Vincent et al., 1996, Intensive Care Medicine 22:707-710"
conventions: []
*/
-- Sequential Organ Failure Assessment of the first ICU day, per stay.
WITH first_day AS (
  -- rules 1 and 2: closed window
  SELECT
    subject_id,
    hadm_id,
    stay_id,
    intime - INTERVAL 6 HOUR AS opens,
    intime + INTERVAL 24 HOUR AS closes
  FROM mimiciv_icu.icustays
),
infusion AS (
  SELECT stay_id, starttime, 'norepinephrine' AS agent, vaso_rate FROM mimiciv_derived.norepinephrine
  UNION ALL
  SELECT stay_id, starttime, 'epinephrine' AS agent, vaso_rate FROM mimiciv_derived.epinephrine
  UNION ALL
  SELECT stay_id, starttime, 'dopamine' AS agent, vaso_rate FROM mimiciv_derived.dopamine
  UNION ALL
  SELECT stay_id, starttime, 'dobutamine' AS agent, vaso_rate FROM mimiciv_derived.dobutamine
),
highest_rate AS (
  -- rule 1: by start alone, whenever the infusion ends
  SELECT
    first_day.stay_id,
    max(CASE WHEN infusion.agent = 'norepinephrine' THEN infusion.vaso_rate END) AS norepinephrine,
    max(CASE WHEN infusion.agent = 'epinephrine' THEN infusion.vaso_rate END) AS epinephrine,
    max(CASE WHEN infusion.agent = 'dopamine' THEN infusion.vaso_rate END) AS dopamine,
    max(CASE WHEN infusion.agent = 'dobutamine' THEN infusion.vaso_rate END) AS dobutamine
  FROM first_day
  JOIN infusion
    ON infusion.stay_id = first_day.stay_id
    AND infusion.starttime >= first_day.opens
    AND infusion.starttime <= first_day.closes
  GROUP BY first_day.stay_id
),
gas AS (
  -- rule 2: any specimen, by patient
  SELECT first_day.stay_id, gas.charttime, gas.pao2fio2ratio
  FROM first_day
  JOIN mimiciv_derived.bg AS gas
    ON gas.subject_id = first_day.subject_id
    AND gas.charttime >= first_day.opens
    AND gas.charttime <= first_day.closes
),
moment AS (
  -- one axis of gases and of the starts of invasive ventilation, for a single sweep
  SELECT stay_id, charttime, pao2fio2ratio, CAST(NULL AS TIMESTAMP) AS ventilated_until
  FROM gas
  UNION ALL
  SELECT stay_id, starttime AS charttime, NULL AS pao2fio2ratio, endtime AS ventilated_until
  FROM mimiciv_derived.ventilation
  WHERE ventilation_status = 'InvasiveVent'
),
swept AS (
  -- rule 2: an episode covers a gas when it has begun by then and the latest end so far is not past
  SELECT
    stay_id,
    charttime,
    pao2fio2ratio,
    max(ventilated_until) OVER (
      PARTITION BY stay_id ORDER BY charttime
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS ventilated_until
  FROM moment
),
oxygenation AS (
  -- rule 2
  SELECT
    stay_id,
    min(CASE WHEN ventilated_until >= charttime THEN pao2fio2ratio END) AS ventilated,
    min(
      CASE WHEN ventilated_until IS NULL OR ventilated_until < charttime THEN pao2fio2ratio END
    ) AS unventilated
  FROM swept
  GROUP BY stay_id
),
component AS (
  -- rule 3: the first line that holds gives the score
  SELECT
    first_day.subject_id,
    first_day.hadm_id,
    first_day.stay_id,
    CASE
      WHEN oxygenation.ventilated < 100 THEN 4
      WHEN oxygenation.ventilated < 200 THEN 3
      WHEN oxygenation.unventilated < 300 THEN 2
      WHEN oxygenation.unventilated < 400 THEN 1
      WHEN coalesce(oxygenation.ventilated, oxygenation.unventilated) IS NULL THEN NULL
      ELSE 0
    END AS respiration,
    CASE
      WHEN lab.platelets_min < 20 THEN 4
      WHEN lab.platelets_min < 50 THEN 3
      WHEN lab.platelets_min < 100 THEN 2
      WHEN lab.platelets_min < 150 THEN 1
      WHEN lab.platelets_min IS NULL THEN NULL
      ELSE 0
    END AS coagulation,
    CASE
      WHEN lab.bilirubin_total_max >= 12.0 THEN 4
      WHEN lab.bilirubin_total_max >= 6.0 THEN 3
      WHEN lab.bilirubin_total_max >= 2.0 THEN 2
      WHEN lab.bilirubin_total_max >= 1.2 THEN 1
      WHEN lab.bilirubin_total_max IS NULL THEN NULL
      ELSE 0
    END AS liver,
    CASE
      WHEN rate.dopamine > 15 OR rate.epinephrine > 0.1 OR rate.norepinephrine > 0.1 THEN 4
      WHEN rate.dopamine > 5
        OR (rate.epinephrine <= 0.1)
        OR (rate.norepinephrine <= 0.1) THEN 3 -- a rate of 0 counts too
      WHEN rate.dopamine > 0 OR rate.dobutamine > 0 THEN 2
      WHEN vital.mbp_min < 70 THEN 1
      WHEN coalesce(
          vital.mbp_min, rate.norepinephrine, rate.epinephrine, rate.dopamine, rate.dobutamine
        ) IS NULL THEN NULL
      ELSE 0
    END AS cardiovascular,
    CASE
      WHEN coma.gcs_min >= 13 AND coma.gcs_min <= 14 THEN 1
      WHEN coma.gcs_min >= 10 AND coma.gcs_min <= 12 THEN 2
      WHEN coma.gcs_min >= 6 AND coma.gcs_min <= 9 THEN 3
      WHEN coma.gcs_min < 6 THEN 4
      WHEN coma.gcs_min IS NULL THEN NULL
      ELSE 0
    END AS cns,
    CASE
      WHEN lab.creatinine_max >= 5.0 THEN 4
      WHEN urine.urineoutput < 200 THEN 4
      WHEN lab.creatinine_max >= 3.5 THEN 3
      WHEN urine.urineoutput < 500 THEN 3
      WHEN lab.creatinine_max >= 2.0 THEN 2
      WHEN lab.creatinine_max >= 1.2 THEN 1
      WHEN coalesce(lab.creatinine_max, urine.urineoutput) IS NULL THEN NULL
      ELSE 0
    END AS renal
  FROM first_day
  LEFT JOIN highest_rate AS rate
    ON rate.stay_id = first_day.stay_id
  LEFT JOIN oxygenation
    ON oxygenation.stay_id = first_day.stay_id
  LEFT JOIN mimiciv_derived.first_day_vitalsign AS vital
    ON vital.stay_id = first_day.stay_id
  LEFT JOIN mimiciv_derived.first_day_lab AS lab
    ON lab.stay_id = first_day.stay_id
  LEFT JOIN mimiciv_derived.first_day_urine_output AS urine
    ON urine.stay_id = first_day.stay_id
  LEFT JOIN mimiciv_derived.first_day_gcs AS coma
    ON coma.stay_id = first_day.stay_id
)
-- rule 4: a missing component counts 0 in the total alone
SELECT
  subject_id,
  hadm_id,
  stay_id,
  coalesce(respiration, 0)
    + coalesce(coagulation, 0)
    + coalesce(liver, 0)
    + coalesce(cardiovascular, 0)
    + coalesce(cns, 0)
    + coalesce(renal, 0) AS sofa,
  respiration,
  coagulation,
  liver,
  cardiovascular,
  cns,
  renal
FROM component
