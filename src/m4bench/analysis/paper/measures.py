# SPDX-License-Identifier: MIT
"""The paper's measures as functions of runs: cell means, deltas by task, their bootstraps. Knows no table.

Source: the paper's definitions. Every function is given its runs and groups them itself, so that a figure holds all
the runs it depends on. None stands for what does not exist, never 0.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from m4bench.analysis.descriptives import FOLLOW_UP_SEED, PRIMARY_SEED
from m4bench.analysis.paper.arms import CellName, Side
from m4bench.analysis.runs import RunRow, entering
from m4bench.stats.bootstrap import published_balanced, published_clusters, published_percentile
from m4bench.stats.sign_flip import published_sign_flip

THRESHOLD = 1e-9
Measure = Callable[[RunRow], float | int | None]
Runs = Sequence[RunRow]


def reward(run: RunRow) -> float | None:
    """Return the reward."""
    return run.reward


def key_f1(run: RunRow) -> float | None:
    """Return the F1 of the submitted keys."""
    return run.key_f1


def key_precision(run: RunRow) -> float | None:
    """Return the precision of the submitted keys."""
    return run.key_precision


def ordered_nmae(run: RunRow) -> float | None:
    """Return the normalised mean absolute error over ordered value columns; lower is better."""
    return run.ordered_nmae


def average(values: Sequence[float]) -> float | None:
    """Return the mean of values added in their order, None of none."""
    return sum(values) / len(values) if values else None


def cell_mean(runs: Runs, measure: Measure) -> float | None:
    """Return the mean of a measure over the runs of one cell that enter and have it."""
    return average([value for run in entering(runs) if (value := measure(run)) is not None])


def cells(runs: Runs) -> dict[CellName, list[RunRow]]:
    """Return runs by cell, in the order of the cells' names."""
    found: dict[CellName, list[RunRow]] = {}
    for run in runs:
        found.setdefault(CellName.of(run), []).append(run)
    return {name: found[name] for name in sorted(found)}


def cell_means(runs: Runs, measure: Measure) -> dict[CellName, float]:
    """Return the mean of each cell that has one."""
    means = {name: cell_mean(found, measure) for name, found in cells(runs).items()}
    return {name: mean for name, mean in means.items() if mean is not None}


def task_deltas(
    runs: Runs, treatment: Side, control: Side, measure: Measure = reward
) -> dict[str, float]:
    """Return treatment minus control by task, alphabetically: the mean over the models that have both cells."""
    means = cell_means(runs, measure)
    found: dict[str, list[float]] = {}
    for name, mean in means.items():
        if (name.condition, name.schema) == treatment:
            other = means.get(CellName(name.task, *control, name.model))
            if other is not None:
                found.setdefault(name.task, []).append(mean - other)
    return {task: sum(deltas) / len(deltas) for task, deltas in sorted(found.items())}


def task_means(runs: Runs, side: Side, measure: Measure = reward) -> dict[str, float]:
    """Return the mean of a side by task, alphabetically: each model equal."""
    found: dict[str, list[float]] = {}
    for name, mean in cell_means(runs, measure).items():
        if (name.condition, name.schema) == side:
            found.setdefault(name.task, []).append(mean)
    return {task: sum(means) / len(means) for task, means in sorted(found.items())}


def balanced(runs: Runs, side: Side, measure: Measure = reward) -> float | None:
    """Return the mean of a side, each task equal."""
    return average(list(task_means(runs, side, measure).values()))


def mean_delta(
    runs: Runs, treatment: Side, control: Side, measure: Measure = reward
) -> float | None:
    """Return the mean over tasks of treatment minus control, each task equal."""
    return average(list(task_deltas(runs, treatment, control, measure).values()))


def improved(
    runs: Runs,
    treatment: Side,
    control: Side,
    measure: Measure = reward,
    *,
    sign: int = 1,
    threshold: float = THRESHOLD,
) -> str:
    """Return how many task deltas lie beyond the threshold in a direction, of how many, as `26/28`."""
    deltas = task_deltas(runs, treatment, control, measure).values()
    return f"{sum(sign * delta > threshold for delta in deltas)}/{len(deltas)}"


@lru_cache(maxsize=64)
def _drawn(values: tuple[float, ...], seed: int) -> tuple[float, float]:
    return published_percentile(values, seed=seed)


@lru_cache(maxsize=64)
def _flipped(values: tuple[float, ...], seed: int) -> float:
    return published_sign_flip(values, seed=seed)


def interval(
    runs: Runs,
    treatment: Side,
    control: Side,
    measure: Measure = reward,
    *,
    seed: int = PRIMARY_SEED,
    order: Sequence[str] | None = None,
) -> tuple[float, float] | None:
    """Return the published task bootstrap of the mean delta; tasks are drawn from `order`, by default alphabetical."""
    deltas = task_deltas(runs, treatment, control, measure)
    drawn_from = [task for task in (deltas if order is None else order) if task in deltas]
    return _drawn(tuple(deltas[task] for task in drawn_from), seed) if drawn_from else None


def sign_flip(runs: Runs, treatment: Side, control: Side, *, seed: int) -> float | None:
    """Return the published p-value of the task deltas."""
    deltas = tuple(task_deltas(runs, treatment, control).values())
    return _flipped(deltas, seed) if deltas else None


@lru_cache(maxsize=16)
def _families_drawn(
    values: tuple[float, ...], groups: tuple[str, ...], equal: bool
) -> tuple[float, float]:
    drawn = published_balanced if equal else published_clusters
    return drawn(values, groups, seed=FOLLOW_UP_SEED)


def family_interval(
    runs: Runs, treatment: Side, control: Side, *, family: Mapping[str, str], equal: bool
) -> tuple[float, float] | None:
    """Return the published bootstrap that draws families: their deltas pooled, or their means where `equal`."""
    deltas = task_deltas(runs, treatment, control)
    if not deltas:
        return None
    return _families_drawn(tuple(deltas.values()), tuple(family[task] for task in deltas), equal)


def family_means(
    runs: Runs, treatment: Side, control: Side, *, family: Mapping[str, str]
) -> dict[str, float]:
    """Return the mean task delta of each family."""
    found: dict[str, list[float]] = {}
    for task, delta in task_deltas(runs, treatment, control).items():
        found.setdefault(family[task], []).append(delta)
    return {name: sum(deltas) / len(deltas) for name, deltas in sorted(found.items())}


def strict_passes(runs: Runs) -> int:
    """Return how many runs pass strictly."""
    return sum(run.strict for run in runs)


def strict_share(runs: Runs) -> str:
    """Return strict passes of runs, as `13/280`."""
    return f"{strict_passes(runs)}/{len(runs)}"


def extra_keys(runs: Runs) -> int:
    """Return submitted keys absent from the reference, over all runs."""
    return sum(run.extra_keys or 0 for run in runs)


def low(ends: tuple[float, float] | None) -> float | None:
    """Return the lower end of an interval."""
    return ends[0] if ends else None


def high(ends: tuple[float, float] | None) -> float | None:
    """Return the upper end of an interval."""
    return ends[1] if ends else None


def bracketed(mean: float | None, ends: tuple[float, float] | None) -> str | None:
    """Return a mean with its interval, as `0.162 [0.072, 0.260]`."""
    if mean is None or ends is None:
        return None
    return f"{mean:.3f} [{ends[0]:.3f}, {ends[1]:.3f}]"
