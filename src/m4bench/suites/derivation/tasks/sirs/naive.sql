-- SPDX-License-Identifier: MIT
-- Hurried SIRS criteria: values of hours 0 to 24 as charted, one item a sign, no carbon dioxide, no bands.
WITH vital AS (
  SELECT
    stay.stay_id,
    max(event.valuenum) FILTER (WHERE event.itemid = 220045) AS heart_rate, -- /min
    max(event.valuenum) FILTER (WHERE event.itemid = 220210) AS resp_rate, -- /min
    min(event.valuenum) FILTER (WHERE event.itemid = 223761) AS coldest, -- °F
    max(event.valuenum) FILTER (WHERE event.itemid = 223761) AS warmest -- °F
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_icu.chartevents AS event ON event.stay_id = stay.stay_id
  WHERE event.itemid IN (220045, 220210, 223761)
    AND event.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
blood AS (
  SELECT
    stay.stay_id,
    min(lab.valuenum) AS wbc_lowest, -- K/µL
    max(lab.valuenum) AS wbc_highest
  FROM mimiciv_icu.icustays AS stay
  JOIN mimiciv_hosp.labevents AS lab ON lab.hadm_id = stay.hadm_id
  WHERE lab.itemid = 51301 -- White Blood Cells
    AND lab.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
  GROUP BY stay.stay_id
),
criterion AS (
  SELECT
    stay.subject_id,
    stay.hadm_id,
    stay.stay_id,
    coalesce(vital.coldest < 96.8 OR vital.warmest > 100.4, FALSE)::INTEGER AS temp_score,
    coalesce(vital.heart_rate > 90, FALSE)::INTEGER AS heart_rate_score,
    coalesce(vital.resp_rate > 20, FALSE)::INTEGER AS resp_score,
    coalesce(blood.wbc_lowest < 4 OR blood.wbc_highest > 12, FALSE)::INTEGER AS wbc_score
  FROM mimiciv_icu.icustays AS stay
  LEFT JOIN vital ON vital.stay_id = stay.stay_id
  LEFT JOIN blood ON blood.stay_id = stay.stay_id
)
SELECT
  subject_id,
  hadm_id,
  stay_id,
  temp_score + heart_rate_score + resp_score + wbc_score AS sirs,
  temp_score,
  heart_rate_score,
  resp_score,
  wbc_score
FROM criterion
