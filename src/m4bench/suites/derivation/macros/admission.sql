-- SPDX-License-Identifier: MIT
-- How and to whom a patient is admitted.

-- Surgical services by their names, orthopaedics among them.
CREATE MACRO surgery_or_orthopaedics(service) AS LOWER(service) LIKE '%surg%' OR service = 'ORTHO';

-- Admissions planned before the day of operation alone, or those of that day as well; null where not known.
CREATE MACRO named_elective(admission_type) AS admission_type = 'ELECTIVE';

CREATE MACRO elective_or_same_day(admission_type) AS admission_type IN ('ELECTIVE', 'SURGICAL SAME DAY ADMISSION');
