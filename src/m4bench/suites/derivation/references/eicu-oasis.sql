/*
name: eicu-oasis
kind: reference
title: "Oxford Acute Severity of Illness Score of the first day of an eICU unit stay, missing as 0"
grain: one row per eICU unit stay
key: [patientunitstayid]
columns:
  - {name: patientunitstayid, type: INTEGER, meaning: unit stay}
  - {name: uniquepid, type: VARCHAR, meaning: patient}
  - {name: patienthealthsystemstayid, type: INTEGER, meaning: hospital stay}
  - {name: oasis, type: INTEGER, unit: points, meaning: sum of the ten scores}
  - {name: preiculos_score, type: INTEGER, unit: points, meaning: "time in hospital before the unit, missing as 0 (as all scores)"}
  - {name: age_score, type: INTEGER, unit: points, meaning: age}
  - {name: gcs_score, type: INTEGER, unit: points, meaning: Glasgow Coma Scale}
  - {name: heart_rate_score, type: INTEGER, unit: points, meaning: heart rate}
  - {name: mbp_score, type: INTEGER, unit: points, meaning: "mean blood pressure; published: invasive before non-invasive"}
  - {name: resp_rate_score, type: INTEGER, unit: points, meaning: respiratory rate}
  - {name: temp_score, type: INTEGER, unit: points, meaning: temperature}
  - {name: urineoutput_score, type: INTEGER, unit: points, meaning: urine output}
  - {name: mechvent_score, type: INTEGER, unit: points, meaning: ventilation or a recorded airway}
  - {name: electivesurgery_score, type: INTEGER, unit: points, meaning: elective surgery}
inputs: [eicu_crd.apacheapsvar, eicu_crd.apachepredvar, eicu_crd.intakeoutput, eicu_crd.nursecharting, eicu_crd.patient, eicu_crd.physicalexam, eicu_crd.respiratorycare]
spec: eicu-oasis
source: "Johnson, Kramer and Clifford, 2013, Crit Care Med 41(7):1711-1718"
conventions:
  - name: of_both_ends
    published: COALESCE
    adjudicated: GREATEST
    difference: A lowest value in a normal band hides a highest one out of it, or the worse of both gives the points.
    source: "worst value of the first day (Johnson et al., 2013, Crit Care Med)"
    example: "respiratory rate 14 and 50: 0 / 0 / 9"
  - name: of_both_pressures
    published: COALESCE
    adjudicated: GREATEST
    difference: Non-invasive pressures count where invasive ones match no band, or both count and the worse gives the points.
    source: "worst value of the first day (Johnson et al., 2013, Crit Care Med)"
    example: "invasive mean 70, non-invasive 45: 0 / 0 / 3"
  - name: stated
    published: unrounded
    adjudicated: rounded_to
    difference: A value between two bands gives no points, or is rounded to the precision of the bands and gives those of its band.
    source: "bands of whole beats, breaths and points, and of hundredths (Johnson et al., 2013, Crit Care Med)"
    example: "heart rate 106.5: 0 / 0 / 3"
  - name: total_counts
    published: "TRUE"
    adjudicated: reading BETWEEN 3 AND 15
    difference: Of two totals of one time the lower is taken before its range is looked at, or totals off the scale are left out first.
    source: "total of 3 to 15 (Teasdale and Jennett, 1976, Acta Neurochir)"
    example: "totals 2 and 7 at one time: 0 / 0 / 10"
  - name: from_elsewhere
    published: path_in_lower_case LIKE '%or%' OR path_in_lower_case LIKE '%ir%'
    adjudicated: REGEXP_MATCHES(path_in_lower_case || ' ', '[^a-z](or|ir)[^a-z]')
    difference: A foley label is left out for the letters or and ir anywhere in it, or for OR (operating room) and IR (interventional radiology) as words.
    source: "label texts of the fluid balance (Pollard et al., 2018, Scientific Data)"
    example: "Foley irrigated 800 mL: 0 / 0 / 5"
unresolved:
  - says: charted ventilation with start and end, in place of the APACHE abstraction and of any airway field
    reason: which table charts it is not said; in respiratoryCare most ends are 0, and many units chart none
  - says: charted elective surgery, in place of the APACHE abstraction
    reason: no table of eICU charts whether an operation was planned
  - says: one definition of urine output for short stays
    reason: whether charted or abstracted, and how scaled, is not said
  - says: an absent component unknown in itself, as in oasis-24h
    reason: the specification states 0 for every absent component and no other reading of it
  - says: "one set of urine limits for both databases (here 671, 2544 and 6896 mL, in oasis 671.09, 2544.14 and 6896.80)"
    reason: both specifications cite the same table of Johnson et al. with other digits; each keeps its own
*/
-- ten scores from nurse charting, fluid balance, examination, airways and the APACHE abstraction;
-- the first day is open at unit admission and closed at 1440 minutes for every timed source
WITH charted_item AS (
    SELECT quantity, label, name
    FROM (
        VALUES
            ('gcs', 'Glasgow coma score', 'GCS Total'),
            ('gcs', 'Score (Glasgow Coma Scale)', 'Value'),
            ('heart_rate', 'Heart Rate', 'Heart Rate'),
            ('resp_rate', 'Respiratory Rate', 'Respiratory Rate'),
            ('temperature', 'Temperature', 'Temperature (C)'),
            ('invasive_mbp', 'Invasive BP', 'Invasive BP Mean'),
            ('invasive_mbp', 'MAP (mmHg)', 'Value'),
            ('invasive_mbp', 'Arterial Line MAP (mmHg)', 'Value'),
            ('noninvasive_mbp', 'Non-Invasive BP', 'Non-Invasive BP Mean')
    ) AS listed(quantity, label, name)
),

-- texts that are no number are null
charted_value AS (
    SELECT
        chart.patientunitstayid,
        chart.nursingchartoffset,
        item.quantity,
        TRY_CAST(chart.nursingchartvalue AS DECIMAL(18, 3)) AS reading
    FROM eicu_crd.nursecharting AS chart
    INNER JOIN charted_item AS item
        ON chart.nursingchartcelltypevallabel = item.label AND chart.nursingchartcelltypevalname = item.name
    WHERE chart.nursingchartoffset > 0
        AND chart.nursingchartoffset <= 1440
        AND (
            chart.nursingchartcelltypecat IN ('Scores', 'Other Vital Signs and Infusions')
            OR (chart.nursingchartcelltypecat = 'Vital Signs' AND item.quantity <> 'gcs')
        )
),

-- extremes of the accepted readings; a respiratory rate of 0 counts for the highest alone
vital_sign AS (
    SELECT
        patientunitstayid,
        $stated(MIN(CASE WHEN quantity = 'heart_rate' AND reading BETWEEN 25 AND 225 THEN reading END), 0) AS heart_rate_min,
        $stated(MAX(CASE WHEN quantity = 'heart_rate' AND reading BETWEEN 25 AND 225 THEN reading END), 0) AS heart_rate_max,
        $stated(MIN(CASE WHEN quantity = 'resp_rate' AND reading > 0 AND reading <= 60 THEN reading END), 0) AS resp_rate_min,
        $stated(MAX(CASE WHEN quantity = 'resp_rate' AND reading BETWEEN 0 AND 60 THEN reading END), 0) AS resp_rate_max,
        $stated(MIN(CASE WHEN quantity = 'temperature' AND reading BETWEEN 25 AND 46 THEN reading END), 2) AS temperature_min,
        $stated(MAX(CASE WHEN quantity = 'temperature' AND reading BETWEEN 25 AND 46 THEN reading END), 2) AS temperature_max
    FROM charted_value
    GROUP BY patientunitstayid
),

-- the lines of a rule that ask the lowest value, then those that ask the highest
vital_sign_score AS (
    SELECT
        patientunitstayid,
        $of_both_ends(  -- rule 4
            CASE WHEN heart_rate_min < 33 THEN 4 END,
            CASE
                WHEN heart_rate_max BETWEEN 33 AND 88 THEN 0
                WHEN heart_rate_max BETWEEN 89 AND 106 THEN 1
                WHEN heart_rate_max BETWEEN 107 AND 125 THEN 3
                WHEN heart_rate_max > 125 THEN 6
            END
        ) AS heart_rate_score,
        $of_both_ends(  -- rule 6
            CASE
                WHEN resp_rate_min < 6 THEN 10
                WHEN resp_rate_min BETWEEN 6 AND 12 THEN 1
                WHEN resp_rate_min BETWEEN 13 AND 22 THEN 0
            END,
            CASE
                WHEN resp_rate_max BETWEEN 23 AND 30 THEN 1
                WHEN resp_rate_max BETWEEN 31 AND 44 THEN 6
                WHEN resp_rate_max > 44 THEN 9
            END
        ) AS resp_rate_score,
        $of_both_ends(  -- rule 7
            CASE
                WHEN temperature_min < 33.22 THEN 3
                WHEN temperature_min BETWEEN 33.22 AND 35.93 THEN 4
                WHEN temperature_min BETWEEN 35.94 AND 36.39 THEN 2
            END,
            CASE
                WHEN temperature_max BETWEEN 33.22 AND 35.93 THEN 4
                WHEN temperature_max BETWEEN 36.40 AND 36.88 THEN 0
                WHEN temperature_max BETWEEN 36.89 AND 39.88 THEN 2
                WHEN temperature_max > 39.88 THEN 6
            END
        ) AS temp_score
    FROM vital_sign
),

mean_pressure AS (
    SELECT
        patientunitstayid,
        quantity,
        $stated(MIN(reading), 2) AS mbp_min,
        $stated(MAX(reading), 2) AS mbp_max
    FROM charted_value
    WHERE quantity IN ('invasive_mbp', 'noninvasive_mbp') AND reading BETWEEN 1 AND 250
    GROUP BY patientunitstayid, quantity
),

-- rule 5, for either way of measuring
mean_pressure_score AS (
    SELECT
        patientunitstayid,
        quantity,
        $of_both_ends(
            CASE
                WHEN mbp_min < 20.65 THEN 4
                WHEN mbp_min BETWEEN 20.65 AND 50.99 THEN 3
                WHEN mbp_min BETWEEN 51 AND 61.32 THEN 2
                WHEN mbp_min BETWEEN 61.33 AND 143.44 THEN 0
            END,
            CASE WHEN mbp_max > 143.44 THEN 3 END
        ) AS mbp_score
    FROM mean_pressure
),

charted_gcs AS (
    SELECT patientunitstayid, MIN(total) AS lowest
    FROM (  -- of two totals at one time the lower counts, before the range is checked
        SELECT patientunitstayid, nursingchartoffset, MIN(reading) AS total
        FROM charted_value
        WHERE quantity = 'gcs' AND $total_counts
        GROUP BY patientunitstayid, nursingchartoffset
    ) AS total_of_time
    WHERE total > 2 AND total < 16
    GROUP BY patientunitstayid
),

-- the path ends in the total itself, one or two characters
examined_gcs AS (
    SELECT patientunitstayid, MIN(reading) AS lowest
    FROM (
        SELECT patientunitstayid, TRY_CAST(physicalexamvalue AS DECIMAL(18, 3)) AS reading
        FROM eicu_crd.physicalexam
        WHERE physicalexamoffset > 0
            AND physicalexamoffset <= 1440
            AND (
                physicalexampath LIKE 'notes/Progress Notes/Physical Exam/Physical Exam/Neurologic/GCS/_'
                OR physicalexampath LIKE 'notes/Progress Notes/Physical Exam/Physical Exam/Neurologic/GCS/__'
            )
    ) AS examined
    WHERE $total_counts
    GROUP BY patientunitstayid
),

urine_label AS (
    SELECT label
    FROM (
        VALUES
            ('Urine'), ('3 way foley'), ('3 Way Foley'), ('Actual Urine'), ('Adjusted total UO NOC end shift'),
            ('BRP (urine)'), ('BRP (Urine)'), ('condome cath urine'), ('diaper urine'), ('inc of urine'),
            ('incontient urine'), ('Incontient urine'), ('Incontient Urine'), ('incontinence of urine'),
            ('Incontinence-urine'), ('incontinence/ voids urine'), ('incontinent of urine'),
            ('INCONTINENT OF URINE'), ('Incontinent UOP'), ('incontinent urine'), ('Incontinent (urine)'),
            ('Incontinent Urine'), ('incontinent urine counts'), ('incont of urine'), ('incont. of urine'),
            ('incont. of urine count'), ('incont urine'), ('incont. urine'), ('Incont. urine'),
            ('Incont. Urine'), ('inc urine'), ('inc. urine'), ('Inc. urine'), ('Inc Urine'),
            ('indwelling foley'), ('Indwelling Foley'), ('Straight Catheter-Foley'),
            ('Straight Catheterization Urine'), ('Straight Cath UOP'), ('straight cath urine'),
            ('Straight Cath Urine'), ('strait cath Urine'), ('Suprapubic Urine Output'), ('true urine'),
            ('True Urine'), ('True Urine out'), ('unmeasured urine'), ('Unmeasured Urine'),
            ('unmeasured urine output'), ('Urethal Catheter'), ('Urethral Catheter'),
            ('urinary output 7AM - 7 PM'), ('urinary output 7AM-7PM'), ('urine'), ('URINE'),
            ('URINE CATHETER'), ('Intermittent/Straight Cath (mL)'), ('straightcath'), ('straight cath'),
            ('Straight cath'), ('Straight  cath'), ('Straight Cath'), ('Straight  Cath'), ('Straight Cath''d'),
            ('straight cath daily'), ('straight cathed'), ('Straight Cathed'), ('Straight catheterization'),
            ('Straight Catheter Output'), ('Straight Catheter-Straight Catheter'), ('straight cath ml''s'),
            ('Straight cath ml''s'), ('Straight Cath Q6hrs'), ('Straight caths'),
            ('Urine Output-straight cath'), ('Urine-straight cath'), ('Urine Straight Cath'),
            ('Condom Catheter'), ('condom catheter'), ('condom cath'), ('Condom Cath'),
            ('CONDOM CATHETER OUTPUT'), ('Urine via condom catheter'), ('Urine-foley'), ('Urine- foley'),
            ('Urine- Foley'), ('Urine foley catheter'), ('Urine, L neph:'), ('Urine (measured)'),
            ('urine output'), ('Urine Output-external catheter'), ('Urine Output-foley'),
            ('Urine Output-Foley'), ('Urine Output-FOLEY'), ('Urine Output-Foley cath'),
            ('Urine Output-FOLEY CATH'), ('Urine Output-foley catheter'), ('Urine Output-Foley Catheter'),
            ('Urine Output-FOLEY CATHETER'), ('Urine Output-Foley Output'), ('Urine Output-Fpley'),
            ('Urine Output-Ileoconduit'), ('Urine Output-left nephrostomy'), ('Urine Output-Left Nephrostomy'),
            ('Urine Output-Left Nephrostomy Tube'), ('Urine Output-LEFT PCN TUBE'),
            ('Urine Output-L Nephrostomy'), ('Urine Output-L Nephrostomy Tube'), ('Urine Output-Nephrostomy'),
            ('Urine Output-right nephrostomy'), ('Urine Output-RIGHT Nephrouretero Stent Urine Output'),
            ('Urine Output-R nephrostomy'), ('Urine Output-R Nephrostomy'), ('Urine Output-R. Nephrostomy'),
            ('Urine Output-R Nephrostomy Tube'), ('Urine Output-Rt Nephrectomy'), ('Urine Output-stent'),
            ('Urine Output-suprapubic'), ('Urine Output-Texas Cath'), ('Urine Output-Urine'),
            ('Urine Output-Urine Output'), ('Urine, R neph:'), ('urine (void)'), ('Urine- void'),
            ('Urine, void:')
    ) AS listed(label)
),

first_day_output AS (
    SELECT
        patientunitstayid,
        intakeoutputoffset,
        cellvaluenumeric,
        LOWER(cellpath) AS path_in_lower_case,
        SUBSTRING(cellpath, LENGTH('flowsheet|Flowsheet Cell Labels|I&O|Output (ml)|') + 1) AS label
    FROM eicu_crd.intakeoutput
    WHERE intakeoutputoffset > 0
        AND intakeoutputoffset <= 1440
        AND cellpath LIKE 'flowsheet|Flowsheet Cell Labels|I&O|Output (ml)|%'
),

-- a float sum depends on the order of its terms, so they have one
charted_urine AS (
    SELECT
        patientunitstayid,
        SUM(cellvaluenumeric ORDER BY intakeoutputoffset, cellvaluenumeric) AS urine
    FROM first_day_output
    WHERE label IN (SELECT label FROM urine_label)
        OR (
            LOWER(label) LIKE 'foley%'
            AND path_in_lower_case NOT LIKE '%pacu%'
            AND NOT ($from_elsewhere)
        )
        OR label LIKE 'Output%Urinary Catheter%'
        OR label LIKE 'Output%Urethral Catheter%'
        OR label LIKE 'Output%External Urethral%'
        OR label LIKE 'Urine Output (mL)%'
        OR label LIKE 'Urinary Catheter Output%'
    GROUP BY patientunitstayid
),

airway AS (
    SELECT DISTINCT patientunitstayid
    FROM eicu_crd.respiratorycare
    WHERE respcarestatusoffset > 0
        AND respcarestatusoffset <= 1440
        AND (
            airwaytype IS NOT NULL
            OR airwaysize IS NOT NULL
            OR airwayposition IS NOT NULL
            OR cuffpressure IS NOT NULL
            OR setapneatv IS NOT NULL
        )
),

-- one row a unit stay: what the stay-wide scores are read from, beside the scores of the vital signs
stay AS (
    SELECT
        patient.patientunitstayid,
        patient.uniquepid,
        patient.patienthealthsystemstayid,
        patient.hospitaladmitoffset,
        patient.unitadmitsource,
        CASE WHEN patient.age = '> 89' THEN 91 ELSE TRY_CAST(patient.age AS INTEGER) END AS age,
        $stated(COALESCE(charted_gcs.lowest, examined_gcs.lowest), 0) AS gcs,  -- rule 3
        vital.heart_rate_score,
        $of_both_pressures(invasive.mbp_score, noninvasive.mbp_score) AS mbp_score,  -- rule 5
        vital.resp_rate_score,
        vital.temp_score,
        $stated(COALESCE(charted_urine.urine, CASE WHEN aps.urine > 0 THEN aps.urine END), 2) AS urine,  -- rule 8
        aps.intubated,
        pred.oobintubday1,
        airway.patientunitstayid IS NOT NULL AS has_airway,
        pred.electivesurgery
    FROM eicu_crd.patient AS patient
    LEFT JOIN charted_gcs ON patient.patientunitstayid = charted_gcs.patientunitstayid
    LEFT JOIN examined_gcs ON patient.patientunitstayid = examined_gcs.patientunitstayid
    LEFT JOIN vital_sign_score AS vital ON patient.patientunitstayid = vital.patientunitstayid
    LEFT JOIN mean_pressure_score AS invasive
        ON patient.patientunitstayid = invasive.patientunitstayid AND invasive.quantity = 'invasive_mbp'
    LEFT JOIN mean_pressure_score AS noninvasive
        ON patient.patientunitstayid = noninvasive.patientunitstayid
        AND noninvasive.quantity = 'noninvasive_mbp'
    LEFT JOIN charted_urine ON patient.patientunitstayid = charted_urine.patientunitstayid
    LEFT JOIN eicu_crd.apacheapsvar AS aps ON patient.patientunitstayid = aps.patientunitstayid
    LEFT JOIN eicu_crd.apachepredvar AS pred ON patient.patientunitstayid = pred.patientunitstayid
    LEFT JOIN airway ON patient.patientunitstayid = airway.patientunitstayid
),

-- no component, or a value between two brackets, is 0
scored_stay AS (
    SELECT
        patientunitstayid,
        uniquepid,
        patienthealthsystemstayid,
        CASE  -- rule 1
            WHEN hospitaladmitoffset > -10.2 THEN 5
            WHEN hospitaladmitoffset BETWEEN -296.4 AND -10.2 THEN 3
            WHEN hospitaladmitoffset BETWEEN -1440 AND -296.4 THEN 0
            WHEN hospitaladmitoffset BETWEEN -18708 AND -1440 THEN 2
            WHEN hospitaladmitoffset < -18708 THEN 1
            ELSE 0
        END AS preiculos_score,
        CASE  -- rule 2
            WHEN age < 24 THEN 0
            WHEN age BETWEEN 24 AND 53 THEN 3
            WHEN age BETWEEN 54 AND 77 THEN 6
            WHEN age BETWEEN 78 AND 89 THEN 9
            WHEN age > 89 THEN 7
            ELSE 0
        END AS age_score,
        CASE  -- rule 3
            WHEN gcs < 8 THEN 10
            WHEN gcs BETWEEN 8 AND 13 THEN 4
            WHEN gcs = 14 THEN 3
            ELSE 0
        END AS gcs_score,
        COALESCE(heart_rate_score, 0) AS heart_rate_score,
        COALESCE(mbp_score, 0) AS mbp_score,
        COALESCE(resp_rate_score, 0) AS resp_rate_score,
        COALESCE(temp_score, 0) AS temp_score,
        CASE  -- rule 8
            WHEN urine < 671 THEN 10
            WHEN urine BETWEEN 671 AND 1426.99 THEN 5
            WHEN urine BETWEEN 1427 AND 2543.99 THEN 1
            WHEN urine BETWEEN 2544 AND 6896 THEN 0
            WHEN urine > 6896 THEN 8
            ELSE 0
        END AS urineoutput_score,
        CASE WHEN intubated = 1 OR oobintubday1 = 1 OR has_airway THEN 9 ELSE 0 END AS mechvent_score,  -- rule 9
        CASE  -- rule 10
            WHEN COALESCE(electivesurgery, 0) = 0 THEN 6
            WHEN unitadmitsource = 'Emergency Department' THEN 6
            ELSE 0
        END AS electivesurgery_score
    FROM stay
)

SELECT
    patientunitstayid,
    uniquepid,
    patienthealthsystemstayid,
    preiculos_score + age_score + gcs_score + heart_rate_score + mbp_score + resp_rate_score + temp_score
    + urineoutput_score + mechvent_score + electivesurgery_score AS oasis,  -- rule 11
    preiculos_score,
    age_score,
    gcs_score,
    heart_rate_score,
    mbp_score,
    resp_rate_score,
    temp_score,
    urineoutput_score,
    mechvent_score,
    electivesurgery_score
FROM scored_stay
