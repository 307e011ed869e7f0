# SPDX-License-Identifier: MIT
"""Show that the rolling-window concepts grow linearly with the events of one stay. Knows no real data.

One invented stay is given 5,000 to 40,000 urine events with weights and dialysis ranges in step;
`weight_durations`, `urine_output_rate`, `kdigo_uo` and `rrt` run on it with the library's own SQL,
beside `urine_output_rate` written as a self-join. Times are processor seconds of one thread; growth is
the slope of log seconds over log events: 1 is linear, 2 quadratic.

    python benchmarks/rolling_windows.py [--events 5000 10000 20000 40000] [--repeats 3]
"""

import argparse
import math
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import duckdb

from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.engine import EngineLimits, engine

CONCEPTS = ("weight_durations", "urine_output_rate", "kdigo_uo", "rrt")
SELF_JOIN = "urine_output_rate as a self-join"

# Urine every ten minutes, a weight every twenty, a dialysis of forty minutes each hour within a catheter
# range of the whole stay, and a dialysis charting every ten minutes.
INVENTED_STAY = """
CREATE OR REPLACE TABLE mimiciv_icu.icustays AS
SELECT
    1 AS subject_id, 1 AS hadm_id, 1 AS stay_id, TIMESTAMP '2150-01-01' AS intime,
    TIMESTAMP '2150-01-01' + to_minutes(10 * CAST($events AS INTEGER)) AS outtime;

CREATE OR REPLACE TABLE mimiciv_derived.urine_output AS
SELECT
    1 AS stay_id, TIMESTAMP '2150-01-01' + to_minutes(CAST(10 * i + i % 7 AS INTEGER)) AS charttime,
    CAST(20 + i * 37 % 400 AS DOUBLE) / 4 AS urineoutput
FROM range($events) AS event(i);

CREATE OR REPLACE TABLE mimiciv_icu.chartevents AS
SELECT 1 AS stay_id, TIMESTAMP '2150-01-01' AS charttime, 220045 AS itemid, '80' AS value,
    CAST(80 AS DOUBLE) AS valuenum
UNION ALL
SELECT 1, TIMESTAMP '2150-01-01' + to_minutes(CAST(20 * i AS INTEGER)), 224639, NULL, 70 + i % 5
FROM range($events // 2) AS weighing(i)
UNION ALL
SELECT 1, TIMESTAMP '2150-01-01' + to_minutes(CAST(10 * i AS INTEGER)), 224144, '200', 200
FROM range($events) AS charting(i);

CREATE OR REPLACE TABLE mimiciv_icu.procedureevents AS
SELECT
    1 AS stay_id, 225802 AS itemid, CAST(40 AS DOUBLE) AS value,
    TIMESTAMP '2150-01-01' + to_minutes(CAST(60 * i AS INTEGER)) AS starttime,
    TIMESTAMP '2150-01-01' + to_minutes(CAST(60 * i + 40 AS INTEGER)) AS endtime
FROM range($events // 6) AS hour_of_stay(i)
UNION ALL
SELECT 1, 224270, 1, intime, outtime FROM mimiciv_icu.icustays;

CREATE OR REPLACE TABLE mimiciv_icu.inputevents AS
SELECT 1 AS stay_id, 227525 AS itemid, CAST(2 AS DOUBLE) AS amount, starttime, endtime
FROM mimiciv_icu.procedureevents WHERE itemid = 225802;
"""

# What one would write first: every entry joined with every earlier one of its stay. Volumes and hours
# of the three windows, which is the part that grows.
NAIVE = """
WITH gapped AS (
    SELECT stay_id, charttime, urineoutput,
        date_diff('microsecond', coalesce(lag(charttime) OVER (PARTITION BY stay_id ORDER BY charttime),
            TIMESTAMP '2150-01-01'), charttime) AS gap
    FROM mimiciv_derived.urine_output
)
SELECT
    t.stay_id, t.charttime,
    sum(CASE WHEN s.charttime >= t.charttime - INTERVAL 5 HOUR THEN s.urineoutput END) AS urineoutput_6hr,
    sum(CASE WHEN s.charttime >= t.charttime - INTERVAL 11 HOUR THEN s.urineoutput END) AS urineoutput_12hr,
    sum(s.urineoutput) AS urineoutput_24hr,
    sum(CASE WHEN s.charttime >= t.charttime - INTERVAL 5 HOUR THEN s.gap END) / 3.6e9 AS uo_tm_6hr,
    sum(CASE WHEN s.charttime >= t.charttime - INTERVAL 11 HOUR THEN s.gap END) / 3.6e9 AS uo_tm_12hr,
    sum(s.gap) / 3.6e9 AS uo_tm_24hr
FROM gapped AS t
INNER JOIN gapped AS s
    ON s.stay_id = t.stay_id AND s.charttime <= t.charttime
    AND s.charttime >= t.charttime - INTERVAL 23 HOUR
GROUP BY t.stay_id, t.charttime
"""

DISAGREEMENTS = """
SELECT count(*)
FROM mimiciv_derived.urine_output_rate AS library
FULL OUTER JOIN naive USING (stay_id, charttime)
WHERE library.urineoutput_24hr IS DISTINCT FROM naive.urineoutput_24hr
    OR library.urineoutput_12hr IS DISTINCT FROM naive.urineoutput_12hr
    OR library.urineoutput_6hr IS DISTINCT FROM naive.urineoutput_6hr
"""


def invent(connection: duckdb.DuckDBPyConnection, events: int) -> None:
    """Create the tables of one invented stay with so many urine events."""
    for schema in ("mimiciv_icu", "mimiciv_derived"):
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    for statement in INVENTED_STAY.split(";"):
        if statement.strip():
            connection.execute(statement.replace("$events", str(events)))


def seconds(
    connection: duckdb.DuckDBPyConnection, relation: str, sql: str, repeats: int
) -> tuple[float, int]:
    """Return the best of several processor times a query takes to fill a table, and its rows."""
    times = []
    rows = 0
    for _ in range(repeats):
        begun = time.process_time()
        found = connection.execute(f"CREATE OR REPLACE TABLE {relation} AS {sql}").fetchone()
        times.append(time.process_time() - begun)
        rows = found[0] if found else 0
    return min(times), rows


def growth(events: Sequence[int], times: Sequence[float]) -> float:
    """Return the slope of log time over log events."""
    return statistics.linear_regression(
        [math.log(n) for n in events], [math.log(t) for t in times]
    ).slope


def measure(events: int, repeats: int) -> dict[str, tuple[float, int]]:
    """Return seconds and rows of each concept and of the self-join at one size."""
    with engine(EngineLimits(threads=1), Path.cwd()) as connection:
        invent(connection, events)
        found = {
            name: seconds(
                connection, f"mimiciv_derived.{name}", library().concepts[name].sql, repeats
            )
            for name in CONCEPTS
        }
        found[SELF_JOIN] = seconds(connection, "naive", NAIVE, 1)
        disagreeing = connection.execute(DISAGREEMENTS).fetchone()
        assert disagreeing == (0,), "the self-join and the library give different volumes"
    return found


def main() -> None:
    """Run all sizes and print seconds, growth, and how many times slower the self-join is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--events", type=int, nargs="+", default=[5_000, 10_000, 20_000, 40_000])
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    results = [measure(events, given.repeats) for events in given.events]
    print(
        f"{'urine events of one stay':36}" + "".join(f"{n:>10,}" for n in given.events), "   growth"
    )
    for name in (*CONCEPTS, SELF_JOIN):
        times = [result[name][0] for result in results]
        cells = "".join(f"{t:>9.3f}s" for t in times)
        print(f"{name:36}{cells}   n^{growth(given.events, times):.2f}")
    ratios = [r[SELF_JOIN][0] / r["urine_output_rate"][0] for r in results]
    print(f"{'self-join, times slower':36}" + "".join(f"{ratio:>9.1f}x" for ratio in ratios))
    print(f"{'rows of rrt':36}" + "".join(f"{result['rrt'][1]:>10,}" for result in results))


if __name__ == "__main__":
    main()
