-- SPDX-License-Identifier: MIT
-- Points of each organ in the Logistic Organ Dysfunction System (Le Gall et al., 1996, JAMA 276(10):802-810), null
-- where nothing of the organ was measured. The first line that holds gives the points.

-- Lowest Glasgow Coma Scale.
CREATE MACRO lods_neurologic(coma_scale) AS
    CASE
        WHEN coma_scale < 3 THEN NULL
        WHEN coma_scale <= 5 THEN 5
        WHEN coma_scale <= 8 THEN 3
        WHEN coma_scale <= 13 THEN 1
        WHEN coma_scale > 13 THEN 0
    END;

-- Heart rate a minute and systolic pressure in mmHg.
CREATE MACRO lods_cardiovascular(lowest_rate, highest_rate, lowest_pressure, highest_pressure) AS
    CASE
        WHEN highest_rate IS NULL AND lowest_pressure IS NULL THEN NULL
        WHEN lowest_rate < 30 OR lowest_pressure < 40 THEN 5
        WHEN lowest_pressure < 70 OR highest_pressure >= 270 THEN 3
        WHEN highest_rate >= 140 OR highest_pressure >= 240 OR lowest_pressure < 90 THEN 1
        ELSE 0
    END;

-- Highest urea nitrogen and creatinine in mg/dL, urine of the day in mL; `bun_of_one_point` is the least urea
-- nitrogen that has a point.
CREATE MACRO lods_renal(bun, creatinine, urine, bun_of_one_point) AS
    CASE
        WHEN urine < 500 OR bun >= 56 THEN 5
        WHEN creatinine >= 1.60 OR urine < 750 OR bun >= 28 OR urine >= 10000 THEN 3
        WHEN creatinine >= 1.20 OR bun >= bun_of_one_point THEN 1
        ELSE 0
    END;

-- Lowest PaO2/FiO2 in mmHg under support; no support, no points.
CREATE MACRO lods_pulmonary(supported) AS
    CASE WHEN supported IS NULL THEN 0 WHEN supported >= 150 THEN 1 ELSE 3 END;

-- White cells and platelets in K/µL.
CREATE MACRO lods_hematologic(lowest_wbc, highest_wbc, platelets) AS
    CASE
        WHEN highest_wbc IS NULL AND platelets IS NULL THEN NULL
        WHEN lowest_wbc < 1.0 THEN 3
        WHEN lowest_wbc < 2.5 OR platelets < 50 OR highest_wbc >= 50 THEN 1
        ELSE 0
    END;

-- Highest total bilirubin in mg/dL, prothrombin time in s, of which 12 s are taken as normal.
CREATE MACRO lods_hepatic(bilirubin, shortest_time, longest_time) AS
    CASE
        WHEN longest_time IS NULL AND bilirubin IS NULL THEN NULL
        WHEN bilirubin >= 2.0 OR longest_time > 15 OR shortest_time < 3 THEN 1
        ELSE 0
    END;
