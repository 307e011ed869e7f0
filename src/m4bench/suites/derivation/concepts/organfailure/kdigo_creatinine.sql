/*
name: kdigo_creatinine
kind: concept
title: Creatinine around the ICU stay with its lowest earlier values
grain: one row per ICU stay and creatinine time; one row of nulls for a stay without creatinine
key: [stay_id, charttime]
columns:
  - {name: hadm_id, type: INTEGER, meaning: admission of the stay}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: charttime, type: TIMESTAMP, meaning: "sample time, null when the stay has no creatinine"}
  - {name: creat, type: DOUBLE, unit: mg/dL, meaning: mean creatinine at that time}
  - {name: creat_low_past_48hr, type: DOUBLE, unit: mg/dL, meaning: lowest earlier creatinine within 48 hours}
  - {name: creat_low_past_7day, type: DOUBLE, unit: mg/dL, meaning: lowest earlier creatinine within 7 days}
inputs: [mimiciv_hosp.labevents, mimiciv_icu.icustays]
spec: kdigo_creatinine
source: KDIGO Acute Kidney Injury Work Group, 2012, Kidney Int Suppl
conventions: []
*/
-- creatinine from seven days before ICU admission to ICU discharge, each with its look-back
-- rules 1 and 2: by patient, whatever the admission of the laboratory row
WITH creatinine AS (
    SELECT icu.stay_id, lab.charttime, AVG(lab.valuenum ORDER BY lab.valuenum) AS creat
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_hosp.labevents AS lab
        ON icu.subject_id = lab.subject_id
        AND lab.charttime >= icu.intime - INTERVAL 7 DAY
        AND lab.charttime <= icu.outtime
    WHERE
        lab.itemid = 50912  -- Creatinine, blood, mg/dL
        AND lab.valuenum <= 150
    GROUP BY icu.stay_id, lab.charttime
)

SELECT
    icu.hadm_id,
    icu.stay_id,
    creatinine.charttime,
    creatinine.creat,
    -- rule 4: closed at the far end, strictly before the sample at the near one
    MIN(creatinine.creat) OVER (
        PARTITION BY icu.stay_id ORDER BY creatinine.charttime NULLS FIRST
        RANGE BETWEEN INTERVAL 48 HOUR PRECEDING AND INTERVAL 1 MICROSECOND PRECEDING
    ) AS creat_low_past_48hr,
    MIN(creatinine.creat) OVER (
        PARTITION BY icu.stay_id ORDER BY creatinine.charttime NULLS FIRST
        RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND INTERVAL 1 MICROSECOND PRECEDING
    ) AS creat_low_past_7day
FROM mimiciv_icu.icustays AS icu
LEFT JOIN creatinine ON icu.stay_id = creatinine.stay_id  -- rule 3
