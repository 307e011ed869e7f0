-- charlson: Charlson comorbidity index
-- one row per hospital admission; published convention
-- reads mimiciv_derived.age, mimiciv_hosp.admissions, mimiciv_hosp.diagnoses_icd
/* weighted comorbidities of an admission's diagnoses plus points for age */
/* the code lists: condition, ICD version, how many first characters are compared, codes or closed ranges */
WITH code_list AS (
  SELECT
    condition,
    icd_version,
    characters,
    codes
  FROM UNNEST([
    STRUCT('myocardial_infarct' AS condition, 9 AS icd_version, 3 AS characters, '410 412' AS codes),
    STRUCT('myocardial_infarct' AS condition, 10 AS icd_version, 3 AS characters, 'I21 I22' AS codes),
    STRUCT('myocardial_infarct' AS condition, 10 AS icd_version, 4 AS characters, 'I252' AS codes),
    STRUCT('congestive_heart_failure' AS condition, 9 AS icd_version, 3 AS characters, '428' AS codes),
    STRUCT('congestive_heart_failure' AS condition, 9 AS icd_version, 4 AS characters, '4254-4259' AS codes),
    STRUCT(
      'congestive_heart_failure' AS condition,
      9 AS icd_version,
      5 AS characters,
      '39891 40201 40211 40291 40401 40403 40411 40413 40491 40493' AS codes
    ),
    STRUCT('congestive_heart_failure' AS condition, 10 AS icd_version, 3 AS characters, 'I43 I50' AS codes),
    STRUCT(
      'congestive_heart_failure' AS condition,
      10 AS icd_version,
      4 AS characters,
      'I099 I110 I130 I132 I255 I420 I425 I426 I427 I428 I429 P290' AS codes
    ),
    STRUCT('peripheral_vascular_disease' AS condition, 9 AS icd_version, 3 AS characters, '440 441' AS codes),
    STRUCT(
      'peripheral_vascular_disease' AS condition,
      9 AS icd_version,
      4 AS characters,
      '0930 4373 4471 5571 5579 V434 4431-4439' AS codes
    ),
    STRUCT('peripheral_vascular_disease' AS condition, 10 AS icd_version, 3 AS characters, 'I70 I71' AS codes),
    STRUCT(
      'peripheral_vascular_disease' AS condition,
      10 AS icd_version,
      4 AS characters,
      'I731 I738 I739 I771 I790 I792 K551 K558 K559 Z958 Z959' AS codes
    ),
    STRUCT('cerebrovascular_disease' AS condition, 9 AS icd_version, 3 AS characters, '430-438' AS codes),
    STRUCT('cerebrovascular_disease' AS condition, 9 AS icd_version, 5 AS characters, '36234' AS codes),
    STRUCT('cerebrovascular_disease' AS condition, 10 AS icd_version, 3 AS characters, 'G45 G46 I60-I69' AS codes),
    STRUCT('cerebrovascular_disease' AS condition, 10 AS icd_version, 4 AS characters, 'H340' AS codes),
    STRUCT('dementia' AS condition, 9 AS icd_version, 3 AS characters, '290' AS codes),
    STRUCT('dementia' AS condition, 9 AS icd_version, 4 AS characters, '2941 3312' AS codes),
    STRUCT('dementia' AS condition, 10 AS icd_version, 3 AS characters, 'F00 F01 F02 F03 G30' AS codes),
    STRUCT('dementia' AS condition, 10 AS icd_version, 4 AS characters, 'F051 G311' AS codes),
    STRUCT('chronic_pulmonary_disease' AS condition, 9 AS icd_version, 3 AS characters, '490-505' AS codes),
    STRUCT(
      'chronic_pulmonary_disease' AS condition,
      9 AS icd_version,
      4 AS characters,
      '4168 4169 5064 5081 5088' AS codes
    ),
    STRUCT('chronic_pulmonary_disease' AS condition, 10 AS icd_version, 3 AS characters, 'J40-J47 J60-J67' AS codes),
    STRUCT(
      'chronic_pulmonary_disease' AS condition,
      10 AS icd_version,
      4 AS characters,
      'I278 I279 J684 J701 J703' AS codes
    ),
    STRUCT('rheumatic_disease' AS condition, 9 AS icd_version, 3 AS characters, '725' AS codes),
    STRUCT(
      'rheumatic_disease' AS condition,
      9 AS icd_version,
      4 AS characters,
      '4465 7100 7101 7102 7103 7104 7140 7141 7142 7148' AS codes
    ),
    STRUCT('rheumatic_disease' AS condition, 10 AS icd_version, 3 AS characters, 'M05 M06 M32 M33 M34' AS codes),
    STRUCT('rheumatic_disease' AS condition, 10 AS icd_version, 4 AS characters, 'M315 M351 M353 M360' AS codes),
    STRUCT('peptic_ulcer_disease' AS condition, 9 AS icd_version, 3 AS characters, '531 532 533 534' AS codes),
    STRUCT('peptic_ulcer_disease' AS condition, 10 AS icd_version, 3 AS characters, 'K25 K26 K27 K28' AS codes),
    STRUCT('mild_liver_disease' AS condition, 9 AS icd_version, 3 AS characters, '570 571' AS codes),
    STRUCT(
      'mild_liver_disease' AS condition,
      9 AS icd_version,
      4 AS characters,
      '0706 0709 5733 5734 5738 5739 V427' AS codes
    ),
    STRUCT(
      'mild_liver_disease' AS condition,
      9 AS icd_version,
      5 AS characters,
      '07022 07023 07032 07033 07044 07054' AS codes
    ),
    STRUCT('mild_liver_disease' AS condition, 10 AS icd_version, 3 AS characters, 'B18 K73 K74' AS codes),
    STRUCT(
      'mild_liver_disease' AS condition,
      10 AS icd_version,
      4 AS characters,
      'K700 K701 K702 K703 K709 K713 K714 K715 K717 K760 K762 K763 K764 K768 K769 Z944' AS codes
    ),
    STRUCT(
      'diabetes_without_cc' AS condition,
      9 AS icd_version,
      4 AS characters,
      '2500 2501 2502 2503 2508 2509' AS codes
    ),
    STRUCT(
      'diabetes_without_cc' AS condition,
      10 AS icd_version,
      4 AS characters,
      'E100 E101 E106 E108 E109 E110 E111 E116 E118 E119 E120 E121 E126 E128 E129 E130 E131 ' || 'E136 E138 E139 E140 E141 E146 E148 E149' AS codes
    ),
    STRUCT('diabetes_with_cc' AS condition, 9 AS icd_version, 4 AS characters, '2504 2505 2506 2507' AS codes),
    STRUCT(
      'diabetes_with_cc' AS condition,
      10 AS icd_version,
      4 AS characters,
      'E102 E103 E104 E105 E107 E112 E113 E114 E115 E117 E122 E123 E124 E125 E127 E132 E133 ' || 'E134 E135 E137 E142 E143 E144 E145 E147' AS codes
    ),
    STRUCT('paraplegia' AS condition, 9 AS icd_version, 3 AS characters, '342 343' AS codes),
    STRUCT(
      'paraplegia' AS condition,
      9 AS icd_version,
      4 AS characters,
      '3341 3440 3441 3442 3443 3444 3445 3446 3449' AS codes
    ),
    STRUCT('paraplegia' AS condition, 10 AS icd_version, 3 AS characters, 'G81 G82' AS codes),
    STRUCT(
      'paraplegia' AS condition,
      10 AS icd_version,
      4 AS characters,
      'G041 G114 G801 G802 G830 G831 G832 G833 G834 G839' AS codes
    ),
    STRUCT('renal_disease' AS condition, 9 AS icd_version, 3 AS characters, '582 585 586 V56' AS codes),
    STRUCT('renal_disease' AS condition, 9 AS icd_version, 4 AS characters, '5880 V420 V451 5830-5837' AS codes),
    STRUCT(
      'renal_disease' AS condition,
      9 AS icd_version,
      5 AS characters,
      '40301 40311 40391 40402 40403 40412 40413 40492 40493' AS codes
    ),
    STRUCT('renal_disease' AS condition, 10 AS icd_version, 3 AS characters, 'N18 N19' AS codes),
    STRUCT(
      'renal_disease' AS condition,
      10 AS icd_version,
      4 AS characters,
      'I120 I131 N032 N033 N034 N035 N036 N037 N052 N053 N054 N055 N056 N057 N250 Z490 Z491 ' || 'Z492 Z940 Z992' AS codes
    ),
    STRUCT('malignant_cancer' AS condition, 9 AS icd_version, 3 AS characters, '140-172 200-208' AS codes),
    STRUCT('malignant_cancer' AS condition, 9 AS icd_version, 4 AS characters, '2386 1740-1958' AS codes),
    STRUCT(
      'malignant_cancer' AS condition,
      10 AS icd_version,
      3 AS characters,
      'C43 C88 C00-C26 C30-C34 C37-C41 C45-C58 C60-C76 C81-C85 C90-C97' AS codes
    ),
    STRUCT('malignant_cancer' AS condition, 10 AS icd_version, 4 AS characters, '' AS codes),
    STRUCT(
      'severe_liver_disease' AS condition,
      9 AS icd_version,
      4 AS characters,
      '4560 4561 4562 5722-5728' AS codes
    ),
    STRUCT(
      'severe_liver_disease' AS condition,
      10 AS icd_version,
      4 AS characters,
      'I850 I859 I864 I982 K704 K711 K721 K729 K765 K766 K767' AS codes
    ),
    STRUCT('metastatic_solid_tumor' AS condition, 9 AS icd_version, 3 AS characters, '196 197 198 199' AS codes),
    STRUCT('metastatic_solid_tumor' AS condition, 9 AS icd_version, 4 AS characters, '' AS codes),
    STRUCT('metastatic_solid_tumor' AS condition, 10 AS icd_version, 3 AS characters, 'C77 C78 C79 C80' AS codes),
    STRUCT('metastatic_solid_tumor' AS condition, 10 AS icd_version, 4 AS characters, '' AS codes),
    STRUCT('aids' AS condition, 9 AS icd_version, 3 AS characters, '042 043 044' AS codes),
    STRUCT('aids' AS condition, 10 AS icd_version, 3 AS characters, 'B20 B21 B22 B24' AS codes)
  ]) AS listed
), code_entry AS (
  SELECT
    listed.condition,
    listed.icd_version,
    listed.characters,
    single AS entry
  FROM code_list AS listed
  CROSS JOIN UNNEST(SPLIT(listed.codes, ' ')) AS single
  WHERE
    listed.codes <> ''
), code_range /* a single code is the range from itself to itself; texts compare in byte order */ AS (
  SELECT
    condition,
    icd_version,
    characters,
    COALESCE(SPLIT(entry, '-')[SAFE_OFFSET(0)], '') AS first_code,
    CASE
      WHEN COALESCE(SPLIT(entry, '-')[SAFE_OFFSET(1)], '') = ''
      THEN entry
      ELSE COALESCE(SPLIT(entry, '-')[SAFE_OFFSET(1)], '')
    END AS last_code
  FROM code_entry
), known_code /* the lists are held against each code once, not against each diagnosis */ AS (
  SELECT DISTINCT
    icd_version,
    icd_code
  FROM mimiciv_hosp.diagnoses_icd
), code_condition /* rule 2: one code may mean several conditions */ AS (
  SELECT DISTINCT
    code.icd_version,
    code.icd_code,
    listed.condition
  FROM known_code AS code
  INNER JOIN code_range AS listed
    ON code.icd_version = listed.icd_version
    AND LEFT(code.icd_code, listed.characters) >= listed.first_code
    AND LEFT(code.icd_code, listed.characters) <= listed.last_code
), admission_condition /* rules 1 and 3: conditions as found, without hierarchy */ AS (
  SELECT
    dx.hadm_id,
    MAX(CASE WHEN found.condition = 'myocardial_infarct' THEN 1 ELSE 0 END) AS myocardial_infarct,
    MAX(CASE WHEN found.condition = 'congestive_heart_failure' THEN 1 ELSE 0 END) AS congestive_heart_failure,
    MAX(CASE WHEN found.condition = 'peripheral_vascular_disease' THEN 1 ELSE 0 END) AS peripheral_vascular_disease,
    MAX(CASE WHEN found.condition = 'cerebrovascular_disease' THEN 1 ELSE 0 END) AS cerebrovascular_disease,
    MAX(CASE WHEN found.condition = 'dementia' THEN 1 ELSE 0 END) AS dementia,
    MAX(CASE WHEN found.condition = 'chronic_pulmonary_disease' THEN 1 ELSE 0 END) AS chronic_pulmonary_disease,
    MAX(CASE WHEN found.condition = 'rheumatic_disease' THEN 1 ELSE 0 END) AS rheumatic_disease,
    MAX(CASE WHEN found.condition = 'peptic_ulcer_disease' THEN 1 ELSE 0 END) AS peptic_ulcer_disease,
    MAX(CASE WHEN found.condition = 'mild_liver_disease' THEN 1 ELSE 0 END) AS mild_liver_disease,
    MAX(CASE WHEN found.condition = 'diabetes_without_cc' THEN 1 ELSE 0 END) AS diabetes_without_cc,
    MAX(CASE WHEN found.condition = 'diabetes_with_cc' THEN 1 ELSE 0 END) AS diabetes_with_cc,
    MAX(CASE WHEN found.condition = 'paraplegia' THEN 1 ELSE 0 END) AS paraplegia,
    MAX(CASE WHEN found.condition = 'renal_disease' THEN 1 ELSE 0 END) AS renal_disease,
    MAX(CASE WHEN found.condition = 'malignant_cancer' THEN 1 ELSE 0 END) AS malignant_cancer,
    MAX(CASE WHEN found.condition = 'severe_liver_disease' THEN 1 ELSE 0 END) AS severe_liver_disease,
    MAX(CASE WHEN found.condition = 'metastatic_solid_tumor' THEN 1 ELSE 0 END) AS metastatic_solid_tumor,
    MAX(CASE WHEN found.condition = 'aids' THEN 1 ELSE 0 END) AS aids
  FROM mimiciv_hosp.diagnoses_icd AS dx
  INNER JOIN code_condition AS found
    ON dx.icd_version = found.icd_version AND dx.icd_code = found.icd_code
  GROUP BY
    dx.hadm_id
), age_points /* rule 4: a row of age without a value counts as the oldest band, no row at all gives no points */ AS (
  SELECT
    hadm_id,
    CASE WHEN age <= 50 THEN 0 WHEN age <= 60 THEN 1 WHEN age <= 70 THEN 2 WHEN age <= 80 THEN 3 ELSE 4 END AS age_score
  FROM mimiciv_derived.age
), admission_flag AS (
  SELECT
    adm.subject_id,
    adm.hadm_id,
    points.age_score,
    COALESCE(found.myocardial_infarct, 0) AS myocardial_infarct,
    COALESCE(found.congestive_heart_failure, 0) AS congestive_heart_failure,
    COALESCE(found.peripheral_vascular_disease, 0) AS peripheral_vascular_disease,
    COALESCE(found.cerebrovascular_disease, 0) AS cerebrovascular_disease,
    COALESCE(found.dementia, 0) AS dementia,
    COALESCE(found.chronic_pulmonary_disease, 0) AS chronic_pulmonary_disease,
    COALESCE(found.rheumatic_disease, 0) AS rheumatic_disease,
    COALESCE(found.peptic_ulcer_disease, 0) AS peptic_ulcer_disease,
    COALESCE(found.mild_liver_disease, 0) AS mild_liver_disease,
    COALESCE(found.diabetes_without_cc, 0) AS diabetes_without_cc,
    COALESCE(found.diabetes_with_cc, 0) AS diabetes_with_cc,
    COALESCE(found.paraplegia, 0) AS paraplegia,
    COALESCE(found.renal_disease, 0) AS renal_disease,
    COALESCE(found.malignant_cancer, 0) AS malignant_cancer,
    COALESCE(found.severe_liver_disease, 0) AS severe_liver_disease,
    COALESCE(found.metastatic_solid_tumor, 0) AS metastatic_solid_tumor,
    COALESCE(found.aids, 0) AS aids
  FROM mimiciv_hosp.admissions AS adm
  LEFT JOIN admission_condition AS found
    ON adm.hadm_id = found.hadm_id
  LEFT JOIN age_points AS points
    ON adm.hadm_id = points.hadm_id
)
SELECT
  subject_id,
  hadm_id,
  age_score,
  myocardial_infarct,
  congestive_heart_failure,
  peripheral_vascular_disease,
  cerebrovascular_disease,
  dementia,
  chronic_pulmonary_disease,
  rheumatic_disease,
  peptic_ulcer_disease,
  mild_liver_disease,
  diabetes_without_cc,
  diabetes_with_cc,
  paraplegia,
  renal_disease,
  malignant_cancer,
  severe_liver_disease,
  metastatic_solid_tumor,
  aids,
  age_score /* rule 5: of two stages of one disease the heavier counts */ + myocardial_infarct + congestive_heart_failure + peripheral_vascular_disease + cerebrovascular_disease + dementia + chronic_pulmonary_disease + rheumatic_disease + peptic_ulcer_disease + COALESCE(GREATEST(mild_liver_disease, 3 * severe_liver_disease), mild_liver_disease, 3 * severe_liver_disease) + COALESCE(GREATEST(2 * diabetes_with_cc, diabetes_without_cc), 2 * diabetes_with_cc, diabetes_without_cc) + COALESCE(
    GREATEST(2 * malignant_cancer, 6 * metastatic_solid_tumor),
    2 * malignant_cancer,
    6 * metastatic_solid_tumor
  ) + 2 * paraplegia + 2 * renal_disease + 6 * aids AS charlson_comorbidity_index
FROM admission_flag
;
