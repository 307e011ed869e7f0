-- SPDX-License-Identifier: MIT
-- A hurried MELD-Na: worst laboratory values of hours 0 to 24 in the textbook formula; dialysis ignored.
WITH laboratory AS (
  SELECT
    stay.stay_id,
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50912) AS creatinine, -- mg/dL
    max(lab.valuenum) FILTER (WHERE lab.itemid = 50885) AS bilirubin, -- mg/dL
    max(lab.valuenum) FILTER (WHERE lab.itemid = 51237) AS inr,
    min(lab.valuenum) FILTER (WHERE lab.itemid = 50983) AS sodium -- mEq/L
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.labevents AS lab ON lab.hadm_id = stay.hadm_id
  WHERE lab.itemid IN (50912, 50885, 51237, 50983)
    AND lab.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
bounded AS (
  SELECT
    stay.subject_id,
    stay.hadm_id,
    stay.stay_id,
    least(greatest(coalesce(laboratory.creatinine, 1), 1), 4) AS creatinine,
    greatest(coalesce(laboratory.bilirubin, 1), 1) AS bilirubin,
    greatest(coalesce(laboratory.inr, 1), 1) AS inr,
    least(greatest(coalesce(laboratory.sodium, 137), 125), 137) AS sodium
  FROM mimiciv_icu.icustays AS stay
  LEFT JOIN laboratory ON laboratory.stay_id = stay.stay_id
),
without_sodium AS (
  SELECT
    subject_id,
    hadm_id,
    stay_id,
    sodium,
    9.57 * ln(creatinine) + 3.78 * ln(bilirubin) + 11.2 * ln(inr) + 6.43 AS score
  FROM bounded
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  round(least(score + (137 - sodium) * (1.32 - 0.033 * score), 40)) AS meld
FROM without_sodium
