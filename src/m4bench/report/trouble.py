# SPDX-License-Identifier: MIT
"""What went wrong in a set of runs, the gravest first. Knows runs and their means, no page."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean

from m4bench.model.run import RunRecord
from m4bench.report.arms import Arm, ArmName
from m4bench.report.results import Results
from m4bench.report.states import COMPLETED, STATES, UNSCORED
from m4bench.report.summary import ArmSummary, Question, Summary, is_measured, passes_strictly

LOWEST_COLUMNS = 6
LOWEST_OF_A_TASK = 2
WORST_ROWS = 6
EMPTY = "empty"


@dataclass(frozen=True)
class Item:
    """One thing that went wrong: what, for whom, in which tasks."""

    what: str
    who: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    runs: int = 0


@dataclass(frozen=True)
class Trouble:
    """Things of one kind that went wrong; `grave` where a figure of the report cannot be trusted for it."""

    title: str
    meaning: str
    items: tuple[Item, ...]
    grave: bool = False


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
    """A column that an arm seldom gets right in a task."""

    question: Question
    column: str
    arm: ArmName
    rate: float
    threshold: float | None
    absent: bool


def troubles(results: Results, summary: Summary) -> list[Trouble]:
    """Return what went wrong, by kind; kinds without an item are left out."""
    found = [
        _unreadable(results),
        _baselines(summary),
        _unlike_trials(summary),
        _unmeasured(summary),
        _unscored(summary),
        _failed(summary),
        _uncompared(summary),
        _unpublishable(summary),
        _uneven(summary),
    ]
    return [trouble for trouble in found if trouble.items]


def lowest_columns(summary: Summary) -> list[LowColumn]:
    """Return the columns with the lowest match rates among outputs that could be compared, few of a task.

    Outputs of which no key matches the reference are left out: there every column is 0.
    """
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
    found.sort(key=lambda low: (low.rate, low.question, low.column, str(low.arm)))
    taken: Counter[str] = Counter()
    lowest = []
    for low in found:
        if taken[low.question.task] < LOWEST_OF_A_TASK:
            taken[low.question.task] += 1
            lowest.append(low)
    return lowest[:LOWEST_COLUMNS]


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


def _unreadable(results: Results) -> Trouble:
    by_problem: dict[str, list[str]] = {}
    for finding in results.findings:
        by_problem.setdefault(finding.problem, []).append(finding.folder)
    return Trouble(
        "Folders that could not be counted",
        "These are in the results folder but in no figure of this report.",
        tuple(
            Item(problem, who=tuple(folders), runs=len(folders))
            for problem, folders in by_problem.items()
        ),
        grave=True,
    )


def _baselines(summary: Summary) -> Trouble:
    """Check the benchmark by its own baselines: they are the two ends of the scale."""
    items = []
    for run in summary.runs:
        if not is_measured(run) or run.score is None:
            continue
        if run.cell.agent == "reference" and not (run.score.reward == 1 and passes_strictly(run)):
            items.append((run, "the reference baseline does not reproduce its reference"))
        if run.cell.agent == EMPTY and run.score.reward > 0:
            items.append((run, "the empty baseline earns a reward"))
    return Trouble(
        "The benchmark's own check does not hold",
        "The reference baseline must score 1 and pass, the empty one 0; otherwise no figure of that "
        "task can be trusted.",
        _grouped(items, summary),
        grave=True,
    )


def _unlike_trials(summary: Summary) -> Trouble:
    items: list[tuple[RunRecord, str]] = []
    for cell in summary.cells.values():
        differing = [
            name
            for name, values in (
                ("reference", {run.reference_hash for run in cell.runs}),
                ("engine", {run.engine for run in cell.runs}),
                ("agent runtime", {run.runtime for run in cell.runs}),
                ("m4bench version", {run.m4bench for run in cell.runs}),
            )
            if len(values) > 1
        ]
        if differing:
            items.extend((run, f"trials differ in: {', '.join(differing)}") for run in cell.runs)
    return Trouble(
        "Trials of one cell that are not alike",
        "Their mean mixes what was made with different parts.",
        _grouped(items, summary),
        grave=True,
    )


def _unmeasured(summary: Summary) -> Trouble:
    return Trouble(
        "Runs without a measurement",
        "The infrastructure failed, not the agent: they are in no mean and should be run again.",
        _grouped(
            (
                (run, run.outcome.reason or STATES.get(run.outcome.state, run.outcome.state))
                for run in summary.runs
                if not is_measured(run) and run.outcome.state != UNSCORED
            ),
            summary,
        ),
    )


def _unscored(summary: Summary) -> Trouble:
    return Trouble(
        "Runs whose output was not scored",
        "The agent had finished when scoring failed: they are in no mean until their output is scored.",
        _grouped(
            (
                (run, run.outcome.reason or STATES[UNSCORED])
                for run in summary.runs
                if run.outcome.state == UNSCORED
            ),
            summary,
        ),
    )


def _failed(summary: Summary) -> Trouble:
    return Trouble(
        "Runs without an output to score",
        "They count with reward 0.",
        _grouped(
            (
                (run, _how_it_ended(run))
                for run in summary.runs
                if is_measured(run) and run.outcome.state != COMPLETED and not _is_meant(run)
            ),
            summary,
        ),
    )


def _uncompared(summary: Summary) -> Trouble:
    return Trouble(
        "Outputs that could not be compared",
        "An output was there, but nothing in it could be held against the reference: reward 0.",
        _grouped(
            (
                (run, run.score.error)
                for run in summary.runs
                if is_measured(run)
                and run.outcome.state == COMPLETED
                and run.score
                and run.score.error
                and not _is_meant(run)
            ),
            summary,
        ),
    )


def _unpublishable(summary: Summary) -> Trouble:
    return Trouble(
        "Runs that may not be published",
        "They are shown and marked; where a cell has publishable runs too, only those enter its mean.",
        _grouped(
            (
                (run, reason)
                for run in summary.runs
                if is_measured(run) and not run.publishability.publishable
                for reason in run.publishability.reasons or ("no reason recorded",)
            ),
            summary,
        ),
    )


def _uneven(summary: Summary) -> Trouble:
    """Name arms whose mean is over fewer tasks than another's, those of as many tasks together."""
    most = max((arm.measured_tasks for arm in summary.arms), default=0)
    fewer: dict[int, list[ArmSummary]] = {}
    for arm in summary.arms:
        if arm.measured_tasks < most:
            fewer.setdefault(arm.measured_tasks, []).append(arm)
    items = [
        Item(
            f"measured in {tasks} of {len(summary.questions)} tasks",
            who=tuple(str(arm.name) for arm in fewer[tasks]),
            runs=sum(arm.runs for arm in fewer[tasks]),
        )
        for tasks in sorted(fewer)
    ]
    return Trouble(
        "Means over different tasks",
        "These means are over fewer tasks than others and cannot be compared with them directly.",
        tuple(items),
    )


def _is_meant(run: RunRecord) -> bool:
    """Tell whether a run without anything to compare is the empty baseline, which is to end so."""
    return run.cell.agent == EMPTY and run.outcome.state in (COMPLETED, "no-output")


def _how_it_ended(run: RunRecord) -> str:
    words = STATES.get(run.outcome.state, run.outcome.state)
    return f"{words}: {run.outcome.reason}" if run.outcome.reason else words


def _grouped(pairs: Iterable[tuple[RunRecord, str]], summary: Summary) -> tuple[Item, ...]:
    """Put runs with the same words together; the words that most runs share come first."""
    order: dict[Arm, int] = {arm.arm: place for place, arm in enumerate(summary.arms)}
    by_words: dict[str, list[RunRecord]] = {}
    for run, words in pairs:
        by_words.setdefault(words, []).append(run)
    place: Callable[[Arm], int] = order.__getitem__
    items = []
    for words, runs in by_words.items():
        arms = sorted({Arm.of(run) for run in runs}, key=place)
        items.append(
            Item(
                words,
                who=tuple(str(summary.arms[place(arm)].name) for arm in arms),
                tasks=tuple(sorted({run.cell.task for run in runs})),
                runs=len({run.run_id for run in runs}),
            )
        )
    return tuple(sorted(items, key=lambda item: (-item.runs, item.what)))
