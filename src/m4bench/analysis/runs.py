# SPDX-License-Identifier: MIT
"""Runs as analysis sees them: one row a run, whatever it was read from. Knows no file and no statistic."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from m4bench.harness.audit.publishability import is_baseline

NOT_TOLD = "not told"


class System(NamedTuple):
    """What is measured: an agent with its model and effort."""

    agent: str
    model: str
    effort: str

    def __str__(self) -> str:
        return " · ".join(part for part in self if part)


class Setting(NamedTuple):
    """What is held equal when systems or conditions are compared, beside task, condition and schema."""

    dataset: str
    dataset_hash: str
    convention: str
    drops: str
    sandbox: str
    access: str


class CellKey(NamedTuple):
    """A cell: all trials of a task by a system under a condition and a schema, in one setting."""

    task: str
    condition: str
    schema: str
    system: System
    setting: Setting


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run. `None` is a value that does not exist, never a zero.

    `reward` is in 0..1 and None without a measurement; a failure of the agent is a measurement of 0. `strict`: at
    least one check passed, none failed, no error. `match_rates` by scored column. `seconds` of the agent's own
    time, `cost_usd` by the price table the run was made with. `state` is an outcome's (`m4bench.model.outcome`);
    of a table that has none it follows from exit code and errors. `valid`: the state counts in a denominator.
    """

    run_id: str
    task: str
    family: str
    mode: str
    condition: str
    schema: str
    system: System
    setting: Setting
    trial: int
    reward: float | None
    strict: bool
    state: str
    valid: bool
    publishable: bool
    passed: int = 0
    failed: int = 0
    errors: int = 0
    task_version: str = ""
    match_rates: Mapping[str, float] = field(default_factory=dict)
    truth_rows: int | None = None
    agent_unique_keys: int | None = None
    extra_keys: int | None = None
    key_precision: float | None = None
    key_recall: float | None = None
    key_f1: float | None = None
    ordered_columns: int | None = None
    ordered_nmae: float | None = None
    isolated: bool | None = None
    filesystem_canary: bool | None = None
    contamination_lint: bool | None = None
    diagnostics_failed: bool | None = None
    returncode: int | None = None
    seconds: float | None = None
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    source: str = ""

    @property
    def is_baseline(self) -> bool:
        """Whether it is of one of the benchmark's own baselines, which have no model and are no measured agents."""
        return is_baseline(self.system.agent, self.system.model)

    @property
    def cell(self) -> CellKey:
        """The cell the run is a trial of."""
        return CellKey(self.task, self.condition, self.schema, self.system, self.setting)


@dataclass(frozen=True)
class RunTable:
    """All runs of an analysis, ordered by task, cell and trial; each run id once.

    `sources` name the files or folders with their sha256 (of a folder: of its runs' identities); `notes` say what
    was assumed or left out on reading.
    """

    runs: tuple[RunRow, ...]
    sources: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[RunRow]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def where(self, keep: Callable[[RunRow], bool]) -> "RunTable":
        """Return the table of the runs that are to be kept."""
        return replace(self, runs=tuple(run for run in self.runs if keep(run)))

    def cells(self) -> dict[CellKey, tuple[RunRow, ...]]:
        """Return the runs of each cell, cells in order."""
        found: dict[CellKey, list[RunRow]] = {}
        for run in self.runs:
            found.setdefault(run.cell, []).append(run)
        return {key: tuple(found[key]) for key in sorted(found)}

    def versions_apart(self) -> "RunTable":
        """Return the table in which a task of several versions is a task a version: what they score differs."""
        versions: dict[str, set[str]] = {}
        for run in self.runs:
            versions.setdefault(run.task, set()).add(run.task_version)
        if all(len(found) == 1 for found in versions.values()):
            return self
        return replace(
            self,
            runs=tuple(
                run
                if len(versions[run.task]) == 1
                else replace(run, task=f"{run.task}, version {run.task_version or NOT_TOLD}")
                for run in self.runs
            ),
        )

    def families(self) -> dict[str, str]:
        """Return the family of each task, tasks in alphabetical order."""
        return dict(sorted({run.task: run.family for run in self.runs}.items()))


def entering(runs: Sequence[RunRow]) -> tuple[RunRow, ...]:
    """Return the runs of a cell that its figures stand for.

    The publishable measured ones where there are any, else every measured one; nothing without a measurement.
    """
    measured = [run for run in runs if run.valid and run.reward is not None]
    return tuple([run for run in measured if run.publishable] or measured)
