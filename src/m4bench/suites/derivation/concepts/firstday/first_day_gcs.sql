/*
name: first_day_gcs
kind: concept
title: Lowest Glasgow Coma Scale of the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: gcs_min, type: DOUBLE, unit: points, meaning: "lowest total, 3-15"}
  - {name: gcs_motor, type: DOUBLE, unit: points, meaning: motor component of that observation}
  - {name: gcs_verbal, type: DOUBLE, unit: points, meaning: "verbal component of that observation, 0 is intubated"}
  - {name: gcs_eyes, type: DOUBLE, unit: points, meaning: eye component of that observation}
  - {name: gcs_unable, type: INTEGER, meaning: 1 when the verbal response was blocked by a tube at that time}
inputs: [mimiciv_derived.gcs, mimiciv_icu.icustays]
spec: first_day_gcs
source: "Teasdale and Jennett, 1974, Lancet; sedated patients after Le Gall et al., 1993, JAMA"
conventions:
  - name: tie_order
    published: obs.charttime DESC NULLS LAST
    adjudicated: obs.gcs_unable ASC NULLS LAST, obs.gcs_motor ASC NULLS LAST, obs.gcs_verbal ASC NULLS LAST, obs.gcs_eyes ASC NULLS LAST, obs.charttime DESC NULLS LAST
    difference: Of observations with the same lowest total the latest is taken, or one without a tube before one with it, and then the one of worst prognosis.
    source: "motor response tells most of the outcome (Healey et al., 2003, J Trauma)"
    example: "motor 4 at 11:00, motor 5 at 15:00, both 8: 5 / 5 / 4"
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
*/
-- the worst observation of the first day, with its own components
WITH first_day_observation AS (
    SELECT
        icu.stay_id,
        obs.gcs,
        obs.gcs_motor,
        obs.gcs_verbal,
        obs.gcs_eyes,
        obs.gcs_unable,
        -- rules 2-4: the lowest total, a missing one first
        ROW_NUMBER() OVER (
            PARTITION BY icu.stay_id
            ORDER BY obs.gcs ASC NULLS FIRST, $tie_order
        ) AS rank_from_worst
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.gcs AS obs
        ON icu.stay_id = obs.stay_id
        AND obs.charttime >= icu.intime - INTERVAL 6 HOUR  -- rule 1
        AND obs.charttime <= icu.intime + INTERVAL 24 HOUR
)

SELECT
    icu.subject_id,
    icu.stay_id,
    worst.gcs AS gcs_min,
    worst.gcs_motor,
    worst.gcs_verbal,
    worst.gcs_eyes,
    worst.gcs_unable
FROM mimiciv_icu.icustays AS icu
LEFT JOIN first_day_observation AS worst  -- rule 5
    ON icu.stay_id = worst.stay_id AND worst.rank_from_worst = 1
