-- inflammation: C-reactive protein of a laboratory specimen
-- one row per laboratory specimen with an accepted result; published convention
-- reads mimiciv_hosp.labevents
/* C-reactive protein, one row a specimen; the high-sensitivity test (51652) is not read. */
/* rule 1 */
SELECT
  MAX(subject_id) AS subject_id,
  MAX(hadm_id) AS hadm_id,
  MAX(charttime) AS charttime,
  specimen_id,
  MAX(valuenum) AS crp
FROM mimiciv_hosp.labevents
WHERE
  itemid = 50889 /* C-Reactive Protein, mg/L */ AND valuenum > 0
GROUP BY
  specimen_id
;
