-- Which of the two kinds of charted body weight an item is.
CREATE MACRO weight_type_of(itemid) AS
    CASE itemid
        WHEN 226512 THEN 'admit'  -- Admission Weight (Kg)
        WHEN 224639 THEN 'daily'  -- Daily Weight, kg
    END;
