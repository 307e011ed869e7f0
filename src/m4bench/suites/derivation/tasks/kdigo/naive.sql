-- SPDX-License-Identifier: MIT
-- A hurried KDIGO stage: highest over lowest creatinine of two days, urine of the whole two days over one weight.
WITH creatinine AS (
  SELECT
    stay.stay_id,
    min(lab.valuenum) AS lowest, -- mg/dL
    max(lab.valuenum) AS highest
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.labevents AS lab ON lab.hadm_id = stay.hadm_id
  WHERE lab.itemid = 50912
    AND lab.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 48 HOUR
  GROUP BY stay.stay_id
),
urine AS (
  SELECT stay.stay_id, sum(output.value) AS volume -- mL
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.outputevents AS output ON output.stay_id = stay.stay_id
  WHERE output.itemid IN (226559, 226560) -- Foley, void
    AND output.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 48 HOUR
  GROUP BY stay.stay_id
),
charted AS (
  SELECT
    stay.stay_id,
    min(event.valuenum) FILTER (WHERE event.itemid = 226512 AND event.valuenum > 0) AS kilograms,
    count(*) FILTER (
      WHERE event.itemid = 227290 AND event.charttime <= stay.intime + INTERVAL 48 HOUR
    ) AS replacement_modes
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.chartevents AS event ON event.stay_id = stay.stay_id
  WHERE event.itemid IN (226512, 227290) -- admission weight, CRRT mode
  GROUP BY stay.stay_id
),
staged AS (
  SELECT
    stay.subject_id,
    stay.hadm_id,
    stay.stay_id,
    CASE
      WHEN creatinine.highest >= 3 * creatinine.lowest OR creatinine.highest >= 4 THEN 3
      WHEN creatinine.highest >= 2 * creatinine.lowest THEN 2
      WHEN creatinine.highest >= 1.5 * creatinine.lowest THEN 1
      WHEN creatinine.highest >= creatinine.lowest + 0.3 THEN 1
      ELSE 0
    END AS by_creatinine,
    CASE
      WHEN urine.volume / charted.kilograms / 48 < 0.3 THEN 3
      WHEN urine.volume / charted.kilograms / 48 < 0.5 THEN 2
      ELSE 0
    END AS by_urine,
    CASE WHEN charted.replacement_modes > 0 THEN 3 ELSE 0 END AS by_replacement
  FROM mimiciv_icu.icustays AS stay
  LEFT JOIN creatinine ON creatinine.stay_id = stay.stay_id
  LEFT JOIN urine ON urine.stay_id = stay.stay_id
  LEFT JOIN charted ON charted.stay_id = stay.stay_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  greatest(by_creatinine, by_urine, by_replacement) AS aki_stage,
  by_creatinine AS aki_stage_creat,
  by_urine AS aki_stage_uo,
  by_replacement AS aki_stage_crrt
FROM staged
