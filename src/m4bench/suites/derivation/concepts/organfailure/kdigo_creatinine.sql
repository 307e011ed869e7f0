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
conventions:
  - name: creatinine_item
    published: lab.itemid = 50912
    adjudicated: (lab.itemid = 50912 OR lab.itemid = 52546 AND LOWER(TRIM(lab.valueuom)) = 'mg/dl')
    difference: Results of the newer item of creatinine are passed over, or read where they are in mg/dL, as in chemistry.
    source: "dictionary of release 3.1: blood, chemistry, same name"
    example: "52546 of 1.4 mg/dL alone: a row of nulls / a row of nulls / 1.4"
  - name: accepted_creatinine
    published: lab.valuenum <= 150
    adjudicated: lab.valuenum > 0 AND lab.valuenum <= 150
    difference: A creatinine of 0 or below is an error and not the lowest value of a patient.
    source: adjudicated reading of the specification; as for the creatinine of chemistry
    example: "0 and then 1.0, lowest of 48 h: 0 / 0 / null"
  - name: kept_creatinine
    published: AVG(lab.valuenum ORDER BY lab.valuenum)
    adjudicated: ROUND(AVG(lab.valuenum ORDER BY lab.valuenum), 2)
    difference: The mean of several values at one time is kept in hundredths of mg/dL.
    source: adjudicated reading of the specification
    example: "1.2 and 1.4 at one time: 1.2999999999999998 / 1.2999999999999998 / 1.3"
  - name: fetched_from
    published: icu.intime - INTERVAL 7 DAY
    adjudicated: icu.intime - INTERVAL 14 DAY
    difference: Each value is held against all of its own past seven days, in place of those since seven days before admission.
    source: adjudicated reading of the specification (KDIGO, 2012, within the prior 7 days)
    example: "0.8 eight days and 1.6 five days before admission, lowest of 7 days at the latter: null / null / 0.8"
unresolved:
  - says: The first value of a stay should be held against an outpatient or estimated baseline.
    reason: KDIGO leaves the choice of the baseline open, and there are no outpatient values.
*/
-- creatinine from seven days before ICU admission to ICU discharge, each with its look-back
-- rules 1 and 2: by patient, whatever the admission of the laboratory row
WITH creatinine AS (
    SELECT icu.stay_id, icu.intime, lab.charttime, $kept_creatinine AS creat
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_hosp.labevents AS lab
        ON icu.subject_id = lab.subject_id
        AND lab.charttime >= $fetched_from
        AND lab.charttime <= icu.outtime
    WHERE
        $creatinine_item  -- Creatinine, blood, mg/dL; newer 52546
        AND $accepted_creatinine
    GROUP BY icu.stay_id, icu.intime, lab.charttime
),

-- rule 4: closed at the far end, strictly before the sample at the near one
looked_back AS (
    SELECT
        stay_id,
        intime,
        charttime,
        creat,
        MIN(creat) OVER (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST
            RANGE BETWEEN INTERVAL 48 HOUR PRECEDING AND INTERVAL 1 MICROSECOND PRECEDING
        ) AS creat_low_past_48hr,
        MIN(creat) OVER (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST
            RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND INTERVAL 1 MICROSECOND PRECEDING
        ) AS creat_low_past_7day
    FROM creatinine
)

SELECT
    icu.hadm_id,
    icu.stay_id,
    cr.charttime,
    cr.creat,
    cr.creat_low_past_48hr,
    cr.creat_low_past_7day
FROM mimiciv_icu.icustays AS icu
LEFT JOIN looked_back AS cr  -- rule 3
    ON icu.stay_id = cr.stay_id AND cr.charttime >= cr.intime - INTERVAL 7 DAY
