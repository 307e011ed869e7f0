# SPDX-License-Identifier: MIT
"""What the sections on a campaign are made of: the facts of a plan, tables of tasks and of choices. Knows no markup."""

from collections.abc import Sequence
from dataclasses import dataclass

from m4bench.analysis import words
from m4bench.analysis.results import ArmResult, ContrastResult, Sensitivity, TaskDelta
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from m4bench.report.campaign import writing
from m4bench.report.wording import count

MOST_TASKS = 60
MOST_SYSTEMS = 4
WITHOUT_ONE = "without "
DENOMINATORS = {
    "valid": "every run whose outcome counts; an agent’s failure as 0",
    "all": "every run; one without a measurement as 0 too",
}


@dataclass(frozen=True)
class Declared:
    """Something the analysis fixes: a label and what was chosen."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class TaskTable:
    """The task deltas of a contrast that a page shows: the largest where there are many, ordered by delta."""

    contrast: ContrastResult
    systems: tuple[str, ...]
    deltas: tuple[TaskDelta, ...]
    left_out: int
    systems_left_out: int


@dataclass(frozen=True)
class Choices:
    """A contrast with its lines under other choices: tasks of one mode, other runs or weights, a family left out."""

    contrast: ContrastResult
    modes: tuple[Sensitivity, ...]
    lines: tuple[Sensitivity, ...]
    without: tuple[Sensitivity, ...]


@dataclass(frozen=True)
class Agreement:
    """How one arm agrees with references of several conventions."""

    system: str
    condition: str
    schema: str
    by_convention: tuple[tuple[str, ArmResult], ...]


def declared(plan: AnalysisPlan) -> tuple[Declared, ...]:
    """Return what an analysis fixes, in the order of its table."""
    return (
        Declared("Primary contrasts", _contrasts(plan.contrasts)),
        Declared("Exploratory", _contrasts(plan.exploratory)),
        Declared("Weighting", (words.each_equal(plan),)),
        Declared("Denominator", (DENOMINATORS[plan.denominator],)),
        Declared("Interval", (_interval(plan),)),
        Declared("Resampling", (f"{count(plan.draws)} draws, seed {plan.seed}",)),
    )


def _contrasts(contrasts: Sequence[DeclaredContrast]) -> tuple[str, ...]:
    if not contrasts:
        return ("none",)
    return tuple(
        one.contrast
        if one.margin is None
        else f"{one.contrast} ({writing.CLAIMS[one.claim]}, margin {one.margin:g})"
        for one in contrasts
    )


def _interval(plan: AnalysisPlan) -> str:
    return f"{writing.percent(plan.confidence)}, {writing.METHODS[plan.interval]}"


def task_table(contrast: ContrastResult) -> TaskTable:
    """Return the task deltas of a contrast that a page has room for."""
    largest = sorted(contrast.task_deltas, key=lambda one: (-abs(one.delta), one.task))[:MOST_TASKS]
    shown = sorted(largest, key=lambda one: (-one.delta, one.task))
    held = contrast.held_equal or contrast.systems
    systems = held if len(held) > 1 else ()
    return TaskTable(
        contrast,
        systems[:MOST_SYSTEMS],
        tuple(shown),
        len(contrast.task_deltas) - len(shown),
        max(len(systems) - MOST_SYSTEMS, 0),
    )


def choices(contrast: ContrastResult) -> Choices:
    """Return a contrast with its lines, those of families left out apart."""
    lines = contrast.sensitivity
    return Choices(
        contrast,
        contrast.by_mode,
        tuple(line for line in lines if not line.name.startswith(WITHOUT_ONE)),
        tuple(line for line in lines if line.name.startswith(WITHOUT_ONE)),
    )
