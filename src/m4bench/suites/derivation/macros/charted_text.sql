-- SPDX-License-Identifier: MIT
-- Charted texts, exactly or without the blanks around them.
CREATE MACRO as_charted(charted) AS charted;

CREATE MACRO without_blanks(charted) AS trim(charted);

-- Whether a route of administration is that of eyes, ears or skin, by its code or by words in any case.
CREATE MACRO local_route(code, route) AS
    code IN ('OU', 'OS', 'OD', 'AU', 'AS', 'AD', 'TP')
    OR LOWER(route) LIKE '%eye%'
    OR LOWER(route) LIKE '%ear%';
