-- SPDX-License-Identifier: MIT
-- Charted texts, exactly or without the blanks around them.
CREATE MACRO as_charted(charted) AS charted;

CREATE MACRO without_blanks(charted) AS trim(charted);
