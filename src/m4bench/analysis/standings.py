# SPDX-License-Identifier: MIT
"""Systems side by side under one condition, schema and setting, in groups of ties. Knows no contrast of conditions."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from m4bench.analysis.arms import ArmKey, ArmTasks, arm_tasks, choice_of, group_arms
from m4bench.analysis.estimate import RATES, Units, interval_of, sign_flip, units
from m4bench.analysis.held import distinct
from m4bench.analysis.order import condition_key, convention_key, schema_key
from m4bench.analysis.pairing import (
    Metric,
    Reading,
    mean,
    measured,
    publishable,
    strict_passes,
    unmeasured,
)
from m4bench.analysis.progress import Progress, unheard
from m4bench.analysis.results import Pair, Standing, Standings, StrictCount
from m4bench.analysis.runs import CellKey, RunRow, System
from m4bench.analysis.words import counted
from m4bench.model.analysis import AnalysisPlan
from m4bench.stats.multiplicity import holm
from m4bench.stats.sign_flip import EXACT_GROUPS
from m4bench.stats.ties import letters

Cells = Mapping[CellKey, tuple[RunRow, ...]]
Tasks = Mapping[str, Sequence[tuple[RunRow, ...]]]
BASELINES_ASIDE = "baselines, which are no measured agents and left aside"
ENOUGH = 0.5
"""The share of all tasks that a system needs to be one of those whose common tasks stand for the group."""


class GroupKey(NamedTuple):
    """What systems must share to be compared."""

    condition: str
    schema: str
    convention: str
    drops: str
    dataset: str
    access: str


def _order(group: GroupKey) -> tuple[object, ...]:
    """Return what a group is sorted by: settings apart, in each native schemas first and then by condition."""
    return (
        convention_key(group.convention),
        group.drops,
        group.dataset,
        group.access,
        schema_key(group.schema),
        condition_key(group.condition),
    )


def standings(
    cells: Cells, reward: Metric, plan: AnalysisPlan, progress: Progress = unheard
) -> tuple[Standings, ...]:
    """Compare the systems of each condition, schema, convention, drops, data and access.

    Rewards are means over the tasks that all systems have which have at least half of the group's tasks; a system
    with fewer stands with those it has of them, and a note says so. Two systems are compared on all tasks both
    have, by the family sign-flip test with Holm's correction over the pairs of the group; those not told apart
    share a letter. Where a system of the group has publishable runs, those without one stand aside, and of a
    system with both only the publishable ones stand. Where none has, baselines stand aside beside agents.
    """
    reading = Reading(reward, choice_of(plan))
    groups: dict[GroupKey, dict[System, Tasks]] = {}
    for arm, tasks in group_arms(cells).items():
        if arm_tasks(tasks, reading).values:
            groups.setdefault(_group(arm), {})[arm.system] = tasks
    found = []
    for place, key in enumerate(sorted(groups, key=_order)):
        progress("comparing systems", place, len(groups))
        found.append(_standings(key, groups[key], reading, plan))
    return tuple(found)


def _group(arm: ArmKey) -> GroupKey:
    return GroupKey(arm.condition, arm.schema, arm.convention, arm.drops, arm.dataset, arm.access)


def _publishable_alone(tasks: Tasks) -> dict[str, list[tuple[RunRow, ...]]]:
    """Return a system's cells without measured runs that are not publishable, where it has others; else nothing."""
    if not any(publishable(runs) for found in tasks.values() for runs in found):
        return {}
    kept = {
        task: [left for runs in found if (left := (*publishable(runs), *unmeasured(runs)))]
        for task, found in tasks.items()
    }
    return {task: found for task, found in kept.items() if found}


def _standings(
    key: GroupKey, systems: Mapping[System, Tasks], reading: Reading, plan: AnalysisPlan
) -> Standings:
    own = {system: _publishable_alone(tasks) for system, tasks in systems.items()}
    published = {system: tasks for system, tasks in own.items() if tasks}
    standing = published or _of_agents(systems) or systems
    names = distinct(systems)
    named = {names[system]: arm_tasks(tasks, reading) for system, tasks in standing.items()}
    aside = tuple(sorted(names[system] for system in systems if system not in standing))
    common = common_tasks([set(read.values) for read in named.values()])
    pairs = _pairs(named, plan)
    alpha = 1 - plan.confidence
    apart = {
        frozenset((one.first, one.second))
        for one in pairs
        if one.p_adjusted is not None and one.p_adjusted <= alpha
    }
    shown = {name: _shown(read, common) for name, read in named.items()}
    rewards = {name: mean(_units(read, plan).values) for name, read in shown.items()}
    alone = len(rewards) == 1
    signs = dict.fromkeys(rewards, "") if alone else letters([*rewards], [*rewards.values()], apart)
    ordered = sorted(named, key=lambda name: (-rewards[name], name))
    return Standings(
        condition=key.condition,
        schema_name=key.schema,
        convention=key.convention,
        dataset=key.dataset,
        access=key.access,
        drops=key.drops,
        standings=tuple(
            Standing(
                system=name,
                tasks=len(shown[name].values),
                reward=rewards[name],
                interval=interval_of(_units(shown[name], plan), plan, RATES),
                strict=StrictCount(
                    passes=strict_passes(shown[name].chosen),
                    runs=len(shown[name].chosen),
                ),
                letters=signs[name],
                tied_with=tuple(
                    other
                    for other in ordered
                    if other != name and frozenset((name, other)) not in apart
                ),
                publishable=all(run.publishable for run in measured(shown[name].chosen)),
            )
            for name in ordered
        ),
        pairs=pairs,
        aside=aside,
        notes=(
            *_notes_on_aside(aside, publishable=bool(published)),
            *_notes(named, shown, common, pairs, plan),
        ),
    )


def common_tasks(tasks: Sequence[set[str]]) -> frozenset[str]:
    """Return the tasks that all systems have which have at least half of all tasks.

    Where no system has, or those have none in common, all tasks: each system then stands with its own.
    """
    every = frozenset().union(*tasks)
    full = [own for own in tasks if len(own) >= ENOUGH * len(every)]
    shared = every.intersection(*full)
    return shared or every


def _shown(read: ArmTasks, common: frozenset[str]) -> ArmTasks:
    """Return a system's tasks among the common ones, or all of its own where it has none of them."""
    tasks = [task for task in read.values if task in common] or list(read.values)
    return ArmTasks(
        {task: read.values[task] for task in tasks},
        {task: read.families[task] for task in tasks},
        {task: read.runs[task] for task in tasks},
    )


def _units(read: ArmTasks, plan: AnalysisPlan) -> Units:
    return units(
        list(read.values.values()), [read.families[task] for task in read.values], plan.weighting
    )


def _pairs(named: Mapping[str, ArmTasks], plan: AnalysisPlan) -> tuple[Pair, ...]:
    """Compare every two systems on the tasks both have; two without a common task are not compared."""
    found = [
        one
        for first, second in combinations(sorted(named), 2)
        if (one := _pair(first, second, named, plan)) is not None
    ]
    adjusted = holm([one.p_value for one in found])
    return tuple(
        one.model_copy(update={"p_adjusted": p_adjusted})
        for one, p_adjusted in zip(found, adjusted, strict=True)
    )


def _pair(
    first: str, second: str, named: Mapping[str, ArmTasks], plan: AnalysisPlan
) -> Pair | None:
    one, other = named[first], named[second]
    both = [task for task in one.values if task in other.values]
    if not both:
        return None
    weighed = units(
        [one.values[task] - other.values[task] for task in both],
        [one.families[task] for task in both],
        plan.weighting,
    )
    return Pair(
        first=first,
        second=second,
        tasks=len(both),
        families=weighed.clusters,
        delta=mean(weighed.values),
        interval=interval_of(weighed, plan),
        p_value=sign_flip(weighed, plan),
        p_adjusted=None,
    )


def _of_agents(systems: Mapping[System, Tasks]) -> Mapping[System, Tasks]:
    """Return the systems that are agents to be measured, and no baselines."""
    return {
        system: tasks
        for system, tasks in systems.items()
        if not any(run.is_baseline for found in tasks.values() for runs in found for run in runs)
    }


def _notes_on_aside(aside: Sequence[str], *, publishable: bool) -> tuple[str, ...]:
    if not aside:
        return ()
    why = "not publishable and left aside, since others are" if publishable else BASELINES_ASIDE
    return (f"{why}: {', '.join(aside)}",)


def _notes(
    named: Mapping[str, ArmTasks],
    shown: Mapping[str, ArmTasks],
    common: frozenset[str],
    pairs: Sequence[Pair],
    plan: AnalysisPlan,
) -> tuple[str, ...]:
    if len(named) == 1:
        return ("one system: nothing to compare it with",)
    notes = []
    for name in sorted(named):
        if set(shown[name].values) != common:
            notes.append(
                f"{name} has {len(shown[name].values)} of the {len(common)} tasks: its mean is over those and beside "
                "the others' only in pairs, on common tasks"
            )
        elif len(named[name].values) > len(common):
            notes.append(
                f"{name} has {counted(len(named[name].values), 'task')}, of which {len(common)} stand here"
            )
    not_compared = len(named) * (len(named) - 1) // 2 - len(pairs)
    if not_compared:
        notes.append(
            f"{counted(not_compared, 'pair')} of systems without a common task: not compared, and so not told apart"
        )
    families = max((one.families for one in pairs), default=0)
    least = min((one.p_value for one in pairs if one.p_value is not None), default=None)
    if (
        least is not None
        and families <= EXACT_GROUPS
        and len(pairs) * 2.0 ** (1 - families) > 1 - plan.confidence
    ):
        notes.append(
            f"with {counted(families, 'family', 'families')} the test has no p-value below "
            f"{2.0 ** (1 - families):g}: corrected for {counted(len(pairs), 'pair')} it can tell no two systems apart"
        )
    if pairs and least is None:
        notes.append("all common tasks are of one family: nothing tells systems apart")
    return tuple(notes)
