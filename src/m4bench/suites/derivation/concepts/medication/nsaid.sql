/*
name: nsaid
kind: concept
title: Prescriptions of a non-steroidal anti-inflammatory drug
grain: one row per matching prescription
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: nsaid, type: VARCHAR, meaning: drug name as stored}
  - {name: starttime, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: stoptime, type: TIMESTAMP, meaning: "prescription stop, may be null"}
inputs: [mimiciv_hosp.prescriptions]
spec: nsaid
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
conventions:
  - name: further_name
    published: "FALSE"
    adjudicated: |-
      upper(drug) LIKE '%KETOROLAC%'
        OR upper(drug) LIKE '%MECLOFENAMATE%'
        OR upper(drug) LIKE '%SALSALATE%'
    difference: Ketorolac, meclofenamate and salsalate are missed, or count.
    source: "specification's adjudicated line (ketorolac is the commonest parenteral one in hospital)"
    example: "Ketorolac 15 mg IV: no row / no row / a row"
  - name: given_by
    published: "TRUE"
    adjudicated: (route IS NULL OR NOT local_route(UPPER(TRIM(route)), route))
    difference: Eye drops, ear drops and topical forms count, or systemic routes alone, among them an unknown one.
    source: "specification's adjudicated line; routes as antibiotic tells them apart, whatever their case and blanks"
    example: "ketorolac drops, OU: no row / no row / no row; diclofenac gel, TP or tp: a row / a row / no row"
unresolved:
  - says: separate aspirin up to 325 mg a day
    reason: It would be a further column, and the dose of a day is not known of every order.
  - says: brand names (reported of the inhibitors alone)
    reason: No source lists those of this class.
body: acei
settings:
  order_class: nsaid
  generic_name: |-
    upper(drug) LIKE '%ASPIRIN%'
      OR upper(drug) LIKE '%BROMFENAC%'
      OR upper(drug) LIKE '%CELECOXIB%'
      OR upper(drug) LIKE '%DICLOFENAC%'
      OR upper(drug) LIKE '%DIFLUNISAL%'
      OR upper(drug) LIKE '%ETODOLAC%'
      OR upper(drug) LIKE '%FENOPROFEN%'
      OR upper(drug) LIKE '%FLURBIPROFEN%'
      OR upper(drug) LIKE '%IBUPROFEN%'
      OR upper(drug) LIKE '%INDOMETHACIN%'
      OR upper(drug) LIKE '%KETOPROFEN%'
      OR upper(drug) LIKE '%MEFENAMIC ACID%'
      OR upper(drug) LIKE '%MELOXICAM%'
      OR upper(drug) LIKE '%NABUMETONE%'
      OR upper(drug) LIKE '%NAPROXEN%'
      OR upper(drug) LIKE '%NEPAFENAC%'
      OR upper(drug) LIKE '%OXAPROZIN%'
      OR upper(drug) LIKE '%PIROXICAM%'
      OR upper(drug) LIKE '%SULINDAC%'
      OR upper(drug) LIKE '%TOLMETIN%'
*/
