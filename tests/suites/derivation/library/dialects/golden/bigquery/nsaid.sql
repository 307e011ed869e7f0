-- nsaid: Prescriptions of a non-steroidal anti-inflammatory drug
-- one row per matching prescription; published convention
-- reads mimiciv_hosp.prescriptions
SELECT
  subject_id,
  hadm_id,
  nsaid,
  starttime,
  stoptime
FROM (
  /* Orders of one class of drugs by name, combinations among them (enalaprilat among the first). */
  /* rules 2 and 3: whatever the drug type or times, and nothing is merged */
  SELECT
    subject_id,
    hadm_id,
    drug AS nsaid,
    starttime,
    stoptime
  FROM mimiciv_hosp.prescriptions
  /* rule 1: part of the name in any case */
  WHERE
    (
      UPPER(drug) LIKE '%ASPIRIN%'
      OR UPPER(drug) LIKE '%BROMFENAC%'
      OR UPPER(drug) LIKE '%CELECOXIB%'
      OR UPPER(drug) LIKE '%DICLOFENAC%'
      OR UPPER(drug) LIKE '%DIFLUNISAL%'
      OR UPPER(drug) LIKE '%ETODOLAC%'
      OR UPPER(drug) LIKE '%FENOPROFEN%'
      OR UPPER(drug) LIKE '%FLURBIPROFEN%'
      OR UPPER(drug) LIKE '%IBUPROFEN%'
      OR UPPER(drug) LIKE '%INDOMETHACIN%'
      OR UPPER(drug) LIKE '%KETOPROFEN%'
      OR UPPER(drug) LIKE '%MEFENAMIC ACID%'
      OR UPPER(drug) LIKE '%MELOXICAM%'
      OR UPPER(drug) LIKE '%NABUMETONE%'
      OR UPPER(drug) LIKE '%NAPROXEN%'
      OR UPPER(drug) LIKE '%NEPAFENAC%'
      OR UPPER(drug) LIKE '%OXAPROZIN%'
      OR UPPER(drug) LIKE '%PIROXICAM%'
      OR UPPER(drug) LIKE '%SULINDAC%'
      OR UPPER(drug) LIKE '%TOLMETIN%'
      OR FALSE
    )
    AND TRUE
) AS acei
;
