-- SPDX-License-Identifier: MIT
-- Points of the Simplified Acute Physiology Score II (Le Gall et al., 1993, JAMA 270(24):2957-2963), null where
-- nothing was measured. The first line that holds gives the points.

-- Age in years.
CREATE MACRO sapsii_age(years) AS
    CASE
        WHEN years < 40 THEN 0
        WHEN years < 60 THEN 7
        WHEN years < 70 THEN 12
        WHEN years < 75 THEN 15
        WHEN years < 80 THEN 16
        WHEN years >= 80 THEN 18
    END;

-- Heart rate a minute.
CREATE MACRO sapsii_heart_rate(lowest, highest) AS
    CASE
        WHEN highest IS NULL THEN NULL
        WHEN lowest < 40 THEN 11
        WHEN highest >= 160 THEN 7
        WHEN highest >= 120 THEN 4
        WHEN lowest < 70 THEN 2
        ELSE 0
    END;

-- Systolic pressure in mmHg.
CREATE MACRO sapsii_systolic_pressure(lowest, highest) AS
    CASE
        WHEN lowest IS NULL THEN NULL
        WHEN lowest < 70 THEN 13
        WHEN lowest < 100 THEN 5
        WHEN highest >= 200 THEN 2
        ELSE 0
    END;

-- Temperature in °C; only fever counts.
CREATE MACRO sapsii_temperature(lowest, highest) AS
    CASE WHEN highest >= 39.0 THEN 3 WHEN lowest < 39.0 THEN 0 END;

-- Lowest PaO2/FiO2 in mmHg under support.
CREATE MACRO sapsii_oxygenation(supported) AS
    CASE WHEN supported < 100 THEN 11 WHEN supported < 200 THEN 9 WHEN supported >= 200 THEN 6 END;

-- Urine of the day in mL.
CREATE MACRO sapsii_urine(urine) AS
    CASE WHEN urine < 500 THEN 11 WHEN urine < 1000 THEN 4 WHEN urine >= 1000 THEN 0 END;

-- Highest urea nitrogen in mg/dL.
CREATE MACRO sapsii_urea_nitrogen(bun) AS
    CASE WHEN bun < 28 THEN 0 WHEN bun < 84 THEN 6 WHEN bun >= 84 THEN 10 END;

-- White cells in K/µL.
CREATE MACRO sapsii_white_cells(lowest, highest) AS
    CASE
        WHEN highest IS NULL THEN NULL
        WHEN lowest < 1.0 THEN 12
        WHEN highest >= 20.0 THEN 3
        ELSE 0
    END;

-- Potassium in mEq/L.
CREATE MACRO sapsii_potassium(lowest, highest) AS
    CASE
        WHEN highest IS NULL THEN NULL
        WHEN lowest < 3.0 OR highest >= 5.0 THEN 3
        ELSE 0
    END;

-- Sodium in mEq/L.
CREATE MACRO sapsii_sodium(lowest, highest) AS
    CASE
        WHEN highest IS NULL THEN NULL
        WHEN lowest < 125 THEN 5
        WHEN highest >= 145 THEN 1
        ELSE 0
    END;

-- Bicarbonate in mEq/L.
CREATE MACRO sapsii_bicarbonate(lowest, highest) AS
    CASE
        WHEN highest IS NULL THEN NULL
        WHEN lowest < 15.0 THEN 6
        WHEN lowest < 20.0 THEN 3
        ELSE 0
    END;

-- Highest total bilirubin in mg/dL.
CREATE MACRO sapsii_bilirubin(bilirubin) AS
    CASE WHEN bilirubin < 4.0 THEN 0 WHEN bilirubin < 6.0 THEN 4 WHEN bilirubin >= 6.0 THEN 9 END;

-- Lowest Glasgow Coma Scale; below 3 is none.
CREATE MACRO sapsii_coma_scale(coma_scale) AS
    CASE
        WHEN coma_scale < 3 THEN NULL
        WHEN coma_scale < 6 THEN 26
        WHEN coma_scale < 9 THEN 13
        WHEN coma_scale < 11 THEN 7
        WHEN coma_scale < 14 THEN 5
        WHEN coma_scale <= 15 THEN 0
    END;

-- Codes of chronic disease, text ranges closed at both ends. The first of each pair leaves a gap.
CREATE MACRO aids_but_b23(code, version) AS
    version = 9 AND SUBSTRING(code, 1, 3) BETWEEN '042' AND '044'
    OR version = 10 AND (SUBSTRING(code, 1, 3) BETWEEN 'B20' AND 'B22' OR SUBSTRING(code, 1, 3) = 'B24');

CREATE MACRO aids(code, version) AS
    version = 9 AND SUBSTRING(code, 1, 3) BETWEEN '042' AND '044'
    OR version = 10 AND SUBSTRING(code, 1, 3) BETWEEN 'B20' AND 'B24';

-- Without myeloid sarcoma (205.3x) and chronic erythraemia (207.1x).
CREATE MACRO haematological_but_two(code, version) AS
    version = 9 AND (
        SUBSTRING(code, 1, 5) BETWEEN '20000' AND '20238'
        OR SUBSTRING(code, 1, 5) BETWEEN '20240' AND '20248'
        OR SUBSTRING(code, 1, 5) BETWEEN '20250' AND '20382'
        OR SUBSTRING(code, 1, 5) BETWEEN '20400' AND '20522'
        OR SUBSTRING(code, 1, 5) BETWEEN '20580' AND '20702'
        OR SUBSTRING(code, 1, 5) BETWEEN '20720' AND '20892'
        OR SUBSTRING(code, 1, 4) IN ('2386', '2733')
    )
    OR version = 10 AND SUBSTRING(code, 1, 3) BETWEEN 'C81' AND 'C96';

CREATE MACRO haematological(code, version) AS
    version = 9 AND (SUBSTRING(code, 1, 3) BETWEEN '200' AND '208' OR SUBSTRING(code, 1, 4) IN ('2386', '2733'))
    OR version = 10 AND SUBSTRING(code, 1, 3) BETWEEN 'C81' AND 'C96';

CREATE MACRO metastatic(code, version) AS
    version = 9 AND (
        SUBSTRING(code, 1, 4) BETWEEN '1960' AND '1991'
        OR SUBSTRING(code, 1, 5) BETWEEN '20970' AND '20975'
        OR SUBSTRING(code, 1, 5) IN ('20979', '78951')
    )
    OR version = 10 AND (SUBSTRING(code, 1, 3) BETWEEN 'C77' AND 'C79' OR SUBSTRING(code, 1, 4) = 'C800');

-- Without malignancies of an unspecified site that are not disseminated, in either version.
CREATE MACRO metastatic_but_unspecified(code, version) AS
    version = 9 AND (
        SUBSTRING(code, 1, 4) BETWEEN '1960' AND '1990'
        OR SUBSTRING(code, 1, 5) BETWEEN '20970' AND '20975'
        OR SUBSTRING(code, 1, 5) IN ('20979', '78951')
    )
    OR version = 10 AND (SUBSTRING(code, 1, 3) BETWEEN 'C77' AND 'C79' OR SUBSTRING(code, 1, 4) = 'C800');
