/*
name: acei
kind: concept
title: Prescriptions of an angiotensin-converting-enzyme inhibitor
grain: one row per matching prescription
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: acei, type: VARCHAR, meaning: drug name as stored}
  - {name: starttime, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: stoptime, type: TIMESTAMP, meaning: "prescription stop, may be null"}
inputs: [mimiciv_hosp.prescriptions]
spec: acei
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions:
  - name: further_name
    published: "FALSE"
    adjudicated: |-
      upper(drug) LIKE '%LOTENSIN%' OR upper(drug) LIKE '%LOTREL%' -- benazepril
        OR upper(drug) LIKE '%CAPOTEN%' OR upper(drug) LIKE '%CAPOZIDE%' -- captopril
        OR upper(drug) LIKE '%VASOTEC%' OR upper(drug) LIKE '%VASERETIC%' -- enalapril
        OR upper(drug) LIKE '%MONOPRIL%' -- fosinopril
        OR upper(drug) LIKE '%PRINIVIL%' OR upper(drug) LIKE '%ZESTRIL%' -- lisinopril
        OR upper(drug) LIKE '%PRINZIDE%' OR upper(drug) LIKE '%ZESTORETIC%' -- lisinopril
        OR upper(drug) LIKE '%UNIVASC%' OR upper(drug) LIKE '%UNIRETIC%' -- moexipril
        OR upper(drug) LIKE '%ACEON%' -- perindopril
        OR upper(drug) LIKE '%ACCUPRIL%' OR upper(drug) LIKE '%ACCURETIC%' -- quinapril
        OR upper(drug) LIKE '%ALTACE%' -- ramipril; trandolapril:
        OR upper(drug) LIKE '%MAVIK%' OR upper(drug) LIKE '%TARKA%'
    difference: An order by brand name alone is missed, or counts as its generic does.
    source: "specification's adjudicated line (Zestril, Vasotec, Altace and the like)"
    example: "Zestril 10 mg: no row / no row / a row"
unresolved:
  - says: map by ingredient code and report the ingredient
    reason: The column holds the drug as stored, and no table of ingredients is at hand.
  - says: require a record of administration
    reason: A prescription names no administration, and how to link one is not stated.
settings:
  order_class: acei # names the column
  generic_name: |-
    upper(drug) LIKE '%BENAZEPRIL%'
      OR upper(drug) LIKE '%CAPTOPRIL%'
      OR upper(drug) LIKE '%ENALAPRIL%'
      OR upper(drug) LIKE '%FOSINOPRIL%'
      OR upper(drug) LIKE '%LISINOPRIL%'
      OR upper(drug) LIKE '%MOEXIPRIL%'
      OR upper(drug) LIKE '%PERINDOPRIL%'
      OR upper(drug) LIKE '%QUINAPRIL%'
      OR upper(drug) LIKE '%RAMIPRIL%'
      OR upper(drug) LIKE '%TRANDOLAPRIL%'
  given_by: "TRUE"
*/
-- Orders of one class of drugs by name, combinations among them (enalaprilat among the first).
-- rules 2 and 3: whatever the drug type or times, and nothing is merged
SELECT
  subject_id,
  hadm_id,
  drug AS $order_class,
  starttime,
  stoptime
FROM mimiciv_hosp.prescriptions
-- rule 1: part of the name in any case
WHERE ($generic_name OR $further_name)
  AND $given_by
