/*
name: first-lactate
kind: reference
title: First lactate of the ICU stay
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: lactate, type: DOUBLE, unit: "mmol/L", meaning: "first lactate of the first day, null where there is none"}
inputs: [mimiciv_icu.icustays, mimiciv_hosp.labevents]
spec: first-lactate
source: "invented to prove that a family of tasks can come from another package"
conventions: []
*/
SELECT
  stay.stay_id,
  min_by(lab.valuenum, (lab.charttime, lab.labevent_id)) AS lactate
FROM mimiciv_icu.icustays AS stay
LEFT JOIN mimiciv_hosp.labevents AS lab
  ON lab.subject_id = stay.subject_id
  AND lab.itemid = 50813 -- Lactate, mmol/L
  AND lab.valuenum > 0
  AND lab.charttime >= stay.intime
  AND lab.charttime < stay.intime + INTERVAL 24 HOUR
GROUP BY stay.stay_id
