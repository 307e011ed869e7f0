-- SPDX-License-Identifier: MIT
-- A hurried lowest GCS: assessments of hours 0 to 24 with all three components, numbers as charted.
WITH assessment AS (
  SELECT
    event.stay_id,
    event.charttime,
    max(event.valuenum) FILTER (WHERE event.itemid = 223901) AS motor,
    max(event.valuenum) FILTER (WHERE event.itemid = 223900) AS verbal,
    max(event.valuenum) FILTER (WHERE event.itemid = 220739) AS eyes
  FROM mimiciv_icu.chartevents AS event
  WHERE event.itemid IN (223901, 223900, 220739)
  GROUP BY event.stay_id, event.charttime
),
first_day AS (
  SELECT
    stay.stay_id,
    assessment.motor,
    assessment.verbal,
    assessment.eyes,
    row_number() OVER (
      PARTITION BY stay.stay_id
      ORDER BY assessment.motor + assessment.verbal + assessment.eyes, assessment.charttime
    ) AS place
  FROM mimiciv_icu.icustays AS stay
  JOIN assessment ON assessment.stay_id = stay.stay_id
  WHERE assessment.charttime BETWEEN stay.intime AND stay.intime + INTERVAL 24 HOUR
    AND assessment.motor + assessment.verbal + assessment.eyes IS NOT NULL
)
SELECT
  stay.subject_id,
  stay.hadm_id,
  stay.stay_id,
  coalesce(first_day.motor + first_day.verbal + first_day.eyes, 15)::INTEGER AS gcs_min,
  coalesce(first_day.motor, 6)::INTEGER AS gcs_motor,
  coalesce(first_day.verbal, 5)::INTEGER AS gcs_verbal,
  coalesce(first_day.eyes, 4)::INTEGER AS gcs_eyes
FROM mimiciv_icu.icustays AS stay
LEFT JOIN first_day ON first_day.stay_id = stay.stay_id AND first_day.place = 1
