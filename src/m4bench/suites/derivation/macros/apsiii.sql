-- SPDX-License-Identifier: MIT
-- Points of the Acute Physiology Score III (Knaus et al., 1991, Chest 100(6):1619-1636). In every band the lower
-- end is in, the upper one is not; null stays null.

-- Points of the value farther from normal, at equal distance the larger ones. Points are never negative.
CREATE MACRO worst_from_normal(lowest, highest, normal, points_of_lowest, points_of_highest) AS
    CASE
        WHEN lowest IS NOT NULL AND highest IS NOT NULL THEN GREATEST(
            CASE WHEN ABS(lowest - normal) >= ABS(highest - normal) THEN points_of_lowest ELSE 0 END,
            CASE WHEN ABS(highest - normal) >= ABS(lowest - normal) THEN points_of_highest ELSE 0 END
        )
    END;

-- Beats a minute.
CREATE MACRO apsiii_heart_rate(rate) AS
    CASE
        WHEN rate < 40 THEN 8
        WHEN rate < 50 THEN 5
        WHEN rate < 100 THEN 0
        WHEN rate < 110 THEN 1
        WHEN rate < 120 THEN 5
        WHEN rate < 140 THEN 7
        WHEN rate < 155 THEN 13
        WHEN rate >= 155 THEN 17
    END;

-- Mean blood pressure in mmHg.
CREATE MACRO apsiii_mean_pressure(pressure) AS
    CASE
        WHEN pressure < 40 THEN 23
        WHEN pressure < 60 THEN 15
        WHEN pressure < 70 THEN 7
        WHEN pressure < 80 THEN 6
        WHEN pressure < 100 THEN 0
        WHEN pressure < 120 THEN 4
        WHEN pressure < 130 THEN 7
        WHEN pressure < 140 THEN 9
        WHEN pressure >= 140 THEN 10
    END;

-- Core temperature in °C.
CREATE MACRO apsiii_temperature(temperature) AS
    CASE
        WHEN temperature < 33.0 THEN 20
        WHEN temperature < 33.5 THEN 16
        WHEN temperature < 34.0 THEN 13
        WHEN temperature < 35.0 THEN 8
        WHEN temperature < 36.0 THEN 2
        WHEN temperature < 40.0 THEN 0
        WHEN temperature >= 40.0 THEN 4
    END;

-- Breaths a minute; `excepted` tells whether the ventilator takes the rate out of account.
CREATE MACRO apsiii_respiratory_rate(rate, excepted) AS
    CASE
        WHEN excepted THEN 0
        WHEN rate < 6 THEN 17
        WHEN rate < 12 THEN 8
        WHEN rate < 14 THEN 7
        WHEN rate < 25 THEN 0
        WHEN rate < 35 THEN 6
        WHEN rate < 40 THEN 9
        WHEN rate < 50 THEN 11
        WHEN rate >= 50 THEN 18
    END;

-- Rates that a ventilator takes out of account.
CREATE MACRO below_14(rate) AS rate < 14;

CREATE MACRO from_6_to_12(rate) AS rate >= 6 AND rate <= 12;

-- Hematocrit in %.
CREATE MACRO apsiii_hematocrit(hematocrit) AS
    CASE
        WHEN hematocrit < 41.0 THEN 3
        WHEN hematocrit < 50.0 THEN 0
        WHEN hematocrit >= 50.0 THEN 3
    END;

-- White cells in K/µL.
CREATE MACRO apsiii_white_cells(wbc) AS
    CASE
        WHEN wbc < 1.0 THEN 19
        WHEN wbc < 3.0 THEN 5
        WHEN wbc < 20.0 THEN 0
        WHEN wbc < 25.0 THEN 1
        WHEN wbc >= 25.0 THEN 5
    END;

-- Creatinine in mg/dL, outside of acute renal failure.
CREATE MACRO apsiii_creatinine(creatinine) AS
    CASE
        WHEN creatinine < 0.5 THEN 3
        WHEN creatinine < 1.5 THEN 0
        WHEN creatinine < 1.95 THEN 4
        WHEN creatinine >= 1.95 THEN 7
    END;

-- Urine of the day in mL.
CREATE MACRO apsiii_urine(urine) AS
    CASE
        WHEN urine < 400 THEN 15
        WHEN urine < 600 THEN 8
        WHEN urine < 900 THEN 7
        WHEN urine < 1500 THEN 5
        WHEN urine < 2000 THEN 4
        WHEN urine < 4000 THEN 0
        WHEN urine >= 4000 THEN 1
    END;

-- Highest urea nitrogen in mg/dL.
CREATE MACRO apsiii_urea_nitrogen(bun) AS
    CASE
        WHEN bun < 17.0 THEN 0
        WHEN bun < 20.0 THEN 2
        WHEN bun < 40.0 THEN 7
        WHEN bun < 80.0 THEN 11
        WHEN bun >= 80.0 THEN 12
    END;

-- Sodium in mEq/L.
CREATE MACRO apsiii_sodium(sodium) AS
    CASE
        WHEN sodium < 120 THEN 3
        WHEN sodium < 135 THEN 2
        WHEN sodium < 155 THEN 0
        WHEN sodium >= 155 THEN 4
    END;

-- Albumin in g/dL.
CREATE MACRO apsiii_albumin(albumin) AS
    CASE
        WHEN albumin < 2.0 THEN 11
        WHEN albumin < 2.5 THEN 6
        WHEN albumin < 4.5 THEN 0
        WHEN albumin >= 4.5 THEN 4
    END;

-- Highest total bilirubin in mg/dL.
CREATE MACRO apsiii_bilirubin(bilirubin) AS
    CASE
        WHEN bilirubin < 2.0 THEN 0
        WHEN bilirubin < 3.0 THEN 5
        WHEN bilirubin < 5.0 THEN 6
        WHEN bilirubin < 8.0 THEN 8
        WHEN bilirubin >= 8.0 THEN 16
    END;

-- Glucose in mg/dL.
CREATE MACRO apsiii_glucose(glucose) AS
    CASE
        WHEN glucose < 40 THEN 8
        WHEN glucose < 60 THEN 9
        WHEN glucose < 200 THEN 0
        WHEN glucose < 350 THEN 3
        WHEN glucose >= 350 THEN 5
    END;

-- Arterial oxygen tension in mmHg.
CREATE MACRO apsiii_oxygen_tension(pao2) AS
    CASE
        WHEN pao2 < 50 THEN 15
        WHEN pao2 < 70 THEN 5
        WHEN pao2 < 80 THEN 2
        WHEN pao2 >= 80 THEN 0
    END;

-- Alveolar-arterial oxygen difference in mmHg.
CREATE MACRO apsiii_oxygen_difference(aado2) AS
    CASE
        WHEN aado2 < 100 THEN 0
        WHEN aado2 < 250 THEN 7
        WHEN aado2 < 350 THEN 9
        WHEN aado2 < 500 THEN 11
        WHEN aado2 >= 500 THEN 14
    END;

-- pH and carbon dioxide tension in mmHg of one arterial gas.
CREATE MACRO apsiii_acid_base(ph, pco2) AS
    CASE
        WHEN ph IS NULL OR pco2 IS NULL THEN NULL
        WHEN ph < 7.20 THEN CASE WHEN pco2 < 50 THEN 12 ELSE 4 END
        WHEN ph < 7.30 THEN CASE WHEN pco2 < 30 THEN 9 WHEN pco2 < 40 THEN 6 WHEN pco2 < 50 THEN 3 ELSE 2 END
        WHEN ph < 7.35 THEN CASE WHEN pco2 < 30 THEN 9 WHEN pco2 < 45 THEN 0 ELSE 1 END
        WHEN ph < 7.45 THEN CASE WHEN pco2 < 30 THEN 5 WHEN pco2 < 45 THEN 0 ELSE 1 END
        WHEN ph < 7.50 THEN CASE WHEN pco2 < 30 THEN 5 WHEN pco2 < 35 THEN 0 WHEN pco2 < 45 THEN 2 ELSE 12 END
        WHEN ph < 7.60 THEN CASE WHEN pco2 < 40 THEN 3 ELSE 12 END
        ELSE CASE WHEN pco2 < 25 THEN 0 WHEN pco2 < 40 THEN 3 ELSE 12 END
    END;

-- Eyes, verbal and motor response of the Glasgow Coma Scale; null for what the table has no cell.
CREATE MACRO apsiii_neurologic(eyes, verbal, motor) AS
    CASE
        WHEN eyes = 1 AND verbal = 1 THEN
            CASE WHEN motor IN (1, 2) THEN 48 WHEN motor IN (3, 4) THEN 33 WHEN motor IN (5, 6) THEN 16 END
        WHEN eyes = 1 AND verbal IN (2, 3) THEN CASE WHEN motor IN (1, 2) THEN 29 WHEN motor IN (3, 4) THEN 24 END
        WHEN eyes > 1 AND verbal = 1 THEN
            CASE WHEN motor IN (1, 2) THEN 29 WHEN motor IN (3, 4) THEN 24 WHEN motor IN (5, 6) THEN 15 END
        WHEN eyes > 1 AND verbal IN (2, 3) THEN
            CASE
                WHEN motor IN (1, 2) THEN 29
                WHEN motor IN (3, 4) THEN 24
                WHEN motor = 5 THEN 13
                WHEN motor = 6 THEN 10
            END
        WHEN eyes > 1 AND verbal = 4 THEN
            CASE WHEN motor IN (1, 2, 3, 4) THEN 13 WHEN motor = 5 THEN 8 WHEN motor = 6 THEN 3 END
        WHEN eyes > 1 AND verbal = 5 THEN CASE WHEN motor IN (1, 2, 3, 4, 5) THEN 3 WHEN motor = 6 THEN 0 END
    END;
