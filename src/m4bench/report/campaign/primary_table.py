# SPDX-License-Identifier: MIT
"""The table of the primary contrasts, and what the tables of contrasts share. Knows no page and computes nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

from m4bench.analysis import words
from m4bench.analysis.results import Analysis, ContrastResult
from m4bench.model.analysis import AnalysisPlan
from m4bench.report.campaign import writing
from m4bench.report.campaign.arm_tables import bounds
from m4bench.report.campaign.printing import (
    bracketed,
    delta,
    explained,
    marked,
    p_value,
    with_unknown,
)
from m4bench.report.exhibits import Row, Table
from m4bench.report.wording import plural

REWARD = "reward"
CLAIMED = (
    "Holm’s p is of the p that belongs to what is claimed: of the sign-flip for a difference, of its own two one-sided "
    "tests for equivalence, and of one of them for non-inferiority, so that it can be smaller than the p above it; the "
    "interval that decides such a claim stands below it with its level."
)
OTHERWISE = {"family-t": "bootstrap-t", "family-bootstrap-t": "t"}


def primary_table(analysis: Analysis) -> Table:
    """Return one row a primary contrast with what a paper states of it; in print two lines each, or three."""
    found = [one for one in analysis.contrasts if one.role == "primary"]
    plan = analysis.plan
    rows = [
        {
            **named(one),
            "delta": one.delta,
            "level": plan.confidence,
            **bounds("", one.interval),
            **both_methods(one),
            "p_value": one.p_value,
            "p_holm": one.p_adjusted,
            "improved": one.positive,
            "declined": one.negative,
            "unchanged": one.unchanged,
            "tasks": one.tasks,
            "families": one.families,
            "claim": writing.declared(one, plan).claim,
            "margin": writing.declared(one, plan).margin,
            **claim_bounds(one),
            "verdict": writing.verdict(one, plan),
        }
        for one in found
    ]
    title = "Primary contrasts"
    caption = (
        f"{before_the_runs(plan)}{paired(plan)} {intervals(plan)} family_t and bootstrap_t bound the intervals by "
        "Student’s t and by the cluster bootstrap-t; p_value is of a difference, by the sign-flip of whole families; "
        "p_holm is Holm’s, of the p-value that belongs to the claim. claim_low and claim_high bound the interval of "
        "claim_level that decides a claim with a margin. improved and declined count tasks; of two systems improved is "
        "higher."
    )
    return Table("primary", title, caption, rows, in_print=_in_print(title, found, analysis))


def _in_print(title: str, found: Sequence[ContrastResult], analysis: Analysis) -> Table:
    plan = analysis.plan
    lines = [line for place, one in enumerate(found) for line in _lines(one, plan, place)]
    caption = (
        f"{before_the_runs(plan)}{minus(plan)} {intervals(plan)} Below it the {OTHERWISE[plan.interval]} interval, and "
        f"below each contrast whether what it claims is shown, at a level of {1 - plan.confidence:.4g} after Holm’s "
        f"correction. p is of a difference, by the sign-flip of whole families. {_claimed(found, plan)}Tasks counts "
        f"those that {moved(found)}.{_subsets(found, analysis.tasks)}"
    )
    return Table(
        "primary",
        title,
        with_unknown(explained(caption, [one.publishable for one in found]), lines),
        lines,
        spaced_by="place",
    )


def _lines(one: ContrastResult, plan: AnalysisPlan, place: int) -> list[Row]:
    """Return the lines of a contrast: its result, the other interval with what became of it, the claim's interval."""
    found: list[Row] = [
        {
            "contrast": marked(writing.compared(one), one.publishable),
            "delta": delta(one.delta),
            "interval": bracketed(one.interval),
            "p": p_value(one.p_value),
            "tasks": f"{one.positive} of {one.tasks}",
            "place": place,
        },
        {
            "contrast": writing.verdict(one, plan).partition(" at ")[0],
            "delta": "",
            "interval": bracketed(writing.beside(one, plan.interval)),
            "p": f"Holm {p_value(one.p_adjusted)}",
            "tasks": plural(one.families, "family", "families"),
            "place": place,
        },
    ]
    if one.equivalence is not None:
        own = one.equivalence
        found.append(
            {
                "contrast": f"interval of the claim, {writing.percent(own.interval.level)}",
                "delta": "",
                "interval": bracketed(own.interval),
                "p": p_value(own.p_value),
                "tasks": "",
                "place": place,
            }
        )
    return found


def named(one: ContrastResult) -> dict[str, Any]:
    """Return the columns that name a contrast."""
    return {"contrast": one.contrast, "setting": one.setting or None, "metric": one.metric}


def both_methods(one: ContrastResult) -> Mapping[str, float | None]:
    """Return the bounds of the interval by either method."""
    return {**bounds("family_t_", one.family_t), **bounds("bootstrap_t_", one.bootstrap_t)}


def claim_bounds(one: ContrastResult) -> dict[str, float | None]:
    """Return the bounds and the level of the interval that decides a claim with a margin, empty where there is none."""
    own = one.equivalence.interval if one.equivalence else None
    return {**bounds("claim_", own), "claim_level": own.level if own else None}


def in_reward(analysis: Analysis) -> list[ContrastResult]:
    """Return the contrasts in reward, primary ones first."""
    found = [one for one in analysis.contrasts if one.metric == REWARD]
    return sorted(found, key=lambda one: one.role != "primary")


def before_the_runs(plan: AnalysisPlan) -> str:
    """Say of an analysis that nobody declared that it was not, with a space behind."""
    return "" if plan.declared else f"{writing.UNDECLARED} "


def paired(plan: AnalysisPlan) -> str:
    """Say what a delta is."""
    return f"Deltas are treatment minus control, paired within task and system, {words.each_equal(plan)}."


def minus(plan: AnalysisPlan) -> str:
    """Say in print what a delta is."""
    a_minus_b = f"A {writing.MINUS} B is A minus B, paired within task and system"
    return f"{a_minus_b}, {words.each_equal(plan)}."


def intervals(plan: AnalysisPlan) -> str:
    """Say of what level and method intervals are."""
    method = writing.METHODS[plan.interval]
    return f"Intervals are of {writing.percent(plan.confidence)}, {method}."


def moved(found: Sequence[ContrastResult]) -> str:
    """Say which tasks are counted: those that improve, or of two systems are higher."""
    kinds = {writing.is_of_conditions(one) for one in found}
    said = {True: "improve", False: "are higher in A"}
    return " or ".join(said[kind] for kind in sorted(kinds, reverse=True)) or said[True]


def _claimed(found: Sequence[ContrastResult], plan: AnalysisPlan) -> str:
    """Say which p is corrected, where one claims more than a difference."""
    margins = any(writing.declared(one, plan).margin is not None for one in found)
    return f"{CLAIMED} " if margins else ""


def _subsets(found: Sequence[ContrastResult], tasks: int) -> str:
    """Say on how many of all tasks the contrasts are that are not on all."""
    names: dict[int, list[str]] = {}
    for one in found:
        if one.tasks < tasks:
            names.setdefault(one.tasks, []).append(writing.compared(one))
    return "".join(
        f" On {count} of the {tasks} tasks: "
        f"{'all' if len(some) == len(found) else '; '.join(some)}."
        for count, some in names.items()
    )
