-- SPDX-License-Identifier: MIT
-- Rows of infusions: whether they were given, and their rate in one unit.

-- A row that was rewritten was replaced by another; one without a positive rate, without time or of a
-- negative amount gave nothing. Null as false.
CREATE MACRO was_given(status, starttime, endtime, amount, rate) AS
    rate > 0
    AND endtime > starttime
    AND (amount IS NULL OR amount >= 0)
    AND (status IS NULL OR LOWER(TRIM(status)) <> 'rewritten');

-- Body weight in kg by which a rate may be divided.
CREATE MACRO usable_weight(weight) AS CASE WHEN weight > 0 THEN weight END;

-- A rate in mcg/kg/min; null in a unit that is not one of mass over time, or where a weight is wanted and unknown.
CREATE MACRO mcg_per_kg_min(rate, unit, weight) AS
    CASE LOWER(TRIM(unit))
        WHEN 'mcg/kg/min' THEN rate
        WHEN 'mcg/kg/hour' THEN rate / CAST(60 AS DOUBLE)
        WHEN 'mcg/min' THEN rate / usable_weight(weight)
        WHEN 'mcg/hour' THEN rate / usable_weight(weight) / CAST(60 AS DOUBLE)
        WHEN 'mg/kg/min' THEN rate * CAST(1000 AS DOUBLE)
        WHEN 'mg/kg/hour' THEN rate * CAST(1000 AS DOUBLE) / CAST(60 AS DOUBLE)
        WHEN 'mg/min' THEN rate * CAST(1000 AS DOUBLE) / usable_weight(weight)
        WHEN 'mg/hour' THEN rate * CAST(1000 AS DOUBLE) / usable_weight(weight) / CAST(60 AS DOUBLE)
        WHEN 'ng/kg/min' THEN rate / CAST(1000 AS DOUBLE)
    END;

-- A rate in units/hour; null in a unit that is not one of units over time.
CREATE MACRO units_per_hour(rate, unit) AS
    CASE LOWER(TRIM(unit))
        WHEN 'units/hour' THEN rate
        WHEN 'units/min' THEN rate * CAST(60 AS DOUBLE)
    END;
