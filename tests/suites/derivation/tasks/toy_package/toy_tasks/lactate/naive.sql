-- SPDX-License-Identifier: MIT
-- The highest lactate of the admission.
SELECT stay.stay_id, max(lab.valuenum) AS lactate
FROM mimiciv_icu.icustays AS stay
LEFT JOIN mimiciv_hosp.labevents AS lab
  ON lab.hadm_id = stay.hadm_id AND lab.itemid = 50813
GROUP BY stay.stay_id
