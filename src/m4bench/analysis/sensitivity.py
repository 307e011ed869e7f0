# SPDX-License-Identifier: MIT
"""A contrast again under one other choice at a time: which runs count, how tasks weigh, which families are there.

Knows no headline: each line says what was changed, and a reader compares.
"""

from collections.abc import Sequence

from m4bench.analysis.estimate import Estimate, as_line, estimate
from m4bench.analysis.pairing import (
    Choice,
    Metric,
    Pair,
    Reading,
    TaskEffect,
    completed,
    entering_and_unmeasured,
    measured,
    publishable,
    task_effects,
    with_unmeasured,
)
from m4bench.analysis.results import Sensitivity
from m4bench.analysis.runs import entering
from m4bench.model.analysis import AnalysisPlan

FAILURES_LEFT_OUT = "failures of the agent left out"
UNMEASURED_AS_ZERO = "runs without a measurement as 0"
MEASURED_ONLY = "runs without a measurement left out"
PUBLISHABLE_ONLY = "publishable runs only"
EVERY_MEASURED = "every measured run, publishable or not"
STRICT = "strict passes instead of rewards"
EQUAL_FAMILIES = "each family equal"
EQUAL_TASKS = "each task equal"
WITHOUT = "without "
ALL_PAIRS = (PUBLISHABLE_ONLY, EVERY_MEASURED)
LEAST, GREATEST = "least without one family", "greatest without one family"

REWARD = Metric("reward", 1, lambda run: run.reward if run.reward is not None else 0.0)
STRICT_PASS = Metric("strict", 1, lambda run: float(run.strict))


def sensitivity(
    pairs: Sequence[Pair],
    every_pair: Sequence[Pair],
    effects: Sequence[TaskEffect],
    plan: AnalysisPlan,
) -> tuple[Sensitivity, ...]:
    """Return the lines of a contrast in reward, in a fixed order; one that no run is left for is absent.

    Args:
        pairs: the pairs that the headline is made of.
        every_pair: those, and the ones left aside because they are not publishable.
        effects: as the headline reads them.
        plan: its other choices stay, what becomes of runs without a measurement among them.
    """
    as_planned = _as_it_is if plan.denominator == "valid" else with_unmeasured
    other_denominator = (
        (UNMEASURED_AS_ZERO, entering_and_unmeasured)
        if plan.denominator == "valid"
        else (MEASURED_ONLY, entering)
    )
    readings: list[tuple[str, Metric, Choice]] = [
        (FAILURES_LEFT_OUT, REWARD, as_planned(completed)),
        (other_denominator[0], REWARD, other_denominator[1]),
        (PUBLISHABLE_ONLY, REWARD, as_planned(publishable)),
        (EVERY_MEASURED, REWARD, as_planned(measured)),
        (STRICT, STRICT_PASS, as_planned(entering)),
    ]
    none_publishable = not any(publishable(runs) for one in every_pair for runs in one.cells)
    lines = [
        as_line(name, estimate(changed, plan, headline=False))
        for name, metric, choose in readings
        if not (none_publishable and name == PUBLISHABLE_ONLY)
        and (
            changed := task_effects(
                every_pair if name in ALL_PAIRS else pairs, Reading(metric, choose)
            )
        )
    ]
    lines.append(_other_weighting(effects, plan))
    return (*lines, *_without_each_family(effects, plan))


def _as_it_is(choose: Choice) -> Choice:
    """Leave runs without a measurement out, as the choices of measured runs do."""
    return choose


def _other_weighting(effects: Sequence[TaskEffect], plan: AnalysisPlan) -> Sensitivity:
    if plan.weighting == "task":
        return as_line(EQUAL_FAMILIES, estimate(effects, plan, weighting="family", headline=False))
    return as_line(EQUAL_TASKS, estimate(effects, plan, weighting="task", headline=False))


def _without_each_family(effects: Sequence[TaskEffect], plan: AnalysisPlan) -> list[Sensitivity]:
    """Return a line for each family left out, after the least and the greatest of them."""
    families = sorted({one.family for one in effects})
    if len(families) < 2:
        return []
    found: dict[str, Estimate] = {
        family: estimate([one for one in effects if one.family != family], plan, headline=False)
        for family in families
    }
    ordered = sorted(families, key=lambda family: (found[family].delta, family))
    return [
        as_line(f"{LEAST} ({ordered[0]})", found[ordered[0]]),
        as_line(f"{GREATEST} ({ordered[-1]})", found[ordered[-1]]),
        *(as_line(WITHOUT + family, found[family]) for family in families),
    ]
