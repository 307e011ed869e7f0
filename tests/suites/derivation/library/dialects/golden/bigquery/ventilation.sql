-- ventilation: Episodes of respiratory support in the ICU
-- one row per episode; published convention
-- reads mimiciv_derived.oxygen_delivery, mimiciv_derived.ventilator_setting
/* Episodes of respiratory support; a status lasts while documentations less than 14 hours apart repeat it. */
WITH documentation AS (
  /* rule 1 */
  SELECT
    COALESCE(setting.stay_id, oxygen.stay_id) AS stay_id,
    COALESCE(setting.charttime, oxygen.charttime) AS charttime,
    (
      setting.ventilator_mode
    ) AS ventilator_mode,
    (
      setting.ventilator_mode_hamilton
    ) AS ventilator_mode_hamilton,
    (
      oxygen.o2_delivery_device_1
    ) AS device_1,
    (
      oxygen.o2_delivery_device_2
    ) AS device_2,
    (
      oxygen.o2_delivery_device_3
    ) AS device_3,
    (
      oxygen.o2_delivery_device_4
    ) AS device_4
  FROM mimiciv_derived.ventilator_setting AS setting
  FULL OUTER JOIN mimiciv_derived.oxygen_delivery AS oxygen
    ON oxygen.stay_id = setting.stay_id AND oxygen.charttime = setting.charttime
), support AS (
  SELECT
    stay_id,
    charttime,
    (
      CASE
        WHEN device_1 IN ('Tracheostomy tube', 'Trach mask ')
        THEN 1
        WHEN device_1 = 'Endotracheal tube'
        THEN 2
        WHEN device_1 IN ('Bipap mask ', 'CPAP mask ')
        THEN 3
        WHEN device_1 = 'High flow nasal cannula'
        THEN 4
        WHEN device_1 IN (
          'Non-rebreather',
          'Face tent',
          'Aerosol-cool',
          'Venti mask ',
          'Medium conc mask ',
          'Ultrasonic neb',
          'Vapomist',
          'Oxymizer',
          'High flow neb',
          'Nasal cannula'
        )
        THEN 5
        WHEN device_1 = 'None'
        THEN 6
        ELSE 7
      END
    ) AS device_rank,
    (
      CASE
        WHEN ventilator_mode IN (
          '(S) CMV',
          'APRV',
          'APRV/Biphasic+ApnPress',
          'APRV/Biphasic+ApnVol',
          'APV (cmv)',
          'Ambient',
          'Apnea Ventilation',
          'CMV',
          'CMV/ASSIST',
          'CMV/ASSIST/AutoFlow',
          'CMV/AutoFlow',
          'CPAP/PPS',
          'CPAP/PSV',
          'CPAP/PSV+Apn TCPL',
          'CPAP/PSV+ApnPres',
          'CPAP/PSV+ApnVol',
          'MMV',
          'MMV/AutoFlow',
          'MMV/PSV',
          'MMV/PSV/AutoFlow',
          'P-CMV',
          'PCV+',
          'PCV+/PSV',
          'PCV+Assist',
          'PRES/AC',
          'PRVC/AC',
          'PRVC/SIMV',
          'PSV/SBT',
          'SIMV',
          'SIMV/AutoFlow',
          'SIMV/PRES',
          'SIMV/PSV',
          'SIMV/PSV/AutoFlow',
          'SIMV/VOL',
          'SYNCHRON MASTER',
          'SYNCHRON SLAVE',
          'VOL/AC'
        )
        OR ventilator_mode_hamilton IN ('APRV', 'APV (cmv)', 'Ambient', '(S) CMV', 'P-CMV', 'SIMV', 'APV (simv)', 'P-SIMV', 'VS', 'ASV')
        THEN 2
        WHEN ventilator_mode_hamilton IN ('DuoPaP', 'NIV', 'NIV-ST')
        THEN 3
        ELSE 7
      END
    ) AS mode_rank
  FROM documentation
  WHERE
    NOT stay_id IS NULL /* rule 1: a missing stay equals nothing */ AND NOT charttime IS NULL
), ranked_documentation /* rule 2: one status a row, the first that holds; 7 is no status */ AS (
  SELECT
    stay_id,
    charttime,
    COALESCE(LEAST(device_rank, mode_rank), device_rank, mode_rank) AS status_rank
  FROM support
), neighboured AS (
  /* rules 2, 3 and 7: neighbours are sought among rows with a status only */
  SELECT
    stay_id,
    charttime,
    status_rank,
    LAG(status_rank) OVER stay AS previous_rank,
    LAG(charttime) OVER stay AS previous_time,
    LEAD(charttime) OVER stay AS next_time
  FROM ranked_documentation
  WHERE
    status_rank < 7
  WINDOW stay AS (PARTITION BY stay_id ORDER BY charttime IS NULL ASC, charttime, status_rank IS NULL ASC, status_rank)
), bounded AS (
  /* rules 4 and 5; where the status repeats, the preceding row is the preceding row of that status */
  SELECT
    stay_id,
    charttime,
    status_rank,
    CASE
      WHEN previous_rank = status_rank AND (
        charttime < previous_time + INTERVAL 14 HOUR
      )
      THEN 0
      ELSE 1
    END AS begins,
    CASE WHEN (
      next_time < charttime + INTERVAL 14 HOUR
    ) THEN next_time ELSE charttime END AS end_candidate
  FROM neighboured
), numbered AS (
  /* rule 4 */
  SELECT
    stay_id,
    charttime,
    status_rank,
    end_candidate,
    SUM(begins) OVER (
      PARTITION BY stay_id
      ORDER BY charttime IS NULL ASC, charttime, status_rank IS NULL ASC, status_rank
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS episode
  FROM bounded
)
/* rules 5 and 6 */
SELECT
  stay_id,
  MIN(charttime) AS starttime,
  MAX(end_candidate) AS endtime,
  CASE MAX(status_rank)
    WHEN 1
    THEN 'Tracheostomy'
    WHEN 2
    THEN 'InvasiveVent'
    WHEN 3
    THEN 'NonInvasiveVent'
    WHEN 4
    THEN 'HFNC'
    WHEN 5
    THEN 'SupplementalOxygen'
    ELSE 'None'
  END AS ventilation_status
FROM numbered
GROUP BY
  stay_id,
  episode
HAVING
  MIN(charttime) <> MAX(charttime)
;
