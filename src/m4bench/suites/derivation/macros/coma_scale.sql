-- SPDX-License-Identifier: MIT
-- The Glasgow Coma Scale from eyes and motor alone, verbal estimated from their sum (Brennan et al., 2020,
-- J Neurosurg): 1 up to a sum of 6, 2 at 7, 4 at 8 and 9, 5 at 10.
CREATE MACRO total_without_verbal(eyes_and_motor) AS
    eyes_and_motor
    + CASE
        WHEN eyes_and_motor <= 6 THEN 1
        WHEN eyes_and_motor <= 7 THEN 2
        WHEN eyes_and_motor <= 9 THEN 4
        ELSE 5
    END;
