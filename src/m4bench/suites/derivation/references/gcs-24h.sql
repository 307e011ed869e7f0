/*
name: gcs-24h
kind: reference
title: Lowest Glasgow Coma Scale of the first ICU day with its components
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: gcs_min, type: DOUBLE, unit: points, meaning: "lowest total, 3-15"}
  - {name: gcs_motor, type: DOUBLE, unit: points, meaning: "motor, 1-6"}
  - {name: gcs_verbal, type: DOUBLE, unit: points, meaning: "verbal, 0-5; 0 is intubated"}
  - {name: gcs_eyes, type: DOUBLE, unit: points, meaning: "eyes, 1-4"}
inputs: [mimiciv_derived.gcs, mimiciv_icu.icustays]
spec: gcs-24h
source: "Teasdale and Jennett, 1974, Lancet 2(7872):81-84; Le Gall et al., 1993, JAMA 270(24):2957-2963"
conventions: []
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
  - says: score eyes and motor alone while a tube is in place
    reason: contradicts the concept it reads, which takes the score before the tube (Le Gall et al., 1993, JAMA)
*/
-- the worst observation of the window, of a tie the earliest, missing parts filled in as normal
WITH first_day_observation AS (
    SELECT
        icu.stay_id,
        obs.gcs,
        obs.gcs_motor,
        obs.gcs_verbal,
        obs.gcs_eyes,
        ROW_NUMBER() OVER (  -- rule 2
            PARTITION BY icu.stay_id
            ORDER BY
                obs.gcs ASC NULLS FIRST,
                obs.charttime ASC NULLS LAST,
                obs.gcs_motor ASC NULLS LAST,
                obs.gcs_verbal ASC NULLS LAST,
                obs.gcs_eyes ASC NULLS LAST,
                obs.gcs_unable ASC NULLS LAST
        ) AS rank_from_worst
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.gcs AS obs
        ON icu.stay_id = obs.stay_id
        AND obs.charttime >= icu.intime - INTERVAL 6 HOUR  -- rule 1
        AND obs.charttime <= icu.intime + INTERVAL 24 HOUR
)

SELECT
    icu.subject_id,
    icu.hadm_id,
    icu.stay_id,
    CAST(COALESCE(worst.gcs, 15) AS DOUBLE) AS gcs_min,  -- rule 3, as for the components
    CAST(COALESCE(worst.gcs_motor, 6) AS DOUBLE) AS gcs_motor,
    CAST(COALESCE(worst.gcs_verbal, 5) AS DOUBLE) AS gcs_verbal,
    CAST(COALESCE(worst.gcs_eyes, 4) AS DOUBLE) AS gcs_eyes
FROM mimiciv_icu.icustays AS icu
LEFT JOIN first_day_observation AS worst
    ON icu.stay_id = worst.stay_id AND worst.rank_from_worst = 1
