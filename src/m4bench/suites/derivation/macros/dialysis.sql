-- Whether a charted System Integrity (224146) says that the circuit runs: 1, 0, or null where it does not tell.
CREATE MACRO system_state(itemid, value) AS
    CASE
        WHEN itemid = 224146 AND value IN ('Active', 'Initiated', 'Reinitiated', 'New Filter') THEN 1
        WHEN itemid = 224146 AND value IN ('Recirculating', 'Discontinued') THEN 0
    END;
