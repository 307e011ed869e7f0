# SPDX-License-Identifier: MIT
"""What a whole sandboxed run costs beyond its agent's own seconds, and where that time goes.

Usage: python benchmarks/run_overhead.py [--stays 100] [--rounds 50] [--keep DIR] [--profile FILE]

Runs the agent `empty` in bubblewrap over a small synthetic hospital and prints JSON: the median seconds of
everything but the agent's own process, and the medians of its parts, `other` being what none of them holds.
Exits 1 when the median exceeds 0.25 s. The store is made anew unless `--keep` names a folder to make and reuse
it in; `--profile` writes a profile of the harness's own functions.
"""

import argparse
import cProfile
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from m4bench.data.store import Store
from m4bench.harness import run as harness
from m4bench.harness.run_folder import RunFolder
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.suites.suite import find_task
from setup import DATASET, TASK, ready_store

MOST_SECONDS = 0.25
SANDBOX = "sandbox beyond the agent"


def parts() -> dict[str, tuple[Any, str]]:
    """Return the functions whose time is told, by what they do."""
    suite, _ = find_task(TASK)
    return {
        "preparation": (harness, "prepare"),
        "making the sandbox": (harness, "make_sandbox"),
        "work folder": (harness, "build_workspace"),
        SANDBOX: (BubblewrapSandbox, "execute"),
        "scoring": (type(suite), "score"),
        "hashing": (RunFolder, "artefacts"),
        "keeping": (RunFolder, "keep"),
    }


@contextmanager
def timed(spent: dict[str, float]) -> Iterator[None]:
    """Add to `spent` the seconds of each part that is called in the block."""
    watched = {name: (owner, at, getattr(owner, at)) for name, (owner, at) in parts().items()}

    def measured(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            before = time.monotonic()
            try:
                return original(*given, **named)
            finally:
                spent[name] = spent.get(name, 0.0) + time.monotonic() - before

        return call

    for name, (owner, at, original) in watched.items():
        setattr(owner, at, measured(name, original))
    try:
        yield
    finally:
        for owner, at, original in watched.values():
            setattr(owner, at, original)


def one_run(store: Store, results: Path, trial: int) -> dict[str, float]:
    """Return the seconds of one run by part, and `all` of them, without the agent's own."""
    request = harness.RunRequest(
        results=results, store=store, dataset=DATASET, task=TASK, condition="no-skill", agent="empty",
        trial=trial,
    )  # fmt: skip
    spent: dict[str, float] = {}
    before = time.monotonic()
    with timed(spent):
        record = harness.run(request)
    total = time.monotonic() - before
    assert record.outcome.state == "completed", record.outcome
    agent = record.outcome.seconds
    spent[SANDBOX] -= agent
    spent["all"] = total - agent
    spent["other"] = 2 * spent["all"] - sum(spent.values())
    spent["the agent's own"] = agent
    return spent


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stays", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--profile", type=Path)
    options = parser.parse_args()
    profile = cProfile.Profile() if options.profile else None
    with tempfile.TemporaryDirectory(prefix="m4bench-overhead-") as temporary:
        store = ready_store(options.keep or Path(temporary), options.stays)
        results = Path(temporary) / "results"
        one_run(store, results, 1)  # warms caches
        with profile or nullcontext():
            rounds = [one_run(store, results, trial) for trial in range(2, options.rounds + 2)]
    if profile:
        profile.dump_stats(options.profile)
    medians = {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}
    print(json.dumps({name: round(value, 4) for name, value in medians.items()}))
    return 0 if medians["all"] <= MOST_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
