# SPDX-License-Identifier: MIT
"""The tables of contrasts, for further work and as a paper prints them. Knows no page and computes nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from m4bench.analysis.results import Analysis, ContrastResult, Interval
from m4bench.model.analysis import AnalysisPlan
from m4bench.report.campaign import writing
from m4bench.report.campaign.arm_tables import bounds
from m4bench.report.campaign.marking import explained, marked
from m4bench.report.exhibits import Row, Table
from m4bench.report.wording import plural

PAIRED = (
    "Deltas are treatment minus control, paired within task and system, each {weighting} equal."
)
CORRECTED = (
    "p adjusted is Holm’s over the primary contrasts, Benjamini and Hochberg’s over the exploratory ones, and of the "
    "p-value that belongs to the claim."
)
CLAIMED = (
    "Holm’s p is of the p that belongs to what is claimed: of the sign-flip for a difference, of its own two one-sided "
    "tests for equivalence, and of one of them for non-inferiority, so that it can be smaller than the p above it."
)
OTHERWISE = {"family-t": "bootstrap-t", "family-bootstrap-t": "t"}
NOTHING_CHANGED = "nothing: the result itself"


def primary_table(analysis: Analysis) -> Table:
    """Return one row a primary contrast with what a paper states of it; in print two lines each."""
    found = [one for one in analysis.contrasts if one.role == "primary"]
    plan = analysis.plan
    rows = [
        {
            **_named(one),
            "delta": one.delta,
            "level": plan.confidence,
            **bounds("", one.interval),
            **_both(one),
            "p_value": one.p_value,
            "p_holm": one.p_adjusted,
            "improved": one.positive,
            "declined": one.negative,
            "unchanged": one.unchanged,
            "tasks": one.tasks,
            "families": one.families,
            "claim": writing.declared(one, plan).claim,
            "margin": writing.declared(one, plan).margin,
            "verdict": writing.verdict(one, plan),
        }
        for one in found
    ]
    title = "Primary contrasts"
    beside = OTHERWISE[plan.interval]
    caption = (
        f"{_paired(plan)} {_interval(plan)} family_t and bootstrap_t bound the intervals by Student’s t and by the "
        "cluster bootstrap-t; p_value is of a difference, by the sign-flip of whole families; p_holm is Holm’s, of the "
        "p-value that belongs to the claim."
    )
    return Table(
        "primary",
        title,
        caption,
        rows,
        in_print=Table(
            "primary",
            title,
            explained(
                f"A {writing.MINUS} B is A minus B, paired within task and system, each {plan.weighting} equal. "
                f"{_interval(plan)} Below it the {beside} interval, and below each contrast whether what it claims is "
                f"shown, at a level of {1 - plan.confidence:.4g} after Holm’s correction. p is of a difference, by "
                f"the sign-flip of whole families. {_claimed(found, plan)}Improved counts tasks. n. d.: not "
                f"determined.{_subsets(found, analysis.tasks)}",
                [one.publishable for one in found],
            ),
            [line for one in found for line in _two_lines(one, plan)],
            lines=2,
        ),
    )


def contrasts_table(analysis: Analysis) -> Table:
    """Return one row a contrast and metric; in print what tells the result."""
    plan = analysis.plan
    rows = [_contrast(one, plan) for one in analysis.contrasts]
    return Table(
        "contrasts",
        "Contrasts",
        f"One row a contrast and metric. {_paired(plan)} {_interval(plan)} family_t and bootstrap_t bound those by "
        f"Student’s t and by the cluster bootstrap-t; p_value is of the sign-flip of whole families. {CORRECTED} "
        "claim_shown is before any correction; detectable the smallest true delta found with a power of 80 %; "
        "improved, declined and unchanged count tasks.",
        rows,
        in_print=Table(
            "contrasts",
            "Contrasts",
            explained(
                f"A {writing.MINUS} B is A minus B, paired within task and system, each {plan.weighting} equal. "
                f"{_interval(plan)} {CORRECTED} Improved counts tasks. n. d.: not determined.",
                [one.publishable for one in analysis.contrasts],
            ),
            [
                {
                    "contrast": marked(writing.compared(one), one.publishable),
                    "role": one.role,
                    "delta": writing.signed(one.delta),
                    "interval": _brief(one.interval),
                    "p_adjusted": _p(one.p_adjusted),
                    "improved": f"{one.positive} of {one.tasks}",
                    "families": one.families,
                }
                for one in analysis.contrasts
            ],
        ),
    )


def contrast_tasks_table(analysis: Analysis) -> Table:
    """Return one row a contrast, metric and task."""
    rows = [
        {
            **_named(one),
            "task": delta.task,
            "family": delta.family,
            "mode": delta.mode,
            "treatment": delta.treatment,
            "control": delta.control,
            "delta": delta.delta,
            "runs_treatment": delta.runs[0],
            "runs_control": delta.runs[1],
            "p_value": delta.p_value,
            "p_adjusted": delta.p_adjusted,
        }
        for one in analysis.contrasts
        for delta in one.task_deltas
    ]
    means = "One row a contrast, metric and task: means over systems, each equal."
    adjusted = "p_adjusted is Benjamini and Hochberg’s over the tasks of the contrast"
    return _printed(
        Table(
            "contrast-tasks",
            "Contrasts by task",
            f"{means} p_value is of the test that exchanges trials within a system; {adjusted}.",
            rows,
            (*SHOWN, "task", "treatment", "control", "delta", "p_adjusted"),
        ),
        f"{means} {adjusted}, of the test that exchanges trials within a system.",
    )


def contrast_systems_table(analysis: Analysis) -> Table:
    """Return one row a contrast, metric and system, or what else is held equal."""
    rows = [
        {
            **_named(one),
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
    head = f"One row a contrast, metric and system, or whatever else is held equal on both sides. {_paired(plan)}"
    return _printed(
        Table(
            "contrast-systems",
            "Contrasts within each system",
            f"{head} {_interval(plan)} task_bootstrap resamples tasks and is a description, conditional on them.",
            rows,
            (*SHOWN, "system", "delta", "low", "high", "tasks"),
        ),
        f"{head} {_interval(plan)}",
    )


def contrast_families_table(analysis: Analysis) -> Table:
    """Return one row a contrast, metric and family."""
    rows = [
        {
            **_named(one),
            "family": family.family,
            "tasks": family.tasks,
            "delta": family.delta,
        }
        for one in analysis.contrasts
        for family in one.family_deltas
    ]
    caption = "One row a contrast, metric and task family: the mean of its task deltas."
    return _printed(
        Table(
            "contrast-families",
            "Contrasts by family",
            caption,
            rows,
            (*SHOWN, "family", "tasks", "delta"),
        ),
        caption,
    )


def sensitivity_table(analysis: Analysis) -> Table:
    """Return one row a contrast and choice made otherwise, the result itself before them."""
    rows = [
        {
            **_named(one),
            "changed": name,
            "kind": kind,
            "tasks": line.tasks,
            "families": line.families,
            "delta": line.delta,
            **bounds("", line.interval),
            "p_value": line.p_value,
        }
        for one in analysis.contrasts
        if one.sensitivity or one.by_mode
        for name, kind, line in _choices(one)
    ]
    caption = (
        "One row a contrast and one choice made otherwise: other tasks or runs, or another weighting; the first row "
        f"of each is the result itself. {_interval(analysis.plan)} p_value is of the sign-flip of whole families."
    )
    return _printed(
        Table(
            "sensitivity",
            "Contrasts under other choices",
            caption,
            rows,
            (*SHOWN, "changed", "tasks", "delta", "low", "high", "p_value"),
        ),
        caption,
    )


SHOWN = ("contrast", "setting", "metric")


def percentile_bounds(prefix: str, interval: Interval | None) -> Mapping[str, float | None]:
    """Return the two fields of a percentile interval, empty where all deltas are equal and resampling tells nothing."""
    known = interval if interval and interval.high - interval.low > writing.NOTHING else None
    return bounds(prefix, known)


def _named(one: ContrastResult) -> Row:
    return {"contrast": one.contrast, "setting": one.setting or None, "metric": one.metric}


def _contrast(one: ContrastResult, plan: AnalysisPlan) -> Row:
    claimed = one.equivalence
    return {
        **_named(one),
        "role": one.role,
        "treatment": one.treatment,
        "control": one.control,
        "delta": one.delta,
        "level": plan.confidence,
        **bounds("", one.interval),
        **_both(one),
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
        "claim_shown": claimed.shown if claimed else None,
        "claim_p": claimed.p_value if claimed else None,
        "publishable": one.publishable,
    }


def _both(one: ContrastResult) -> Mapping[str, float | None]:
    return {**bounds("family_t_", one.family_t), **bounds("bootstrap_t_", one.bootstrap_t)}


def _choices(one: ContrastResult) -> Iterator[tuple[str, str, Any]]:
    yield NOTHING_CHANGED, "result", one
    yield from ((line.name, "mode", line) for line in one.by_mode)
    yield from ((line.name, "choice", line) for line in one.sensitivity)


def _two_lines(one: ContrastResult, plan: AnalysisPlan) -> Sequence[Row]:
    return (
        {
            "contrast": marked(writing.compared(one), one.publishable),
            "delta": writing.signed(one.delta),
            "interval": _brief(one.interval),
            "p": _p(one.p_value),
            "improved": f"{one.positive} of {one.tasks}",
        },
        {
            "contrast": writing.verdict(one, plan).partition(" at ")[0],
            "delta": "",
            "interval": _brief(writing.beside(one, plan.interval)),
            "p": f"Holm {_p(one.p_adjusted)}",
            "improved": plural(one.families, "family", "families"),
        },
    )


def _printed(table: Table, caption: str) -> Table:
    """Return a table whose rows in print have measures in words, and no column that is empty throughout."""
    used = [
        name for name in table.printed if any(row[name] not in (None, "") for row in table.rows)
    ]
    rows = [
        {name: writing.metric(row[name]) if name == "metric" else row[name] for name in used}
        for row in table.rows
    ]
    return replace(
        table,
        printed=tuple(used),
        in_print=Table(table.name, table.title, caption, rows, tuple(used)),
    )


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
        f"{'all' if len(named) == len(found) else '; '.join(named)}."
        for count, named in names.items()
    )


def _paired(plan: AnalysisPlan) -> str:
    return PAIRED.format(weighting=plan.weighting)


def _interval(plan: AnalysisPlan) -> str:
    method = writing.METHODS[plan.interval]
    return f"Intervals are of {writing.percent(plan.confidence)}, {method}."


def _brief(found: Interval | None) -> str:
    return "n. d." if found is None else writing.interval(found)


def _p(value: float | None) -> str:
    return "n. d." if value is None else writing.p_value(value)


def all_contrast_tables(analysis: Analysis) -> Iterable[Table]:
    """Return the tables of contrasts, those one reads first at the beginning."""
    return (
        primary_table(analysis),
        contrasts_table(analysis),
        contrast_tasks_table(analysis),
        contrast_systems_table(analysis),
        contrast_families_table(analysis),
        sensitivity_table(analysis),
    )
