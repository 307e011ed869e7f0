-- SPDX-License-Identifier: MIT
-- Which charted device or ventilator mode is which respiratory support, in the order of precedence:
-- 1 tracheostomy, 2 invasive, 3 non-invasive, 4 high-flow cannula, 5 supplemental oxygen, 6 none charted
-- as such, 7 no status. Texts are compared exactly; several device names end in a blank.
CREATE MACRO support_by_device(device) AS
  CASE
    WHEN device IN ('Tracheostomy tube', 'Trach mask ') THEN 1
    WHEN device = 'Endotracheal tube' THEN 2
    WHEN device IN ('Bipap mask ', 'CPAP mask ') THEN 3
    WHEN device = 'High flow nasal cannula' THEN 4
    WHEN device IN (
        'Non-rebreather', 'Face tent', 'Aerosol-cool', 'Venti mask ', 'Medium conc mask ',
        'Ultrasonic neb', 'Vapomist', 'Oxymizer', 'High flow neb', 'Nasal cannula'
      ) THEN 5
    WHEN device = 'None' THEN 6
    ELSE 7
  END;

CREATE MACRO support_by_mode(mode, mode_hamilton) AS
  CASE
    WHEN mode IN (
        '(S) CMV', 'APRV', 'APRV/Biphasic+ApnPress', 'APRV/Biphasic+ApnVol',
        'APV (cmv)', 'Ambient', 'Apnea Ventilation', 'CMV', 'CMV/ASSIST',
        'CMV/ASSIST/AutoFlow', 'CMV/AutoFlow', 'CPAP/PPS', 'CPAP/PSV',
        'CPAP/PSV+Apn TCPL', 'CPAP/PSV+ApnPres', 'CPAP/PSV+ApnVol', 'MMV',
        'MMV/AutoFlow', 'MMV/PSV', 'MMV/PSV/AutoFlow', 'P-CMV', 'PCV+', 'PCV+/PSV',
        'PCV+Assist', 'PRES/AC', 'PRVC/AC', 'PRVC/SIMV', 'PSV/SBT', 'SIMV',
        'SIMV/AutoFlow', 'SIMV/PRES', 'SIMV/PSV', 'SIMV/PSV/AutoFlow', 'SIMV/VOL',
        'SYNCHRON MASTER', 'SYNCHRON SLAVE', 'VOL/AC'
      )
      OR mode_hamilton IN (
        'APRV', 'APV (cmv)', 'Ambient', '(S) CMV', 'P-CMV', 'SIMV', 'APV (simv)',
        'P-SIMV', 'VS', 'ASV'
      ) THEN 2
    WHEN mode_hamilton IN ('DuoPaP', 'NIV', 'NIV-ST') THEN 3
    ELSE 7
  END;

-- Blanks around a text do not matter: they are taken away, and given back to the names that end in one.
CREATE MACRO as_listed(device) AS
  CASE
    WHEN trim(device) IN ('Trach mask', 'Bipap mask', 'CPAP mask', 'Venti mask', 'Medium conc mask')
      THEN trim(device) || ' '
    ELSE trim(device)
  END;

-- Whether less than 14 hours lie between two times, by elapsed time or by full hours of the clock passed.
CREATE MACRO elapsed_below_14_hours(earlier, later) AS later < earlier + INTERVAL 14 HOUR;

CREATE MACRO clock_below_14_hours(earlier, later) AS clock_hours_between(earlier, later) < 14;
