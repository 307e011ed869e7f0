# SPDX-License-Identifier: MIT
"""What went wrong in a set of runs, the gravest first. Knows runs and their means, no page."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from m4bench.harness.audit.publishability import BASELINE, BASELINES
from m4bench.harness.finished.results import Results
from m4bench.harness.finished.states import COMPLETED, STATES, UNSCORED, may_pass, with_reason
from m4bench.model.run import RunRecord
from m4bench.report.arms import Arm
from m4bench.report.summary import ArmSummary, Question, Summary, is_measured, passes_strictly

REFERENCE = "reference"
EMPTY = "empty"


@dataclass(frozen=True)
class Item:
    """One thing that went wrong: what, for whom, in which tasks; `everywhere` where in every task of each."""

    what: str
    who: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    runs: int = 0
    everywhere: bool = False


@dataclass(frozen=True)
class Trouble:
    """Things of one kind that went wrong; `grave` where a figure of the report cannot be trusted for it."""

    title: str
    meaning: str
    items: tuple[Item, ...]
    grave: bool = False


def troubles(results: Results, summary: Summary) -> list[Trouble]:
    """Return what went wrong, by kind; kinds without an item are left out."""
    found = [
        _unreadable(results),
        _baselines(summary),
        _unlike_trials(summary),
        _to_run_again(summary),
        _to_mend(summary),
        _unscored(summary),
        _failed(summary),
        _uncompared(summary),
        _unpublishable(summary),
        _uneven(summary),
    ]
    return [trouble for trouble in found if trouble.items]


def against_publishing(run: RunRecord) -> tuple[str, ...]:
    """Return what speaks against publishing a run, but not that it is a baseline's.

    Baselines are there to be compared with; their runs are not for publication whatever happens.
    """
    if run.publishability.publishable:
        return ()
    reasons = run.publishability.reasons or ("no reason recorded",)
    if run.cell.agent in BASELINES:
        reasons = tuple(reason for reason in reasons if reason != BASELINE)
    return reasons


def notes(run: RunRecord) -> list[str]:
    """Return what is to be said of how a run went: its reason, error, notes and what forbids publishing it.

    What a baseline is meant to do is no note: that the empty one has nothing to compare, and that none is an
    agent to be measured.
    """
    words = []
    meant = _is_meant(run)
    if run.outcome.reason and not meant:
        words.append(f"Ended as {run.outcome.state}: {run.outcome.reason}")
    if run.score and run.score.error and not meant:
        words.append(f"Not compared: {run.score.error}")
    if run.score:
        words.extend(run.score.notes)
    words.extend(f"Not publishable: {reason}" for reason in against_publishing(run))
    return words


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
        if run.cell.agent == REFERENCE and not (run.score.reward == 1 and passes_strictly(run)):
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


FORGOTTEN = (
    "Once the failure is understood, its folder in .unmeasured of the results may be deleted; a report then "
    "no longer tells of it."
)


def _to_run_again(summary: Summary) -> Trouble:
    return Trouble(
        "Runs without a measurement, to be run again",
        "The provider or the machine failed, not the agent: they are in no mean, and running the same again "
        f"may give a measurement. {FORGOTTEN}",
        _grouped(_without_measurement(summary, passing=True), summary),
    )


def _to_mend(summary: Summary) -> Trouble:
    return Trouble(
        "Runs without a measurement, with something to mend first",
        "A key, a quota, the name of a model, the policy or a recording stood in the way, not the agent: they "
        f"are in no mean, and would end so again until that is mended. {FORGOTTEN}",
        _grouped(_without_measurement(summary, passing=False), summary),
    )


def _without_measurement(summary: Summary, *, passing: bool) -> Iterator[tuple[RunRecord, str]]:
    for run in summary.runs:
        unscored = run.outcome.state == UNSCORED
        if not is_measured(run) and not unscored and may_pass(run.outcome) is passing:
            yield run, with_reason(run.outcome)


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
                (run, with_reason(run.outcome))
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
                if is_measured(run)
                for reason in against_publishing(run)
            ),
            summary,
        ),
    )


def _uneven(summary: Summary) -> Trouble:
    """Name arms that were not measured in every task that another was, those of as many tasks together.

    One that was measured in none has no mean, and stands among the runs without a measurement.
    """
    measured = {arm.arm: _questions(arm) for arm in summary.measured_arms}
    every = frozenset().union(*measured.values())
    fewer: dict[int, list[ArmSummary]] = {}
    for arm in summary.measured_arms:
        if measured[arm.arm] != every:
            fewer.setdefault(len(measured[arm.arm]), []).append(arm)
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
        "These means are over fewer tasks than there are and cannot be compared with others directly.",
        tuple(items),
    )


def _questions(arm: ArmSummary) -> frozenset[Question]:
    return frozenset(cell.question for cell in arm.cells if cell.reward is not None)


def _is_meant(run: RunRecord) -> bool:
    """Tell whether a run without anything to compare is the empty baseline, which is to end so."""
    return (
        run.cell.agent == EMPTY
        and run.outcome.state in (COMPLETED, "no-output")
        and run.score is not None
        and run.score.reward == 0
    )


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
        met = {(Arm.of(run), Question(run.cell.task, run.task_version)) for run in runs}
        items.append(
            Item(
                words,
                who=tuple(str(summary.arms[place(arm)].name) for arm in arms),
                tasks=tuple(sorted({run.cell.task for run in runs})),
                runs=len({run.run_id for run in runs}),
                everywhere=len(met) == len(arms) * len(summary.questions),
            )
        )
    return tuple(sorted(items, key=lambda item: (-item.runs, item.what)))
