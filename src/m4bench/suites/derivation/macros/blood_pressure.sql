-- SPDX-License-Identifier: MIT
-- Whether pressures of one time cannot be true together; a missing one contradicts nothing.
CREATE MACRO pressures_out_of_order(systolic, mean, diastolic) AS
  systolic < mean OR mean < diastolic OR systolic < diastolic;
