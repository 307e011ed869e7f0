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
conventions: []
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
        CAST(MAX(chartdate) AS DATE) AS chartdate,
        MAX(charttime) AS charttime,
        MAX(spec_type_desc) AS specimen,
        MAX(
            CASE
                WHEN org_name <> '' AND org_itemid <> 90856 THEN 1  -- 90856: NEGATIVE
                ELSE 0
            END
        ) AS positive_culture
    FROM mimiciv_hosp.microbiologyevents
    GROUP BY micro_specimen_id
),

-- rule 5; what the definition leaves open is ordered by growth and specimen number
ranked_culture AS (
    SELECT
        subject_id,
        chartdate,
        charttime,
        COALESCE(charttime, CAST(chartdate AS TIMESTAMP)) AS culture_time,
        specimen,
        positive_culture,
        ROW_NUMBER() OVER (
            PARTITION BY subject_id
            ORDER BY
                chartdate NULLS LAST,
                charttime NULLS LAST,
                positive_culture DESC,
                micro_specimen_id
        ) AS preference
    FROM culture
),

-- antibiotics and cultures of a patient on one axis of times, and on one of days for cultures without
-- a time, so that windows find the preferred culture and nothing is compared pairwise
moment AS (
    SELECT subject_id, antibiotic_time AS moment, ab_id, CAST(NULL AS BIGINT) AS preference
    FROM numbered_antibiotic
    WHERE antibiotic_time IS NOT NULL
    UNION ALL
    SELECT subject_id, charttime AS moment, NULL AS ab_id, preference
    FROM ranked_culture
    WHERE charttime IS NOT NULL
),

day AS (
    SELECT
        subject_id,
        CAST(CAST(antibiotic_time AS DATE) AS TIMESTAMP) AS day,
        ab_id,
        CAST(NULL AS BIGINT) AS preference
    FROM numbered_antibiotic
    WHERE antibiotic_time IS NOT NULL
    UNION ALL
    SELECT subject_id, culture_time AS day, NULL AS ab_id, preference
    FROM ranked_culture
    WHERE charttime IS NULL AND chartdate IS NOT NULL
),

-- rules 3 and 4: a culture at the very time of the antibiotic is neither before nor after it
timed_match AS (
    SELECT
        subject_id,
        ab_id,
        MIN(preference) OVER (
            PARTITION BY subject_id ORDER BY moment NULLS FIRST
            RANGE BETWEEN INTERVAL 72 HOUR PRECEDING AND INTERVAL 1 MICROSECOND PRECEDING
        ) AS before_preference,
        MIN(preference) OVER (
            PARTITION BY subject_id ORDER BY moment NULLS FIRST
            RANGE BETWEEN INTERVAL 1 MICROSECOND FOLLOWING AND INTERVAL 24 HOUR FOLLOWING
        ) AS after_preference
    FROM moment
),

-- rules 3 and 4: a culture of the very day of the antibiotic is both
dated_match AS (
    SELECT
        subject_id,
        ab_id,
        MIN(preference) OVER (
            PARTITION BY subject_id ORDER BY day NULLS FIRST RANGE BETWEEN INTERVAL 3 DAY PRECEDING AND CURRENT ROW
        ) AS before_preference,
        MIN(preference) OVER (
            PARTITION BY subject_id ORDER BY day NULLS FIRST RANGE BETWEEN CURRENT ROW AND INTERVAL 1 DAY FOLLOWING
        ) AS after_preference
    FROM day
),

-- rule 5
chosen AS (
    SELECT
        subject_id,
        ab_id,
        MIN(before_preference) AS before_preference,
        MIN(after_preference) AS after_preference
    FROM (
        SELECT subject_id, ab_id, before_preference, after_preference FROM timed_match
        UNION ALL
        SELECT subject_id, ab_id, before_preference, after_preference FROM dated_match
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
    CASE WHEN COALESCE(earlier.specimen, later.specimen) IS NULL THEN 0 ELSE 1 END AS suspected_infection,
    CASE
        WHEN COALESCE(earlier.specimen, later.specimen) IS NOT NULL
            THEN COALESCE(earlier.culture_time, drug.antibiotic_time)
    END AS suspected_infection_time,
    COALESCE(earlier.culture_time, later.culture_time) AS culture_time,
    COALESCE(earlier.specimen, later.specimen) AS specimen,
    COALESCE(earlier.positive_culture, later.positive_culture) AS positive_culture
FROM numbered_antibiotic AS drug
LEFT JOIN chosen ON drug.subject_id = chosen.subject_id AND drug.ab_id = chosen.ab_id
LEFT JOIN ranked_culture AS earlier
    ON chosen.subject_id = earlier.subject_id AND chosen.before_preference = earlier.preference
LEFT JOIN ranked_culture AS later
    ON chosen.subject_id = later.subject_id AND chosen.after_preference = later.preference
