-- SPDX-License-Identifier: MIT
-- A hurried norepinephrine equivalent: rows of infusions as they are charted, those that start together added up.
WITH infusion AS (
  SELECT
    drug.stay_id,
    drug.starttime,
    drug.endtime,
    CASE
      WHEN drug.itemid IN (221906, 221289) THEN drug.rate -- norepinephrine, epinephrine, mcg/kg/min
      WHEN drug.itemid = 221749 THEN drug.rate / 10 -- phenylephrine, mcg/kg/min
      WHEN drug.itemid = 221662 THEN drug.rate / 100 -- dopamine, mcg/kg/min
      WHEN drug.itemid = 222315 THEN drug.rate * 2.5 / 60 -- vasopressin, units/hour
    END AS equivalent
  FROM mimiciv_icu.inputevents AS drug
  WHERE drug.itemid IN (221906, 221289, 221749, 221662, 222315)
    AND drug.rate > 0
    AND drug.stay_id IS NOT NULL
    AND drug.starttime IS NOT NULL
)
SELECT
  stay_id,
  starttime,
  max(endtime) AS endtime,
  round(sum(equivalent)::DECIMAL(18, 6), 3) AS norepinephrine_equivalent_dose
FROM infusion
GROUP BY stay_id, starttime
