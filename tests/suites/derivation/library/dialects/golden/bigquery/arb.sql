-- arb: Prescriptions of an angiotensin-II receptor blocker
-- one row per matching prescription; published convention
-- reads mimiciv_hosp.prescriptions
/* Orders by generic or brand name, combinations among them. */
/* rules 2 and 3: whatever the drug type, route or times, and nothing is merged */
SELECT
  subject_id,
  hadm_id,
  drug AS arb,
  starttime,
  stoptime
FROM mimiciv_hosp.prescriptions
/* rule 1: part of the name in any case */
WHERE
  UPPER(drug) LIKE '%AZILSARTAN%'
  OR UPPER(drug) LIKE '%EDARBI%' /* azilsartan */
  OR UPPER(drug) LIKE '%CANDESARTAN%'
  OR UPPER(drug) LIKE '%ATACAND%' /* candesartan */
  OR UPPER(drug) LIKE '%IRBESARTAN%'
  OR UPPER(drug) LIKE '%AVAPRO%' /* irbesartan */
  OR UPPER(drug) LIKE '%LOSARTAN%'
  OR UPPER(drug) LIKE '%COZAAR%' /* losartan */
  OR UPPER(drug) LIKE '%OLMESARTAN%'
  OR UPPER(drug) LIKE '%BENICAR%' /* olmesartan */
  OR UPPER(drug) LIKE '%TELMISARTAN%'
  OR UPPER(drug) LIKE '%MICARDIS%' /* telmisartan */
  OR UPPER(drug) LIKE '%VALSARTAN%'
  OR UPPER(drug) LIKE '%DIOVAN%' /* valsartan */
  OR UPPER(drug) LIKE '%SACUBITRIL%'
  OR UPPER(drug) LIKE '%ENTRESTO%' /* sacubitril */
;
