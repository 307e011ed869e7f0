# SPDX-License-Identifier: MIT
"""What a reader has to know beside the figures of a contrast. Knows the figures and computes none."""

from collections.abc import Sequence

from m4bench.analysis.advice import left_aside
from m4bench.analysis.estimate import FEWEST_FAMILIES, Estimate, can_reach
from m4bench.analysis.pairing import Runs, TaskEffect, blocks, measured
from m4bench.analysis.questions import Question
from m4bench.analysis.results import Equivalence
from m4bench.analysis.words import counted, decimal
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast

FEW_FAMILIES = 6
FRAGILE = "the interval is fragile, and "
NO_BOOTSTRAP = (
    "no bootstrap-t interval: in too many draws of families all agree, or its tails need more draws"
)
NO_SPREAD = (
    "the families' deltas are all the same, so that nothing tells how they vary: no interval"
)


def contrast_notes(
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
    unpublishable = sum(not run.publishable for side in chosen for run in measured(side))
    if unpublishable:
        runs = sum(map(len, chosen))
        notes.append(f"{unpublishable} of {counted(runs, 'run')} not publishable")
    return tuple(notes)


def notes_on_reach(
    declared: DeclaredContrast,
    headline: Estimate,
    claimed: Equivalence | None,
    reach: float | None,
    plan: AnalysisPlan,
) -> list[str]:
    """Say why a claim cannot be tested or could hardly be shown, and why nothing detectable is told."""
    if headline.clustered is None or not headline.spread:
        if declared.margin is None:
            return []
        why = "with one family" if headline.clustered is None else "where no family differs"
        return [f"the claim of {declared.claim} cannot be tested {why}"]
    families = f"these {headline.families} families"
    if declared.margin is None:
        if reach is not None:
            return []
        if can_reach(headline.families, plan):
            return [f"no detectable difference: with {families} it would be more than 1"]
        return [
            f"no detectable difference: {families} give no p-value of {decimal(1 - plan.confidence)} or less, however "
            "large the difference"
        ]
    if claimed is None or claimed.shown or (reach is not None and reach <= declared.margin):
        return []
    least = "there is none below 1" if reach is None else f"the smallest one is {reach:.3f}"
    return [
        f"a margin of {decimal(declared.margin)} could hardly be shown with {families}: of those shown with a power of "
        f"80 % by the same test, were there no difference, {least}"
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
