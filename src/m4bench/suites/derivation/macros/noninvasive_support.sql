-- SPDX-License-Identifier: MIT
-- Support by mask as the two scores that ask for it read the charted device (226732), and the time it stands for:
-- from an hour before the first entry of the day to four hours after the last, whatever lies between.
CREATE MACRO cpap_mask_or_bipap(device) AS LOWER(device) LIKE '%cpap mask%' OR LOWER(device) LIKE '%bipap%';

CREATE MACRO cpap_or_bipap_mask(device) AS LOWER(device) LIKE '%cpap%' OR LOWER(device) LIKE '%bipap mask%';

CREATE MACRO support_from(first_entry) AS first_entry - INTERVAL 1 HOUR;

CREATE MACRO support_until(last_entry) AS last_entry + INTERVAL 4 HOUR;
