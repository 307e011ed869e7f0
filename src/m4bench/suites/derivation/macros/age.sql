-- Age from the anchor pair, of which the true birthday is unknown.

-- Elapsed time since 1 January of the anchor year over a year of 365.242 days, signed and unrounded.
CREATE MACRO age_with_fraction(anchor_age, anchor_year, moment) AS
    CAST(anchor_age AS DOUBLE)
    + CAST(DATE_DIFF('microsecond', MAKE_TIMESTAMP(anchor_year, 1, 1, 0, 0, 0), moment) AS DOUBLE)
    / CAST(31556908800000 AS DOUBLE);

-- Anchor age plus the difference of calendar years.
CREATE MACRO age_in_whole_years(anchor_age, anchor_year, moment) AS
    CAST(anchor_age + (EXTRACT(YEAR FROM moment) - anchor_year) AS DOUBLE);
