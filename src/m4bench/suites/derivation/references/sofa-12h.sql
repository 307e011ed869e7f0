/*
name: sofa-12h
kind: reference
title: "SOFA of the first 12 ICU hours, any gases, missing as 0"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: sofa, type: INTEGER, meaning: "sum of the six components, missing counted 0, 0 to 24"}
  - {name: respiration, type: INTEGER, meaning: "respiration, 0 to 4, missing as 0"}
  - {name: coagulation, type: INTEGER, meaning: "coagulation, 0 to 4, missing as 0"}
  - {name: liver, type: INTEGER, meaning: "liver, 0 to 4, missing as 0"}
  - {name: cardiovascular, type: INTEGER, meaning: "cardiovascular, 0 to 4, missing as 0"}
  - {name: cns, type: INTEGER, meaning: "central nervous system, 0 to 4, missing as 0"}
  - {name: renal, type: INTEGER, meaning: "renal by creatinine alone, 0 to 4, missing as 0"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.norepinephrine, mimiciv_derived.epinephrine, mimiciv_derived.dopamine, mimiciv_derived.dobutamine, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.vitalsign, mimiciv_derived.gcs, mimiciv_derived.chemistry, mimiciv_derived.enzyme, mimiciv_derived.complete_blood_count]
spec: sofa-12h
source: "Vincent et al., 1996, Intensive Care Medicine 22:707-710"
conventions: []
*/
-- Sequential Organ Failure Assessment from six hours before to twelve hours after ICU admission, per stay.
WITH first_hours AS (
  -- rule 1: closed window
  SELECT
    subject_id,
    hadm_id,
    stay_id,
    intime - INTERVAL 6 HOUR AS opens,
    intime + INTERVAL 12 HOUR AS closes
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
    first_hours.stay_id,
    max(CASE WHEN infusion.agent = 'norepinephrine' THEN infusion.vaso_rate END) AS norepinephrine,
    max(CASE WHEN infusion.agent = 'epinephrine' THEN infusion.vaso_rate END) AS epinephrine,
    max(CASE WHEN infusion.agent = 'dopamine' THEN infusion.vaso_rate END) AS dopamine,
    max(CASE WHEN infusion.agent = 'dobutamine' THEN infusion.vaso_rate END) AS dobutamine
  FROM first_hours
  JOIN infusion
    ON infusion.stay_id = first_hours.stay_id
    AND infusion.starttime >= first_hours.opens
    AND infusion.starttime <= first_hours.closes
  GROUP BY first_hours.stay_id
),
gas AS (
  -- rules 1 and 2: by patient, any specimen
  SELECT first_hours.stay_id, gas.charttime, gas.pao2fio2ratio
  FROM first_hours
  JOIN mimiciv_derived.bg AS gas
    ON gas.subject_id = first_hours.subject_id
    AND gas.charttime >= first_hours.opens
    AND gas.charttime <= first_hours.closes
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
  -- an episode covers a gas when it has begun by then and the latest end so far is not past
  SELECT
    stay_id,
    charttime,
    pao2fio2ratio,
    max(ventilated_until) OVER (
      PARTITION BY stay_id ORDER BY charttime NULLS FIRST
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS ventilated_until
  FROM moment
),
oxygenation AS (
  SELECT
    stay_id,
    min(CASE WHEN ventilated_until >= charttime THEN pao2fio2ratio END) AS ventilated,
    min(
      CASE WHEN ventilated_until IS NULL OR ventilated_until < charttime THEN pao2fio2ratio END
    ) AS unventilated
  FROM swept
  GROUP BY stay_id
),
-- rule 1: pressures and coma scale by stay, laboratory values by admission
pressure AS (
  SELECT first_hours.stay_id, min(vital.mbp) AS mbp_min
  FROM first_hours
  JOIN mimiciv_derived.vitalsign AS vital
    ON vital.stay_id = first_hours.stay_id
    AND vital.charttime >= first_hours.opens
    AND vital.charttime <= first_hours.closes
  GROUP BY first_hours.stay_id
),
coma AS (
  SELECT first_hours.stay_id, min(observation.gcs) AS gcs_min
  FROM first_hours
  JOIN mimiciv_derived.gcs AS observation
    ON observation.stay_id = first_hours.stay_id
    AND observation.charttime >= first_hours.opens
    AND observation.charttime <= first_hours.closes
  GROUP BY first_hours.stay_id
),
kidney AS (
  SELECT first_hours.stay_id, max(lab.creatinine) AS creatinine_max
  FROM first_hours
  JOIN mimiciv_derived.chemistry AS lab
    ON lab.hadm_id = first_hours.hadm_id
    AND lab.charttime >= first_hours.opens
    AND lab.charttime <= first_hours.closes
  GROUP BY first_hours.stay_id
),
bile AS (
  SELECT first_hours.stay_id, max(lab.bilirubin_total) AS bilirubin_max
  FROM first_hours
  JOIN mimiciv_derived.enzyme AS lab
    ON lab.hadm_id = first_hours.hadm_id
    AND lab.charttime >= first_hours.opens
    AND lab.charttime <= first_hours.closes
  GROUP BY first_hours.stay_id
),
blood AS (
  SELECT first_hours.stay_id, min(lab.platelet) AS platelet_min
  FROM first_hours
  JOIN mimiciv_derived.complete_blood_count AS lab
    ON lab.hadm_id = first_hours.hadm_id
    AND lab.charttime >= first_hours.opens
    AND lab.charttime <= first_hours.closes
  GROUP BY first_hours.stay_id
),
component AS (
  -- rule 4: the first line that holds gives the score, a missing component is 0
  SELECT
    first_hours.subject_id,
    first_hours.hadm_id,
    first_hours.stay_id,
    CASE
      WHEN oxygenation.ventilated < 100 THEN 4
      WHEN oxygenation.ventilated < 200 THEN 3
      WHEN oxygenation.unventilated < 300 THEN 2
      WHEN oxygenation.unventilated < 400 THEN 1
      ELSE 0
    END AS respiration,
    CASE
      WHEN blood.platelet_min < 20 THEN 4
      WHEN blood.platelet_min < 50 THEN 3
      WHEN blood.platelet_min < 100 THEN 2
      WHEN blood.platelet_min < 150 THEN 1
      ELSE 0
    END AS coagulation,
    CASE
      WHEN bile.bilirubin_max >= 12.0 THEN 4
      WHEN bile.bilirubin_max >= 6.0 THEN 3
      WHEN bile.bilirubin_max >= 2.0 THEN 2
      WHEN bile.bilirubin_max >= 1.2 THEN 1
      ELSE 0
    END AS liver,
    CASE
      WHEN rate.dopamine > 15 OR rate.epinephrine > 0.1 OR rate.norepinephrine > 0.1 THEN 4
      WHEN rate.dopamine > 5
        OR (rate.epinephrine > 0 AND rate.epinephrine <= 0.1)
        OR (rate.norepinephrine > 0 AND rate.norepinephrine <= 0.1) THEN 3
      WHEN rate.dopamine > 0 OR rate.dobutamine > 0 THEN 2
      WHEN pressure.mbp_min < 70 THEN 1
      ELSE 0
    END AS cardiovascular,
    CASE
      WHEN coma.gcs_min >= 13 AND coma.gcs_min <= 14 THEN 1
      WHEN coma.gcs_min >= 10 AND coma.gcs_min <= 12 THEN 2
      WHEN coma.gcs_min >= 6 AND coma.gcs_min <= 9 THEN 3
      WHEN coma.gcs_min < 6 THEN 4
      ELSE 0
    END AS cns,
    -- rule 3
    CASE
      WHEN kidney.creatinine_max >= 5.0 THEN 4
      WHEN kidney.creatinine_max >= 3.5 THEN 3
      WHEN kidney.creatinine_max >= 2.0 THEN 2
      WHEN kidney.creatinine_max >= 1.2 THEN 1
      ELSE 0
    END AS renal
  FROM first_hours
  LEFT JOIN highest_rate AS rate
    ON rate.stay_id = first_hours.stay_id
  LEFT JOIN oxygenation
    ON oxygenation.stay_id = first_hours.stay_id
  LEFT JOIN pressure
    ON pressure.stay_id = first_hours.stay_id
  LEFT JOIN coma
    ON coma.stay_id = first_hours.stay_id
  LEFT JOIN kidney
    ON kidney.stay_id = first_hours.stay_id
  LEFT JOIN bile
    ON bile.stay_id = first_hours.stay_id
  LEFT JOIN blood
    ON blood.stay_id = first_hours.stay_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  respiration + coagulation + liver + cardiovascular + cns + renal AS sofa,
  respiration,
  coagulation,
  liver,
  cardiovascular,
  cns,
  renal
FROM component
