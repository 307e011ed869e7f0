/*
name: meld
kind: concept
title: Model for End-stage Liver Disease on the first ICU day
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: admission}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: meld_initial, type: "DECIMAL(18,1)", unit: points, meaning: "score without sodium, a whole number"}
  - {name: meld, type: DOUBLE, unit: points, meaning: "score with sodium, unrounded in the published form"}
  - {name: rrt, type: INTEGER, meaning: "1 under dialysis on the first day, else 0 or null"}
  - {name: creatinine_max, type: DOUBLE, unit: mg/dL, meaning: highest creatinine of the first day}
  - {name: bilirubin_total_max, type: DOUBLE, unit: mg/dL, meaning: highest total bilirubin of the first day}
  - {name: inr_max, type: DOUBLE, meaning: highest INR of the first day}
  - {name: sodium_min, type: DOUBLE, unit: mmol/L, meaning: lowest sodium of the first day}
inputs: [mimiciv_derived.first_day_lab, mimiciv_derived.first_day_rrt, mimiciv_icu.icustays]
spec: meld
source: "Kamath PS et al., 2001, Hepatology; sodium adjustment of the OPTN allocation policy, January 2016"
conventions:
  - name: dialysis
    published: dialysis.dialysis_present
    adjudicated: dialysis.dialysis_active
    difference: Creatinine is set to 4.0 for dialysis that ran on the first day, not for a catheter alone.
    source: "adjudicated reading of the specification; OPTN allocation policy, 2016 (dialysis twice in a week), see below"
    example: "a dialysis catheter, creatinine 1.0, bilirubin 1.0, INR 1.0: 20 / 20 / 6"
  - name: sum_rounded_at_first
    published: DECIMAL(18, 3)
    current: DECIMAL(18, 1)
    difference: The sum of the terms is rounded once to one decimal, in place of to three and then to one.
    source: "community's current form; adjudicated reading of the specification"
    example: "a sum of 0.7497: 8 / 7 / 7"
  - name: score_known
    published: "TRUE"
    adjudicated: (creatinine_max IS NOT NULL OR rrt = 1) AND bilirubin_total_max IS NOT NULL AND inr_max IS NOT NULL
    difference: >-
      There is no score without creatinine (or dialysis, which stands for it), bilirubin and INR, in place of counting
      a missing one as normal; the stay keeps its row. Sources disagree: reported fault 56 asks for the score of 6.
    source: "Kamath et al., 2001, Hepatology 33:464-470, which has no score without the three; adjudicated reading of the specification"
    example: "nothing measured: 6 / 6 / null"
  - name: final_score
    published: $score_with_sodium
    adjudicated: CASE WHEN $score_with_sodium > 40 THEN CAST(40 AS DOUBLE) ELSE ROUND($score_with_sodium) END
    difference: The final score is a whole number of at most 40.
    source: OPTN allocation policy, January 2016
    example: "creatinine 2.0, bilirubin 5.0, INR 1.8, sodium 128: 30.158 / 30.158 / 30"
unresolved:
  - says: Dialysis should count when done twice, or continuously for a day, in the past week (reported fault 57).
    reason: Dialysis before the ICU is not charted, so that a week cannot be counted.
  - says: Values should be of one time, not the worst of different times (reported fault 57).
    reason: No source says of which time.
  - says: Sodium should be corrected for glucose (reported fault 57).
    reason: Kim et al. (2008) and the OPTN policy take the measured sodium.
  - says: The aetiology of the liver disease is ignored (reported fault 57).
    reason: The OPTN policy ignores it too.
  - says: An INR under anticoagulants should be flagged.
    reason: A flag would be a further column.
settings:
  score_with_sodium: |
    CASE
        WHEN meld_initial > 11
            THEN CAST(meld_initial AS DOUBLE) + CAST(1.32 AS DOUBLE) * sodium_term
                - CAST(CAST(0.033 AS DECIMAL(4, 3)) * meld_initial AS DOUBLE) * sodium_term
        ELSE CAST(meld_initial AS DOUBLE)
    END
*/
-- the three logarithmic terms, their rounded sum, and the sodium adjustment
WITH first_day_value AS (
    SELECT
        icu.subject_id,
        icu.hadm_id,
        icu.stay_id,
        $dialysis AS rrt,
        lab.creatinine_max,
        lab.bilirubin_total_max,
        lab.inr_max,
        lab.sodium_min
    FROM mimiciv_icu.icustays AS icu
    LEFT JOIN mimiciv_derived.first_day_lab AS lab ON icu.stay_id = lab.stay_id
    LEFT JOIN mimiciv_derived.first_day_rrt AS dialysis ON icu.stay_id = dialysis.stay_id
),

-- rule 1: natural logarithms in doubles, missing counts as normal
term AS (
    SELECT
        subject_id,
        hadm_id,
        stay_id,
        rrt,
        creatinine_max,
        bilirubin_total_max,
        inr_max,
        sodium_min,
        CASE
            WHEN rrt = 1 OR creatinine_max > 4.0 THEN CAST(0.957 AS DOUBLE) * LN(CAST(4 AS DOUBLE))
            WHEN creatinine_max < 1 OR creatinine_max IS NULL THEN CAST(0 AS DOUBLE)
            ELSE CAST(0.957 AS DOUBLE) * LN(creatinine_max)
        END AS creatinine_term,
        CASE
            WHEN bilirubin_total_max < 1 OR bilirubin_total_max IS NULL THEN CAST(0 AS DOUBLE)
            ELSE CAST(0.378 AS DOUBLE) * LN(bilirubin_total_max)
        END AS bilirubin_term,
        CASE
            WHEN inr_max < 1 OR inr_max IS NULL THEN CAST(0.643 AS DOUBLE)
            ELSE CAST(1.120 AS DOUBLE) * LN(inr_max) + CAST(0.643 AS DOUBLE)
        END AS inr_term,
        -- rule 3
        CASE
            WHEN sodium_min > 137 OR sodium_min IS NULL THEN CAST(0 AS DOUBLE)
            WHEN sodium_min < 125 THEN CAST(12 AS DOUBLE)
            ELSE CAST(137 AS DOUBLE) - sodium_min
        END AS sodium_term
    FROM first_day_value
),

-- rule 2: capped, else rounded half away from zero
initial_score AS (
    SELECT
        subject_id,
        hadm_id,
        stay_id,
        rrt,
        creatinine_max,
        bilirubin_total_max,
        inr_max,
        sodium_min,
        sodium_term,
        CAST(
            CASE
                WHEN NOT ($score_known) THEN NULL
                WHEN creatinine_term + bilirubin_term + inr_term > 4 THEN 40
                ELSE 10 * CAST(
                    CAST(creatinine_term + bilirubin_term + inr_term AS $sum_rounded_at_first) AS DECIMAL(18, 1)
                )
            END AS DECIMAL(18, 1)
        ) AS meld_initial
    FROM term
)

SELECT
    subject_id,
    hadm_id,
    stay_id,
    meld_initial,
    -- rule 4: 0.033 times the initial score is an exact decimal product, the rest is in doubles
    $final_score AS meld,
    rrt,
    creatinine_max,
    bilirubin_total_max,
    inr_max,
    sodium_min
FROM initial_score
