# SPDX-License-Identifier: MIT
"""The three eICU derivations computed anew from source tables, from their specifications alone.

Kept apart from the library on purpose: what the hospital is tested with must not be what is tested on it.
"""

import csv
from pathlib import Path

import duckdb

COMPONENTS = (
    "preiculos", "age", "gcs", "heart_rate", "mbp", "resp_rate", "temp", "urineoutput", "mechvent",
    "electivesurgery",
)  # fmt: skip

_CHARTED = """
CREATE OR REPLACE TEMP VIEW charted AS
SELECT patientunitstayid AS stay, nursingchartoffset AS minute, nursingchartcelltypecat AS heading,
       nursingchartcelltypevallabel AS label, nursingchartcelltypevalname AS name,
       try_cast(trim(nursingchartvalue) AS DECIMAL(18, 3)) AS value
FROM nursecharting
WHERE nursingchartcelltypecat IN ('Vital Signs', 'Scores', 'Other Vital Signs and Infusions')
"""

_COMA_ROWS = """
CREATE OR REPLACE TEMP VIEW coma_rows AS
SELECT stay, minute,
       min(value) FILTER (label = 'Glasgow coma score' AND name = 'GCS Total'
                          OR label = 'Score (Glasgow Coma Scale)' AND name = 'Value') AS total,
       min(value) FILTER (label = 'Glasgow coma score' AND name = 'Motor') AS motor,
       min(value) FILTER (label = 'Glasgow coma score' AND name = 'Verbal') AS verbal,
       min(value) FILTER (label = 'Glasgow coma score' AND name = 'Eyes') AS eyes
FROM charted WHERE heading <> 'Vital Signs'
GROUP BY stay, minute
HAVING coalesce(total, motor, verbal, eyes) IS NOT NULL
"""

_COMA = """
CREATE OR REPLACE TEMP VIEW coma AS
WITH accepted AS (
    SELECT stay, minute, CASE WHEN total > 2 AND total < 16 THEN total END AS total, motor, verbal, eyes
    FROM coma_rows WHERE minute BETWEEN -360 AND 1440),
working AS (
    SELECT *, coalesce(total, coalesce(eyes, 4) + coalesce(motor, 6) + coalesce(verbal, 5)) AS points
    FROM accepted)
SELECT patientunitstayid AS stay, coalesce(points, 15) AS gcs_min, coalesce(motor, 6) AS gcs_motor,
       coalesce(verbal, 5) AS gcs_verbal, coalesce(eyes, 4) AS gcs_eyes, points IS NOT NULL AS charted
FROM patient LEFT JOIN (
    SELECT * FROM working QUALIFY row_number() OVER (PARTITION BY stay ORDER BY points, minute) = 1
) ON stay = patientunitstayid
"""

_DAY = """
CREATE OR REPLACE TEMP VIEW first_day AS
SELECT stay,
       min(value) FILTER (what = 'heart' AND value BETWEEN 25 AND 225) AS heart_min,
       max(value) FILTER (what = 'heart' AND value BETWEEN 25 AND 225) AS heart_max,
       min(value) FILTER (what = 'breaths' AND value > 0 AND value <= 60) AS breaths_min,
       max(value) FILTER (what = 'breaths' AND value BETWEEN 0 AND 60) AS breaths_max,
       min(value) FILTER (what = 'warmth' AND value BETWEEN 25 AND 46) AS warmth_min,
       max(value) FILTER (what = 'warmth' AND value BETWEEN 25 AND 46) AS warmth_max,
       min(value) FILTER (what = 'line' AND value BETWEEN 1 AND 250) AS line_min,
       max(value) FILTER (what = 'line' AND value BETWEEN 1 AND 250) AS line_max,
       min(value) FILTER (what = 'cuff' AND value BETWEEN 1 AND 250) AS cuff_min,
       max(value) FILTER (what = 'cuff' AND value BETWEEN 1 AND 250) AS cuff_max
FROM (SELECT *, CASE
        WHEN label = 'Heart Rate' AND name = 'Heart Rate' THEN 'heart'
        WHEN label = 'Respiratory Rate' AND name = 'Respiratory Rate' THEN 'breaths'
        WHEN label = 'Temperature' AND name = 'Temperature (C)' THEN 'warmth'
        WHEN label = 'Invasive BP' AND name = 'Invasive BP Mean' THEN 'line'
        WHEN label IN ('MAP (mmHg)', 'Arterial Line MAP (mmHg)') AND name = 'Value' THEN 'line'
        WHEN label = 'Non-Invasive BP' AND name = 'Non-Invasive BP Mean' THEN 'cuff' END AS what
      FROM charted)
WHERE minute > 0 AND minute <= 1440 GROUP BY stay
"""

_COMA_DAY = """
CREATE OR REPLACE TEMP VIEW coma_day AS
WITH nurses AS (
    SELECT stay, min(total) AS points FROM coma_rows
    WHERE minute > 0 AND minute <= 1440 AND total > 2 AND total < 16 GROUP BY stay),
physicians AS (
    SELECT patientunitstayid AS stay, min(try_cast(trim(physicalexamvalue) AS DECIMAL(18, 3))) AS points
    FROM physicalexam
    WHERE regexp_full_match(physicalexampath,
          'notes/Progress Notes/Physical Exam/Physical Exam/Neurologic/GCS/.{1,2}')
      AND physicalexamoffset > 0 AND physicalexamoffset <= 1440 GROUP BY 1)
SELECT stay, coalesce(nurses.points, physicians.points) AS points, nurses.points AS nurses,
       physicians.points AS physicians
FROM nurses FULL JOIN physicians USING (stay)
"""

URINE = """
starts_with(cellpath, 'flowsheet|Flowsheet Cell Labels|I&O|Output (ml)|') AND (
    cellpath[49:] IN (SELECT label FROM urine_labels)
    OR (starts_with(lower(cellpath[49:]), 'foley') AND NOT contains(lower(cellpath), 'pacu')
        AND NOT contains(lower(cellpath), 'or') AND NOT contains(lower(cellpath), 'ir'))
    OR (starts_with(cellpath[49:], 'Output') AND (contains(cellpath[55:], 'Urinary Catheter')
        OR contains(cellpath[55:], 'Urethral Catheter') OR contains(cellpath[55:], 'External Urethral')))
    OR starts_with(cellpath[49:], 'Urine Output (mL)')
    OR starts_with(cellpath[49:], 'Urinary Catheter Output'))
"""
"""Which rows of intakeoutput are urine; the prefix has 48 characters, the word Output six."""

_URINE_DAY = f"""
CREATE OR REPLACE TEMP VIEW urine_day AS
SELECT patientunitstayid AS stay, sum(cellvaluenumeric) AS volume FROM intakeoutput
WHERE {URINE} AND intakeoutputoffset > 0 AND intakeoutputoffset <= 1440
  AND cellvaluenumeric IS NOT NULL
GROUP BY 1
"""

_AIRWAY = """
CREATE OR REPLACE TEMP VIEW airway_day AS
SELECT DISTINCT patientunitstayid AS stay FROM respiratorycare
WHERE respcarestatusoffset > 0 AND respcarestatusoffset <= 1440
  AND (airwaytype IS NOT NULL OR airwaysize IS NOT NULL OR airwayposition IS NOT NULL
       OR cuffpressure IS NOT NULL OR setapneatv IS NOT NULL)
"""


def _pressure(pair: str) -> str:
    return f"""CASE WHEN {pair}_min < 20.65 THEN 4 WHEN {pair}_min BETWEEN 20.65 AND 50.99 THEN 3
        WHEN {pair}_min BETWEEN 51 AND 61.32 THEN 2 WHEN {pair}_min BETWEEN 61.33 AND 143.44 THEN 0
        WHEN {pair}_max > 143.44 THEN 3 END"""


_OASIS = f"""
CREATE OR REPLACE TEMP VIEW oasis AS
WITH facts AS (
    SELECT p.patientunitstayid AS stay, hospitaladmitoffset AS h, unitadmitsource, d.*, c.points AS coma,
           CASE WHEN p.age = '> 89' THEN 91 ELSE try_cast(p.age AS INTEGER) END AS years,
           coalesce(u.volume, CASE WHEN v.urine > 0 THEN v.urine END) AS urine,
           v.intubated = 1 OR q.oobintubday1 = 1 OR a.stay IS NOT NULL AS vented, q.electivesurgery
    FROM patient p
    LEFT JOIN first_day d ON d.stay = p.patientunitstayid
    LEFT JOIN coma_day c ON c.stay = p.patientunitstayid
    LEFT JOIN urine_day u ON u.stay = p.patientunitstayid
    LEFT JOIN airway_day a ON a.stay = p.patientunitstayid
    LEFT JOIN apacheapsvar v ON v.patientunitstayid = p.patientunitstayid
    LEFT JOIN apachepredvar q ON q.patientunitstayid = p.patientunitstayid),
points AS (
    SELECT stay,
    CASE WHEN h > -10.2 THEN 5 WHEN h BETWEEN -296.4 AND -10.2 THEN 3
         WHEN h BETWEEN -1440 AND -296.4 THEN 0 WHEN h BETWEEN -18708 AND -1440 THEN 2
         WHEN h < -18708 THEN 1 END AS preiculos,
    CASE WHEN years < 24 THEN 0 WHEN years BETWEEN 24 AND 53 THEN 3 WHEN years BETWEEN 54 AND 77 THEN 6
         WHEN years BETWEEN 78 AND 89 THEN 9 WHEN years > 89 THEN 7 END AS age,
    CASE WHEN coma < 8 THEN 10 WHEN coma BETWEEN 8 AND 13 THEN 4 WHEN coma = 14 THEN 3
         WHEN coma = 15 THEN 0 END AS gcs,
    CASE WHEN heart_min < 33 THEN 4 WHEN heart_max BETWEEN 33 AND 88 THEN 0
         WHEN heart_max BETWEEN 89 AND 106 THEN 1 WHEN heart_max BETWEEN 107 AND 125 THEN 3
         WHEN heart_max > 125 THEN 6 END AS heart_rate,
    coalesce({_pressure("line")}, {_pressure("cuff")}) AS mbp,
    CASE WHEN breaths_min < 6 THEN 10 WHEN breaths_min BETWEEN 6 AND 12 THEN 1
         WHEN breaths_min BETWEEN 13 AND 22 THEN 0 WHEN breaths_max BETWEEN 23 AND 30 THEN 1
         WHEN breaths_max BETWEEN 31 AND 44 THEN 6 WHEN breaths_max > 44 THEN 9 END AS resp_rate,
    CASE WHEN warmth_min < 33.22 THEN 3 WHEN warmth_min BETWEEN 33.22 AND 35.93 THEN 4
         WHEN warmth_max BETWEEN 33.22 AND 35.93 THEN 4 WHEN warmth_min BETWEEN 35.94 AND 36.39 THEN 2
         WHEN warmth_max BETWEEN 36.40 AND 36.88 THEN 0 WHEN warmth_max BETWEEN 36.89 AND 39.88 THEN 2
         WHEN warmth_max > 39.88 THEN 6 END AS temp,
    CASE WHEN urine < 671 THEN 10 WHEN urine BETWEEN 671 AND 1426.99 THEN 5
         WHEN urine BETWEEN 1427 AND 2543.99 THEN 1 WHEN urine BETWEEN 2544 AND 6896 THEN 0
         WHEN urine > 6896 THEN 8 END AS urineoutput,
    CASE WHEN vented THEN 9 ELSE 0 END AS mechvent,
    CASE WHEN coalesce(electivesurgery, 0) = 0 THEN 6
         WHEN coalesce(unitadmitsource, '') = 'Emergency Department' THEN 6 ELSE 0 END AS electivesurgery
    FROM facts)
SELECT stay, {", ".join(f"coalesce(points.{name}, 0) AS {name}_score" for name in COMPONENTS)},
       {", ".join(f"points.{name} IS NULL AS {name}_absent" for name in COMPONENTS)},
       facts.* EXCLUDE (stay)
FROM points JOIN facts USING (stay)
"""


def recompute(connection: duckdb.DuckDBPyConnection, specs: Path) -> None:
    """Add the views `coma` and `oasis`, one row a unit stay, to a connection with the source tables.

    Args:
        connection: has a view or table of every source table by its bare name.
        specs: folder of the specifications, which holds the lists of labels and groups.
    """
    with (specs / "tasks" / "eicu-oasis-urine-labels.csv").open(newline="") as stream:
        labels = [(row["label"],) for row in csv.DictReader(stream)]
    connection.execute("CREATE OR REPLACE TABLE urine_labels (label VARCHAR)")
    connection.executemany("INSERT INTO urine_labels VALUES (?)", labels)
    for query in (_CHARTED, _COMA_ROWS, _COMA, _DAY, _COMA_DAY, _URINE_DAY, _AIRWAY, _OASIS):
        connection.execute(query)
