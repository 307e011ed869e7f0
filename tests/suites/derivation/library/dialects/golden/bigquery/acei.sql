-- acei: Prescriptions of an angiotensin-converting-enzyme inhibitor
-- one row per matching prescription; published convention
-- reads mimiciv_hosp.prescriptions
/* Orders of one class of drugs by name, combinations among them (enalaprilat among the first). */
/* rules 2 and 3: whatever the drug type or times, and nothing is merged */
SELECT
  subject_id,
  hadm_id,
  drug AS acei,
  starttime,
  stoptime
FROM mimiciv_hosp.prescriptions
/* rule 1: part of the name in any case */
WHERE
  (
    UPPER(drug) LIKE '%BENAZEPRIL%'
    OR UPPER(drug) LIKE '%CAPTOPRIL%'
    OR UPPER(drug) LIKE '%ENALAPRIL%'
    OR UPPER(drug) LIKE '%FOSINOPRIL%'
    OR UPPER(drug) LIKE '%LISINOPRIL%'
    OR UPPER(drug) LIKE '%MOEXIPRIL%'
    OR UPPER(drug) LIKE '%PERINDOPRIL%'
    OR UPPER(drug) LIKE '%QUINAPRIL%'
    OR UPPER(drug) LIKE '%RAMIPRIL%'
    OR UPPER(drug) LIKE '%TRANDOLAPRIL%'
    OR FALSE
  )
  AND TRUE
;
