-- Whether a charted System Integrity (224146) says that the circuit runs: 1, 0, or null where it does not tell.
CREATE MACRO system_state(itemid, value) AS
    CASE
        WHEN itemid = 224146 AND value IN ('Active', 'Initiated', 'Reinitiated', 'New Filter') THEN 1
        WHEN itemid = 224146 AND value IN ('Recirculating', 'Discontinued') THEN 0
    END;

-- Whether a diagnosis is that of chronic dialysis: end-stage renal disease, or dependence on dialysis.
CREATE MACRO dialysis_dependent(code, version) AS
    version = 9 AND (SUBSTRING(code, 1, 4) = '5856' OR SUBSTRING(code, 1, 5) = 'V4511')
    OR version = 10 AND SUBSTRING(code, 1, 4) IN ('N186', 'Z992');
