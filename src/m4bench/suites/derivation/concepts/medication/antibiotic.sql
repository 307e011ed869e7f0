/*
name: antibiotic
kind: concept
title: Prescriptions of systemic anti-infective drugs
grain: one row per qualifying prescription and ICU stay that holds its start (at most one as a rule)
key: null
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: "ICU stay that holds the start, null when none does"}
  - {name: antibiotic, type: VARCHAR, meaning: drug name as stored}
  - {name: route, type: VARCHAR, meaning: route as stored}
  - {name: starttime, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: stoptime, type: TIMESTAMP, meaning: "prescription stop, may be null"}
inputs: [mimiciv_hosp.prescriptions, mimiciv_icu.icustays]
spec: antibiotic
source: "Seymour CW et al., 2016, JAMA; Singer M et al., 2016, JAMA (suspected infection)"
conventions:
  - name: counted_row
    published: "TRUE"
    adjudicated: COALESCE(UPPER(TRIM(prescription.drug_type)), '') <> 'BASE'
    difference: "The fluid a drug is given in is no prescription of the drug; the published form drops such rows only where no other row has the same drug and route."
    source: "specification's adjudicated line"
    example: "Vancomycin IV as MAIN and as BASE -> 2 / 2 / 1 rows"
  - name: route_code
    published: route
    adjudicated: UPPER(TRIM(route))
    difference: "The codes of eyes, ears and skin exclude whatever their case and blanks."
    source: "specification's adjudicated line"
    example: "Meropenem by tp -> a row / a row / none"
  - name: systemic_antibacterial
    published: "TRUE"
    adjudicated: |
      lower(pair.drug) NOT LIKE '%amphotericin%' -- antifungals, ATC J02
      AND lower(pair.drug) NOT LIKE '%anidulafungin%'
      AND lower(pair.drug) NOT LIKE '%rifampin%' -- antimycobacterials, J04
      AND lower(pair.drug) NOT LIKE '%rifadin%'
      AND lower(pair.drug) NOT LIKE '%neomycin%' -- gut, nose and skin: A07, R01, D06
      AND lower(pair.drug) NOT LIKE '%bacitracin%'
      AND lower(pair.drug) NOT LIKE '%mupirocin%'
      AND lower(pair.drug) NOT LIKE '%bactroban%'
    difference: "Antifungals, antimycobacterials and agents that act locally are no systemic antibacterials."
    source: "WHO ATC group J01; specification's adjudicated line"
    example: "Amphotericin B IV -> a row / a row / none"
  - name: absent_agents
    published: "FALSE"
    adjudicated: "TRUE"
    difference: "Systemic antibacterials that the list of names does not know count, carbapenems, daptomycin and polymyxins among them."
    source: "WHO ATC group J01, by ingredient; specification's adjudicated line"
    example: "Daptomycin IV -> none / none / a row"
unresolved:
  - says: "use the dose form in place of gel in the name"
    reason: "No source maps the stored forms to local use."
  - says: "require administration, and a course length"
    reason: "Prescriptions do not tell what was given, and no length is named."
  - says: "local routes (intravitreal, irrigation, intraventricular)"
    reason: "Reported as few and left in; no source says which are local."
*/
-- Prescriptions whose drug and route together are those of an anti-infective that is not topical.
WITH
-- rule 1: a row without drug type, route or drug licenses nothing
licensed_pair AS (
  SELECT DISTINCT drug, route
  FROM mimiciv_hosp.prescriptions
  WHERE drug_type <> 'BASE'
    AND NOT local_route($route_code, route)
    AND lower(drug) NOT LIKE '%cream%'
    AND lower(drug) NOT LIKE '%desensitization%'
    AND lower(drug) NOT LIKE '%ophth oint%'
    AND lower(drug) NOT LIKE '%gel%'
),
-- parts of names, misspellings kept
anti_infective AS (
  SELECT part
  FROM (
    VALUES
      ('adoxa'), ('ala-tet'), ('alodox'), ('amikacin'), ('amikin'), ('amoxicill'), ('amphotericin'),
      ('ampicillin'), ('ancef'), ('anidulafungin'), ('augmentin'), ('avelox'), ('avidoxy'), ('axetil'),
      ('azactam'), ('azithromycin'), ('aztreonam'), ('bactocill'), ('bactrim'), ('bactroban'), ('bethkis'),
      ('biaxin'), ('bicillin l-a'), ('cayston'), ('cedax'), ('cefaclor'), ('cefadroxil'), ('cefazolin'),
      ('cefdinir'), ('cefditoren'), ('cefepime'), ('cefotan'), ('cefotaxime'), ('cefotetan'), ('cefoxitin'),
      ('cefpirome'), ('cefpodoxime'), ('cefprozil'), ('ceftaroline'), ('ceftazidime'), ('ceftibuten'),
      ('ceftin'), ('ceftriaxone'), ('cefuroxime'), ('cephalexin'), ('cephalothin'), ('cephapririn'),
      ('chloramphenicol'), ('cipro'), ('ciprofloxacin'), ('claforan'), ('clarithromycin'), ('clavulanate'),
      ('cleocin'), ('clindamycin'), ('cubicin'), ('dicloxacillin'), ('dirithromycin'), ('doryx'),
      ('doxycy'), ('duricef'), ('dynacin'), ('ery-tab'), ('eryc'), ('eryped'), ('erythrocin'),
      ('erythromycin'), ('factive'), ('flagyl'), ('fortaz'), ('furadantin'), ('garamycin'), ('gentamicin'),
      ('kanamycin'), ('keflex'), ('kefzol'), ('ketek'), ('levaquin'), ('levofloxacin'), ('lincocin'),
      ('linezolid'), ('macrobid'), ('macrodantin'), ('maxipime'), ('mefoxin'), ('meropenem'),
      ('methicillin'), ('metronidazole'), ('minocin'), ('minocycline'), ('monodox'), ('monurol'),
      ('morgidox'), ('moxatag'), ('moxifloxacin'), ('mupirocin'), ('myrac'), ('nafcillin'), ('neomycin'),
      ('nicazel doxy 30'), ('nitrofurantoin'), ('norfloxacin'), ('noroxin'), ('ocudox'), ('ofloxacin'),
      ('omnicef'), ('oracea'), ('oraxyl'), ('oxacillin'), ('panixine'), ('pc pen vk'), ('pce dispertab'),
      ('pediazole'), ('penicillin'), ('periostat'), ('pfizerpen'), ('piperacillin'), ('primsol'),
      ('proquin'), ('raniclor'), ('rifadin'), ('rifampin'), ('rocephin'), ('septra'), ('septra ds'),
      ('smz-tmp'), ('solodyn'), ('spectracef'), ('streptomycin'), ('sulfadiazine'), ('sulfamethoxazole'),
      ('sulfatrim'), ('sulfisoxazole'), ('suprax'), ('synercid'), ('tazicef'), ('tazobactam'),
      ('tetracycline'), ('timentin'), ('tobramycin'), ('trimethoprim'), ('unasyn'), ('vancocin'),
      ('vancomycin'), ('vantin'), ('vibativ'), ('vibra-tabs'), ('vibramycin'), ('zinacef'), ('zithromax'),
      ('zosyn'), ('zyvox')
  ) AS listed(part)
  UNION ALL
  SELECT part
  FROM (
    VALUES
      ('cefiderocol'), ('cefixime'), ('cefoperazone'), ('ceftizoxime'), ('ceftolozane'), ('cephapirin'),
      ('colisti'), ('dalbavancin'), ('daptomycin'), ('delafloxacin'), ('demeclocycline'), ('doripenem'),
      ('eravacycline'), ('ertapenem'), ('fosfomycin'), ('gemifloxacin'), ('imipenem'), ('lefamulin'),
      ('loracarbef'), ('methenamine'), ('omadacycline'), ('oritavancin'), ('plazomicin'), ('polymyxin b'),
      ('quinupristin'), ('tedizolid'), ('telavancin'), ('telithromycin'), ('ticarcillin'), ('tigecycline')
  ) AS absent(part)
  WHERE $absent_agents
),
-- rule 2: a drug that holds several parts still gives one pair
antibiotic_pair AS (
  SELECT DISTINCT pair.drug, pair.route
  FROM licensed_pair AS pair
  INNER JOIN anti_infective
    ON strpos(lower(pair.drug), anti_infective.part) > 0
  WHERE $systemic_antibacterial
)
-- rule 5: nothing is merged
SELECT
  prescription.subject_id,
  prescription.hadm_id,
  icu.stay_id,
  prescription.drug AS antibiotic,
  prescription.route,
  prescription.starttime,
  prescription.stoptime
FROM mimiciv_hosp.prescriptions AS prescription
-- rule 3: by the pair alone, so that a BASE row is kept where another row licenses its pair
INNER JOIN antibiotic_pair
  ON antibiotic_pair.drug = prescription.drug
  AND antibiotic_pair.route = prescription.route
-- rule 4: closed at entry, open at exit
LEFT JOIN mimiciv_icu.icustays AS icu
  ON icu.hadm_id = prescription.hadm_id
  AND prescription.starttime >= icu.intime
  AND prescription.starttime < icu.outtime
WHERE $counted_row
