-- arb: Prescriptions of an angiotensin-II receptor blocker
-- one row per matching prescription; published convention
-- reads mimiciv_hosp.prescriptions
SELECT
  subject_id,
  hadm_id,
  arb,
  starttime,
  stoptime
FROM (
  /* Orders of one class of drugs by name, combinations among them (enalaprilat among the first). */
  /* rules 2 and 3: whatever the drug type or times, and nothing is merged */
  SELECT
    subject_id,
    hadm_id,
    drug AS arb,
    starttime,
    stoptime
  FROM mimiciv_hosp.prescriptions
  /* rule 1: part of the name in any case */
  WHERE
    (
      UPPER(drug) LIKE '%AZILSARTAN%'
      OR UPPER(drug) LIKE '%EDARBI%'
      OR UPPER(drug) LIKE '%CANDESARTAN%'
      OR UPPER(drug) LIKE '%ATACAND%'
      OR UPPER(drug) LIKE '%IRBESARTAN%'
      OR UPPER(drug) LIKE '%AVAPRO%'
      OR UPPER(drug) LIKE '%LOSARTAN%'
      OR UPPER(drug) LIKE '%COZAAR%'
      OR UPPER(drug) LIKE '%OLMESARTAN%'
      OR UPPER(drug) LIKE '%BENICAR%'
      OR UPPER(drug) LIKE '%TELMISARTAN%'
      OR UPPER(drug) LIKE '%MICARDIS%'
      OR UPPER(drug) LIKE '%VALSARTAN%'
      OR UPPER(drug) LIKE '%DIOVAN%'
      OR UPPER(drug) LIKE '%SACUBITRIL%'
      OR UPPER(drug) LIKE '%ENTRESTO%'
      OR FALSE
    )
    AND TRUE
) AS acei
;
