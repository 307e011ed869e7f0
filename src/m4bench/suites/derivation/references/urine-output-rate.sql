/*
name: urine-output-rate
kind: reference
title: Urine output rate over trailing 6, 12 and 24 hours
grain: one row per ICU stay with a charted heart rate and urine charttime
key: [stay_id, charttime]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: urine charting time}
  - {name: weight, type: DOUBLE, unit: kg, meaning: "weight valid then, null when none is"}
  - {name: uo, type: DOUBLE, unit: mL, meaning: urine at this time}
  - {name: urineoutput_6hr, type: DOUBLE, unit: mL, meaning: urine of the 6 h window}
  - {name: urineoutput_12hr, type: DOUBLE, unit: mL, meaning: urine of the 12 h window}
  - {name: urineoutput_24hr, type: DOUBLE, unit: mL, meaning: urine of the 24 h window}
  - {name: uo_mlkghr_6hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "6 h rate, null below 6 collected hours"}
  - {name: uo_mlkghr_12hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "12 h rate, null below 12 collected hours"}
  - {name: uo_mlkghr_24hr, type: "DECIMAL(18,3)", types: {current: "DECIMAL(18,4)", adjudicated: DOUBLE}, unit: mL/kg/h, meaning: "24 h rate, null below 24 collected hours"}
  - {name: uo_tm_6hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 6 h window}
  - {name: uo_tm_12hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 12 h window}
  - {name: uo_tm_24hr, type: "DECIMAL(18,2)", unit: h, meaning: collection time of the 24 h window}
inputs: [mimiciv_derived.urine_output_rate]
spec: urine-output-rate
source: KDIGO AKI guideline, 2012, Kidney Int Suppl 2(1):1-138
conventions: []
*/
-- the concept as it is
SELECT
    stay_id,
    charttime,
    weight,
    uo,
    urineoutput_6hr,
    urineoutput_12hr,
    urineoutput_24hr,
    uo_mlkghr_6hr,
    uo_mlkghr_12hr,
    uo_mlkghr_24hr,
    uo_tm_6hr,
    uo_tm_12hr,
    uo_tm_24hr
FROM mimiciv_derived.urine_output_rate
