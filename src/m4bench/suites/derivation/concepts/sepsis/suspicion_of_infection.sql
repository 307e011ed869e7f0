/*
name: suspicion_of_infection
kind: concept
title: Suspicion of infection at each systemic antibiotic
grain: one row per antibiotic prescription
key: [subject_id, ab_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: "ICU stay of the prescription, may be null"}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: ab_id, type: BIGINT, meaning: "number of the prescription within the patient, from 1"}
  - {name: antibiotic, type: VARCHAR, meaning: drug name}
  - {name: antibiotic_time, type: TIMESTAMP, meaning: "prescription start, may be null"}
  - {name: suspected_infection, type: INTEGER, meaning: "0/1, a culture was taken close enough"}
  - {name: suspected_infection_time, type: TIMESTAMP, meaning: "earlier of culture and antibiotic, null when not suspected"}
  - {name: culture_time, type: TIMESTAMP, meaning: "time of the culture, midnight when only its date is known"}
  - {name: specimen, type: VARCHAR, meaning: specimen type of the culture}
  - {name: positive_culture, type: INTEGER, meaning: "0/1, null without a culture"}
inputs: [mimiciv_derived.antibiotic, mimiciv_hosp.microbiologyevents]
spec: suspicion_of_infection
source: "Seymour CW et al., 2016, JAMA"
conventions:
  - name: growth
    published: org_name <> '' AND org_itemid <> 90856
    current: org_name <> '' AND org_itemid NOT IN (90856, 90760)
    difference: "A cancelled culture is positive in the published form and not in the others."
    source: "community's current form"
    example: "culture with the organism CANCELLED -> positive_culture 1 / 0 / 0"
  - name: work_up_specimen
    published: "TRUE"
    adjudicated: |
      COALESCE(UPPER(TRIM(specimen)), '') NOT IN (
          'MRSA SCREEN', 'STAPH AUREUS SWAB', 'THROAT FOR STREP', 'SEROLOGY/BLOOD', 'BLOOD (EBV)', 'BLOOD (CMV AB)',
          'IMMUNOLOGY', 'IMMUNOLOGY (CMV)', 'BONE MARROW - CYTOGENETICS'
      )
    difference: "The screening swabs, serology, immunology and cytogenetics that the review names are no cultures of a suspected infection; any other specimen is kept, an unnamed one too."
    source: "clinical review of the references (specimen types that overcall infection); Seymour et al., 2016 (body fluid cultures)"
    example: "MRSA SCREEN an hour before the drug -> suspected_infection 1 / 1 / 0; Rapid Respiratory Viral Screen & Culture -> 1 / 1 / 1"
  - name: matched_within
    published: subject_id
    adjudicated: subject_id, hadm_id
    difference: "Drug and culture are paired within an admission, not over two of them that follow closely."
    source: "specification's adjudicated line"
    example: "culture of another admission two days before -> suspected_infection 1 / 1 / 0"
  - name: culture_of_admission
    published: ranked_culture
    adjudicated: |
      (
          SELECT
              culture.subject_id,
              admission.hadm_id,
              culture.charttime,
              culture.chartdate,
              culture.culture_time,
              culture.preference,
              culture.positive_culture
          FROM ranked_culture AS culture
          INNER JOIN (SELECT DISTINCT subject_id, hadm_id FROM numbered_antibiotic) AS admission
              ON culture.subject_id = admission.subject_id
          WHERE culture.hadm_id IS NULL OR culture.hadm_id = admission.hadm_id
      )
    difference: "A culture without a recorded admission (emergency department) is paired by patient and time as before; the published form tells no admission from another."
    source: "specification's adjudicated line; reported fault 104 (rows of the emergency department carry no admission)"
    example: "cultures of another admission and of none, two days and one before -> that of two days / two days / one day"
  - name: before_ends
    published: INTERVAL 1 MICROSECOND PRECEDING
    adjudicated: CURRENT ROW
    difference: "A culture taken at the very time of the drug makes infection suspected."
    source: "Seymour et al., 2016 (culture, then antibiotic within 72 hours)"
    example: "culture and drug both at 10:00 -> suspected_infection 0 / 0 / 1"
  - name: suspicion_begins
    published: COALESCE(earlier.culture_time, drug.antibiotic_time)
    adjudicated: |
      CASE
          WHEN earlier.charttime IS NULL AND earlier.culture_time = CAST(CAST(drug.antibiotic_time AS DATE) AS TIMESTAMP)
              THEN drug.antibiotic_time
          ELSE COALESCE(earlier.culture_time, drug.antibiotic_time)
      END
    difference: "Of a culture known by its date alone on the day of the drug, nobody knows that it came first: suspicion begins with the drug, not at midnight."
    source: "specification's adjudicated line"
    example: "culture of 01-02, drug 01-02 08:00 -> suspected_infection_time 00:00 / 00:00 / 08:00"
  - name: culture_matched
    published: COALESCE(earlier.specimen, later.specimen) IS NOT NULL
    adjudicated: COALESCE(chosen.before_preference, chosen.after_preference) IS NOT NULL
    difference: "A culture whose specimen type was not recorded makes infection suspected all the same."
    source: "specification's adjudicated line (the pair is one record)"
    example: "unnamed specimen two hours before -> suspected_infection 0 / 0 / 1"
  - name: later_culture_fills
    published: "TRUE"
    adjudicated: MIN(before_preference) IS NULL
    difference: "Time, type and growth are those of one culture; the published form may take them from two."
    source: "specification's adjudicated line (the pair is one record)"
    example: "unnamed specimen before and SPUTUM after -> specimen SPUTUM / SPUTUM / null"
  - name: growth_in_windows
    published: CAST(NULL AS INTEGER)
    adjudicated: GREATEST(COALESCE(MAX(positive_culture) OVER before, 0), COALESCE(MAX(positive_culture) OVER after, 0))
    difference: "Positive when any culture in the windows grew, not the earliest alone."
    source: "specification's adjudicated line"
    example: "URINE without growth before BLOOD CULTURE with E. coli -> positive_culture 0 / 0 / 1"
unresolved:
  - says: "other specimen types that are no culture of a bacterial infection (Blood (LYME), Blood (Toxo), Infection Control Yeast, Influenza A/B by DFA)"
    reason: "The review lists types by name and these are not among them; that no type is named a screen, serology or antigen by its text alone is deliberate, since a viral screen may be a culture."
  - says: "a cancelled culture is not a culture at all"
    reason: "A reported fault keeps the suspicion, and the order of the culture shows it; it is not positive."
  - says: "the nearest culture instead of the earliest"
    reason: "Seymour et al. date suspicion by the first event; what it spoils, the growth, is taken from all cultures."
  - says: "require a course of several days, at least two doses, or continued use"
    reason: "Sources disagree on the number, and prescriptions do not tell what was given."
settings:
  # rule 5: cultures with a time before those of the day without; what the definition leaves open, growth first
  order_within_day: charttime NULLS LAST, positive_culture DESC
*/
-- each antibiotic with the first culture up to three days before it and up to one day after it
-- rule 1; what the definition leaves open is ordered by admission and stay
WITH numbered_antibiotic AS (
    SELECT
        subject_id,
        stay_id,
        hadm_id,
        antibiotic,
        starttime AS antibiotic_time,
        ROW_NUMBER() OVER (
            PARTITION BY subject_id
            ORDER BY
                starttime NULLS FIRST,
                stoptime NULLS FIRST,
                antibiotic NULLS FIRST,
                hadm_id NULLS FIRST,
                stay_id NULLS FIRST
        ) AS ab_id
    FROM mimiciv_derived.antibiotic
),

-- rule 2
culture AS (
    SELECT
        micro_specimen_id,
        MAX(subject_id) AS subject_id,
        MAX(hadm_id) AS hadm_id,
        CAST(MAX(chartdate) AS DATE) AS chartdate,
        MAX(charttime) AS charttime,
        MAX(spec_type_desc) AS specimen,
        -- 90856: NEGATIVE, 90760: CANCELLED
        MAX(CASE WHEN $growth THEN 1 ELSE 0 END) AS positive_culture
    FROM mimiciv_hosp.microbiologyevents
    GROUP BY micro_specimen_id
),

-- rule 5; what the definition leaves open at last is ordered by specimen number
ranked_culture AS (
    SELECT
        subject_id,
        hadm_id,
        chartdate,
        charttime,
        COALESCE(charttime, CAST(chartdate AS TIMESTAMP)) AS culture_time,
        specimen,
        positive_culture,
        ROW_NUMBER() OVER (
            PARTITION BY subject_id
            ORDER BY
                chartdate NULLS LAST,
                $order_within_day,
                micro_specimen_id
        ) AS preference
    FROM culture
    WHERE $work_up_specimen
),

-- antibiotics and cultures of a patient on one axis of times, and on one of days for cultures without
-- a time, so that windows find the preferred culture and nothing is compared pairwise
moment AS (
    SELECT
        subject_id,
        hadm_id,
        antibiotic_time AS moment,
        ab_id,
        CAST(NULL AS BIGINT) AS preference,
        CAST(NULL AS INTEGER) AS positive_culture
    FROM numbered_antibiotic
    WHERE antibiotic_time IS NOT NULL
    UNION ALL
    SELECT subject_id, hadm_id, charttime AS moment, NULL AS ab_id, preference, positive_culture
    FROM $culture_of_admission AS taken
    WHERE charttime IS NOT NULL
),

day AS (
    SELECT
        subject_id,
        hadm_id,
        CAST(CAST(antibiotic_time AS DATE) AS TIMESTAMP) AS day,
        ab_id,
        CAST(NULL AS BIGINT) AS preference,
        CAST(NULL AS INTEGER) AS positive_culture
    FROM numbered_antibiotic
    WHERE antibiotic_time IS NOT NULL
    UNION ALL
    SELECT subject_id, hadm_id, culture_time AS day, NULL AS ab_id, preference, positive_culture
    FROM $culture_of_admission AS taken
    WHERE charttime IS NULL AND chartdate IS NOT NULL
),

-- rules 3 and 4
timed_match AS (
    SELECT
        subject_id,
        ab_id,
        MIN(preference) OVER before AS before_preference,
        MIN(preference) OVER after AS after_preference,
        $growth_in_windows AS growth
    FROM moment
    WINDOW
        before AS (
            PARTITION BY $matched_within ORDER BY moment NULLS FIRST
            RANGE BETWEEN INTERVAL 72 HOUR PRECEDING AND $before_ends
        ),
        after AS (
            PARTITION BY $matched_within ORDER BY moment NULLS FIRST
            RANGE BETWEEN INTERVAL 1 MICROSECOND FOLLOWING AND INTERVAL 24 HOUR FOLLOWING
        )
),

-- rules 3 and 4: a culture of the very day of the antibiotic is both
dated_match AS (
    SELECT
        subject_id,
        ab_id,
        MIN(preference) OVER before AS before_preference,
        MIN(preference) OVER after AS after_preference,
        $growth_in_windows AS growth
    FROM day
    WINDOW
        before AS (
            PARTITION BY $matched_within ORDER BY day NULLS FIRST
            RANGE BETWEEN INTERVAL 3 DAY PRECEDING AND CURRENT ROW
        ),
        after AS (
            PARTITION BY $matched_within ORDER BY day NULLS FIRST
            RANGE BETWEEN CURRENT ROW AND INTERVAL 1 DAY FOLLOWING
        )
),

-- rule 5
chosen AS (
    SELECT
        subject_id,
        ab_id,
        MIN(before_preference) AS before_preference,
        CASE WHEN $later_culture_fills THEN MIN(after_preference) END AS after_preference,
        CASE WHEN COALESCE(MIN(before_preference), MIN(after_preference)) IS NOT NULL THEN MAX(growth) END AS growth
    FROM (
        SELECT subject_id, ab_id, before_preference, after_preference, growth FROM timed_match
        UNION ALL
        SELECT subject_id, ab_id, before_preference, after_preference, growth FROM dated_match
    ) AS matched
    WHERE ab_id IS NOT NULL
    GROUP BY subject_id, ab_id
)

-- rule 6: column by column the culture before, else the one after
SELECT
    drug.subject_id,
    drug.stay_id,
    drug.hadm_id,
    drug.ab_id,
    drug.antibiotic,
    drug.antibiotic_time,
    CASE WHEN $culture_matched THEN 1 ELSE 0 END AS suspected_infection,
    CASE WHEN $culture_matched THEN $suspicion_begins END AS suspected_infection_time,
    COALESCE(earlier.culture_time, later.culture_time) AS culture_time,
    COALESCE(earlier.specimen, later.specimen) AS specimen,
    COALESCE(chosen.growth, earlier.positive_culture, later.positive_culture) AS positive_culture
FROM numbered_antibiotic AS drug
LEFT JOIN chosen ON drug.subject_id = chosen.subject_id AND drug.ab_id = chosen.ab_id
LEFT JOIN ranked_culture AS earlier
    ON chosen.subject_id = earlier.subject_id AND chosen.before_preference = earlier.preference
LEFT JOIN ranked_culture AS later
    ON chosen.subject_id = later.subject_id AND chosen.after_preference = later.preference
