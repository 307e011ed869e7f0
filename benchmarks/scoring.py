# SPDX-License-Identifier: MIT
"""Scoring the largest task, urine-output rate with 4,126,485 rows, against plain pandas.

Usage: python benchmarks/scoring.py [--rows 4126485] [--rounds 3] [--shuffled] [--csv-reference] [--keep DIR]

Writes an output with some wrong, missing, extra and repeated rows and its reference, scores it here and
with `pandas_score.py`, each in a process of its own, and prints JSON: seconds and processor seconds (of the
least disturbed round), peak memory in MiB, the two ratios, and whether reward, ordered distance and counts
agree, to eight decimals. Exits 1 when they do not, when scoring is less than 15 times faster, or when it
needs more than a quarter of the memory. The two ratios mean most on an idle machine of two processors.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
LEAST_SPEED, MOST_MEMORY = 15.0, 0.25

REFERENCE_SQL = """
CREATE TABLE reference AS
WITH charted AS (
  SELECT
    (30000000 + (i // 44) * 106)::INTEGER AS stay_id,
    TIMESTAMP '2150-01-01' + INTERVAL 1 HOUR * (i % 44) + INTERVAL 1 MINUTE * ((i // 44 * 37) % 1440)
      + INTERVAL 1 DAY * ((i // 44) % 30000) AS charttime,
    CASE WHEN hash(i // 44) % 50 > 0 THEN 50 + ((i // 44) * 13 % 700) / 10.0 END::DOUBLE AS weight,
    (hash(i) % 500)::DOUBLE AS uo,
    i % 44 AS hour,
    hash(i + 5) % 100 / 100 AS part
  FROM range({rows}) AS t(i)
)
SELECT
  stay_id, charttime, weight, uo,
  sum(uo) OVER last6 AS urineoutput_6hr,
  sum(uo) OVER last12 AS urineoutput_12hr,
  sum(uo) OVER last24 AS urineoutput_24hr,
  CASE WHEN hour >= 6 THEN sum(uo) OVER last6 / weight / 6.5 END::DECIMAL(18, 3) AS uo_mlkghr_6hr,
  CASE WHEN hour >= 12 THEN sum(uo) OVER last12 / weight / 12.3 END::DECIMAL(18, 3) AS uo_mlkghr_12hr,
  CASE WHEN hour >= 24 THEN sum(uo) OVER last24 / weight / 24.1 END::DECIMAL(18, 3) AS uo_mlkghr_24hr,
  (least(hour, 6) + part)::DECIMAL(18, 2) AS uo_tm_6hr,
  (least(hour, 12) + part)::DECIMAL(18, 2) AS uo_tm_12hr,
  (least(hour, 24) + part)::DECIMAL(18, 2) AS uo_tm_24hr
FROM charted
WINDOW
  last6 AS (PARTITION BY stay_id ORDER BY charttime ROWS 5 PRECEDING),
  last12 AS (PARTITION BY stay_id ORDER BY charttime ROWS 11 PRECEDING),
  last24 AS (PARTITION BY stay_id ORDER BY charttime ROWS 23 PRECEDING)
ORDER BY stay_id, charttime
"""


def make(folder: Path, rows: int) -> None:
    """Write reference.parquet, reference.csv, output.csv and shuffled.csv."""
    import duckdb

    engine = duckdb.connect()
    engine.execute("SET threads = 2")
    engine.execute(REFERENCE_SQL.format(rows=rows))
    names = [name for (name, *_) in engine.execute("DESCRIBE reference").fetchall()]
    wrong = ", ".join(
        f"CASE WHEN hash(stay_id, charttime, {place}) % 33 = 0 THEN {name} + 1.5 ELSE {name} END"
        f" AS {name}"
        for place, name in enumerate(names[2:])
    )
    for path in ("reference.parquet", "reference.csv"):
        engine.execute(f"COPY reference TO '{folder / path}'")
    answer = f"""
      SELECT stay_id, charttime, {wrong} FROM reference WHERE hash(charttime, stay_id) % 200 > 0
      UNION ALL
      SELECT stay_id + 1, * EXCLUDE (stay_id) FROM reference WHERE hash(stay_id, charttime) % 500 = 0
      UNION ALL
      SELECT * FROM reference WHERE hash(stay_id, charttime) % 999 = 0
    """
    for name, order in (
        ("output.csv", "stay_id, charttime, uo, weight"),
        ("shuffled.csv", "hash(stay_id, uo, charttime)"),
    ):
        engine.execute(f"COPY (SELECT * FROM ({answer}) ORDER BY {order}) TO '{folder / name}'")


def score(output: Path, reference: Path) -> None:
    """Score one file with m4bench and print what pandas_score.py prints."""
    from m4bench.model.task import ScoringRules
    from m4bench.suites.derivation.scoring import score_file

    columns = (
        *("weight", "uo", "urineoutput_6hr", "urineoutput_12hr", "urineoutput_24hr"),
        *("uo_mlkghr_6hr", "uo_mlkghr_12hr", "uo_mlkghr_24hr"),
        *("uo_tm_6hr", "uo_tm_12hr", "uo_tm_24hr"),
    )
    rules = ScoringRules(
        key=("stay_id", "charttime"),
        values=columns[2:8],
        scored=columns,
        required=("stay_id", "charttime", *columns),
        tolerances=dict.fromkeys(columns, 0.01),
        row_coverage=0.95,
        accuracy=1.0,
    )
    found = score_file(output, reference, rules, task="mimic-urine-output-rate")
    counts = {"matched": found.keys.matched, "extra": found.keys.extra}
    counts["total"] = found.columns["uo"].total
    nmae = round(found.ordered_nmae or 0.0, 8)
    print(json.dumps({"reward": found.reward, "ordered_nmae": nmae, **counts}))


class Run(NamedTuple):
    """What one process took and printed."""

    seconds: float
    processor_seconds: float
    peak_mib: float
    printed: dict[str, float]


def measured(bytecode: Path, *arguments: str | Path) -> Run:
    """Run a Python script, with the bytecode of all its modules kept in a folder, as if all were installed.

    The peak of a child is never below that of the process that starts it, so this one stays small.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(bytecode)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, *map(str, arguments)]
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert child.stdout is not None
    printed = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{arguments[0]} failed")
    return Run(
        seconds,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        json.loads(printed or b"{}"),
    )


def summary(runs: list[Run]) -> dict[str, float]:
    """Return the least disturbed seconds and the greatest peak of some runs."""
    return {
        "seconds": round(min(run.seconds for run in runs), 2),
        "processor_seconds": round(min(run.processor_seconds for run in runs), 2),
        "peak_mib": round(max(run.peak_mib for run in runs)),
        **runs[0].printed,
    }


def main() -> int:
    """Compare the two scorers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=4_126_485)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--shuffled", action="store_true", help="an output in no order")
    parser.add_argument(
        "--csv-reference", action="store_true", help="score against CSV, as pandas does"
    )
    parser.add_argument(
        "--keep", type=Path, help="keep the files in this folder and use them again"
    )
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--score", type=Path, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        make(options.make, options.rows)
        return 0
    if options.score:
        score(*options.score)
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        bytecode = folder / "bytecode"
        if not (folder / "shuffled.csv").exists():
            measured(bytecode, __file__, "--make", folder, "--rows", str(options.rows))
        output = folder / ("shuffled.csv" if options.shuffled else "output.csv")
        truth = folder / ("reference.csv" if options.csv_reference else "reference.parquet")
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(measured(bytecode, __file__, "--score", output, truth))
            reference = folder / "reference.csv"
            theirs.append(measured(bytecode, HERE / "pandas_score.py", output, reference))
    agree = all(one.printed == other.printed for one, other in zip(ours, theirs, strict=True))
    here, there = summary(ours), summary(theirs)
    result = {
        "rows": options.rows,
        "m4bench": here,
        "pandas": there,
        "times_faster": round(there["seconds"] / here["seconds"], 1),
        "share_of_memory": round(here["peak_mib"] / there["peak_mib"], 3),
        "rewards_agree": agree,
    }
    print(json.dumps(result, indent=2))
    met = result["times_faster"] >= LEAST_SPEED and result["share_of_memory"] <= MOST_MEMORY
    return 0 if agree and met else 1


if __name__ == "__main__":
    sys.exit(main())
