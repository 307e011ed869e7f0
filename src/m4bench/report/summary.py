# SPDX-License-Identifier: MIT
"""From runs to what a report shows: cells, arms and tasks with their means. Knows no page or file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from m4bench.analysis.run_csv import is_measured as is_measured
from m4bench.analysis.run_csv import passes_strictly as passes_strictly
from m4bench.model.run import RunRecord
from m4bench.report.arms import Arm, ArmName, arm_order, name_arms


@dataclass(frozen=True, order=True)
class Question:
    """A task at a version: scores of two versions of a task are never averaged."""

    task: str
    version: str


@dataclass(frozen=True)
class ColumnMean:
    """A scored column of a cell: its mean match rate, and the threshold of its strict check if it has one."""

    name: str
    rate: float
    tolerance: float
    threshold: float | None
    absent: int

    @property
    def below(self) -> bool:
        """Whether the mean rate misses the threshold."""
        return self.threshold is not None and self.rate < self.threshold


@dataclass(frozen=True)
class Cell:
    """All trials of a task by an arm.

    `entering` are the runs that means are taken over: the publishable ones where there are any, else
    every measured one, and then the cell is marked. A timeout or an agent's failure enters with 0; what the
    provider or the machine failed or what could not be scored never enters.
    """

    question: Question
    arm: Arm
    runs: tuple[RunRecord, ...]

    @cached_property
    def entering(self) -> tuple[RunRecord, ...]:
        """The runs the cell's figures stand for."""
        measured = [run for run in self.runs if is_measured(run)]
        publishable = [run for run in measured if run.publishability.publishable]
        return tuple(publishable or measured)

    @property
    def publishable(self) -> bool:
        """Whether the figures stand for publishable runs."""
        return any(run.publishability.publishable for run in self.entering)

    @property
    def rewards(self) -> list[float]:
        """The rewards of the entering runs."""
        return [run.score.reward for run in self.entering if run.score]

    @property
    def reward(self) -> float | None:
        """The mean reward, or None without a measurement."""
        return _mean(self.rewards)

    @property
    def key_f1(self) -> float | None:
        """The mean F1 of keys; 0 counts for a run whose output could not be compared."""
        return _mean([run.score.keys.f1 for run in self.entering if run.score])

    @property
    def ordered_nmae(self) -> float | None:
        """The mean over the runs where it is defined."""
        values = [run.score.ordered_nmae for run in self.entering if run.score]
        return _mean([value for value in values if value is not None])

    @property
    def strict_passes(self) -> int:
        """How many entering runs pass strictly."""
        return sum(passes_strictly(run) for run in self.entering)

    @property
    def compared(self) -> tuple[RunRecord, ...]:
        """The entering runs whose output could be compared, so that columns say something."""
        return tuple(run for run in self.entering if run.score and run.score.error is None)

    @cached_property
    def columns(self) -> tuple[ColumnMean, ...]:
        """The scored columns in the order of the score, over the compared runs."""
        scores = [run.score for run in self.compared if run.score]
        names = dict.fromkeys(name for score in scores for name in score.columns)
        means = []
        for name in names:
            found = [score.columns[name] for score in scores if name in score.columns]
            thresholds = [
                check.threshold
                for score in scores
                for check in score.strict.checks
                if check.name.endswith(f":{name}") and check.threshold is not None
            ]
            means.append(
                ColumnMean(
                    name,
                    fmean(column.match_rate for column in found),
                    max(column.tolerance for column in found),
                    thresholds[0] if thresholds else None,
                    sum(not column.present for column in found),
                )
            )
        return tuple(means)


@dataclass(frozen=True)
class ArmSummary:
    """One arm over all tasks: the mean of its cells, each task equal whatever its trials or rows."""

    arm: Arm
    name: ArmName
    cells: tuple[Cell, ...]

    @property
    def reward(self) -> float | None:
        """The task-balanced mean reward."""
        return _mean([cell.reward for cell in self.cells if cell.reward is not None])

    @property
    def key_f1(self) -> float | None:
        """The task-balanced mean F1 of keys."""
        return _mean([cell.key_f1 for cell in self.cells if cell.key_f1 is not None])

    @property
    def measured_tasks(self) -> int:
        """How many tasks have a measurement."""
        return sum(cell.reward is not None for cell in self.cells)

    @property
    def strict_passes(self) -> int:
        """How many of the entering runs pass strictly."""
        return sum(cell.strict_passes for cell in self.cells)

    @property
    def entering(self) -> int:
        """How many runs the figures stand for."""
        return sum(len(cell.entering) for cell in self.cells)

    @property
    def publishable(self) -> bool:
        """Whether every measured cell stands for publishable runs."""
        measured = [cell for cell in self.cells if cell.entering]
        return bool(measured) and all(cell.publishable for cell in measured)

    @property
    def runs(self) -> int:
        """How many runs there are, measured or not."""
        return sum(len(cell.runs) for cell in self.cells)


@dataclass(frozen=True)
class Summary:
    """Everything a report shows of a set of runs; arms by falling mean reward, questions by name."""

    runs: tuple[RunRecord, ...]
    questions: tuple[Question, ...]
    arms: tuple[ArmSummary, ...]
    cells: dict[tuple[Question, Arm], Cell]

    @property
    def measured_arms(self) -> tuple[ArmSummary, ...]:
        """The arms with a measurement; the others have nothing to stand in a figure or a column."""
        return tuple(arm for arm in self.arms if arm.reward is not None)

    def cell(self, question: Question, arm: Arm) -> Cell | None:
        """Return the cell of a question and an arm, or None where nothing was run."""
        return self.cells.get((question, arm))

    def of_question(self, question: Question) -> list[tuple[ArmName, Cell]]:
        """Return the cells of a question in the order of the arms."""
        found = ((arm.name, self.cell(question, arm.arm)) for arm in self.arms)
        return [(name, cell) for name, cell in found if cell is not None]


def summarise(runs: Sequence[RunRecord]) -> Summary:
    """Group runs into cells, arms and questions."""
    grouped: dict[tuple[Question, Arm], list[RunRecord]] = {}
    for run in sorted(runs, key=lambda run: (run.cell.trial, run.run_id)):
        key = (Question(run.cell.task, run.task_version), Arm.of(run))
        grouped.setdefault(key, []).append(run)
    cells = {
        (question, arm): Cell(question, arm, tuple(members))
        for (question, arm), members in grouped.items()
    }
    questions = tuple(sorted({question for question, _ in cells}))
    return Summary(tuple(runs), questions, _ranked(cells, questions), cells)


def _ranked(
    cells: dict[tuple[Question, Arm], Cell], questions: Iterable[Question]
) -> tuple[ArmSummary, ...]:
    arms = sorted({arm for _, arm in cells}, key=arm_order)
    names = name_arms(arms)
    summaries = [
        ArmSummary(
            arm,
            names[arm],
            tuple(cells[question, arm] for question in questions if (question, arm) in cells),
        )
        for arm in arms
    ]
    return tuple(
        sorted(summaries, key=lambda summary: 1.0 if summary.reward is None else -summary.reward)
    )


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
