# SPDX-License-Identifier: MIT
"""The tables of contrasts, for further work and as a paper prints them. Knows no page and computes nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from m4bench.analysis.results import Analysis, ContrastResult, Interval, Role
from m4bench.analysis.words import DETECTABLE, DETECTABLE_MARGIN
from m4bench.model.analysis import AnalysisPlan
from m4bench.report.campaign import writing
from m4bench.report.campaign.arm_tables import bounds
from m4bench.report.campaign.primary_table import (
    REWARD,
    before_the_runs,
    both_methods,
    claim_bounds,
    in_reward,
    intervals,
    minus,
    moved,
    named,
    paired,
    primary_table,
)
from m4bench.report.campaign.printing import (
    HEADING,
    bracketed,
    delta,
    explained,
    marked,
    p_value,
    printed,
    with_unknown,
)
from m4bench.report.exhibits import Row, Table

HEADINGS: Mapping[Role, str] = {
    "primary": "Primary contrasts, p by Holm",
    "exploratory": "Exploratory contrasts, p by Benjamini and Hochberg",
}
NOTHING_CHANGED = "nothing: the result itself"
CORRECTED = (
    "p adjusted is Holm’s over the primary contrasts, Benjamini and Hochberg’s over the exploratory ones, and of the "
    "p-value that belongs to the claim."
)


def contrasts_table(analysis: Analysis) -> Table:
    """Return one row a contrast and metric; in print what tells the result in reward, primary ones first."""
    plan = analysis.plan
    table = Table(
        "contrasts",
        "Contrasts",
        f"{before_the_runs(plan)}One row a contrast and metric. {paired(plan)} {intervals(plan)} family_t and "
        "bootstrap_t bound those by Student’s t and by the cluster bootstrap-t; p_value is of the sign-flip of whole "
        f"families. {CORRECTED} claim_low and claim_high bound the interval of claim_level that decides a claim with "
        f"a margin; claim_shown is before any correction; detectable is {DETECTABLE}, or, with "
        f"a margin, {DETECTABLE_MARGIN}; improved, declined and "
        "unchanged count tasks, of two systems improved is higher.",
        [_contrast(one, plan) for one in analysis.contrasts],
    )
    return replace(table, in_print=_results(table, analysis, in_reward(analysis)))


def measures_table(analysis: Analysis) -> Table:
    """Return one row a contrast in another measure than the reward."""
    plan = analysis.plan
    found = [one for one in analysis.contrasts if one.metric != REWARD]
    table = Table(
        "measures",
        "Contrasts in other measures than the reward",
        f"{before_the_runs(plan)}One row a contrast and measure beside the reward, with the columns of contrasts. "
        f"{paired(plan)} {intervals(plan)} All are exploratory.",
        [_contrast(one, plan) for one in found],
    )
    return replace(table, in_print=_results(table, analysis, found))


def _results(table: Table, analysis: Analysis, found: Sequence[ContrastResult]) -> Table:
    """Return what is printed of contrasts, under a heading a role or measure and setting."""
    plan = analysis.plan
    headings = {_heading(one): None for one in found}
    ordered = sorted(found, key=lambda one: list(headings).index(_heading(one)))
    rows = [
        {
            "contrast": marked(
                f"{one.treatment_label} {writing.MINUS} {one.control_label}", one.publishable
            ),
            "delta": delta(one.delta),
            "interval": bracketed(one.interval),
            "p_adjusted": p_value(one.p_adjusted),
            "tasks": f"{one.positive} of {one.tasks}",
            "families": one.families,
            HEADING: _heading(one),
            "place": place,
        }
        for place, one in enumerate(ordered)
    ]
    caption = explained(
        f"{before_the_runs(plan)}{minus(plan)} {intervals(plan)} {CORRECTED} Tasks counts those that {moved(found)}.",
        [one.publishable for one in found],
    )
    words = with_unknown(caption, rows)
    return Table(table.name, table.title, words, rows, headed_by=HEADING, spaced_by="place")


def _heading(one: ContrastResult) -> str:
    of = HEADINGS[one.role]
    if one.metric != REWARD:
        less = ", less is better" if one.metric == writing.LESS_IS_BETTER else ""
        of = f"{writing.metric(one.metric)[:1].upper()}{writing.metric(one.metric)[1:]}{less}"
    return f"{of}; {one.setting}" if one.setting else of


def contrast_tasks_table(analysis: Analysis) -> Table:
    """Return one row a contrast, metric and task."""
    rows = [
        {
            **named(one),
            "task": of.task,
            "family": of.family,
            "mode": of.mode,
            "treatment": of.treatment,
            "control": of.control,
            "delta": of.delta,
            "runs_treatment": of.runs[0],
            "runs_control": of.runs[1],
            "p_value": of.p_value,
            "p_adjusted": of.p_adjusted,
        }
        for one in analysis.contrasts
        for of in one.task_deltas
    ]
    means = "One row a contrast, metric and task: means over systems, each equal."
    adjusted = "Benjamini and Hochberg’s over the tasks of the contrast"
    test = "of the test that exchanges trials within a system"
    return printed(
        Table(
            "contrast-tasks",
            "Contrasts by task",
            f"{means} p_value is {test}; p_adjusted is {adjusted}.",
            rows,
        ),
        ("task", "control", "treatment", "delta", "p_adjusted"),
        f"Means over systems, each equal. p adjusted is {adjusted}, {test}.",
        [writing.compared(one) for one in analysis.contrasts for _ in one.task_deltas],
    )


def contrast_systems_table(analysis: Analysis) -> Table:
    """Return one row a contrast, metric and system, or what else is held equal."""
    rows = [
        {
            **named(one),
            "system": system.system,
            "tasks": system.tasks,
            "families": system.families,
            "treatment": system.treatment,
            "control": system.control,
            "delta": system.delta,
            **bounds("", system.interval),
            **percentile_bounds("task_bootstrap_", system.task_bootstrap),
            "improved": system.positive,
            "declined": system.negative,
        }
        for one in analysis.contrasts
        for system in one.by_system
    ]
    plan = analysis.plan
    head = f"One row a contrast, metric and system, or whatever else is held equal on both sides. {paired(plan)}"
    return printed(
        Table(
            "contrast-systems",
            "Contrasts within each system",
            f"{head} {intervals(plan)} task_bootstrap resamples tasks and is a description, conditional on them.",
            rows,
        ),
        ("system", "delta", "interval", "tasks"),
        f"Within a system, or whatever else is held equal on both sides. {minus(plan)} {intervals(plan)}",
        [writing.compared(one) for one in analysis.contrasts for _ in one.by_system],
    )


def contrast_families_table(analysis: Analysis) -> Table:
    """Return one row a contrast, metric and family."""
    rows = [
        {**named(one), "family": family.family, "tasks": family.tasks, "delta": family.delta}
        for one in analysis.contrasts
        for family in one.family_deltas
    ]
    caption = "One row a contrast, metric and task family: the mean of its task deltas."
    return printed(
        Table("contrast-families", "Contrasts by family", caption, rows),
        ("family", "tasks", "delta"),
        "The mean of a family’s task deltas.",
        [writing.compared(one) for one in analysis.contrasts for _ in one.family_deltas],
    )


def sensitivity_table(analysis: Analysis) -> Table:
    """Return one row a contrast and choice made otherwise, the result itself before them."""
    chosen = [
        (one, *choice)
        for one in analysis.contrasts
        if one.sensitivity or one.by_mode
        for choice in _choices(one)
    ]
    rows = [
        {
            **named(one),
            "changed": name,
            "kind": kind,
            "tasks": line.tasks,
            "families": line.families,
            "delta": line.delta,
            **bounds("", line.interval),
            "p_value": line.p_value,
        }
        for one, name, kind, line in chosen
    ]
    each = (
        "one choice made otherwise: other tasks or runs, or another weighting; the first row of each is the result "
        "itself."
    )
    return printed(
        Table(
            "sensitivity",
            "Contrasts under other choices",
            f"One row a contrast and {each} {intervals(analysis.plan)} p_value is of the sign-flip of whole families.",
            rows,
        ),
        ("changed", "tasks", "delta", "interval", "p_value"),
        f"Under each contrast {each} {intervals(analysis.plan)} p value is of the sign-flip of whole families.",
        [writing.compared(one) for one, *_ in chosen],
    )


def percentile_bounds(prefix: str, interval: Interval | None) -> Mapping[str, float | None]:
    """Return the two fields of a percentile interval, empty where all deltas are equal and resampling tells nothing."""
    known = interval if interval and interval.high - interval.low > writing.NOTHING else None
    return bounds(prefix, known)


def _contrast(one: ContrastResult, plan: AnalysisPlan) -> Row:
    claimed = one.equivalence
    return {
        **named(one),
        "role": one.role,
        "treatment": one.treatment,
        "control": one.control,
        "delta": one.delta,
        "level": plan.confidence,
        **bounds("", one.interval),
        **both_methods(one),
        "p_value": one.p_value,
        "p_adjusted": one.p_adjusted,
        "detectable": one.detectable,
        "improved": one.positive,
        "declined": one.negative,
        "unchanged": one.unchanged,
        "tasks": one.tasks,
        "families": one.families,
        "systems": len(one.systems),
        "runs_treatment": one.runs[0],
        "runs_control": one.runs[1],
        "strict_treatment": one.strict[0].passes,
        "strict_runs_treatment": one.strict[0].runs,
        "strict_control": one.strict[1].passes,
        "strict_runs_control": one.strict[1].runs,
        "claim": writing.declared(one, plan).claim,
        "margin": writing.declared(one, plan).margin,
        **claim_bounds(one),
        "claim_shown": claimed.shown if claimed else None,
        "claim_p": claimed.p_value if claimed else None,
        "publishable": one.publishable,
    }


def _choices(one: ContrastResult) -> Iterator[tuple[str, str, Any]]:
    yield NOTHING_CHANGED, "result", one
    yield from ((line.name, "mode", line) for line in one.by_mode)
    yield from ((line.name, "choice", line) for line in one.sensitivity)


def all_contrast_tables(analysis: Analysis) -> Iterable[Table]:
    """Return the tables of contrasts, those one reads first at the beginning."""
    return (
        primary_table(analysis),
        contrasts_table(analysis),
        measures_table(analysis),
        contrast_tasks_table(analysis),
        contrast_systems_table(analysis),
        contrast_families_table(analysis),
        sensitivity_table(analysis),
    )
