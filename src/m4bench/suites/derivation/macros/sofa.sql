-- Points of each organ in the Sequential Organ Failure Assessment (Vincent et al., 1996, table 3), null where
-- nothing of the organ was measured. The first line that holds gives the points.

-- Lowest PaO2/FiO2 in mmHg with and without respiratory support. Grades 3 and 4 ask for support; `supported_low`
-- is the ratio with support that may give grades 1 and 2, null where only ratios without support do.
CREATE MACRO sofa_respiration(supported, unsupported, supported_low) AS
    CASE
        WHEN supported < 100 THEN 4
        WHEN supported < 200 THEN 3
        WHEN unsupported < 300 OR supported_low < 300 THEN 2
        WHEN unsupported < 400 OR supported_low < 400 THEN 1
        WHEN COALESCE(supported, unsupported) IS NULL THEN NULL
        ELSE 0
    END;

-- Lowest platelets in K/µL.
CREATE MACRO sofa_coagulation(platelets) AS
    CASE
        WHEN platelets < 20 THEN 4
        WHEN platelets < 50 THEN 3
        WHEN platelets < 100 THEN 2
        WHEN platelets < 150 THEN 1
        WHEN platelets IS NULL THEN NULL
        ELSE 0
    END;

-- Highest total bilirubin in mg/dL.
CREATE MACRO sofa_liver(bilirubin) AS
    CASE
        WHEN bilirubin >= 12.0 THEN 4
        WHEN bilirubin >= 6.0 THEN 3
        WHEN bilirubin >= 2.0 THEN 2
        WHEN bilirubin >= 1.2 THEN 1
        WHEN bilirubin IS NULL THEN NULL
        ELSE 0
    END;

-- Highest rates in mcg/kg/min and lowest mean pressure in mmHg. `low_catecholamine` tells whether a rate of
-- epinephrine or norepinephrine that does not reach grade 4 gives grade 3.
CREATE MACRO sofa_cardiovascular(dopamine, dobutamine, epinephrine, norepinephrine, low_catecholamine, pressure) AS
    CASE
        WHEN dopamine > 15 OR epinephrine > 0.1 OR norepinephrine > 0.1 THEN 4
        WHEN dopamine > 5 OR low_catecholamine THEN 3
        WHEN dopamine > 0 OR dobutamine > 0 THEN 2
        WHEN pressure < 70 THEN 1
        WHEN COALESCE(pressure, dopamine, dobutamine, epinephrine, norepinephrine) IS NULL THEN NULL
        ELSE 0
    END;

-- Lowest Glasgow Coma Scale.
CREATE MACRO sofa_cns(coma_scale) AS
    CASE
        WHEN coma_scale >= 13 AND coma_scale <= 14 THEN 1
        WHEN coma_scale >= 10 AND coma_scale <= 12 THEN 2
        WHEN coma_scale >= 6 AND coma_scale <= 9 THEN 3
        WHEN coma_scale < 6 THEN 4
        WHEN coma_scale IS NULL THEN NULL
        ELSE 0
    END;

-- Highest creatinine in mg/dL and urine of a day in mL.
CREATE MACRO sofa_renal(creatinine, urine) AS
    CASE
        WHEN creatinine >= 5.0 OR urine < 200 THEN 4
        WHEN creatinine >= 3.5 OR urine < 500 THEN 3
        WHEN creatinine >= 2.0 THEN 2
        WHEN creatinine >= 1.2 THEN 1
        WHEN COALESCE(creatinine, urine) IS NULL THEN NULL
        ELSE 0
    END;
