# SPDX-License-Identifier: MIT
"""Set-up of a run over a small and a large hospital: the same bytes, and the same time within a fifth.

Usage: python benchmarks/setup.py [--small 100] [--large 5000] [--rounds 9] [--keep DIR]

Prints JSON with bytes, median seconds and their ratio; exits 1 when the bytes differ or exceed 2 MB, or
when the ratio exceeds 1.2. The stores are made anew unless `--keep` names a folder to make and reuse them in.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import DATASET, store_hospital
from m4bench.harness.run import RunRequest, run
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.databases import build_database
from m4bench.suites.suite import find_task

TASK = "mimic-sofa-24h"
MOST_BYTES = 2_000_000
LARGEST_RATIO = 1.2


def ready_store(folder: Path, stays: int) -> Store:
    """A store with a hospital of so many stays and everything one run of the task needs."""
    store = Store(folder / f"store-{stays}")
    dataset = store.dataset(DATASET)
    _, task = find_task(TASK)
    store_hospital(store, stays=stays, seed=1)
    build_concepts(library(), dataset)
    build_references(library(), dataset, [task.reference])
    build_database(
        library(), open_stage(dataset, "published"), task, schema="native", drops="strict"
    )
    return store


def set_up(store: Store, results: Path, trial: int) -> tuple[float, int]:
    """Seconds and bytes that one run of the empty agent took to set up."""
    record = run(
        RunRequest(
            results=results,
            store=store,
            dataset=DATASET,
            task=TASK,
            condition="no-skill",
            agent="empty",
            trial=trial,
        )
    )
    assert record.outcome.state == "completed", record.outcome
    return record.setup_seconds, record.setup_bytes


def measure(folder: Path, sizes: tuple[int, int], rounds: int) -> dict[str, object]:
    """Set up runs over both hospitals in turn, so that what else the machine does falls on both."""
    stores = {stays: ready_store(folder, stays) for stays in sizes}
    with tempfile.TemporaryDirectory(prefix="m4bench-setup-") as results:
        seconds: dict[int, list[float]] = {stays: [] for stays in sizes}
        copied: dict[int, set[int]] = {stays: set() for stays in sizes}
        for trial in range(1, rounds + 2):
            for stays, store in stores.items():
                took, size = set_up(store, Path(results) / str(stays), trial)
                copied[stays].add(size)
                if trial > 1:  # the first round warms caches
                    seconds[stays].append(took)
    small, large = (statistics.median(seconds[stays]) for stays in sizes)
    return {
        "stays": sizes,
        "bytes": [sorted(copied[stays]) for stays in sizes],
        "seconds": [round(small, 4), round(large, 4)],
        "ratio": round(large / small, 3),
    }


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=100)
    parser.add_argument("--large", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="m4bench-setup-") as temporary:
        found = measure(
            options.keep or Path(temporary), (options.small, options.large), options.rounds
        )
    print(json.dumps(found))
    small, large = found["bytes"]  # type: ignore[misc]
    holds = small == large and max(small) <= MOST_BYTES and found["ratio"] <= LARGEST_RATIO  # type: ignore[operator]
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
