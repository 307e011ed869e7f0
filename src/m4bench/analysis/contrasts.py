# SPDX-License-Identifier: MIT
"""One comparison, worked out: headline, deltas of tasks, systems, modes and families, notes. Knows no file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from m4bench.analysis.advice import form_that_works, left_aside
from m4bench.analysis.descriptives import describe, published_seed, task_bootstrap
from m4bench.analysis.estimate import (
    FEWEST_FAMILIES,
    Estimate,
    as_line,
    counts,
    detectable,
    equivalence,
    estimate,
    family_deltas,
)
from m4bench.analysis.pairing import (
    Metric,
    Pair,
    Pairing,
    Reading,
    Runs,
    TaskEffect,
    blocks,
    entering_and_unmeasured,
    is_publishable,
    measured,
    pair,
    publishable,
    strict_passes,
    task_effects,
    within,
)
from m4bench.analysis.pools import Pools
from m4bench.analysis.results import (
    ContrastResult,
    Equivalence,
    Role,
    Sensitivity,
    StrictCount,
    SystemDelta,
    TaskDelta,
)
from m4bench.analysis.runs import entering
from m4bench.analysis.sensitivity import sensitivity
from m4bench.analysis.sides import Sides
from m4bench.analysis.words import counted, decimal
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from m4bench.model.errors import InputError
from m4bench.stats.multiplicity import benjamini_hochberg
from m4bench.stats.permutation import stratified_permutation

FEW_FAMILIES = 6
FRAGILE = "the interval is fragile, and "
PERMUTATION_DRAWS = 10_000
NO_BOOTSTRAP = (
    "no bootstrap-t interval: in too many draws of families all agree, or its tails need more draws"
)
NO_SPREAD = (
    "the families' deltas are all the same, so that nothing tells how they vary: no interval"
)


@dataclass(frozen=True)
class Question:
    """A contrast with its sides found in the runs, and the pairs of cells that answer it."""

    declared: DeclaredContrast
    sides: Sides
    pairing: Pairing
    role: Role
    setting: str = ""

    @cached_property
    def standing(self) -> tuple[Pair, ...]:
        """The pairs that figures are made of: the publishable ones where there are any, else every one."""
        if not any(map(_shows_publishable, self.pairing.pairs)):
            return self.pairing.pairs
        return tuple(
            one
            for one in self.pairing.pairs
            if is_publishable(one.treatment) and is_publishable(one.control)
        )


def _shows_publishable(one: Pair) -> bool:
    """Tell whether a pair has publishable measured runs on both sides."""
    return all(any(publishable(runs) for runs in side) for side in (one.treatment, one.control))


class Asked(NamedTuple):
    """The questions that a contrast is, one in each setting it can be answered in, and notes on the other settings."""

    questions: tuple[Question, ...]
    notes: tuple[str, ...]


def ask(
    declared: DeclaredContrast, sides: Sides, role: Role, pools: Pools, reading: Reading
) -> Asked:
    """Find the pairs of a contrast in each convention, data, access and drops, unless its sides name these.

    Raises:
        InputError: no task has cells of both sides with a number each that differ in nothing else.
    """
    questions, empty = [], []
    for setting, cells in pools.apart(sides.treatment.named).items():
        question = Question(declared, sides, pair(cells, sides), role, setting)
        if task_effects(question.standing, reading):
            questions.append(question)
        elif question.pairing.pairs or question.pairing.missing:
            empty.append(setting)
    if not questions:
        works = form_that_works(sides, pools, reading)
        raise InputError(
            f"the contrast {declared.contrast} has no task with measured runs of both sides",
            remedy=f"its sides differ in more than it names: write {works}"
            if works
            else "what a contrast does not name is held equal (task, system, data, convention, drops, sandbox): "
            "name more fields of each side where they differ on purpose, or choose arms that share tasks",
        )
    return Asked(
        tuple(questions),
        tuple(
            f"{declared.contrast} has no result in {setting}: no task has measured runs of both sides"
            for setting in empty
        ),
    )


def contrast_result(
    question: Question, metric: Metric, plan: AnalysisPlan, tasks_in_all: int
) -> ContrastResult | None:
    """Work out one contrast in one metric; None where no task has a number on both sides.

    Args:
        question: the contrast and its pairs.
        metric: of runs; the first, reward, also has sensitivity lines and a claim's test.
        plan: how cells are read and tasks weighed.
        tasks_in_all: the number of tasks in the table, of which a contrast may cover a part.
    """
    reading = reading_of(metric, plan)
    effects = task_effects(question.standing, reading)
    if not effects:
        return None
    headline = estimate(effects, plan)
    seed = published_seed(question.standing)
    is_reward = metric.name == "reward"
    descriptives = describe(effects, seed, flipping=is_reward)
    told = tuple(_used(question.standing, effects))
    chosen = _both_sides(told, reading)
    positive, negative, unchanged = counts([one.delta for one in effects], metric.better)
    reach = detectable(headline.clustered if headline.spread else None, plan)
    claimed = _claim(question, headline, plan) if is_reward else None
    return ContrastResult(
        contrast=question.declared.contrast,
        treatment_label=question.sides.treatment.label,
        control_label=question.sides.control.label,
        metric=metric.name,
        role=question.role if is_reward else "exploratory",
        systems=_systems(chosen),
        held_equal=blocks(effects),
        tasks=headline.tasks,
        families=headline.families,
        runs=(len(chosen[0]), len(chosen[1])),
        treatment=headline.treatment,
        control=headline.control,
        delta=headline.delta,
        interval=headline.interval,
        bootstrap_t=headline.bootstrap_t,
        family_t=headline.family_t,
        p_value=headline.p_value,
        p_adjusted=None,
        detectable=reach,
        positive=positive,
        negative=negative,
        unchanged=unchanged,
        strict=(_strict(chosen[0]), _strict(chosen[1])),
        task_bootstrap=descriptives.task_bootstrap,
        family_bootstrap=descriptives.family_bootstrap,
        family_balanced=descriptives.family_balanced,
        task_sign_flip=descriptives.task_sign_flip,
        equivalence=claimed,
        by_system=_by_system(effects, metric, plan, seed),
        by_mode=_by_mode(effects, plan),
        task_deltas=_task_deltas(effects, plan),
        family_deltas=family_deltas(effects),
        sensitivity=sensitivity(question.standing, question.pairing.pairs, effects, plan)
        if is_reward
        else (),
        publishable=not any(_unpublishable(side) for side in chosen),
        missing=_missing(question, effects) if is_reward else (),
        setting=question.setting,
        notes=(
            *_notes(question, effects, headline, chosen, tasks_in_all),
            *(_notes_on_claim(question.declared, headline, claimed, reach) if is_reward else ()),
        ),
    )


def _used(pairs: Iterable[Pair], effects: Sequence[TaskEffect]) -> Iterable[Pair]:
    """Return the pairs that the effects were made of."""
    there = {(one.task, block) for one in effects for block in one.blocks}
    return (one for one in pairs if (one.task, one.block) in there)


def _both_sides(pairs: Sequence[Pair], reading: Reading) -> tuple[Runs, Runs]:
    """Return the runs of each side that the figures stand for."""
    return (
        [run for one in pairs for cell in one.treatment for run in reading.choose(cell)],
        [run for one in pairs for cell in one.control for run in reading.choose(cell)],
    )


def reading_of(metric: Metric, plan: AnalysisPlan) -> Reading:
    """Return how a plan reads a metric of cells."""
    return Reading(metric, entering if plan.denominator == "valid" else entering_and_unmeasured)


def _missing(question: Question, effects: Sequence[TaskEffect]) -> tuple[str, ...]:
    """Name the pairs that one side lacks, wholly or for want of a measured run."""
    there = {(one.task, block) for one in effects for block in one.blocks}
    unread = (
        f"{one.task}, {one.block}: no measured runs of both sides"
        for one in question.standing
        if (one.task, one.block) not in there
    )
    return (*question.pairing.missing, *unread)


def _systems(chosen: tuple[Runs, Runs]) -> tuple[str, ...]:
    """Return the systems on either side, in order."""
    return tuple(sorted({str(run.system) for side in chosen for run in side}))


def _claim(question: Question, headline: Estimate, plan: AnalysisPlan) -> Equivalence | None:
    """Test what is claimed; families that do not differ at all tell no more of a margin than of an interval."""
    return equivalence(headline.clustered if headline.spread else None, question.declared, plan)


def _unpublishable(runs: Runs) -> int:
    return len([run for run in measured(runs) if not run.publishable])


def _strict(runs: Runs) -> StrictCount:
    return StrictCount(passes=strict_passes(runs), runs=len(runs))


def _by_system(
    effects: Sequence[TaskEffect], metric: Metric, plan: AnalysisPlan, seed: int
) -> tuple[SystemDelta, ...]:
    found = []
    for block in blocks(effects):
        own = within(effects, block)
        alone = estimate(own, plan, headline=False)
        positive, negative, _ = counts([one.delta for one in own], metric.better)
        found.append(
            SystemDelta(
                system=block,
                tasks=alone.tasks,
                families=alone.families,
                treatment=alone.treatment,
                control=alone.control,
                delta=alone.delta,
                interval=alone.interval,
                task_bootstrap=task_bootstrap([one.delta for one in own], seed),
                positive=positive,
                negative=negative,
            )
        )
    return tuple(found)


def _by_mode(effects: Sequence[TaskEffect], plan: AnalysisPlan) -> tuple[Sensitivity, ...]:
    lines = []
    for mode in sorted({one.mode for one in effects}, key=lambda mode: (mode != "standard", mode)):
        own = estimate([one for one in effects if one.mode == mode], plan, headline=False)
        name = f"{mode} tasks alone" if mode else "tasks without a mode alone"
        lines.append(as_line(name, own))
    return tuple(lines)


def _task_deltas(effects: Sequence[TaskEffect], plan: AnalysisPlan) -> tuple[TaskDelta, ...]:
    p_values = [
        stratified_permutation(
            [block.treatment_values for block in one.blocks.values()],
            [block.control_values for block in one.blocks.values()],
            draws=PERMUTATION_DRAWS,
            seed=plan.seed,
        )
        for one in effects
    ]
    adjusted = benjamini_hochberg(p_values)
    return tuple(
        TaskDelta(
            task=one.task,
            family=one.family,
            mode=one.mode,
            treatment=one.treatment,
            control=one.control,
            delta=one.delta,
            by_system={name: block.delta for name, block in sorted(one.blocks.items())},
            runs=(
                sum(block.treatment_values.size for block in one.blocks.values()),
                sum(block.control_values.size for block in one.blocks.values()),
            ),
            p_value=p_value,
            p_adjusted=p_adjusted,
        )
        for one, p_value, p_adjusted in zip(effects, p_values, adjusted, strict=True)
    )


def _notes(
    question: Question,
    effects: Sequence[TaskEffect],
    headline: Estimate,
    chosen: tuple[Runs, Runs],
    tasks_in_all: int,
) -> tuple[str, ...]:
    """Say what a reader has to know beside the figures."""
    notes = list(question.pairing.notes)
    aside = left_aside(question.pairing.pairs, question.standing)
    if aside:
        notes.append(
            f"not publishable and left aside, since others are: {'; '.join(aside)} "
            "(a sensitivity line takes them in)"
        )
    if headline.families < FEWEST_FAMILIES:
        notes.append(
            "all tasks are of one family: no interval and no test, since nothing tells how families differ"
        )
    elif headline.families < FEW_FAMILIES:
        notes.append(
            f"only {headline.families} families: {FRAGILE if headline.interval else ''}no p-value can be below "
            f"{2 ** (1 - headline.families):g}"
        )
    if headline.clustered is not None and not headline.spread:
        notes.append(NO_SPREAD)
    elif headline.clustered is not None and headline.bootstrap_t is None:
        notes.append(NO_BOOTSTRAP)
    if headline.tasks < tasks_in_all:
        notes.append(
            f"on {headline.tasks} of the {tasks_in_all} tasks of these runs: it speaks of no other tasks, and where "
            "they were chosen for a reason, of no sample of tasks"
        )
    notes += _uneven(question, effects)
    unpublishable = sum(_unpublishable(side) for side in chosen)
    if unpublishable:
        runs = sum(map(len, chosen))
        notes.append(f"{unpublishable} of {counted(runs, 'run')} not publishable")
    return tuple(notes)


def _notes_on_claim(
    declared: DeclaredContrast,
    headline: Estimate,
    claimed: Equivalence | None,
    reach: float | None,
) -> list[str]:
    """Say why a claim cannot be tested, or that it could hardly be shown."""
    if declared.margin is None:
        return []
    if claimed is None:
        why = "with one family" if headline.clustered is None else "where no family differs"
        return [f"the claim of {declared.claim} cannot be tested {why}"]
    if claimed.shown or reach is None or reach <= declared.margin:
        return []
    return [
        f"a margin of {decimal(declared.margin)} could hardly be shown with these "
        f"{headline.families} families: the smallest difference they detect is {reach:.3f}"
    ]


def _uneven(question: Question, effects: Sequence[TaskEffect]) -> list[str]:
    notes = []
    systems = len(blocks(effects))
    fewer = sum(len(one.blocks) < systems for one in effects)
    if fewer:
        notes.append(
            f"{fewer} of {len(effects)} tasks {'lacks' if fewer == 1 else 'lack'} some of the {systems} "
            f"{_held_equal(question)}: a task's delta is the mean over those it has"
        )
    trials = [
        side.size
        for one in effects
        for block in one.blocks.values()
        for side in (block.treatment_values, block.control_values)
    ]
    if min(trials) < max(trials):
        notes.append(
            f"cells have from {min(trials)} to {max(trials)} runs each; every cell weighs the same"
        )
    return notes


def _held_equal(question: Question) -> str:
    """Return what the deltas of a task are means over."""
    named = question.sides.treatment.named
    return (
        "systems" if named <= {"condition", "schema"} and "condition" in named else "pairs of arms"
    )
