-- antibiotic: Prescriptions of systemic anti-infective drugs
-- one row per qualifying prescription and ICU stay that holds its start (at most one as a rule); published convention
-- reads mimiciv_hosp.prescriptions, mimiciv_icu.icustays
/* Prescriptions whose drug and route together are those of an anti-infective that is not topical. */
WITH licensed_pair /* rule 1: a row without drug type, route or drug licenses nothing */ AS (
  SELECT DISTINCT
    drug,
    route
  FROM mimiciv_hosp.prescriptions
  WHERE
    drug_type <> 'BASE'
    AND NOT (
      route IN ('OU', 'OS', 'OD', 'AU', 'AS', 'AD', 'TP')
      OR LOWER(route) LIKE '%eye%'
      OR LOWER(route) LIKE '%ear%'
    )
    AND LOWER(drug) NOT LIKE '%cream%'
    AND LOWER(drug) NOT LIKE '%desensitization%'
    AND LOWER(drug) NOT LIKE '%ophth oint%'
    AND LOWER(drug) NOT LIKE '%gel%'
), anti_infective /* parts of names, misspellings kept */ AS (
  SELECT
    part
  FROM UNNEST([
    STRUCT('adoxa' AS part),
    STRUCT('ala-tet' AS part),
    STRUCT('alodox' AS part),
    STRUCT('amikacin' AS part),
    STRUCT('amikin' AS part),
    STRUCT('amoxicill' AS part),
    STRUCT('amphotericin' AS part),
    STRUCT('ampicillin' AS part),
    STRUCT('ancef' AS part),
    STRUCT('anidulafungin' AS part),
    STRUCT('augmentin' AS part),
    STRUCT('avelox' AS part),
    STRUCT('avidoxy' AS part),
    STRUCT('axetil' AS part),
    STRUCT('azactam' AS part),
    STRUCT('azithromycin' AS part),
    STRUCT('aztreonam' AS part),
    STRUCT('bactocill' AS part),
    STRUCT('bactrim' AS part),
    STRUCT('bactroban' AS part),
    STRUCT('bethkis' AS part),
    STRUCT('biaxin' AS part),
    STRUCT('bicillin l-a' AS part),
    STRUCT('cayston' AS part),
    STRUCT('cedax' AS part),
    STRUCT('cefaclor' AS part),
    STRUCT('cefadroxil' AS part),
    STRUCT('cefazolin' AS part),
    STRUCT('cefdinir' AS part),
    STRUCT('cefditoren' AS part),
    STRUCT('cefepime' AS part),
    STRUCT('cefotan' AS part),
    STRUCT('cefotaxime' AS part),
    STRUCT('cefotetan' AS part),
    STRUCT('cefoxitin' AS part),
    STRUCT('cefpirome' AS part),
    STRUCT('cefpodoxime' AS part),
    STRUCT('cefprozil' AS part),
    STRUCT('ceftaroline' AS part),
    STRUCT('ceftazidime' AS part),
    STRUCT('ceftibuten' AS part),
    STRUCT('ceftin' AS part),
    STRUCT('ceftriaxone' AS part),
    STRUCT('cefuroxime' AS part),
    STRUCT('cephalexin' AS part),
    STRUCT('cephalothin' AS part),
    STRUCT('cephapririn' AS part),
    STRUCT('chloramphenicol' AS part),
    STRUCT('cipro' AS part),
    STRUCT('ciprofloxacin' AS part),
    STRUCT('claforan' AS part),
    STRUCT('clarithromycin' AS part),
    STRUCT('clavulanate' AS part),
    STRUCT('cleocin' AS part),
    STRUCT('clindamycin' AS part),
    STRUCT('cubicin' AS part),
    STRUCT('dicloxacillin' AS part),
    STRUCT('dirithromycin' AS part),
    STRUCT('doryx' AS part),
    STRUCT('doxycy' AS part),
    STRUCT('duricef' AS part),
    STRUCT('dynacin' AS part),
    STRUCT('ery-tab' AS part),
    STRUCT('eryc' AS part),
    STRUCT('eryped' AS part),
    STRUCT('erythrocin' AS part),
    STRUCT('erythromycin' AS part),
    STRUCT('factive' AS part),
    STRUCT('flagyl' AS part),
    STRUCT('fortaz' AS part),
    STRUCT('furadantin' AS part),
    STRUCT('garamycin' AS part),
    STRUCT('gentamicin' AS part),
    STRUCT('kanamycin' AS part),
    STRUCT('keflex' AS part),
    STRUCT('kefzol' AS part),
    STRUCT('ketek' AS part),
    STRUCT('levaquin' AS part),
    STRUCT('levofloxacin' AS part),
    STRUCT('lincocin' AS part),
    STRUCT('linezolid' AS part),
    STRUCT('macrobid' AS part),
    STRUCT('macrodantin' AS part),
    STRUCT('maxipime' AS part),
    STRUCT('mefoxin' AS part),
    STRUCT('meropenem' AS part),
    STRUCT('methicillin' AS part),
    STRUCT('metronidazole' AS part),
    STRUCT('minocin' AS part),
    STRUCT('minocycline' AS part),
    STRUCT('monodox' AS part),
    STRUCT('monurol' AS part),
    STRUCT('morgidox' AS part),
    STRUCT('moxatag' AS part),
    STRUCT('moxifloxacin' AS part),
    STRUCT('mupirocin' AS part),
    STRUCT('myrac' AS part),
    STRUCT('nafcillin' AS part),
    STRUCT('neomycin' AS part),
    STRUCT('nicazel doxy 30' AS part),
    STRUCT('nitrofurantoin' AS part),
    STRUCT('norfloxacin' AS part),
    STRUCT('noroxin' AS part),
    STRUCT('ocudox' AS part),
    STRUCT('ofloxacin' AS part),
    STRUCT('omnicef' AS part),
    STRUCT('oracea' AS part),
    STRUCT('oraxyl' AS part),
    STRUCT('oxacillin' AS part),
    STRUCT('panixine' AS part),
    STRUCT('pc pen vk' AS part),
    STRUCT('pce dispertab' AS part),
    STRUCT('pediazole' AS part),
    STRUCT('penicillin' AS part),
    STRUCT('periostat' AS part),
    STRUCT('pfizerpen' AS part),
    STRUCT('piperacillin' AS part),
    STRUCT('primsol' AS part),
    STRUCT('proquin' AS part),
    STRUCT('raniclor' AS part),
    STRUCT('rifadin' AS part),
    STRUCT('rifampin' AS part),
    STRUCT('rocephin' AS part),
    STRUCT('septra' AS part),
    STRUCT('septra ds' AS part),
    STRUCT('smz-tmp' AS part),
    STRUCT('solodyn' AS part),
    STRUCT('spectracef' AS part),
    STRUCT('streptomycin' AS part),
    STRUCT('sulfadiazine' AS part),
    STRUCT('sulfamethoxazole' AS part),
    STRUCT('sulfatrim' AS part),
    STRUCT('sulfisoxazole' AS part),
    STRUCT('suprax' AS part),
    STRUCT('synercid' AS part),
    STRUCT('tazicef' AS part),
    STRUCT('tazobactam' AS part),
    STRUCT('tetracycline' AS part),
    STRUCT('timentin' AS part),
    STRUCT('tobramycin' AS part),
    STRUCT('trimethoprim' AS part),
    STRUCT('unasyn' AS part),
    STRUCT('vancocin' AS part),
    STRUCT('vancomycin' AS part),
    STRUCT('vantin' AS part),
    STRUCT('vibativ' AS part),
    STRUCT('vibra-tabs' AS part),
    STRUCT('vibramycin' AS part),
    STRUCT('zinacef' AS part),
    STRUCT('zithromax' AS part),
    STRUCT('zosyn' AS part),
    STRUCT('zyvox' AS part)
  ]) AS listed
  UNION ALL
  SELECT
    part
  FROM UNNEST([
    STRUCT('cefiderocol' AS part),
    STRUCT('cefixime' AS part),
    STRUCT('cefoperazone' AS part),
    STRUCT('ceftizoxime' AS part),
    STRUCT('ceftolozane' AS part),
    STRUCT('cephapirin' AS part),
    STRUCT('colisti' AS part),
    STRUCT('dalbavancin' AS part),
    STRUCT('daptomycin' AS part),
    STRUCT('delafloxacin' AS part),
    STRUCT('demeclocycline' AS part),
    STRUCT('doripenem' AS part),
    STRUCT('eravacycline' AS part),
    STRUCT('ertapenem' AS part),
    STRUCT('fosfomycin' AS part),
    STRUCT('gemifloxacin' AS part),
    STRUCT('imipenem' AS part),
    STRUCT('lefamulin' AS part),
    STRUCT('loracarbef' AS part),
    STRUCT('methenamine' AS part),
    STRUCT('omadacycline' AS part),
    STRUCT('oritavancin' AS part),
    STRUCT('plazomicin' AS part),
    STRUCT('polymyxin b' AS part),
    STRUCT('quinupristin' AS part),
    STRUCT('tedizolid' AS part),
    STRUCT('telavancin' AS part),
    STRUCT('telithromycin' AS part),
    STRUCT('ticarcillin' AS part),
    STRUCT('tigecycline' AS part)
  ]) AS absent
  WHERE
    FALSE
), antibiotic_pair /* rule 2: a drug that holds several parts still gives one pair */ AS (
  SELECT DISTINCT
    pair.drug,
    pair.route
  FROM licensed_pair AS pair
  INNER JOIN anti_infective
    ON INSTR(LOWER(pair.drug), anti_infective.part) > 0
  WHERE
    TRUE
)
/* rule 5: nothing is merged */
SELECT
  prescription.subject_id,
  prescription.hadm_id,
  icu.stay_id,
  prescription.drug AS antibiotic,
  prescription.route,
  prescription.starttime,
  prescription.stoptime
FROM mimiciv_hosp.prescriptions AS prescription
/* rule 3: by the pair alone, so that a BASE row is kept where another row licenses its pair */
INNER JOIN antibiotic_pair
  ON antibiotic_pair.drug = prescription.drug AND antibiotic_pair.route = prescription.route
/* rule 4: closed at entry, open at exit */
LEFT JOIN mimiciv_icu.icustays AS icu
  ON icu.hadm_id = prescription.hadm_id
  AND prescription.starttime >= icu.intime
  AND prescription.starttime < icu.outtime
WHERE
  TRUE
;
