-- kdigo_creatinine: Creatinine around the ICU stay with its lowest earlier values
-- one row per ICU stay and creatinine time; one row of nulls for a stay without creatinine; published convention
-- reads mimiciv_hosp.labevents, mimiciv_icu.icustays
/* creatinine from seven days before ICU admission to ICU discharge, each with its look-back */
/* rules 1 and 2: by patient, whatever the admission of the laboratory row */
WITH creatinine AS (
  SELECT
    icu.stay_id,
    icu.intime,
    lab.charttime,
    AVG(lab.valuenum) AS creat
  FROM mimiciv_icu.icustays AS icu
  INNER JOIN mimiciv_hosp.labevents AS lab
    ON icu.subject_id = lab.subject_id
    AND lab.charttime >= icu.intime - INTERVAL 7 DAY
    AND lab.charttime <= icu.outtime
  WHERE
    lab.itemid = 50912 /* Creatinine, blood, mg/dL; newer 52546 */ AND lab.valuenum <= 150
  GROUP BY
    icu.stay_id,
    icu.intime,
    lab.charttime
), looked_back /* rule 4: closed at the far end, strictly before the sample at the near one */ AS (
  SELECT
    stay_id,
    intime,
    charttime,
    creat,
    MIN(creat) OVER (
      PARTITION BY stay_id
      ORDER BY DATETIME_DIFF(charttime, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
      RANGE BETWEEN 172800000000 PRECEDING AND 1 PRECEDING
    ) AS creat_low_past_48hr,
    MIN(creat) OVER (
      PARTITION BY stay_id
      ORDER BY DATETIME_DIFF(charttime, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
      RANGE BETWEEN 604800000000 PRECEDING AND 1 PRECEDING
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
LEFT JOIN looked_back AS cr /* rule 3 */
  ON icu.stay_id = cr.stay_id AND cr.charttime >= cr.intime - INTERVAL 7 DAY
;
