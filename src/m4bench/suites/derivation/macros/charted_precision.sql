-- SPDX-License-Identifier: MIT
-- A value to be held against bands that are written in whole numbers or hundredths.

-- The value itself, so that one between two bands belongs to none.
CREATE MACRO unrounded(reading, decimals) AS
    reading;

-- Rounded to the decimals of the bands, halves away from zero, so that it belongs to one.
CREATE MACRO rounded_to(reading, decimals) AS
    ROUND(reading, decimals);
