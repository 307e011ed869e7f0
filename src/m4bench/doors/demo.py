# SPDX-License-Identifier: MIT
"""The whole way on a synthetic hospital, ending with a report: what `m4bench demo` does. It draws no screen.

Every stage takes what an earlier demo finished, so that one that was cut short is gone on with.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from m4bench.data.store import Store
from m4bench.data.synthetic.recipe import SEED, Recipe
from m4bench.doors.demo_hospital import DATASET, demo_hospital
from m4bench.doors.demo_runs import carry_out, workers_for
from m4bench.doors.demo_stages import (
    DATABASES,
    LIBRARY,
    PYTHON,
    REPORT,
    RUNS,
    Screen,
    Silence,
)
from m4bench.harness.interruption import unwinding
from m4bench.harness.run import RunRequest, identify
from m4bench.harness.run_folder import RECORD
from m4bench.harness.sandbox import probe
from m4bench.harness.sandbox.runtime import ensure_runtime, standing_runtime
from m4bench.model.errors import InputError
from m4bench.model.files import PRIVATE
from m4bench.model.run import RunRecord, SandboxName
from m4bench.model.task import Task
from m4bench.report import write_report
from m4bench.suites.derivation.library.build import BuildReport, build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.databases import build_database
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks

AGENTS = ("reference", "naive", "empty")
SITE = "mimic-iv"
STAYS = 500
DENSITY = 1.0
EARLIER = "earlier-runs"
LOCK = ".lock"
CONCEPTS = 0.8
"""Share of the time of all derived tables that concepts take; references take the rest."""
LOCK_PATIENCE = 10.0
"""Seconds in which the runs of a demo that was killed have ended."""


@dataclass(frozen=True)
class DemoResult:
    """What a demo came to: the report's page, every run's record, and what went wrong, a line each."""

    page: Path
    records: tuple[RunRecord, ...]
    isolated: bool
    problems: tuple[str, ...]


def demo_tasks() -> dict[str, Task]:
    """Return the tasks of a demo by name: one of each family on MIMIC-IV, in standard mode where there is one."""
    chosen: dict[str, Task] = {}
    for task in load_tasks(TASKS_ROOT).values():
        first = chosen.get(task.family)
        if task.site == SITE and (first is None or task.mode == "standard" != first.mode):
            chosen[task.family] = task
    return {task.name: task for task in chosen.values()}


def demo(
    out: Path,
    screen: Screen | None = None,
    *,
    stays: int = STAYS,
    density: float = DENSITY,
    seed: int = SEED,
) -> DemoResult:
    """Build a hospital, run the baseline agents over a task of each family, and write a report.

    Args:
        out: folder for the store, the runs and the report; what is there and current is used again.
        screen: told what happens.
        stays: number of ICU stays.
        density: share of a real unit's charted rows to invent.
        seed: the hospital's seed.

    Raises:
        InputError: another demo works in the folder, it cannot be written, or its disk is full.
        EndedBySignal: SIGTERM or SIGHUP came; agents are ended, and what was finished is kept.
    """
    screen = screen or Silence()
    with unwinding(), _alone(out, screen) as held:
        return _demo(out, screen, Recipe(stays=stays, density=density, seed=seed), held)


def summary(result: DemoResult) -> dict[str, Any]:
    """Return a demo's result as JSON knows it: the report's path, what went wrong, and each run in short."""
    return {
        "report": str(result.page),
        "isolated": result.isolated,
        "problems": list(result.problems),
        "runs": [
            {
                "run_id": record.run_id,
                "task": record.cell.task,
                "agent": record.cell.agent,
                "state": record.outcome.state,
                "reward": record.score.reward if record.score else None,
                "publishable": record.publishability.publishable,
            }
            for record in result.records
        ],
    }


def _demo(out: Path, screen: Screen, recipe: Recipe, held: int) -> DemoResult:
    recipe.check()
    tasks = list(demo_tasks())
    thinned = f", {recipe.density:.0%} of a real unit's charting" if recipe.density < 1 else ""
    screen.planned(
        f"{recipe.stays:,} invented ICU stays{thinned}; {len(tasks)} tasks, {len(AGENTS)} agents",
        tasks,
        AGENTS,
        there=[PYTHON] if standing_runtime() is not None else [],
    )
    isolation = probe()
    sandbox: SandboxName = "bwrap" if isolation.ready else "none"
    if not isolation.ready:
        remedy = f" ({isolation.remedy})" if isolation.remedy else ""
        screen.note(
            f"no isolation here: {isolation.reason}{remedy}; runs are marked as not publishable"
        )
    store = Store(out / "store")
    demo_hospital(store, screen, recipe)
    _derive(store, screen)
    _show(store, screen, isolated=isolation.ready)
    _prepare_python(screen)
    requests = [
        RunRequest(
            results=out / "runs",
            store=store,
            dataset=DATASET,
            task=task,
            condition="no-skill",
            agent=agent,
            sandbox=sandbox,
        )
        for task, agent in product(tasks, AGENTS)
    ]
    records = _run(requests, out, screen, held)
    screen.begun(REPORT)
    page = write_report(out / "runs", out / "report", store=store)
    screen.ended(REPORT, page.name, reused=False)
    return DemoResult(page, tuple(records), isolation.ready, tuple(_problems(records)))


def _derive(store: Store, screen: Screen) -> None:
    """Build all concepts and references of the hospital."""
    dataset = store.dataset(DATASET)
    did, reached = BuildReport(), 0.0

    def told(name: str, done: int, total: int) -> None:
        nonlocal reached
        # References ask for their concepts once more, which are there then.
        first, part = (CONCEPTS, 1 - CONCEPTS) if name.startswith("reference") else (0.0, CONCEPTS)
        reached = max(reached, first + part * done / total)
        screen.advanced(LIBRARY, reached, name)

    screen.begun(LIBRARY)
    did.absorb(build_concepts(library(), dataset, progress=told))
    did.absorb(build_references(library(), dataset, progress=told))
    made = len({*did.built, *did.reused})
    screen.ended(LIBRARY, f"{made} derived tables", reused=not did.built)


def _show(store: Store, screen: Screen, *, isolated: bool) -> None:
    """Make the task databases; without isolation they are made where a run is prepared."""
    screen.begun(DATABASES)
    tasks = demo_tasks().values()
    made = 0
    for number, task in enumerate(tasks if isolated else ()):
        screen.advanced(DATABASES, number / len(tasks), task.name)
        stage = open_stage(store.dataset(DATASET), "published")
        made += build_database(library(), stage, task, schema="native", drops="strict")[1]
    outcome = f"{len(tasks)} databases" if isolated else "made with the runs"
    screen.ended(DATABASES, outcome, reused=not made)


def _prepare_python(screen: Screen) -> None:
    """Have the Python that agents use."""
    made: list[str] = []

    def told(line: str) -> None:
        made.append(line)
        screen.note(line)

    screen.begun(PYTHON)
    runtime = ensure_runtime(note=told)
    screen.ended(PYTHON, f"{len(runtime.packages)} packages", reused=not made)


def _run(requests: Sequence[RunRequest], out: Path, screen: Screen, held: int) -> list[RunRecord]:
    """Carry out the runs that are not there yet; return the records of all in the order asked for."""
    screen.begun(RUNS)
    places = {request: out / "runs" / identify(request)[0] for request in requests}
    there = {
        request: RunRecord.read(place / RECORD)
        for request, place in places.items()
        if place.exists()
    }
    # What could not be scored is run again: there is nothing to keep in it.
    records = {request: record for request, record in there.items() if record.score is not None}
    _put_aside(out, {places[request].name for request in records}, screen)
    for request, record in records.items():
        screen.run_ended(request.task, request.agent, _reward(record), kept=True)
    waiting = [request for request in requests if request not in records]
    done = 0

    def begun(request: RunRequest) -> None:
        screen.run_begun(request.task, request.agent)

    def ended(request: RunRequest, record: RunRecord) -> None:
        nonlocal done
        done += 1
        records[request] = record
        screen.run_ended(request.task, request.agent, _reward(record), kept=False)
        screen.advanced(RUNS, done / len(waiting), f"{done} of {len(waiting)}")

    carry_out(waiting, workers=workers_for(len(waiting)), begun=begun, ended=ended, held=(held,))
    found = [records[request] for request in requests]
    screen.ended(RUNS, f"{len(found)} runs; mean reward: {_means(found)}", reused=not waiting)
    return found


def _put_aside(out: Path, current: set[str], screen: Screen) -> None:
    """Move all other runs of the baselines out of the results: the report is on one hospital and version."""
    moved = 0
    for record in sorted((out / "runs").glob(f"*/{RECORD}")):
        folder = record.parent
        if folder.name in current or not _is_of_demo(record):
            continue
        (out / EARLIER).mkdir(mode=PRIVATE, exist_ok=True)
        target = out / EARLIER / folder.name
        if target.exists():
            shutil.rmtree(target)
        folder.rename(target)
        moved += 1
    if moved:
        screen.note(f"{moved} runs of an earlier demo are now in {out / EARLIER}")


def _is_of_demo(record: Path) -> bool:
    try:
        return RunRecord.read(record).cell.agent in AGENTS
    except InputError:
        return False  # the report says what is wrong with it


def _reward(record: RunRecord) -> str:
    return f"{record.score.reward:.3f}" if record.score else record.outcome.state


def _means(records: Sequence[RunRecord]) -> str:
    """Return each agent's mean reward over its scored runs."""
    parts = []
    for agent in AGENTS:
        rewards = [r.score.reward for r in records if r.cell.agent == agent and r.score]
        mean = f"{sum(rewards) / len(rewards):.3f}" if rewards else "none"
        parts.append(f"{agent} {mean}")
    return ", ".join(parts)


def _problems(records: Sequence[RunRecord]) -> Iterator[str]:
    """Yield what should not be: a baseline that did not finish or was not scored, or rebuilt it wrongly."""
    for record in records:
        name = f"{record.cell.task} · {record.cell.agent}"
        if record.score is None or record.outcome.state != "completed":
            why = f" ({record.outcome.reason})" if record.outcome.reason else ""
            yield f"{name}: {record.outcome.state}{why}"
        elif record.cell.agent == "reference" and record.score.reward < 1:
            yield f"{name}: reward {record.score.reward:.4f}, and it should be 1"


@contextmanager
def _alone(out: Path, screen: Screen) -> Iterator[int]:
    """Hold the folder for one demo; yields the descriptor that holds it, for the processes that work in it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(out / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})", file=out, remedy="choose another --out"
        ) from error
    try:
        _hold(descriptor, out, screen)
        yield descriptor
    finally:
        os.close(descriptor)


def _hold(descriptor: int, out: Path, screen: Screen) -> None:
    deadline, waited = time.monotonic() + LOCK_PATIENCE, False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise InputError(
                    "another demo works in this folder",
                    file=out,
                    remedy="wait for its end, or choose another --out",
                ) from None
            if not waited:
                screen.note("waiting for another demo in this folder to end")
            waited = True
            time.sleep(0.2)
        else:
            return
