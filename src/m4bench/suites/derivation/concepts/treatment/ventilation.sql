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
conventions:
  - name: within_gap
    published: elapsed_below_14_hours
    current: clock_below_14_hours
    adjudicated: elapsed_below_14_hours
    difference: A silence of 14 hours that ends an episode is elapsed time, or fourteen full hours of the clock passed.
    source: "community's current form (hours of the clock); elapsed time in the published form, which is what 14 hours mean"
    example: "ASV at 00:59 and 14:00: one episode / none, two rows apart / one episode"
  - name: device_rank
    published: support_by_device(device_1)
    current: |-
      least(
          support_by_device(device_1),
          CASE WHEN 3 IN (support_by_device(device_2), support_by_device(device_3), support_by_device(device_4)) THEN 3 ELSE 7 END
        )
    adjudicated: |-
      least(
          support_by_device(device_1), support_by_device(device_2),
          support_by_device(device_3), support_by_device(device_4)
        )
    difference: Of several devices charted at one time the first place alone is looked at, masks are sought in all four, or every device is.
    source: "community's current form (masks); specification of the concept (all places)"
    example: "Nasal cannula first, Bipap mask second: SupplementalOxygen / NonInvasiveVent / NonInvasiveVent"
  - name: status_rank
    published: least(device_rank, mode_rank)
    adjudicated: CASE WHEN device_rank < 6 THEN device_rank ELSE least(device_rank, mode_rank) END
    difference: A mode of the ventilator outranks a mask or cannula charted with it, or the airway decides and the mode speaks where none is charted.
    source: "adjudicated line of the specification: resolve by airway first"
    example: "CPAP/PSV with a CPAP mask: InvasiveVent / InvasiveVent / NonInvasiveVent"
  - name: text_read
    published: as_charted
    adjudicated: as_listed
    difference: A device without the blank that ends its name in the list, or with one too many, has no status, or blanks do not matter.
    source: "reported fault 93: trimming the data but not the list, or the list but not the data, empties a class"
    example: "'Bipap mask' twice: no episode / no episode / NonInvasiveVent"
  - name: episode_kept
    published: min(charttime) <> max(charttime)
    adjudicated: max(end_candidate) > min(charttime)
    difference: An episode documented once is dropped, or lasts until the next documentation within 14 hours.
    source: "specification of the concept; support does not end because it was charted once"
    example: "BiPAP at 08:00, cannula at 09:00 and 10:00: cannula only / cannula only / BiPAP 08:00 to 09:00 too"
unresolved:
  - says: carry the last device forward to rows with an oxygen flow alone
    reason: no source says for how long a device holds
  - says: the SPONT mode of an intubated patient is invasive weaning
    reason: where tube or tracheostomy is charted with it the airway decides already; elsewhere nothing in the row tells the airway
  - says: an episode ends with the last observation of its status
    reason: contradicts that a single documentation lasts until the next one
  - says: a single classified observation has a default duration
    reason: no duration is stated; it lasts until the next documentation
*/
-- Episodes of respiratory support; a status lasts while documentations less than 14 hours apart repeat it.
WITH documentation AS (
  -- rule 1
  SELECT
    coalesce(setting.stay_id, oxygen.stay_id) AS stay_id,
    coalesce(setting.charttime, oxygen.charttime) AS charttime,
    $text_read(setting.ventilator_mode) AS ventilator_mode,
    $text_read(setting.ventilator_mode_hamilton) AS ventilator_mode_hamilton,
    $text_read(oxygen.o2_delivery_device_1) AS device_1,
    $text_read(oxygen.o2_delivery_device_2) AS device_2,
    $text_read(oxygen.o2_delivery_device_3) AS device_3,
    $text_read(oxygen.o2_delivery_device_4) AS device_4
  FROM mimiciv_derived.ventilator_setting AS setting
  FULL OUTER JOIN mimiciv_derived.oxygen_delivery AS oxygen
    ON oxygen.stay_id = setting.stay_id
    AND oxygen.charttime = setting.charttime
),
support AS (
  SELECT
    stay_id,
    charttime,
    $device_rank AS device_rank,
    support_by_mode(ventilator_mode, ventilator_mode_hamilton) AS mode_rank
  FROM documentation
  WHERE stay_id IS NOT NULL -- rule 1: a missing stay equals nothing
    AND charttime IS NOT NULL
),
-- rule 2: one status a row, the first that holds; 7 is no status
ranked_documentation AS (
  SELECT stay_id, charttime, $status_rank AS status_rank
  FROM support
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
  WHERE status_rank < 7
  WINDOW stay AS (PARTITION BY stay_id ORDER BY charttime, status_rank)
),
bounded AS (
  -- rules 4 and 5; where the status repeats, the preceding row is the preceding row of that status
  SELECT
    stay_id,
    charttime,
    status_rank,
    CASE
      WHEN previous_rank = status_rank AND $within_gap(previous_time, charttime) THEN 0
      ELSE 1
    END AS begins,
    CASE
      WHEN $within_gap(charttime, next_time) THEN next_time
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
-- rules 5 and 6
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
HAVING $episode_kept
