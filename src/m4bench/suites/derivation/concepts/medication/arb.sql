/*
name: arb
kind: concept
title: Prescriptions of an angiotensin-II receptor blocker
grain: one row per matching prescription
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: arb, type: VARCHAR, meaning: drug name as stored}
  - {name: starttime, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: stoptime, type: TIMESTAMP, meaning: "prescription stop, may be null"}
inputs: [mimiciv_hosp.prescriptions]
spec: arb
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions:
  - name: further_name
    published: "FALSE"
    adjudicated: upper(drug) LIKE '%EPROSARTAN%' OR upper(drug) LIKE '%TEVETEN%'
    difference: Eprosartan and its brand are missed, or count.
    source: "specification's adjudicated line"
    example: "Teveten 600 mg: no row / no row / a row"
unresolved:
  - says: report ingredient and class separately
    reason: It would change the columns.
  - says: require a record of administration
    reason: A prescription names no administration, and how to link one is not stated.
body: acei
settings:
  order_class: arb
  # each generic name beside its brand
  generic_name: |-
    upper(drug) LIKE '%AZILSARTAN%' OR upper(drug) LIKE '%EDARBI%'
      OR upper(drug) LIKE '%CANDESARTAN%' OR upper(drug) LIKE '%ATACAND%'
      OR upper(drug) LIKE '%IRBESARTAN%' OR upper(drug) LIKE '%AVAPRO%'
      OR upper(drug) LIKE '%LOSARTAN%' OR upper(drug) LIKE '%COZAAR%'
      OR upper(drug) LIKE '%OLMESARTAN%' OR upper(drug) LIKE '%BENICAR%'
      OR upper(drug) LIKE '%TELMISARTAN%' OR upper(drug) LIKE '%MICARDIS%'
      OR upper(drug) LIKE '%VALSARTAN%' OR upper(drug) LIKE '%DIOVAN%'
      OR upper(drug) LIKE '%SACUBITRIL%' OR upper(drug) LIKE '%ENTRESTO%'
*/
