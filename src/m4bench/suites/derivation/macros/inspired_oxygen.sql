-- SPDX-License-Identifier: MIT
-- Inspired oxygen in per cent, from values charted as per cent or as a fraction; null where it is neither.
-- The three sources clean their values differently; room air holds 21 %.
CREATE MACRO laboratory_oxygen(charted) AS
  CASE
    WHEN charted > 20 AND charted <= 100 THEN charted
    WHEN charted > 0.2 AND charted <= 1.0 THEN charted * 100
  END;

CREATE MACRO bedside_oxygen(charted) AS
  CASE
    WHEN charted > 0.2 AND charted <= 1 THEN charted * 100
    WHEN charted >= 20 AND charted <= 100 THEN charted
  END;

CREATE MACRO ventilator_oxygen(charted) AS
  CASE
    WHEN charted >= 0.20 AND charted <= 1 THEN charted * 100
    WHEN charted >= 20 AND charted <= 100 THEN charted
  END;

CREATE MACRO air_to_pure_oxygen(charted) AS
  CASE
    WHEN charted >= 0.21 AND charted <= 1 THEN charted * 100
    WHEN charted >= 21 AND charted <= 100 THEN charted
  END;
