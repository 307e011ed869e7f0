/*
name: charlson
kind: concept
title: Charlson comorbidity index
grain: one row per hospital admission
key: [hadm_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: age_score, type: INTEGER, unit: points, meaning: "0-4 by age, null when the patient is unknown"}
  - {name: myocardial_infarct, type: INTEGER, meaning: "0/1, never null (as all conditions)"}
  - {name: congestive_heart_failure, type: INTEGER, meaning: 0/1}
  - {name: peripheral_vascular_disease, type: INTEGER, meaning: 0/1}
  - {name: cerebrovascular_disease, type: INTEGER, meaning: 0/1}
  - {name: dementia, type: INTEGER, meaning: 0/1}
  - {name: chronic_pulmonary_disease, type: INTEGER, meaning: 0/1}
  - {name: rheumatic_disease, type: INTEGER, meaning: 0/1}
  - {name: peptic_ulcer_disease, type: INTEGER, meaning: 0/1}
  - {name: mild_liver_disease, type: INTEGER, meaning: 0/1}
  - {name: diabetes_without_cc, type: INTEGER, meaning: "0/1, without chronic complication"}
  - {name: diabetes_with_cc, type: INTEGER, meaning: "0/1, with chronic complication"}
  - {name: paraplegia, type: INTEGER, meaning: "0/1, hemiplegia or paraplegia"}
  - {name: renal_disease, type: INTEGER, meaning: 0/1}
  - {name: malignant_cancer, type: INTEGER, meaning: "0/1, with leukaemia and lymphoma, without other skin cancer"}
  - {name: severe_liver_disease, type: INTEGER, meaning: "0/1, moderate or severe"}
  - {name: metastatic_solid_tumor, type: INTEGER, meaning: 0/1}
  - {name: aids, type: INTEGER, meaning: 0/1}
  - {name: charlson_comorbidity_index, type: INTEGER, unit: points, meaning: "weighted sum, null without age_score"}
inputs: [mimiciv_derived.age, mimiciv_hosp.admissions, mimiciv_hosp.diagnoses_icd]
spec: charlson
source: "Charlson et al., 1987 and 1994; code lists after Quan et al., 2005, Medical Care 43(11):1130-1139"
conventions:
  - name: age_points
    published: |
      CASE
          WHEN age <= 50 THEN 0
          WHEN age <= 60 THEN 1
          WHEN age <= 70 THEN 2
          WHEN age <= 80 THEN 3
          ELSE 4
      END
    current: |
      CASE
          WHEN age < 50 THEN 0
          WHEN age < 60 THEN 1
          WHEN age < 70 THEN 2
          WHEN age < 80 THEN 3
          ELSE 4
      END
    adjudicated: |
      CASE
          WHEN age < 50 THEN 0
          WHEN age < 60 THEN 1
          WHEN age < 70 THEN 2
          WHEN age < 80 THEN 3
          WHEN age >= 80 THEN 4
      END
    difference: >-
      Each decade from the 50th birthday on is a point, in place of each decade after it; the published bands were
      attested by a clinician of the benchmark, the original counts from 50. An unknown age has the points of the
      highest band, or none, and no index.
    source: "Charlson et al., 1994, J Clin Epidemiol 47:1245-1251; community's current form"
    example: "50, 60, 70 and 80 years: 0, 1, 2, 3 / 1, 2, 3, 4 / 1, 2, 3, 4; unknown: 4 / 4 / null"
  - name: malignant_ranges
    published: "'C43 C88 C00-C26 C30-C34 C37-C41 C45-C58 C60-C76 C81-C85 C90-C97'"
    adjudicated: "'C43 C88 C00-C26 C30-C34 C37-C41 C45-C49 C50-C58 C60-C76 C81-C86 C90-C97'"
    difference: T/NK lymphoma (C86) is a lymphoma as the others, and Merkel cell carcinoma (C4A) is in no published list but lies between C45 and C58 as text.
    source: "adjudicated line of the specification (full lymphoma range); Quan et al., 2005, list C81-C85 and no C86"
    example: "C860: none / none / malignant_cancer; C4A9: malignant_cancer / malignant_cancer / none"
  - name: malignant_codes
    published: "''"
    adjudicated: "'C801 C802'"
    difference: A malignancy of unspecified site that is not disseminated (C80.1, C80.2) is a cancer, not a metastasis.
    source: adjudicated reading of the specification
    example: "C801: none / none / malignant_cancer"
  - name: metastatic_categories
    published: "'C77 C78 C79 C80'"
    adjudicated: "'C77 C78 C79'"
    difference: An unspecified site (C80) is no metastasis by itself.
    source: adjudicated reading of the specification
    example: "C801: metastatic_solid_tumor / metastatic_solid_tumor / none"
  - name: metastatic_codes
    published: "''"
    adjudicated: "'C800'"
    difference: A disseminated malignancy of unspecified site (C80.0) is a metastasis, also where the rest of C80 is none.
    source: adjudicated reading of the specification
    example: "C800: metastatic_solid_tumor under all"
  - name: metastatic_categories_9
    published: "'196 197 198 199'"
    adjudicated: "'196 197 198'"
    difference: An unspecified site (199 of ICD-9) is no metastasis by itself, as C80 of ICD-10 is none.
    source: adjudicated reading of the specification, applied to both versions
    example: "1991 of ICD-9: metastatic_solid_tumor / metastatic_solid_tumor / malignant_cancer"
  - name: metastatic_codes_9
    published: "''"
    adjudicated: "'1990'"
    difference: A disseminated malignancy of unspecified site (199.0) is a metastasis, also where the rest of 199 is none.
    source: adjudicated reading of the specification, applied to both versions
    example: "1990 of ICD-9: metastatic_solid_tumor under all"
  - name: malignant_codes_9
    published: "'2386 1740-1958'"
    adjudicated: "'2386 1740-1958 1991 1992'"
    difference: A malignancy of unspecified site that is not disseminated (199.1, 199.2) is a cancer, as C80.1 and C80.2 are.
    source: adjudicated reading of the specification, applied to both versions
    example: "1991 of ICD-9: none / none / malignant_cancer"
  - name: aids_categories
    published: "'B20 B21 B22 B24'"
    adjudicated: "'B20 B21 B22 B23 B24'"
    difference: HIV disease resulting in other conditions (B23) is AIDS.
    source: adjudicated reading of the specification
    example: "B238: none / none / aids"
unresolved:
  - says: Only conditions present before the admission should count, or those of earlier admissions.
    reason: Diagnoses bear no mark of that, and earlier admissions would leave a first one without any.
  - says: A history of cancer is told from active cancer by codes alone.
    reason: The tables hold nothing else.
*/
-- weighted comorbidities of an admission's diagnoses plus points for age
-- the code lists: condition, ICD version, how many first characters are compared, codes or closed ranges
WITH code_list AS (
    SELECT condition, icd_version, characters, codes
    FROM (
        VALUES
            ('myocardial_infarct', 9, 3, '410 412'),
            ('myocardial_infarct', 10, 3, 'I21 I22'),
            ('myocardial_infarct', 10, 4, 'I252'),
            ('congestive_heart_failure', 9, 3, '428'),
            ('congestive_heart_failure', 9, 4, '4254-4259'),
            ('congestive_heart_failure', 9, 5, '39891 40201 40211 40291 40401 40403 40411 40413 40491 40493'),
            ('congestive_heart_failure', 10, 3, 'I43 I50'),
            ('congestive_heart_failure', 10, 4, 'I099 I110 I130 I132 I255 I420 I425 I426 I427 I428 I429 P290'),
            ('peripheral_vascular_disease', 9, 3, '440 441'),
            ('peripheral_vascular_disease', 9, 4, '0930 4373 4471 5571 5579 V434 4431-4439'),
            ('peripheral_vascular_disease', 10, 3, 'I70 I71'),
            ('peripheral_vascular_disease', 10, 4, 'I731 I738 I739 I771 I790 I792 K551 K558 K559 Z958 Z959'),
            ('cerebrovascular_disease', 9, 3, '430-438'),
            ('cerebrovascular_disease', 9, 5, '36234'),
            ('cerebrovascular_disease', 10, 3, 'G45 G46 I60-I69'),
            ('cerebrovascular_disease', 10, 4, 'H340'),
            ('dementia', 9, 3, '290'),
            ('dementia', 9, 4, '2941 3312'),
            ('dementia', 10, 3, 'F00 F01 F02 F03 G30'),
            ('dementia', 10, 4, 'F051 G311'),
            ('chronic_pulmonary_disease', 9, 3, '490-505'),
            ('chronic_pulmonary_disease', 9, 4, '4168 4169 5064 5081 5088'),
            ('chronic_pulmonary_disease', 10, 3, 'J40-J47 J60-J67'),
            ('chronic_pulmonary_disease', 10, 4, 'I278 I279 J684 J701 J703'),
            ('rheumatic_disease', 9, 3, '725'),
            ('rheumatic_disease', 9, 4, '4465 7100 7101 7102 7103 7104 7140 7141 7142 7148'),
            ('rheumatic_disease', 10, 3, 'M05 M06 M32 M33 M34'),
            ('rheumatic_disease', 10, 4, 'M315 M351 M353 M360'),
            ('peptic_ulcer_disease', 9, 3, '531 532 533 534'),
            ('peptic_ulcer_disease', 10, 3, 'K25 K26 K27 K28'),
            ('mild_liver_disease', 9, 3, '570 571'),
            ('mild_liver_disease', 9, 4, '0706 0709 5733 5734 5738 5739 V427'),
            ('mild_liver_disease', 9, 5, '07022 07023 07032 07033 07044 07054'),
            ('mild_liver_disease', 10, 3, 'B18 K73 K74'),
            ('mild_liver_disease', 10, 4,
                'K700 K701 K702 K703 K709 K713 K714 K715 K717 K760 K762 K763 K764 K768 K769 Z944'),
            ('diabetes_without_cc', 9, 4, '2500 2501 2502 2503 2508 2509'),
            ('diabetes_without_cc', 10, 4,
                'E100 E101 E106 E108 E109 E110 E111 E116 E118 E119 E120 E121 E126 E128 E129 E130 E131 '
                || 'E136 E138 E139 E140 E141 E146 E148 E149'),
            ('diabetes_with_cc', 9, 4, '2504 2505 2506 2507'),
            ('diabetes_with_cc', 10, 4,
                'E102 E103 E104 E105 E107 E112 E113 E114 E115 E117 E122 E123 E124 E125 E127 E132 E133 '
                || 'E134 E135 E137 E142 E143 E144 E145 E147'),
            ('paraplegia', 9, 3, '342 343'),
            ('paraplegia', 9, 4, '3341 3440 3441 3442 3443 3444 3445 3446 3449'),
            ('paraplegia', 10, 3, 'G81 G82'),
            ('paraplegia', 10, 4, 'G041 G114 G801 G802 G830 G831 G832 G833 G834 G839'),
            ('renal_disease', 9, 3, '582 585 586 V56'),
            ('renal_disease', 9, 4, '5880 V420 V451 5830-5837'),
            ('renal_disease', 9, 5, '40301 40311 40391 40402 40403 40412 40413 40492 40493'),
            ('renal_disease', 10, 3, 'N18 N19'),
            ('renal_disease', 10, 4,
                'I120 I131 N032 N033 N034 N035 N036 N037 N052 N053 N054 N055 N056 N057 N250 Z490 Z491 '
                || 'Z492 Z940 Z992'),
            ('malignant_cancer', 9, 3, '140-172 200-208'),
            ('malignant_cancer', 9, 4, $malignant_codes_9),
            ('malignant_cancer', 10, 3, $malignant_ranges),
            ('malignant_cancer', 10, 4, $malignant_codes),
            ('severe_liver_disease', 9, 4, '4560 4561 4562 5722-5728'),
            ('severe_liver_disease', 10, 4, 'I850 I859 I864 I982 K704 K711 K721 K729 K765 K766 K767'),
            ('metastatic_solid_tumor', 9, 3, $metastatic_categories_9),
            ('metastatic_solid_tumor', 9, 4, $metastatic_codes_9),
            ('metastatic_solid_tumor', 10, 3, $metastatic_categories),
            ('metastatic_solid_tumor', 10, 4, $metastatic_codes),
            ('aids', 9, 3, '042 043 044'),
            ('aids', 10, 3, $aids_categories)
    ) AS listed(condition, icd_version, characters, codes)
),

code_entry AS (
    SELECT listed.condition, listed.icd_version, listed.characters, single.entry
    FROM code_list AS listed
    CROSS JOIN UNNEST(STRING_SPLIT(listed.codes, ' ')) AS single(entry)
    WHERE listed.codes <> ''
),

-- a single code is the range from itself to itself; texts compare in byte order
code_range AS (
    SELECT
        condition,
        icd_version,
        characters,
        SPLIT_PART(entry, '-', 1) AS first_code,
        CASE WHEN SPLIT_PART(entry, '-', 2) = '' THEN entry ELSE SPLIT_PART(entry, '-', 2) END AS last_code
    FROM code_entry
),

-- the lists are held against each code once, not against each diagnosis
known_code AS (
    SELECT DISTINCT icd_version, icd_code
    FROM mimiciv_hosp.diagnoses_icd
),

-- rule 2: one code may mean several conditions
code_condition AS (
    SELECT DISTINCT code.icd_version, code.icd_code, listed.condition
    FROM known_code AS code
    INNER JOIN code_range AS listed
        ON code.icd_version = listed.icd_version
        AND LEFT(code.icd_code, listed.characters) >= listed.first_code
        AND LEFT(code.icd_code, listed.characters) <= listed.last_code
),

-- rules 1 and 3: conditions as found, without hierarchy
admission_condition AS (
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
    GROUP BY dx.hadm_id
),

-- rule 4: a row of age without a value counts as the oldest band, no row at all gives no points
age_points AS (
    SELECT
        hadm_id,
        $age_points AS age_score
    FROM mimiciv_derived.age
),

admission_flag AS (
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
    LEFT JOIN admission_condition AS found ON adm.hadm_id = found.hadm_id
    LEFT JOIN age_points AS points ON adm.hadm_id = points.hadm_id
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
    -- rule 5: of two stages of one disease the heavier counts
    age_score
    + myocardial_infarct
    + congestive_heart_failure
    + peripheral_vascular_disease
    + cerebrovascular_disease
    + dementia
    + chronic_pulmonary_disease
    + rheumatic_disease
    + peptic_ulcer_disease
    + GREATEST(mild_liver_disease, 3 * severe_liver_disease)
    + GREATEST(2 * diabetes_with_cc, diabetes_without_cc)
    + GREATEST(2 * malignant_cancer, 6 * metastatic_solid_tumor)
    + 2 * paraplegia
    + 2 * renal_disease
    + 6 * aids AS charlson_comorbidity_index
FROM admission_flag
