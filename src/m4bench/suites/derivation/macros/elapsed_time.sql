-- Time between two moments: as it elapsed, or by the boundaries of a unit that lie between them.

-- Elapsed hours with their fraction, from whole microseconds.
CREATE MACRO hours_between(start_time, end_time) AS
    CAST(DATE_DIFF('microsecond', start_time, end_time) AS DOUBLE) / CAST(3600000000 AS DOUBLE);

-- Full clock hours begun between two moments: 06:59 to 12:01 is six.
CREATE MACRO clock_hours_between(start_time, end_time) AS
    CAST(DATE_DIFF('microsecond', DATE_TRUNC('hour', start_time), DATE_TRUNC('hour', end_time)) AS DOUBLE)
    / CAST(3600000000 AS DOUBLE);

-- Midnights between two moments.
CREATE MACRO midnights_between(start_time, end_time) AS
    CAST(DATE_DIFF('microsecond', DATE_TRUNC('day', start_time), DATE_TRUNC('day', end_time)) AS DOUBLE)
    / CAST(86400000000 AS DOUBLE);

-- The full hour at or after a moment.
CREATE MACRO up_to_the_hour(moment) AS
    CASE
        WHEN DATE_TRUNC('hour', moment) = moment THEN moment
        ELSE DATE_TRUNC('hour', moment) + INTERVAL 1 HOUR
    END;
