-- SPDX-License-Identifier: MIT
-- Points of the Oxford Acute Severity of Illness Score (Johnson et al., 2013, Crit Care Med 41(7):1711-1718), null
-- where nothing was measured. The first line that holds gives the points; of a lowest and a highest value the one
-- that decided is told beside them, or the middle of both where neither did.

-- Age in years.
CREATE MACRO oasis_age(years) AS
    CASE
        WHEN years IS NULL THEN NULL
        WHEN years < 24 THEN 0
        WHEN years <= 53 THEN 3
        WHEN years <= 77 THEN 6
        WHEN years <= 89 THEN 9
        WHEN years >= 90 THEN 7
        ELSE 0
    END;

-- Minutes from hospital to ICU admission, negative ones too.
CREATE MACRO oasis_time_before(minutes) AS
    CASE
        WHEN minutes IS NULL THEN NULL
        WHEN minutes < 10.2 THEN 5
        WHEN minutes < 297 THEN 3
        WHEN minutes < 1440 THEN 0
        WHEN minutes < 18708 THEN 2
        ELSE 1
    END;

-- The same with 24.00 and 311.80 hours in the band that ends there, as the paper prints them.
CREATE MACRO oasis_time_before_closed(minutes) AS
    CASE
        WHEN minutes IS NULL THEN NULL
        WHEN minutes < 10.2 THEN 5
        WHEN minutes < 297 THEN 3
        WHEN minutes <= 1440 THEN 0
        WHEN minutes <= 18708 THEN 2
        ELSE 1
    END;

-- Lowest Glasgow Coma Scale.
CREATE MACRO oasis_coma_scale(coma_scale) AS
    CASE
        WHEN coma_scale IS NULL THEN NULL
        WHEN coma_scale <= 7 THEN 10
        WHEN coma_scale < 14 THEN 4
        WHEN coma_scale = 14 THEN 3
        ELSE 0
    END;

-- Heart rate a minute.
CREATE MACRO oasis_heart_rate(lowest, highest) AS
    CASE
        WHEN highest IS NULL THEN NULL
        WHEN highest > 125 THEN 6
        WHEN lowest < 33 THEN 4
        WHEN highest >= 107 THEN 3
        WHEN highest >= 89 AND highest <= 106 THEN 1
        ELSE 0
    END;

CREATE MACRO oasis_deciding_heart_rate(lowest, highest, points) AS
    CASE
        WHEN points = 4 THEN lowest
        WHEN points > 0 THEN highest
        WHEN points = 0 THEN (lowest + highest) / CAST(2 AS DOUBLE)
    END;

-- Mean pressure in mmHg.
CREATE MACRO oasis_mean_pressure(lowest, highest) AS
    CASE
        WHEN lowest IS NULL THEN NULL
        WHEN lowest < 20.65 THEN 4
        WHEN lowest < 51 THEN 3
        WHEN highest > 143.44 THEN 3
        WHEN lowest < 61.33 THEN 2
        ELSE 0
    END;

CREATE MACRO oasis_deciding_mean_pressure(lowest, highest, points) AS
    CASE
        WHEN points = 3 AND lowest >= 51 THEN highest
        WHEN points > 0 THEN lowest
        WHEN points = 0 THEN (lowest + highest) / CAST(2 AS DOUBLE)
    END;

-- Breaths a minute.
CREATE MACRO oasis_respiratory_rate(lowest, highest) AS
    CASE
        WHEN lowest IS NULL THEN NULL
        WHEN lowest < 6 THEN 10
        WHEN highest > 44 THEN 9
        WHEN highest > 30 THEN 6
        WHEN highest > 22 THEN 1
        WHEN lowest < 13 THEN 1
        ELSE 0
    END;

CREATE MACRO oasis_deciding_respiratory_rate(lowest, highest, points) AS
    CASE
        WHEN points = 10 THEN lowest
        WHEN points > 0 AND highest > 22 THEN highest
        WHEN points > 0 THEN lowest
        WHEN points = 0 THEN (lowest + highest) / CAST(2 AS DOUBLE)
    END;

-- Temperature in °C, an exact decimal; the value that decided as a double.
CREATE MACRO oasis_temperature(lowest, highest) AS
    CASE
        WHEN highest IS NULL THEN NULL
        WHEN highest > 39.88 THEN 6
        WHEN lowest >= 33.22 AND lowest <= 35.93 THEN 4
        WHEN highest >= 33.22 AND highest <= 35.93 THEN 4
        WHEN lowest < 33.22 THEN 3
        WHEN lowest <= 36.39 THEN 2
        WHEN highest >= 36.89 THEN 2
        ELSE 0
    END;

CREATE MACRO oasis_deciding_temperature(lowest, highest, points) AS
    CASE
        WHEN points = 3 OR points = 4 AND lowest >= 33.22 OR points = 2 AND lowest <= 36.39 THEN CAST(lowest AS DOUBLE)
        WHEN points > 0 THEN CAST(highest AS DOUBLE)
        WHEN points = 0 THEN CAST(lowest + highest AS DOUBLE) / CAST(2 AS DOUBLE)
    END;

-- Urine of the day in mL.
CREATE MACRO oasis_urine(urine) AS
    CASE
        WHEN urine IS NULL THEN NULL
        WHEN urine < 671.09 THEN 10
        WHEN urine > 6896.80 THEN 8
        WHEN urine <= 1426.99 THEN 5
        WHEN urine >= 1427.00 AND urine <= 2544.14 THEN 1
        ELSE 0
    END;

-- Minutes with their fraction, from whole microseconds.
CREATE MACRO minutes_between(start_time, end_time) AS
    CAST(DATE_DIFF('microsecond', start_time, end_time) AS DOUBLE) / CAST(60000000 AS DOUBLE);

-- Full minutes of the clock begun between two moments.
CREATE MACRO clock_minutes_between(start_time, end_time) AS
    minutes_between(DATE_TRUNC('minute', start_time), DATE_TRUNC('minute', end_time));
