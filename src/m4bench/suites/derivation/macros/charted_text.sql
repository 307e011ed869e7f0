-- SPDX-License-Identifier: MIT
-- Charted texts, exactly or without the blanks around them.
CREATE MACRO as_charted(charted) AS charted;

CREATE MACRO without_blanks(charted) AS trim(charted);

-- Whether a route of administration is that of eyes, ears or skin, whatever its case and blanks.
CREATE MACRO local_route(route) AS
    UPPER(TRIM(route)) IN ('OU', 'OS', 'OD', 'AU', 'AS', 'AD', 'TP')
    OR LOWER(route) LIKE '%eye%'
    OR LOWER(route) LIKE '%ear%';
