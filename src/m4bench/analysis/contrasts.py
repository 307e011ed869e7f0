# SPDX-License-Identifier: MIT
"""One comparison, worked out: headline, deltas of tasks, systems, modes and families, notes. Knows no file."""

from collections.abc import Iterable, Sequence

from m4bench.analysis.contrast_notes import contrast_notes, notes_on_reach
from m4bench.analysis.descriptives import describe, published_seed, task_bootstrap
from m4bench.analysis.estimate import (
    DELTAS,
    UNBOUNDED,
    Bounds,
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
    Reading,
    Runs,
    TaskEffect,
    blocks,
    measured,
    strict_passes,
    task_effects,
    within,
)
from m4bench.analysis.questions import Question, reading_of
from m4bench.analysis.results import (
    ContrastResult,
    Equivalence,
    Sensitivity,
    StrictCount,
    SystemDelta,
    TaskDelta,
)
from m4bench.analysis.sensitivity import sensitivity
from m4bench.model.analysis import AnalysisPlan
from m4bench.stats.multiplicity import benjamini_hochberg
from m4bench.stats.permutation import counts_all_exchanges, stratified_permutation
from m4bench.stats.sign_flip import EXACT_GROUPS

PERMUTATION_DRAWS = 10_000


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
    headline = estimate(effects, plan, bounds=_bounds(metric))
    seed = published_seed(question.standing)
    is_reward = metric.name == "reward"
    descriptives = describe(effects, seed, flipping=is_reward)
    told = tuple(_used(question.standing, effects))
    chosen = _both_sides(told, reading)
    positive, negative, unchanged = counts([one.delta for one in effects], metric.better)
    reach = detectable(
        headline.clustered if headline.spread else None,
        plan,
        claim=question.declared.claim if is_reward else "difference",
        most=_bounds(metric).most,
    )
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
        exact=headline.families <= EXACT_GROUPS,
        detectable=reach,
        positive=positive,
        negative=negative,
        unchanged=unchanged,
        strict=(_strict(chosen[0]), _strict(chosen[1])),
        task_bootstrap=descriptives.task_bootstrap,
        family_bootstrap=descriptives.family_bootstrap,
        family_balanced=descriptives.family_balanced,
        task_sign_flip=descriptives.task_sign_flip,
        descriptive_seed=seed,
        equivalence=claimed,
        by_system=_by_system(effects, metric, plan, seed),
        by_mode=_by_mode(effects, metric, plan),
        task_deltas=_task_deltas(effects, plan),
        family_deltas=family_deltas(effects),
        sensitivity=sensitivity(question.standing, question.pairing.pairs, effects, plan)
        if is_reward
        else (),
        publishable=all(run.publishable for side in chosen for run in measured(side)),
        missing=_missing(question, effects) if is_reward else (),
        setting=question.setting,
        notes=(
            *contrast_notes(question, effects, headline, chosen, tasks_in_all),
            *(
                notes_on_reach(question.declared, headline, claimed, reach, plan)
                if is_reward
                else ()
            ),
        ),
    )


def _bounds(metric: Metric) -> Bounds:
    return DELTAS if metric.bounded else UNBOUNDED


def _used(pairs: Iterable[Pair], effects: Sequence[TaskEffect]) -> Iterable[Pair]:
    """Return the pairs that the effects were made of."""
    there = {(one.task, block) for one in effects for block in one.blocks}
    return (one for one in pairs if (one.task, one.block) in there)


def _both_sides(pairs: Sequence[Pair], reading: Reading) -> tuple[Runs, Runs]:
    """Return the runs of each side that the figures stand for: those with a number."""
    return (
        [run for one in pairs for cell in one.treatment for run in reading.runs(cell)],
        [run for one in pairs for cell in one.control for run in reading.runs(cell)],
    )


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


def _strict(runs: Runs) -> StrictCount:
    return StrictCount(passes=strict_passes(runs), runs=len(runs))


def _by_system(
    effects: Sequence[TaskEffect], metric: Metric, plan: AnalysisPlan, seed: int
) -> tuple[SystemDelta, ...]:
    found = []
    for block in blocks(effects):
        own = within(effects, block)
        alone = estimate(own, plan, bounds=_bounds(metric), headline=False)
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


def _by_mode(
    effects: Sequence[TaskEffect], metric: Metric, plan: AnalysisPlan
) -> tuple[Sensitivity, ...]:
    lines = []
    for mode in sorted({one.mode for one in effects}, key=lambda mode: (mode != "standard", mode)):
        own = estimate(
            [one for one in effects if one.mode == mode],
            plan,
            bounds=_bounds(metric),
            headline=False,
        )
        name = f"{mode} tasks alone" if mode else "tasks without a mode alone"
        lines.append(as_line(name, own))
    return tuple(lines)


def _task_deltas(effects: Sequence[TaskEffect], plan: AnalysisPlan) -> tuple[TaskDelta, ...]:
    strata = [
        (
            [block.treatment_values for block in one.blocks.values()],
            [block.control_values for block in one.blocks.values()],
        )
        for one in effects
    ]
    p_values = [
        stratified_permutation(*sides, draws=PERMUTATION_DRAWS, seed=plan.seed) for sides in strata
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
            exact=counts_all_exchanges(*sides),
        )
        for one, sides, p_value, p_adjusted in zip(effects, strata, p_values, adjusted, strict=True)
    )
