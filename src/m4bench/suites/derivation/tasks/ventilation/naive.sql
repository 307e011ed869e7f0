-- SPDX-License-Identifier: MIT
-- A hurried list of episodes: devices by the look of their names, any ventilator mode as invasive, and an
-- episode as long as the status does not change.
WITH charted AS (
  SELECT
    event.stay_id,
    event.charttime,
    min(
      CASE
        WHEN event.itemid = 226732 AND event.value LIKE 'Trach%' THEN 1
        WHEN event.itemid IN (223849, 229314) OR event.value LIKE 'Endotracheal%' THEN 2
        WHEN event.value ILIKE '%bipap%' OR event.value ILIKE '%cpap%' THEN 3
        WHEN event.value LIKE 'High flow nasal%' THEN 4
        WHEN event.value = 'None' THEN 6
        ELSE 5
      END
    ) AS support
  FROM mimiciv_icu.chartevents AS event
  WHERE event.itemid IN (226732, 223849, 229314) -- device, ventilator mode, mode of a Hamilton
    AND event.value IS NOT NULL
    AND event.stay_id IS NOT NULL
    AND event.charttime IS NOT NULL
  GROUP BY event.stay_id, event.charttime
),
compared AS (
  SELECT
    charted.stay_id,
    charted.charttime,
    charted.support,
    lag(charted.support) OVER stay AS support_before,
    lead(charted.charttime) OVER stay AS next_time
  FROM charted
  WINDOW stay AS (PARTITION BY charted.stay_id ORDER BY charted.charttime)
),
numbered AS (
  SELECT
    compared.stay_id,
    compared.charttime,
    compared.support,
    compared.next_time,
    sum(CASE WHEN compared.support = compared.support_before THEN 0 ELSE 1 END) OVER (
      PARTITION BY compared.stay_id ORDER BY compared.charttime
    ) AS run
  FROM compared
),
episode AS (
  SELECT
    numbered.stay_id,
    min(numbered.charttime) AS starttime,
    max(coalesce(numbered.next_time, numbered.charttime)) AS endtime,
    min(numbered.support) AS support
  FROM numbered
  GROUP BY numbered.stay_id, numbered.run
)
SELECT
  stay_id,
  row_number() OVER (PARTITION BY stay_id ORDER BY starttime) AS ventilation_seq,
  starttime,
  endtime,
  CASE support
    WHEN 1 THEN 'Tracheostomy'
    WHEN 2 THEN 'InvasiveVent'
    WHEN 3 THEN 'NonInvasiveVent'
    WHEN 4 THEN 'HFNC'
    WHEN 5 THEN 'SupplementalOxygen'
    ELSE 'None'
  END AS ventilation_status
FROM episode
