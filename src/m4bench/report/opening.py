# SPDX-License-Identifier: MIT
"""The first words of a report: what was asked, and who answered how well, in plain sentences. Knows no page."""

from collections.abc import Mapping, Sequence

from m4bench.model.task import Task
from m4bench.report import wording
from m4bench.report.arms import shared_by_all
from m4bench.report.comparison import Comparison, against_naive, among_agents
from m4bench.report.provenance import Provenances, is_proven
from m4bench.report.summary import ArmSummary, Summary, is_measured, passes_strictly

MOST_NAMED = 16


def asked(summary: Summary, tasks: Mapping[str, Task], proven: Provenances) -> list[str]:
    """Return what was asked of whom on which data, and how many runs that made."""
    runs = summary.runs
    if not runs:
        return ["No run could be read."]
    agents = len({arm.arm.program for arm in summary.arms})
    return [
        f"{wording.plural(agents, 'agent was', 'agents were')} given {_things(summary, tasks)} of "
        f"critical care{_families(summary, tasks)}, on {_datasets(summary, proven)}.",
        _given(summary),
        _made(summary),
    ]


def _things(summary: Summary, tasks: Mapping[str, Task]) -> str:
    """Return how many tasks there are, over how many tables where all tasks are known."""
    names = {question.task for question in summary.questions}
    given = wording.plural(len(names), "task")
    if not names <= tasks.keys():
        return f"{given} on derived tables"
    tables = {(tasks[name].suite, tasks[name].reference) for name in names}
    return f"{given} over {wording.plural(len(tables), 'derived table')}"


def answered(summary: Summary) -> list[str]:
    """Return who answered best, and what the naive baseline says of that; each only over tasks that both ran."""
    measured = [
        arm
        for arm in summary.arms
        if arm.reward is not None and arm.arm.agent not in wording.BASELINES
    ]
    if not measured:
        return _scale(summary)
    return [_best(measured), *_held_against_naive(summary, measured)]


def _scale(summary: Summary) -> list[str]:
    """Say of which baselines a report is made, where no agent was measured."""
    found = [arm.arm.agent for arm in summary.arms if arm.reward is not None]
    named = [
        f"{agent} ({about.removeprefix('baseline: ')})"
        for agent, about in wording.BASELINES.items()
        if agent in found
    ]
    return [f"Only baselines ran: {'; '.join(named)}."] if named else []


def _best(measured: Sequence[ArmSummary]) -> str:
    compared = among_agents(measured)
    if compared is None:
        return (
            "No agent is the best: they were measured on different data or have no task in common, so "
            "their means cannot be compared."
        )
    highest = max(mean for mean, _ in compared.means)
    best = [arm for mean, arm in compared.means if mean == highest]
    if len(best) > 1 and len(best) == len(measured):
        several = "All " if len({arm.arm.program for arm in best}) > 1 else ""
        all_of = f"{several}{_agents(best, 'has', 'have')}"
        return f"{all_of} the same mean reward{_over(compared)}, {wording.rate(highest)}."
    words = f"The highest mean reward of an agent{_over(compared)} is {wording.rate(highest)}, by "
    if len(best) > 1:
        return f"{words}{' and by '.join(str(arm.name) for arm in best)}."
    runs, passes = compared.runs(best[0])
    return (
        f"{words}{best[0].name}; {passes} of its {wording.plural(runs, 'run')}"
        f"{' there' if compared.partial else ''} {wording.plural_word(passes, 'passes', 'pass')} strictly."
    )


def _held_against_naive(summary: Summary, measured: Sequence[ArmSummary]) -> list[str]:
    """Say how many agents stand above the naive baseline over the tasks that both were measured in."""
    naive = [arm for arm in summary.arms if arm.arm.agent == "naive" and arm.reward is not None]
    found = [against_naive(arm, naive) for arm in measured]
    held = [comparison for comparison in found if comparison is not None]
    if not held:
        return []
    below = [
        arm
        for arm, comparison in zip(measured, found, strict=True)
        if comparison is not None and comparison.means[0][0] <= comparison.means[1][0]
    ]
    left = [arm for arm, comparison in zip(measured, found, strict=True) if comparison is None]
    earned = {wording.rate(comparison.means[1][0]) for comparison in held}
    partial = any(comparison.partial for comparison in held)
    words = "A hurried query, the naive baseline, "
    words += f"earns {earned.pop()}" if len(earned) == 1 and not partial else "was run too"
    where = "over the tasks that both ran, " if partial else ""
    if below:
        words += f"; {where}{_agents(below, 'stands', 'stand')} no higher"
    else:
        words += f"; {where}every agent {'held against it ' if left else ''}stands above it"
    if left:
        words += f"; {_agents(left, 'has', 'have')} no task in common with it"
    return [words + "."]


def _agents(arms: Sequence[ArmSummary], one: str, many: str) -> str:
    """Return how many agents arms are of, with their verb; where an agent has several of them, how many there are."""
    agents = len({arm.arm.program for arm in arms})
    said = wording.plural(agents, "agent")
    if agents < len(arms):
        told = {(arm.arm.program, arm.arm.condition) for arm in arms}
        if len(told) < len(arms):
            said += f", in {len(arms)} settings,"
        elif agents == 1:
            said += f", under {len(arms)} conditions,"
        else:
            said += f", in {len(arms)} pairs of agent and condition,"
    return f"{said} {wording.plural_word(agents, one, many)}"


def _over(compared: Comparison) -> str:
    """Say over which tasks a mean is, where it is not over all of an agent."""
    if not compared.partial:
        return ""
    tasks = wording.plural(len(compared.questions), "task")
    return f" over the {tasks} that all were measured in"


def _families(summary: Summary, tasks: Mapping[str, Task]) -> str:
    found = sorted(
        {tasks[name].family for name in {q.task for q in summary.questions} if name in tasks}
    )
    if not found or len(found) > MOST_NAMED:
        return ""
    return f" ({', '.join(found)})"


def _datasets(summary: Summary, proven: Provenances) -> str:
    found = sorted(
        {
            (run.cell.dataset, wording.access(run.access, proven=is_proven(run, proven)))
            for run in summary.runs
        }
    )
    named = [f"{name} ({access})" for name, access in found]
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
    all_measured = (
        "all were measured"
        if measured == len(runs)
        else f"{measured} {wording.plural_word(measured, 'was', 'were')} measured"
    )
    return (
        f"That made {wording.plural(len(runs), 'run')}{each}: {all_measured}, "
        f"{wording.plural(strict, 'passes', 'pass')} strictly, {_for_publication(summary)}."
    )


def _for_publication(summary: Summary) -> str:
    """Say how many runs may be published; baselines' are not for that, and are named as what they are."""
    of_baselines = sum(run.cell.agent in wording.BASELINES for run in summary.runs)
    if of_baselines == len(summary.runs):
        return "all are of baselines"
    publishable = sum(run.publishability.publishable for run in summary.runs)
    return f"{publishable} may be published" + (
        f", {of_baselines} {wording.plural_word(of_baselines, 'is', 'are')} of baselines"
        if of_baselines
        else ""
    )
