# SPDX-License-Identifier: MIT
"""The published intervals and test of task deltas, with the published seeds. Knows no family-clustered inference.

They are descriptives: conditional on the tasks at hand, and no standard error from run to run.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from m4bench.analysis.estimate import THRESHOLD
from m4bench.analysis.pairing import Pair, TaskEffect
from m4bench.analysis.results import Interval
from m4bench.analysis.sides import NATIVE
from m4bench.stats.bootstrap import published_balanced, published_clusters, published_percentile
from m4bench.stats.sign_flip import published_sign_flip

PRIMARY_SEED, LOCAL_SEED, FOLLOW_UP_SEED = 20260504, 20260505, 20260506
PUBLISHED_LEVEL = 0.95
PRIMARY_CONDITIONS = frozenset({"no-skill", "with-skill"})
FOLLOW_UP_ORDER = (
    "mimic-urine-output-rate-raw",
    "mimic-ventilation",
    "mimic-creatinine-baseline-raw",
    "mimic-suspicion-infection",
    "mimic-vasopressor-equivalents-raw",
    "mimic-oasis-24h",
    "mimic-sepsis3-raw",
    "mimic-sofa-24h-raw",
)
"""The eight sentinel tasks as the follow-up lists them, and as its bootstrap drew them."""


class Descriptives(NamedTuple):
    """What was published of a mean of task deltas; None where there was nothing to resample, or nothing varies."""

    task_bootstrap: Interval | None
    family_bootstrap: Interval | None
    family_balanced: Interval | None
    task_sign_flip: float | None


def published_seed(pairs: Iterable[Pair]) -> int:
    """Return the seed of the published campaign that these runs resemble.

    With or without the targeted skill, natively: the primary campaign's, or the local arm's where no run is
    publishable, as none of that arm's is. Anything else, a control condition or another schema, takes the
    follow-up's, with which families are resampled always.
    """
    runs = [run for pair in pairs for cell in pair.cells for run in cell]
    if any(run.condition not in PRIMARY_CONDITIONS or run.schema != NATIVE for run in runs):
        return FOLLOW_UP_SEED
    return PRIMARY_SEED if any(run.publishable for run in runs) else LOCAL_SEED


def describe(effects: Sequence[TaskEffect], seed: int, *, flipping: bool = True) -> Descriptives:
    """Return the published descriptives of task deltas; with `flipping`, the sign-flip test of tasks too.

    Tasks are drawn from their alphabetical order, by which the published digits come out; the eight sentinel tasks
    of the follow-up from the order they are listed in, as theirs were.
    """
    by_task = {one.task: one.delta for one in effects}
    listed = seed == FOLLOW_UP_SEED and set(by_task) == set(FOLLOW_UP_ORDER)
    ordered = [by_task[task] for task in (FOLLOW_UP_ORDER if listed else sorted(by_task))]
    deltas = [one.delta for one in effects]
    families = [one.family for one in effects]
    several = len(set(families)) > 1
    return Descriptives(
        task_bootstrap=task_bootstrap(ordered, seed),
        family_bootstrap=_interval(
            "family-percentile", published_clusters(deltas, families, seed=FOLLOW_UP_SEED)
        )
        if several
        else None,
        family_balanced=_interval(
            "family-balanced-percentile",
            published_balanced(deltas, families, seed=FOLLOW_UP_SEED),
        )
        if several
        else None,
        task_sign_flip=published_sign_flip(ordered, seed=seed)
        if flipping and len(deltas) > 1
        else None,
    )


def task_bootstrap(deltas: Sequence[float], seed: int) -> Interval | None:
    """Return the published percentile interval of task deltas; None of a single one or of equal ones: no width."""
    if len(deltas) < 2:
        return None
    return _interval("task-percentile", published_percentile(deltas, seed=seed))


def _interval(method: str, ends: tuple[float, float]) -> Interval | None:
    """Return an interval; None where all that is drawn is the same, so that it would feign precision."""
    if ends[1] - ends[0] <= THRESHOLD:
        return None
    return Interval(low=ends[0], high=ends[1], method=method, level=PUBLISHED_LEVEL)
