# SPDX-License-Identifier: MIT
"""The whole way on the embedded synthetic hospital, ending with a report: what `m4bench demo` does."""

from collections.abc import Callable
from pathlib import Path

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import SEED, STAYS, store_hospital
from m4bench.harness.run import RunExistsError, RunRequest, run
from m4bench.harness.sandbox import probe
from m4bench.model.run import RunRecord, SandboxName
from m4bench.report import write_report
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.databases import build_database
from m4bench.suites.derivation.tasks.cards import load_tasks

DATASET = "synthetic"
AGENTS = ("reference", "naive", "empty")

Say = Callable[[str], None]


def demo(out: Path, say: Say) -> Path:
    """Build a hospital, run the baseline agents over every task, and write a report; return its page.

    Args:
        out: folder for the store, the runs and the report; what is there and current is used again.
        say: told one line a step.
    """
    isolation = probe()
    sandbox: SandboxName = "bwrap" if isolation.ready else "none"
    if not isolation.ready:
        remedy = f" ({isolation.remedy})" if isolation.remedy else ""
        say(f"no isolation here: {isolation.reason}{remedy}; runs are marked as not publishable")
    store = Store(out / "store")
    say(f"a synthetic hospital of {STAYS} ICU stays (seed {SEED})")
    store_hospital(store, stays=STAYS, seed=SEED)
    dataset = store.dataset(DATASET)
    say("derived concepts and hidden references")
    build_concepts(library(), dataset)
    build_references(library(), dataset)
    tasks = list(load_tasks().values())
    if sandbox == "bwrap":
        say("task databases")
        for task in tasks:
            build_database(
                library(), open_stage(dataset, "published"), task, schema="native", drops="strict"
            )
    runs = out / "runs"
    for number, task in enumerate(tasks, start=1):
        for agent in AGENTS:
            record, kept = _one(runs, store, task.name, agent, sandbox, say)
            reward = f"{record.score.reward:.3f}" if record.score else "no measurement"
            again = " (kept from before)" if kept else ""
            say(f"task {number}/{len(tasks)} {task.name} · {agent}: {reward}{again}")
    return write_report(runs, out / "report")


def _one(
    runs: Path, store: Store, task: str, agent: str, sandbox: SandboxName, say: Say
) -> tuple[RunRecord, bool]:
    request = RunRequest(
        results=runs,
        store=store,
        dataset=DATASET,
        task=task,
        condition="no-skill",
        agent=agent,
        sandbox=sandbox,
    )
    try:
        return run(request, say), False
    except RunExistsError as there:
        return RunRecord.read(there.folder / "run.json"), True
