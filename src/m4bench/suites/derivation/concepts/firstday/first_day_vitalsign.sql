/*
name: first_day_vitalsign
kind: concept
title: Vital signs of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: heart_rate_min, type: DOUBLE, unit: "beats/min", meaning: lowest heart rate}
  - {name: heart_rate_max, type: DOUBLE, unit: "beats/min", meaning: highest heart rate}
  - {name: heart_rate_mean, type: DOUBLE, unit: "beats/min", meaning: "mean over charting times, heart rate"}
  - {name: sbp_min, type: DOUBLE, unit: mmHg, meaning: lowest systolic pressure}
  - {name: sbp_max, type: DOUBLE, unit: mmHg, meaning: highest systolic pressure}
  - {name: sbp_mean, type: DOUBLE, unit: mmHg, meaning: "mean over charting times, systolic pressure"}
  - {name: dbp_min, type: DOUBLE, unit: mmHg, meaning: lowest diastolic pressure}
  - {name: dbp_max, type: DOUBLE, unit: mmHg, meaning: highest diastolic pressure}
  - {name: dbp_mean, type: DOUBLE, unit: mmHg, meaning: "mean over charting times, diastolic pressure"}
  - {name: mbp_min, type: DOUBLE, unit: mmHg, meaning: lowest mean pressure}
  - {name: mbp_max, type: DOUBLE, unit: mmHg, meaning: highest mean pressure}
  - {name: mbp_mean, type: DOUBLE, unit: mmHg, meaning: "mean over charting times, mean pressure"}
  - {name: resp_rate_min, type: DOUBLE, unit: "breaths/min", meaning: lowest respiratory rate}
  - {name: resp_rate_max, type: DOUBLE, unit: "breaths/min", meaning: highest respiratory rate}
  - {name: resp_rate_mean, type: DOUBLE, unit: "breaths/min", meaning: "mean over charting times, respiratory rate"}
  - {name: temperature_min, type: "DECIMAL(18,2)", unit: °C, meaning: lowest body temperature}
  - {name: temperature_max, type: "DECIMAL(18,2)", unit: °C, meaning: highest body temperature}
  - {name: temperature_mean, type: DOUBLE, unit: °C, meaning: "mean over charting times, body temperature"}
  - {name: spo2_min, type: DOUBLE, unit: "%", meaning: lowest oxygen saturation by pulse oximetry}
  - {name: spo2_max, type: DOUBLE, unit: "%", meaning: highest oxygen saturation by pulse oximetry}
  - {name: spo2_mean, type: DOUBLE, unit: "%", meaning: "mean over charting times, oxygen saturation by pulse oximetry"}
  - {name: glucose_min, type: DOUBLE, unit: "mg/dL", meaning: lowest bedside glucose}
  - {name: glucose_max, type: DOUBLE, unit: "mg/dL", meaning: highest bedside glucose}
  - {name: glucose_mean, type: DOUBLE, unit: "mg/dL", meaning: "mean over charting times, bedside glucose"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.vitalsign]
spec: first_day_vitalsign
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions: []
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
  - says: weight the mean by duration
    reason: nothing states for how long the last reading holds
*/
-- Extremes and means of the first day's vital signs, per stay.
-- rules 1 to 4: window closed at both ends and not cut at outtime
SELECT
  stay.subject_id,
  stay.stay_id,
  min(vital.heart_rate) AS heart_rate_min,
  max(vital.heart_rate) AS heart_rate_max,
  avg(to_be_added(vital.heart_rate)) AS heart_rate_mean,
  min(vital.sbp) AS sbp_min,
  max(vital.sbp) AS sbp_max,
  avg(to_be_added(vital.sbp)) AS sbp_mean,
  min(vital.dbp) AS dbp_min,
  max(vital.dbp) AS dbp_max,
  avg(to_be_added(vital.dbp)) AS dbp_mean,
  min(vital.mbp) AS mbp_min,
  max(vital.mbp) AS mbp_max,
  avg(to_be_added(vital.mbp)) AS mbp_mean,
  min(vital.resp_rate) AS resp_rate_min,
  max(vital.resp_rate) AS resp_rate_max,
  avg(to_be_added(vital.resp_rate)) AS resp_rate_mean,
  min(vital.temperature) AS temperature_min,
  max(vital.temperature) AS temperature_max,
  CAST(avg(vital.temperature) AS DOUBLE) AS temperature_mean,
  min(vital.spo2) AS spo2_min,
  max(vital.spo2) AS spo2_max,
  avg(to_be_added(vital.spo2)) AS spo2_mean,
  min(vital.glucose) AS glucose_min,
  max(vital.glucose) AS glucose_max,
  avg(to_be_added(vital.glucose)) AS glucose_mean
FROM mimiciv_icu.icustays AS stay
LEFT JOIN mimiciv_derived.vitalsign AS vital
  ON vital.stay_id = stay.stay_id
  AND vital.charttime >= stay.intime - INTERVAL 6 HOUR
  AND vital.charttime <= stay.intime + INTERVAL 24 HOUR
GROUP BY stay.subject_id, stay.stay_id
