/*
name: ventilation
kind: concept
title: Episodes of respiratory support in the ICU
grain: one row per episode
key: [stay_id, starttime]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: starttime, type: TIMESTAMP, meaning: first documentation of the episode}
  - {name: endtime, type: TIMESTAMP, meaning: "next documentation after the episode, or its last when none follows within 14 hours"}
  - {name: ventilation_status, type: VARCHAR, meaning: "Tracheostomy, InvasiveVent, NonInvasiveVent, HFNC, SupplementalOxygen or the text None"}
inputs: [mimiciv_derived.ventilator_setting, mimiciv_derived.oxygen_delivery]
spec: ventilation
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA); Ferreyro et al., 2020, JAMA"
conventions: []
*/
-- Episodes of respiratory support; a status lasts while documentations less than 14 hours apart repeat it.
WITH documentation AS (
  -- rule 1
  SELECT
    coalesce(setting.stay_id, oxygen.stay_id) AS stay_id,
    coalesce(setting.charttime, oxygen.charttime) AS charttime,
    setting.ventilator_mode,
    setting.ventilator_mode_hamilton,
    oxygen.o2_delivery_device_1
  FROM mimiciv_derived.ventilator_setting AS setting
  FULL OUTER JOIN mimiciv_derived.oxygen_delivery AS oxygen
    ON oxygen.stay_id = setting.stay_id
    AND oxygen.charttime = setting.charttime
),
-- rule 2: texts are compared exactly, several device names end in a blank; 0 is no status
ranked_documentation AS (
  SELECT
    stay_id,
    charttime,
    CASE
      WHEN o2_delivery_device_1 IN ('Tracheostomy tube', 'Trach mask ') THEN 1
      WHEN o2_delivery_device_1 = 'Endotracheal tube'
        OR ventilator_mode IN (
          '(S) CMV', 'APRV', 'APRV/Biphasic+ApnPress', 'APRV/Biphasic+ApnVol',
          'APV (cmv)', 'Ambient', 'Apnea Ventilation', 'CMV', 'CMV/ASSIST',
          'CMV/ASSIST/AutoFlow', 'CMV/AutoFlow', 'CPAP/PPS', 'CPAP/PSV',
          'CPAP/PSV+Apn TCPL', 'CPAP/PSV+ApnPres', 'CPAP/PSV+ApnVol', 'MMV',
          'MMV/AutoFlow', 'MMV/PSV', 'MMV/PSV/AutoFlow', 'P-CMV', 'PCV+', 'PCV+/PSV',
          'PCV+Assist', 'PRES/AC', 'PRVC/AC', 'PRVC/SIMV', 'PSV/SBT', 'SIMV',
          'SIMV/AutoFlow', 'SIMV/PRES', 'SIMV/PSV', 'SIMV/PSV/AutoFlow', 'SIMV/VOL',
          'SYNCHRON MASTER', 'SYNCHRON SLAVE', 'VOL/AC'
        )
        OR ventilator_mode_hamilton IN (
          'APRV', 'APV (cmv)', 'Ambient', '(S) CMV', 'P-CMV', 'SIMV', 'APV (simv)',
          'P-SIMV', 'VS', 'ASV'
        ) THEN 2
      WHEN o2_delivery_device_1 IN ('Bipap mask ', 'CPAP mask ')
        OR ventilator_mode_hamilton IN ('DuoPaP', 'NIV', 'NIV-ST') THEN 3
      WHEN o2_delivery_device_1 = 'High flow nasal cannula' THEN 4
      WHEN o2_delivery_device_1 IN (
          'Non-rebreather', 'Face tent', 'Aerosol-cool', 'Venti mask ', 'Medium conc mask ',
          'Ultrasonic neb', 'Vapomist', 'Oxymizer', 'High flow neb', 'Nasal cannula'
        ) THEN 5
      WHEN o2_delivery_device_1 = 'None' THEN 6
      ELSE 0
    END AS status_rank
  FROM documentation
  WHERE stay_id IS NOT NULL -- rule 1: a missing stay equals nothing
    AND charttime IS NOT NULL
),
neighboured AS (
  -- rules 2, 3 and 7: neighbours are sought among rows with a status only
  SELECT
    stay_id,
    charttime,
    status_rank,
    lag(status_rank) OVER stay AS previous_rank,
    lag(charttime) OVER stay AS previous_time,
    lead(charttime) OVER stay AS next_time
  FROM ranked_documentation
  WHERE status_rank > 0
  WINDOW stay AS (PARTITION BY stay_id ORDER BY charttime, status_rank)
),
bounded AS (
  -- rules 4 and 5; where the status repeats, the preceding row is the preceding row of that status
  SELECT
    stay_id,
    charttime,
    status_rank,
    CASE
      WHEN previous_rank = status_rank AND charttime < previous_time + INTERVAL 14 HOUR THEN 0
      ELSE 1
    END AS begins,
    CASE
      WHEN next_time < charttime + INTERVAL 14 HOUR THEN next_time
      ELSE charttime
    END AS end_candidate
  FROM neighboured
),
numbered AS (
  -- rule 4
  SELECT
    stay_id,
    charttime,
    status_rank,
    end_candidate,
    sum(begins) OVER (
      PARTITION BY stay_id ORDER BY charttime, status_rank
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS episode
  FROM bounded
)
-- rules 5 and 6: an episode of one documentation time is dropped
SELECT
  stay_id,
  min(charttime) AS starttime,
  max(end_candidate) AS endtime,
  CASE max(status_rank)
    WHEN 1 THEN 'Tracheostomy'
    WHEN 2 THEN 'InvasiveVent'
    WHEN 3 THEN 'NonInvasiveVent'
    WHEN 4 THEN 'HFNC'
    WHEN 5 THEN 'SupplementalOxygen'
    ELSE 'None'
  END AS ventilation_status
FROM numbered
GROUP BY stay_id, episode
HAVING min(charttime) <> max(charttime)
