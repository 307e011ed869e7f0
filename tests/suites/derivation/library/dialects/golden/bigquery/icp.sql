-- icp: Intracranial pressure
-- one row per patient, ICU stay and charttime with an entry; published convention
-- reads mimiciv_icu.chartevents
/* The higher of two monitors at each charting time. */
WITH charted AS (
  SELECT
    subject_id,
    stay_id,
    charttime,
    MAX(CASE WHEN valuenum > 0 AND valuenum < 100 THEN valuenum END) AS icp /* rules 1 and 2 */
  FROM mimiciv_icu.chartevents
  WHERE
    itemid IN (220765, /* Intra Cranial Pressure, mmHg */227989 /* Intra Cranial Pressure #2, mmHg */)
  GROUP BY
    subject_id,
    stay_id,
    charttime
)
/* rule 1: what becomes of a row with values out of range only */
SELECT
  subject_id,
  stay_id,
  charttime,
  icp
FROM charted
WHERE
  TRUE
;
