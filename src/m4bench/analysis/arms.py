# SPDX-License-Identifier: MIT
"""What each system did under each condition and schema: reward, passes, failures, cost. Knows no comparison."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from m4bench.analysis.estimate import quick_interval
from m4bench.analysis.pairing import (
    HASH_SHOWN,
    Choice,
    Metric,
    Reading,
    entering_and_unmeasured,
    is_publishable,
    mean,
    measured,
    unmeasured,
)
from m4bench.analysis.results import ArmResult, Interval, StrictCount
from m4bench.analysis.runs import CellKey, RunRow, System, entering
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.outcome import COMPLETED
from m4bench.stats.passes import pass_at_k, pass_hat_k

MOST_K = 10
"""pass@k is told for every k up to this one, and for the usual number of trials."""

Cells = Mapping[CellKey, tuple[RunRow, ...]]


class ArmKey(NamedTuple):
    """What makes two runs the same arm's. Sandboxes are not told apart; data sets are as `DatasetPools` says."""

    condition: str
    schema: str
    convention: str
    drops: str
    dataset: str
    access: str
    system: System


class DatasetPools:
    """Which data sets an arm may cover together.

    Those of one access whose tasks do not overlap, as MIMIC-IV's and eICU's, are one arm's: the task says which
    it runs on. Where a task has runs on two of them, each data set is an arm's of its own.
    """

    def __init__(self, cells: Iterable[CellKey]) -> None:
        """Look which data sets share a task, and which there are under each condition and schema."""
        tasks: dict[tuple[str, str], set[tuple[str, str]]] = {}
        self._presented: dict[tuple[str, str, str], set[str]] = {}
        self._hashes: dict[str, set[str]] = {}
        for key in cells:
            setting = key.setting
            data = (setting.dataset, setting.dataset_hash)
            tasks.setdefault((setting.access, key.task), set()).add(data)
            presented = (setting.access, key.condition, key.schema)
            self._presented.setdefault(presented, set()).add(setting.dataset)
            self._hashes.setdefault(setting.dataset, set()).add(setting.dataset_hash)
        self._overlapping = {access for (access, _), found in tasks.items() if len(found) > 1}

    def of(self, key: CellKey) -> str:
        """Return the name of the cell's data set, or of all that its condition and schema pool."""
        setting = key.setting
        if setting.access not in self._overlapping:
            pooled = self._presented[setting.access, key.condition, key.schema]
            return " + ".join(sorted(pooled - {""}))
        if setting.dataset_hash and len(self._hashes[setting.dataset]) > 1:
            return f"{setting.dataset} {setting.dataset_hash[:HASH_SHOWN]}"
        return setting.dataset


def group_arms(cells: Cells) -> dict[ArmKey, dict[str, list[tuple[RunRow, ...]]]]:
    """Return the cells of each arm by task, arms in order."""
    pools = DatasetPools(cells)
    found: dict[ArmKey, dict[str, list[tuple[RunRow, ...]]]] = {}
    for key, runs in cells.items():
        setting = key.setting
        arm = ArmKey(
            key.condition,
            key.schema,
            setting.convention,
            setting.drops,
            pools.of(key),
            setting.access,
            key.system,
        )
        found.setdefault(arm, {}).setdefault(key.task, []).append(runs)
    return {arm: found[arm] for arm in sorted(found)}


@dataclass(frozen=True)
class ArmTasks:
    """An arm's tasks with a number each: the mean of its cells' means under a reading."""

    values: Mapping[str, float]
    families: Mapping[str, str]
    runs: Mapping[str, tuple[RunRow, ...]]

    def reward(self) -> float | None:
        """The mean over tasks, each equal; None without a task."""
        return mean(self.values.values()) if self.values else None

    def interval(self, plan: AnalysisPlan) -> Interval | None:
        """The plan's interval of that mean; None where it cannot be computed."""
        if not self.values:
            return None
        families = [self.families[task] for task in self.values]
        return quick_interval(list(self.values.values()), families, plan, "task")

    @property
    def chosen(self) -> list[RunRow]:
        """The runs that the numbers stand for."""
        return [run for runs in self.runs.values() for run in runs]


def arm_tasks(tasks: Mapping[str, Sequence[tuple[RunRow, ...]]], reading: Reading) -> ArmTasks:
    """Read an arm's cells task by task, tasks in alphabetical order.

    Of a task's cells in several sandboxes, those that are not publishable stand aside where others are.
    """
    values, families, chosen = {}, {}, {}
    for task in sorted(tasks):
        cells = [runs for runs in tasks[task] if is_publishable([runs])] or tasks[task]
        filled = [found for found in map(reading.values, cells) if found]
        if filled:
            values[task] = mean(mean(found) for found in filled)
            families[task] = cells[0][0].family
            chosen[task] = tuple(run for runs in cells for run in reading.choose(runs))
    return ArmTasks(values, families, chosen)


def choice_of(plan: AnalysisPlan) -> Choice:
    """Return which runs of a cell the plan counts."""
    return entering if plan.denominator == "valid" else entering_and_unmeasured


def arms(cells: Cells, metrics: Mapping[str, Metric], plan: AnalysisPlan) -> tuple[ArmResult, ...]:
    """Return every arm, in order of condition, schema, setting and system."""
    return tuple(_arm(key, tasks, metrics, plan) for key, tasks in group_arms(cells).items())


def _arm(
    key: ArmKey,
    tasks: Mapping[str, Sequence[tuple[RunRow, ...]]],
    metrics: Mapping[str, Metric],
    plan: AnalysisPlan,
) -> ArmResult:
    choose = choice_of(plan)
    read = arm_tasks(tasks, Reading(metrics["reward"], choose))
    every = [run for cells in tasks.values() for runs in cells for run in runs]
    chosen = read.chosen
    states = Counter(run.state for run in every if run.state != COMPLETED)
    costs = [run.cost_usd for run in chosen if run.cost_usd is not None]
    tokens = [
        run.input_tokens + run.output_tokens
        for run in chosen
        if run.input_tokens is not None and run.output_tokens is not None
    ]
    seconds = [run.seconds for run in chosen if run.seconds is not None]
    return ArmResult(
        system=str(key.system),
        agent=key.system.agent,
        model=key.system.model,
        effort=key.system.effort,
        condition=key.condition,
        schema_name=key.schema,
        convention=key.convention,
        dataset=key.dataset,
        access=key.access,
        drops=key.drops,
        tasks=len(read.values),
        families=len(set(read.families.values())),
        runs=len(every),
        entering=len(chosen),
        reward=read.reward(),
        interval=read.interval(plan),
        strict=StrictCount(passes=sum(run.strict for run in chosen), runs=len(chosen)),
        **_passes(read.runs.values()),
        key_f1=arm_tasks(tasks, Reading(metrics["key_f1"], choose)).reward(),
        ordered_nmae=arm_tasks(tasks, Reading(metrics["ordered_nmae"], choose)).reward(),
        failures=dict(sorted(states.items())),
        unmeasured=len(unmeasured(every)),
        cost_usd=_mean(costs),
        tokens=_mean(tokens),
        seconds=_mean(seconds),
        told=max(len(costs), len(tokens), len(seconds)),
        told_by={"cost_usd": len(costs), "tokens": len(tokens), "seconds": len(seconds)},
        publishable=bool(chosen) and all(run.publishable for run in measured(chosen)),
    )


def _mean(values: Sequence[float]) -> float | None:
    return mean(values) if values else None


def _passes(tasks: Iterable[Sequence[RunRow]]) -> dict[str, dict[int, float]]:
    """Return pass@k and pass^k on strict passes, means over the tasks with at least k trials."""
    trials = [(len(runs), sum(run.strict for run in runs)) for runs in tasks]
    usual = usual_trials([total for total, _ in trials])
    at, every = {}, {}
    for k in sorted({*range(1, min(usual, MOST_K) + 1), usual} - {0}):
        some = [
            found for total, passed in trials if (found := pass_at_k(total, passed, k)) is not None
        ]
        all_of = [
            found for total, passed in trials if (found := pass_hat_k(total, passed, k)) is not None
        ]
        at[k], every[k] = mean(some), mean(all_of)
    return {"pass_at": at, "pass_all": every}


def usual_trials(totals: Sequence[int]) -> int:
    """Return the number of trials that most tasks have, the smallest of several such; 0 without a task."""
    if not totals:
        return 0
    times = Counter(totals)
    most = max(times.values())
    return min(total for total, count in times.items() if count == most)
