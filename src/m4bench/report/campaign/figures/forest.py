# SPDX-License-Identifier: MIT
"""The forest of a contrast: each task's difference in its family, the families' means, and the whole with intervals.

Knows the results of an analysis and no run.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from m4bench.analysis.order import CONDITIONS
from m4bench.analysis.results import ContrastResult, Equivalence, Interval, SystemDelta, TaskDelta
from m4bench.model.analysis import AnalysisPlan
from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.forest_words import (
    CLAIM,
    MOST_TASKS,
    TICK,
    called,
    caption,
    in_words,
    method_of,
    metric_of,
    names_of,
    other_interval,
    setting_of,
    side,
    what_is_whole,
    words_of_sides,
)
from m4bench.report.campaign.figures.naming import (
    by_name,
    distinct,
    percent,
    signed,
    with_interval,
)
from m4bench.report.campaign.figures.row_chart import row_figure
from m4bench.report.campaign.figures.rows import (
    CIRCLE,
    DIAMOND,
    LARGE,
    MIDDLE,
    SMALL,
    Dot,
    Row,
    Scale,
    Span,
)
from m4bench.report.campaign.figures.scales import room_around
from m4bench.report.exhibits import Figure

MOST_FORESTS = 8
MOST_FAMILIES = 60
MOST_SHAPES = 6
SHAPES = ("square", "triangle-up", "cross", "triangle-down", "triangle-right", "triangle-left")


def forest(
    contrast: ContrastResult,
    labels: Mapping[str, str],
    name: str,
    plan: AnalysisPlan,
    conditions: Collection[str] = CONDITIONS,
) -> Figure:
    """Return the figure of one contrast.

    Args:
        contrast: what the analysis found.
        labels: what each system is called.
        name: of the figure.
        plan: how tasks weigh and which runs count.
        conditions: the names of conditions, which may be what both sides of a pair have in common.
    """
    shapes = _shapes(contrast)
    held = called(contrast, conditions)
    labels = names_of(contrast, labels, held)
    rows, left_out = _rows(contrast, labels, shapes)
    rows = [*_whole(contrast, labels, shapes, plan), *rows]
    margins = _margins(contrast.equivalence)
    values = [*margins, *(dot.at for row in rows for dot in row.dots)]
    values += [end for row in rows for span in row.spans for end in (span.low, span.high)]
    low, high = room_around(values)
    scale = Scale(
        low,
        high,
        f"Difference in {metric_of(contrast)}",
        ("control → treatment", "difference"),
        words_of_sides(contrast),
        margins,
    )
    sides = f"{side(contrast.treatment_label)} minus {side(contrast.control_label)}"
    if contrast.setting:
        sides += f" ({setting_of(contrast)})"
    return row_figure(
        name,
        f"Differences in {metric_of(contrast)} by task and family: {sides}",
        caption(contrast, plan, shapes, left_out, held),
        in_words(contrast, sides),
        rows,
        scale,
    )


def _margins(found: Equivalence | None) -> tuple[float, ...]:
    """Return where a claimed margin lies: of non-inferiority it is to one side of 0."""
    if found is None:
        return ()
    return (-found.margin, found.margin) if found.claim == "equivalence" else (-found.margin,)


def _shapes(contrast: ContrastResult) -> dict[str, str]:
    """Return the shape of what is held equal's marks; none of a single one, strokes where they are many."""
    held = list(dict.fromkeys(contrast.held_equal or contrast.systems))
    if len(held) < 2:
        return {}
    if len(held) > MOST_SHAPES:
        return dict.fromkeys(held, TICK)
    return dict(zip(held, SHAPES, strict=False))


def _whole(
    contrast: ContrastResult,
    labels: Mapping[str, str],
    shapes: Mapping[str, str],
    plan: AnalysisPlan,
) -> list[Row]:
    """Return the rows of the whole mean: under both intervals and that of a claim, and within each system."""
    whole = what_is_whole(contrast, plan)
    told = with_interval(contrast.delta, contrast.interval)
    mean = Dot(contrast.delta, f"{whole}: {signed(contrast.delta)}", DIAMOND, LARGE)
    means = _means(contrast.control, contrast.treatment)
    rows = [Row(whole, (mean,), _spans(contrast.interval, whole), (means, told), told)]
    claim = contrast.equivalence
    others = [(method_of(one), one) for one in [other_interval(contrast)] if one]
    others += [(CLAIM.format(level=percent(claim.interval.level)), claim.interval)] if claim else []
    for name, interval in others:
        written = writing.interval(interval)
        spans = _spans(interval, name, "thin")
        rows.append(Row(name, (), spans, ("", written), written, level=1, soft=True))
    if len(contrast.by_system) > 1:
        rows += [_within(one, labels, shapes) for one in contrast.by_system]
    return rows


def _within(system: SystemDelta, labels: Mapping[str, str], shapes: Mapping[str, str]) -> Row:
    """Return the row of the mean within one system."""
    label = by_name(labels, system.system)
    told = with_interval(system.delta, system.interval)
    dot = Dot(
        system.delta,
        f"{label}: {told}",
        _shape_of(system.system, shapes),
        MIDDLE,
        filled=False,
        soft=True,
    )
    return Row(
        label,
        (dot,),
        _spans(system.interval, label, "thin"),
        (_means(system.control, system.treatment), told),
        told,
        level=1,
    )


def _shape_of(system: str, shapes: Mapping[str, str]) -> str:
    """Return the shape of a system's mark on its interval, in which a stroke could not be seen."""
    shape = shapes.get(system, CIRCLE)
    return CIRCLE if shape == TICK else shape


def _spans(interval: Interval | None, whose: str, weight: str = "strong") -> tuple[Span, ...]:
    if interval is None:
        return ()
    about = f"{whose}: {percent(interval.level)} {writing.interval(interval)}"
    return (Span(interval.low, interval.high, about, weight),)


def _means(control: float, treatment: float) -> str:
    return f"{wording.rate(control)} → {wording.rate(treatment)}"


def _rows(
    contrast: ContrastResult, labels: Mapping[str, str], shapes: Mapping[str, str]
) -> tuple[list[Row], int]:
    """Return the rows of families and tasks, and how many families are left out."""
    by_family: dict[str, list[TaskDelta]] = {}
    for task in contrast.task_deltas:
        by_family.setdefault(task.family, []).append(task)
    ordered = sorted(contrast.family_deltas, key=lambda family: (-family.delta, family.family))
    names = distinct([one.task for one in contrast.task_deltas])
    families = distinct([family.family for family in ordered])
    if len(contrast.task_deltas) > MOST_TASKS:
        half = MOST_FAMILIES // 2
        shown = ordered if len(ordered) <= MOST_FAMILIES else ordered[:half] + ordered[-half:]
        rows = [
            _family_alone(families[one.family], one.delta, by_family.get(one.family, []), names)
            for one in shown
        ]
        rows[0] = replace(rows[0], parted=True)
        return rows, len(ordered) - len(shown)
    rows = []
    for family in ordered:
        tasks = sorted(by_family.get(family.family, []), key=lambda one: (-one.delta, one.task))
        alone = len(tasks) == 1
        if not alone:
            label = families[family.family]
            mean = Dot(
                family.delta,
                f"family {label}: {signed(family.delta)}",
                DIAMOND,
                LARGE,
                filled=False,
            )
            rows.append(Row(label, (mean,), (), ("", signed(family.delta)), parted=True, soft=True))
        for task in tasks:
            rows.append(_task(task, names[task.task], labels, shapes, alone=alone))
    return rows, 0


def _task(
    task: TaskDelta,
    name: str,
    labels: Mapping[str, str],
    shapes: Mapping[str, str],
    *,
    alone: bool,
) -> Row:
    """Return the row of a task: its systems' marks behind its own."""
    about = f"{name}: {signed(task.delta)}, {_means(task.control, task.treatment)}"
    systems = [
        Dot(
            delta,
            f"{name}, {by_name(labels, system)}: {signed(delta)}",
            shapes.get(system, TICK),
            SMALL,
            filled=False,
            soft=True,
            below=True,
        )
        for system, delta in sorted(task.by_system.items())
        if shapes
    ]
    return Row(
        name,
        (*systems, Dot(task.delta, about)),
        (),
        (_means(task.control, task.treatment), signed(task.delta)),
        level=0 if alone else 1,
        parted=alone,
    )


def _family_alone(
    label: str, delta: float, tasks: Sequence[TaskDelta], names: Mapping[str, str]
) -> Row:
    """Return the row of a family with all its tasks in it."""
    mean = Dot(delta, f"family {label}: {signed(delta)}", DIAMOND, LARGE, filled=True)
    circles = [
        Dot(
            task.delta,
            f"{names[task.task]}: {signed(task.delta)}",
            size=SMALL,
            filled=False,
            soft=True,
            below=True,
        )
        for task in tasks
    ]
    return Row(label, (*circles, mean), (), (wording.plural(len(tasks), "task"), signed(delta)))
