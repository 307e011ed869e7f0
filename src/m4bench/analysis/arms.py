# SPDX-License-Identifier: MIT
"""What each system did under each condition and schema: reward, passes, failures, cost. Knows no comparison."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from m4bench.analysis.estimate import RATES, quick_interval, units
from m4bench.analysis.order import condition_key, convention_key, schema_key
from m4bench.analysis.pairing import (
    Choice,
    Metric,
    Reading,
    entering_and_unmeasured,
    is_publishable,
    mean,
    measured,
    strict_passes,
    unmeasured,
)
from m4bench.analysis.pools import DatasetPools
from m4bench.analysis.results import ArmResult, Interval, StrictCount
from m4bench.analysis.runs import CellKey, RunRow, System, entering
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.outcome import COMPLETED
from m4bench.stats.passes import pass_at_k, pass_hat_k

MOST_K = 10
"""pass@k is told for every k up to this one that a task has trials for, and for a larger usual number of trials."""

Cells = Mapping[CellKey, tuple[RunRow, ...]]


class Passes(TypedDict):
    """pass@k, pass^k and the number of tasks they rest on, by k."""

    pass_at: dict[int, float]
    pass_all: dict[int, float]
    pass_tasks: dict[int, int]


class ArmKey(NamedTuple):
    """What makes two runs the same arm's. Sandboxes are not told apart; data sets are as `DatasetPools` says."""

    condition: str
    schema: str
    convention: str
    drops: str
    dataset: str
    access: str
    system: System


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
    return {arm: found[arm] for arm in sorted(found, key=_order)}


@dataclass(frozen=True)
class ArmTasks:
    """An arm's tasks with a number each: the mean of its cells' means under a reading."""

    values: Mapping[str, float]
    families: Mapping[str, str]
    runs: Mapping[str, tuple[RunRow, ...]]

    def reward(self, plan: AnalysisPlan) -> float | None:
        """The mean, each task or each family equal as the plan has it; None without a task."""
        if not self.values:
            return None
        return mean(units(list(self.values.values()), self._families, plan.weighting).values)

    def interval(self, plan: AnalysisPlan) -> Interval | None:
        """The plan's interval of that mean of rewards; None where it cannot be computed."""
        if not self.values:
            return None
        return quick_interval(
            list(self.values.values()), self._families, plan, plan.weighting, RATES
        )

    @property
    def _families(self) -> list[str]:
        return [self.families[task] for task in self.values]

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


def _order(arm: ArmKey) -> tuple[object, ...]:
    _, _, convention, *rest = arm
    return (
        condition_key(arm.condition),
        schema_key(arm.schema),
        convention_key(convention),
        *rest,
    )


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
        reward=read.reward(plan),
        interval=read.interval(plan),
        strict=StrictCount(passes=strict_passes(chosen), runs=len(chosen)),
        **_passes(read, plan),
        key_f1=arm_tasks(tasks, Reading(metrics["key_f1"], choose)).reward(plan),
        ordered_nmae=arm_tasks(tasks, Reading(metrics["ordered_nmae"], choose)).reward(plan),
        failures=dict(sorted(states.items())),
        unmeasured=len(unmeasured(every)),
        cost_usd=_mean(costs),
        tokens=_mean(tokens),
        seconds=_mean(seconds),
        told_by={"cost_usd": len(costs), "tokens": len(tokens), "seconds": len(seconds)},
        publishable=bool(chosen) and all(run.publishable for run in measured(chosen)),
    )


def _mean(values: Sequence[float]) -> float | None:
    return mean(values) if values else None


def _passes(read: ArmTasks, plan: AnalysisPlan) -> Passes:
    """Return pass@k and pass^k on strict passes, means over the tasks with at least k trials, weighed as rewards."""
    trials = {task: (len(runs), strict_passes(runs)) for task, runs in read.runs.items()}
    totals = [total for total, _ in trials.values()]
    found = Passes(pass_at={}, pass_all={}, pass_tasks={})
    told = {*range(1, min(max(totals, default=0), MOST_K) + 1), usual_trials(totals)}
    for k in sorted(told - {0}):
        enough = {task: own for task, own in trials.items() if own[0] >= k}
        families = [read.families[task] for task in enough]
        found["pass_at"][k] = _mean_chance(pass_at_k, enough, families, k, plan)
        found["pass_all"][k] = _mean_chance(pass_hat_k, enough, families, k, plan)
        found["pass_tasks"][k] = len(enough)
    return found


def _mean_chance(
    chance: Callable[[int, int, int], float | None],
    trials: Mapping[str, tuple[int, int]],
    families: Sequence[str],
    k: int,
    plan: AnalysisPlan,
) -> float:
    """Return the mean over tasks, by trials and passes; each has at least k trials."""
    by_task = [chance(total, passed, k) or 0.0 for total, passed in trials.values()]
    return mean(units(by_task, families, plan.weighting).values)


def usual_trials(totals: Sequence[int]) -> int:
    """Return the number of trials that most tasks have, the smallest of several such; 0 without a task."""
    if not totals:
        return 0
    times = Counter(totals)
    most = max(times.values())
    return min(total for total, count in times.items() if count == most)
