# SPDX-License-Identifier: MIT
"""Time of `m4bench stats`, with every table of the paper, and how it grows with the runs.

Usage: python benchmarks/stats.py [--rounds 3] [--times 10] [--keep DIR]

Three tables: the 760 primary runs that ship with the package, all 1,210 released ones, and `--times` as many as the
primary ones, made of them: each model again under other names, rewards a little lower and trials exchanged. Each is
analysed by the command itself, in a process of its own, `--published --json`, from start to end. Seconds are those
of the least disturbed round, by the clock and by the processors.

Prints JSON. `ratio` is processor seconds over the five that the 760 runs may take; `growth` is how many times
longer the largest table takes than the primary one, beside `--times`. Exits 1 when a ratio of released runs passes
1, or when time grows faster than the runs.
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import m4bench.analysis.paper

RELEASED = Path(m4bench.analysis.paper.__file__).parent / "runs"
PRIMARY = (RELEASED / "codex_primary_runs.csv",)
ALL = (*PRIMARY, RELEASED / "codex_followup_runs.csv", RELEASED / "oss_runs.csv")
MOST_SECONDS = 5.0
COMMAND = (str(Path(sys.executable).with_name("m4bench")), "stats")


class Took(NamedTuple):
    """Seconds of one process, by the clock and of all processors."""

    clock: float
    processors: float


def multiply(source: Path, target: Path, times: int) -> int:
    """Write the runs of a table `times` over, each copy by models of its own; return how many there are."""
    with source.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        header, rows = list(reader.fieldnames or ()), list(reader)
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, header)
        writer.writeheader()
        for copy in range(times):
            for at, row in enumerate(rows):
                # A reward of its own for every copy and trial, so that nothing is equal that would not be.
                share = (1 - 0.01 * copy) * (1 - 0.001 * ((at * 7 + copy) % 5))
                rates = json.loads(row["match_rates"] or "{}")
                changed = {
                    "reward": f"{float(row['reward']) * share:.8f}",
                    "match_rates": json.dumps({name: rate * share for name, rate in rates.items()}),
                }
                if copy:
                    changed["model"] = f"{row['model']}-{copy}"
                    changed["run_id"] = row["run_id"].replace(row["model"], changed["model"])
                writer.writerow(row | changed)
    return times * len(rows)


def analyse(sources: Sequence[Path]) -> Took:
    """Run the command once and return the seconds it took.

    Raises:
        CalledProcessError: it failed.
    """
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [*COMMAND, *map(str, sources), "--published", "--json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(time.perf_counter() - began, worked)


def measure(sources: Sequence[Path], rounds: int) -> Took:
    """Return the least seconds of several rounds."""
    took = [analyse(sources) for _ in range(rounds)]
    return Took(min(one.clock for one in took), min(one.processors for one in took))


def told(runs: int, took: Took) -> dict[str, float]:
    """Return what is printed of one table."""
    return {
        "runs": runs,
        "seconds": round(took.clock, 2),
        "processor_seconds": round(took.processors, 2),
        "ratio": round(took.processors / MOST_SECONDS, 3),
    }


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        larger = folder / "more_runs.csv"
        runs = multiply(PRIMARY[0], larger, given.times)
        primary, everything, more = (
            measure(sources, given.rounds) for sources in (PRIMARY, ALL, (larger,))
        )
    growth = more.processors / primary.processors
    print(
        json.dumps(
            {
                "primary": told(runs // given.times, primary),
                "all_released": told(1210, everything),
                "more": told(runs, more),
                "times": given.times,
                "growth": round(growth, 2),
                "most_seconds": MOST_SECONDS,
            },
            indent=2,
        )
    )
    slow = max(primary.processors, everything.processors) > MOST_SECONDS
    return int(slow or growth > given.times)


if __name__ == "__main__":
    sys.exit(main())
