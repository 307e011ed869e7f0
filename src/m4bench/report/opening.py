# SPDX-License-Identifier: MIT
"""The first words of a report: what was asked, and who answered how well, in plain sentences. Knows no page."""

from collections.abc import Mapping, Sequence

from m4bench.model.task import Task
from m4bench.report import wording
from m4bench.report.arms import shared_by_all
from m4bench.report.summary import ArmSummary, Summary, is_measured, passes_strictly

MOST_NAMED = 16


def asked(summary: Summary, tasks: Mapping[str, Task]) -> list[str]:
    """Return what was asked of whom on which data, and how many runs that made."""
    runs = summary.runs
    if not runs:
        return ["No run could be read."]
    agents = len({arm.arm.program for arm in summary.arms})
    questions = len({question.task for question in summary.questions})
    things = wording.plural(questions, "table", "tables")
    families = _families(summary, tasks)
    return [
        f"{wording.plural(agents, 'agent was', 'agents were')} asked to rebuild {things} of derived "
        f"variables of critical care{families} from {_datasets(summary)}.",
        _given(summary),
        _made(summary),
    ]


def answered(summary: Summary) -> list[str]:
    """Return who answered best, and what the baselines say of that."""
    baselines = [arm for arm in summary.arms if arm.arm.agent in wording.BASELINES]
    measured = [
        arm
        for arm in summary.arms
        if arm.reward is not None and arm.arm.agent not in wording.BASELINES
    ]
    words = []
    if measured:
        words.append(_best(measured))
    elif any(arm.reward is not None for arm in baselines):
        words.append(
            "Only baselines ran: the project’s own derivation and an empty file are the two ends of the "
            "scale, and a hurried analyst’s query stands between them."
        )
    naive = [arm for arm in baselines if arm.arm.agent == "naive" and arm.reward is not None]
    if measured and naive:
        below = sum((arm.reward or 0) <= (naive[0].reward or 0) for arm in measured)
        words.append(
            f"A hurried query, the naive baseline, earns {wording.rate(naive[0].reward)}; "
            + (
                f"{wording.plural(below, 'agent stands', 'agents stand')} no higher."
                if below
                else "every agent stands above it."
            )
        )
    return words


def _best(measured: Sequence[ArmSummary]) -> str:
    best = measured[0]
    return (
        f"The highest mean reward of an agent is {wording.rate(best.reward)}, by {best.name}; "
        f"{best.strict_passes} of its {wording.plural(best.entering, 'run')} "
        f"{wording.plural_word(best.strict_passes, 'passes', 'pass')} strictly."
    )


def _families(summary: Summary, tasks: Mapping[str, Task]) -> str:
    found = sorted(
        {tasks[name].family for name in {q.task for q in summary.questions} if name in tasks}
    )
    if not found or len(found) > MOST_NAMED:
        return ""
    return f" ({', '.join(found)})"


def _datasets(summary: Summary) -> str:
    found = sorted({(run.cell.dataset, run.access) for run in summary.runs})
    named = [f"{name} ({wording.ACCESS.get(access, access)})" for name, access in found]
    return f"the {', '.join(named)} {wording.plural_word(len(named), 'dataset')}"


def _given(summary: Summary) -> str:
    shared = shared_by_all([arm.arm for arm in summary.arms])
    if "condition" in shared:
        name = shared["condition"]
        return f"Each was given {wording.CONDITIONS.get(name, name)}."
    conditions = sorted({arm.arm.condition for arm in summary.arms})
    return f"What they were given differs: {', '.join(conditions)}."


def _made(summary: Summary) -> str:
    runs = summary.runs
    trials = {len(cell.runs) for cell in summary.cells.values()}
    each = (
        f", {wording.plural(next(iter(trials)), 'trial')} of each task and agent"
        if len(trials) == 1
        else f", {min(trials)} to {max(trials)} trials of each task and agent"
    )
    measured = sum(is_measured(run) for run in runs)
    strict = sum(passes_strictly(run) for run in runs)
    publishable = sum(run.publishability.publishable for run in runs)
    all_measured = (
        "all were measured"
        if measured == len(runs)
        else f"{measured} {wording.plural_word(measured, 'was', 'were')} measured"
    )
    return (
        f"That made {wording.plural(len(runs), 'run')}{each}: {all_measured}, "
        f"{wording.plural(strict, 'passes', 'pass')} strictly, {publishable} may be published."
    )
