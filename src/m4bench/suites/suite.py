# SPDX-License-Identifier: MIT
"""What a suite must offer to be run: tasks, their staging for a run, and the scoring of what comes back.

Nothing here assumes a table of derived rows: conditions, schemas, states of an outcome and time-outs are
a suite's own, and a deliverable is a file name.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol, runtime_checkable

from m4bench.data.store import Store
from m4bench.model.errors import InputError
from m4bench.model.legible import legible
from m4bench.model.near_names import choice
from m4bench.model.plug_ins import BrokenPlugIn, loaded_plug_in
from m4bench.model.score import Score
from m4bench.model.task import Convention, Drops, Task

ENTRY_POINTS = "m4bench.suites"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Staging:
    """What a run of a task puts before an agent.

    `instruction` is the text the agent is given. `files` are small files copied into the work folder,
    by name relative to it; `binds` are host files shown read-only, by their absolute path inside the
    sandbox (empty when paths of the host are used instead). `skills` are the texts of Agent Skills by their
    path below a folder of skills (`sofa-score/SKILL.md`), placed where the agent looks for them; `programs`
    are texts placed in the work folder by relative name, to be executed. `release` is the data set's, `modified` tells
    whether it departs from it. `inputs` names what the staging was made from, by hash.
    """

    instruction: str
    files: Mapping[str, Path]
    binds: Mapping[str, Path]
    dataset_hash: str
    reference_hash: str
    access: str
    release: str | None
    modified: bool
    inputs: Mapping[str, str] = field(default_factory=dict)
    skills: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StageRequest:
    """Which presentation of a task a run asks for; `host_paths` is set where there is no file view."""

    store: Store
    dataset: str
    condition: str
    schema: str
    drops: Drops
    convention: Convention
    host_paths: bool = False


@runtime_checkable
class Suite(Protocol):
    """A family of benchmarks: what is measured."""

    name: str
    conditions: tuple[str, ...]
    schemas: tuple[str, ...]
    timeout_seconds: int

    def tasks(self) -> Mapping[str, Task]:
        """Return all tasks by name, in a fixed order."""

    def stage(self, task: Task, request: StageRequest) -> Staging:
        """Return what a run shows an agent.

        Raises:
            InputError: no such condition or schema.
            MissingError, StaleError: an earlier stage is absent or out of date; the remedy is a command.
        """

    def score(
        self, task: Task, deliverable: Path, *, store: Store, dataset: str, convention: Convention
    ) -> Score:
        """Score a deliverable, whatever its shape, against the hidden reference; never raises for its content."""

    def baseline(self, kind: str, task: Task, request: StageRequest) -> str:
        """Return the Python script of the baseline agent `kind` (`reference` or `naive`) for a task.

        The script runs in the agent's runtime with the work folder as its current folder.
        """


def load_suites() -> dict[str, Suite]:
    """Return the installed suites by name; one that is broken is left out and named in a warning."""
    found: dict[str, Suite] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS)):
        suite = loaded_plug_in(point, made_suite)
        if isinstance(suite, BrokenPlugIn):
            told = legible(f"the suite {point.name} is broken ({suite.why}); {suite.remedy}")
            logger.warning("%s", told)
        else:
            found[point.name] = suite
    return found


def made_suite(factory: Callable[[], object]) -> Suite:
    """Return a suite from what its package offers.

    Raises:
        TypeError: it is not one.
    """
    suite = factory()
    if not isinstance(suite, Suite) or not isinstance(suite.tasks(), Mapping):
        raise TypeError("not a suite")
    return suite


def find_task(name: str) -> tuple[Suite, Task]:
    """Return a task and its suite.

    Raises:
        InputError: no suite has a task of that name.
    """
    suites = load_suites()
    for suite in suites.values():
        if name in suite.tasks():
            return suite, suite.tasks()[name]
    known = [task for suite in suites.values() for task in suite.tasks()]
    raise InputError(f"no task is called {name}", remedy=choice(name, known))
