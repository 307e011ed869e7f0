# SPDX-License-Identifier: MIT
"""Time, memory and size of a leaderboard of very many runs, and how they grow with the systems.

Usage: python benchmarks/leaderboard.py [--systems 200] [--conditions 8] [--conventions 3] [--keep DIR]

Runs are invented: every system under every condition and convention on the 28 tasks of the installed suites, one
trial each, 134,400 runs of 24 settings by default. `m4bench report --site` makes a leaderboard of them, in a process
of its own, and another of a tenth of the systems.

Prints JSON: of both seconds by the clock and of the processors, the most memory held, what the site and its largest
pages weigh. `growth` is how many times the whole takes what the tenth does; runs are ten times as many, pairs of
systems a hundred times. Exits 1 when the whole takes more than ten minutes of the processors or 8 GiB.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from m4bench.analysis.order import CONDITIONS, CONVENTIONS
from m4bench.analysis.task_facts import installed_tasks

MOST_SECONDS = 600.0
MOST_BYTES = 8 * 2**30
TENTH = 10
COMMAND = (str(Path(sys.executable).with_name("m4bench")), "report")
SEED = 1
COLUMNS = (
    "run_id",
    "task",
    "condition",
    "schema",
    "agent",
    "model",
    "trial",
    "reward",
    "strict_pass",
    "publishable",
    "dataset",
    "access",
    "convention",
    "cost_usd",
)


def write_runs(path: Path, systems: int, conditions: int, conventions: int) -> int:
    """Write a table of invented runs and return how many there are."""
    draw = random.Random(SEED)
    tasks = {task: draw.gauss(0.0, 0.1) for task in sorted(installed_tasks())}
    skills = [0.2 + 0.6 * number / max(1, systems - 1) for number in range(systems)]
    written = 0
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for convention in CONVENTIONS[:conventions]:
            for place, condition in enumerate(CONDITIONS[:conditions]):
                for number, skill in enumerate(skills):
                    for task, ease in tasks.items():
                        reward = skill + ease + 0.02 * place + draw.gauss(0.0, 0.08)
                        reward = round(min(1.0, max(0.0, reward)), 6)
                        agent, model = f"agent-{number % 20}", f"model-{number // 20}"
                        writer.writerow(
                            [
                                f"r{written}",
                                task,
                                condition,
                                "native",
                                agent,
                                model,
                                1,
                                reward,
                                reward > 0.95,
                                True,
                                "synthetic",
                                "synthetic",
                                convention,
                                round(draw.uniform(0.05, 2.0), 4),
                            ]
                        )
                        written += 1
    return written


def build(source: Path, out: Path) -> dict[str, Any]:
    """Make a leaderboard and return what it took.

    Raises:
        CalledProcessError: the command failed.
    """
    began = time.perf_counter()
    process = subprocess.Popen(
        [*COMMAND, str(source), "--site", str(out)], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    if status:
        raise subprocess.CalledProcessError(os.waitstatus_to_exitcode(status), COMMAND)
    sizes = {
        str(path.relative_to(out)): path.stat().st_size for path in out.rglob("*") if path.is_file()
    }
    pages = {name: size for name, size in sizes.items() if name.endswith(".html")}
    largest = sorted(pages, key=lambda name: -pages[name])[:3]
    return {
        "seconds": round(took, 1),
        "processor_seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak_bytes": used.ru_maxrss * 1024,
        "pages": len(pages),
        "site_bytes": sum(sizes.values()),
        "front_bytes": pages["index.html"],
        "largest_pages": {name: pages[name] for name in largest},
    }


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=200)
    parser.add_argument("--conditions", type=int, default=8, choices=range(1, 9))
    parser.add_argument("--conventions", type=int, default=3, choices=range(1, 4))
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        for name, systems in (("tenth", given.systems // TENTH), ("whole", given.systems)):
            source = folder / f"{name}.csv"
            folder.mkdir(parents=True, exist_ok=True)
            runs = write_runs(source, systems, given.conditions, given.conventions)
            found[name] = {"runs": runs, "systems": systems, **build(source, folder / name)}
    tenth, whole = found["tenth"], found["whole"]
    growth = {
        key: round(whole[key] / tenth[key], 1)
        for key in ("runs", "processor_seconds", "peak_bytes", "site_bytes", "front_bytes")
    }
    print(json.dumps({**found, "growth": growth}, indent=2))
    return int(whole["processor_seconds"] > MOST_SECONDS or whole["peak_bytes"] > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
