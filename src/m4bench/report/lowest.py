# SPDX-License-Identifier: MIT
"""Where agreement is lowest: columns and rows to look at first, of every family of tasks. Knows no page."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from m4bench.model.task import Task
from m4bench.report.arms import ArmName
from m4bench.report.summary import Question, Summary

LOWEST_COLUMNS = 6
MOST_FAMILIES = 16
LOWEST_OF_A_FAMILY = 2
WORST_ROWS = 6
RAW = "-raw"


@dataclass(frozen=True)
class WrongRows:
    """Keys that an arm's outputs of a task lack or have too much, means over trials that could be compared."""

    question: Question
    arm: ArmName
    reference: float
    missing: float
    extra: float
    duplicate: float

    @property
    def share(self) -> float:
        """The wrong keys for each key of the reference."""
        return (self.missing + self.extra + self.duplicate) / self.reference


@dataclass(frozen=True)
class LowColumn:
    """A column that an arm seldom gets right in a task.

    `also` are other tasks on the same derived table with the arm's rate there, which is not lower.
    """

    question: Question
    column: str
    arm: ArmName
    rate: float
    threshold: float | None
    absent: bool
    also: tuple[tuple[Question, float], ...] = ()


def lowest_columns(summary: Summary, tasks: Mapping[str, Task]) -> list[LowColumn]:
    """Return the columns with the lowest match rates: the lowest of each family, then others, by rising rate.

    A column of one derived table that several tasks ask of an arm, from source records and beside derived
    tables, is one. Outputs of which no key matches the reference are left out: there every column is 0.
    """
    found = _merged(_low_columns(summary), tasks)
    taken: Counter[str] = Counter()
    first, others = [], []
    for low in found:
        family = _family(low.question, tasks)
        taken[family] += 1
        if taken[family] == 1:
            first.append(low)
        elif taken[family] <= LOWEST_OF_A_FAMILY:
            others.append(low)
    shown = first[:MOST_FAMILIES]
    shown += others[: max(0, LOWEST_COLUMNS - len(shown))]
    return sorted(shown, key=_rank)


def worst_rows(summary: Summary) -> list[WrongRows]:
    """Return the cells whose outputs have the most wrong keys for the size of the reference."""
    found = []
    for arm in summary.arms:
        for cell in arm.cells:
            keys = [run.score.keys for run in cell.compared if run.score]
            if any(key.missing or key.extra or key.duplicate for key in keys):
                means = (
                    fmean(getattr(key, name) for key in keys)
                    for name in ("reference", "missing", "extra", "duplicate")
                )
                found.append(WrongRows(cell.question, arm.name, *means))
    found.sort(key=lambda wrong: (-wrong.share, wrong.question, str(wrong.arm)))
    return found[:WORST_ROWS]


def _low_columns(summary: Summary) -> list[LowColumn]:
    found = [
        LowColumn(
            cell.question,
            column.name,
            arm.name,
            column.rate,
            column.threshold,
            column.absent > 0,
        )
        for arm in summary.arms
        for cell in arm.cells
        if any(run.score and run.score.keys.matched for run in cell.compared)
        for column in cell.columns
        if column.rate < 1
    ]
    return sorted(found, key=_rank)


def _merged(found: list[LowColumn], tasks: Mapping[str, Task]) -> list[LowColumn]:
    """Put the same column of the same derived table and arm together, under the task with its lowest rate."""
    merged: dict[tuple[str, str, ArmName], LowColumn] = {}
    for low in found:
        key = (_table(low.question, tasks), low.column, low.arm)
        if key in merged:
            kept = merged[key]
            merged[key] = replace(kept, also=(*kept.also, (low.question, low.rate)))
        else:
            merged[key] = low
    return list(merged.values())


def _rank(low: LowColumn) -> tuple[object, ...]:
    return (low.rate, low.question, low.column, str(low.arm))


def _table(question: Question, tasks: Mapping[str, Task]) -> str:
    """Return which derived table a task asks for, by its name where the task is not known here."""
    task = tasks.get(question.task)
    return task.reference if task else question.task.removesuffix(RAW)


def _family(question: Question, tasks: Mapping[str, Task]) -> str:
    task = tasks.get(question.task)
    return task.family if task else question.task.removesuffix(RAW)
