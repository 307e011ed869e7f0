# SPDX-License-Identifier: MIT
"""The forest of a contrast: each task's difference in its family, the families' means, and the whole with intervals.

Knows the results of an analysis and no run.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from m4bench.analysis.order import CONDITIONS, conditions_in_order
from m4bench.analysis.results import ContrastResult, Equivalence, Interval, TaskDelta
from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.naming import (
    by_name,
    cut,
    distinct,
    listed,
    percent,
    signed,
    with_interval,
)
from m4bench.report.campaign.figures.row_chart import (
    CIRCLE,
    COMPACT_ROWS,
    DIAMOND,
    LARGE,
    MIDDLE,
    NARROW_ROWS,
    SMALL,
    WIDE_ROWS,
    Dot,
    Row,
    Scale,
    Span,
    room_around,
    rows_chart,
)
from m4bench.report.campaign.writing import p_value
from m4bench.report.exhibits import Figure

MOST_FORESTS = 8
METRICS = {"key_f1": "key F1", "ordered_nmae": "ordered nMAE", "strict": "strict passes"}
LOWER_IS_BETTER = {"ordered_nmae"}
MOST_TASKS = 60
MOST_FAMILIES = 60
MOST_SHAPES = 6
SHAPES = ("square", "triangle-up", "cross", "triangle-down", "triangle-right", "triangle-left")
TICK = "M0,-0.8L0,0.8"  # an upright stroke
METHODS = {
    "family-t": "t, clustered by family",
    "family-bootstrap-t": "bootstrap-t, families drawn",
}
TASKS = (
    "A filled circle is a task’s difference, an open diamond its family’s mean; families stand in the order of "
    "theirs, and a family of one task is a row of that task alone."
)
FAMILIES = (
    "A row is a family, its filled diamond the mean and its small circles the {tasks} tasks, which are listed in "
    "the tables."
)
SHAPED = " The small open marks are {held}, of which a circle is the mean, each in the shape beside its name."
STROKES = " The small strokes are {held} ({count}), of which a circle is the mean."
HELD_SYSTEMS = "the systems"
HELD_CONDITIONS = "the conditions"
HELD_OTHERS = "the differences within what both sides have in common"
SETTING = " Its runs are of one setting alone: {setting}."
WHOLE = " At the top the mean over {weighting}, each equal"
NO_INTERVAL = re.compile(r"\bno (bootstrap-t )?interval")
COUNTS = " Improved and declined count tasks; a difference within 1e-9 of 0 is neither."


def forest(
    contrast: ContrastResult,
    labels: Mapping[str, str],
    name: str,
    weighting: str,
    conditions: Collection[str] = CONDITIONS,
) -> Figure:
    """Return the figure of one contrast.

    Args:
        contrast: what the analysis found.
        labels: what each system is called.
        name: of the figure.
        weighting: `task` or `family`, by the plan.
        conditions: the names of conditions, which may be what both sides of a pair have in common.
    """
    shapes = _shapes(contrast, labels)
    rows, left_out = _rows(contrast, labels, shapes)
    rows = [*_whole(contrast, labels, shapes), *rows]
    values = [dot.at for row in rows for dot in row.dots]
    values += [end for row in rows for span in row.spans for end in (span.low, span.high)]
    low, high = room_around(values)
    scale = Scale(
        low,
        high,
        f"Difference in {_metric(contrast)}",
        ("control → treatment", "difference"),
        _sides(contrast),
    )
    sides = f"{_side(contrast.treatment_label)} minus {_side(contrast.control_label)}"
    if contrast.setting:
        sides += f" ({_side(contrast.setting)})"
    return Figure(
        name,
        f"Differences in {_metric(contrast)} by task and family: {sides}",
        _caption(contrast, weighting, shapes, left_out, _held(contrast, conditions)),
        _in_words(contrast, sides),
        rows_chart(rows, scale, WIDE_ROWS),
        rows_chart(rows, scale, NARROW_ROWS),
        partial(rows_chart, rows, scale, COMPACT_ROWS),
    )


def _sides(contrast: ContrastResult) -> tuple[str, str]:
    """Return what lies to the left and right of 0: an error is the better the lower it is."""
    worse, better = f"{contrast.negative} declined", f"{contrast.positive} improved"
    return (better, worse) if contrast.metric in LOWER_IS_BETTER else (worse, better)


def _side(label: str) -> str:
    return cut(wording.foreign(label), 60)


def _metric(contrast: ContrastResult) -> str:
    return METRICS.get(contrast.metric, cut(wording.foreign(contrast.metric)))


def _shapes(contrast: ContrastResult, labels: Mapping[str, str]) -> dict[str, str]:
    """Return the shape of what is held equal's marks; none of a single one, strokes where they are many."""
    held = _ordered(contrast.held_equal or contrast.systems, labels)
    if len(held) < 2:
        return {}
    if len(held) > MOST_SHAPES:
        return dict.fromkeys(held, TICK)
    return dict(zip(held, SHAPES, strict=False))


def _ordered(held: Collection[str], labels: Mapping[str, str]) -> list[str]:
    """Return what is held equal by its label, conditions from the barest to the fullest help."""
    helped = {name: place for place, name in enumerate(conditions_in_order(held))}
    known = set(CONDITIONS)
    return sorted(
        set(held),
        key=lambda one: (helped[one] if one in known else len(helped), by_name(labels, one)),
    )


def _held(contrast: ContrastResult, conditions: Collection[str]) -> str:
    """Return what the marks behind a task's own are called: a system may be told with a setting."""
    held = contrast.held_equal or contrast.systems
    parts = [set(one.split(" · ")) for one in held]
    differing = {part for one in parts for part in one if any(part not in own for own in parts)}
    if differing and differing <= set(conditions):
        return HELD_CONDITIONS
    if all(any(one == of or one.startswith(f"{of} · ") for of in contrast.systems) for one in held):
        return HELD_SYSTEMS
    return HELD_OTHERS


def _whole(
    contrast: ContrastResult, labels: Mapping[str, str], shapes: Mapping[str, str]
) -> list[Row]:
    """Return the rows of the mean over tasks: under both intervals, and within each system."""
    tasks = f"All {contrast.tasks} tasks" if contrast.tasks != 1 else "One task"
    mean = Dot(contrast.delta, f"{tasks}: {signed(contrast.delta)}", DIAMOND, LARGE)
    rows = [
        Row(
            tasks,
            (mean,),
            _spans(contrast.interval, tasks),
            (
                _means(contrast.control, contrast.treatment),
                with_interval(contrast.delta, contrast.interval),
            ),
            with_interval(contrast.delta, contrast.interval),
        )
    ]
    other = contrast.bootstrap_t
    if other and (contrast.interval is None or other.method != contrast.interval.method):
        rows.append(
            Row(
                _method(other),
                (),
                _spans(other, other.method, "thin"),
                ("", writing.interval(other)),
                writing.interval(other),
                level=1,
                soft=True,
            )
        )
    if len(contrast.by_system) > 1:
        found = {one.system: one for one in contrast.by_system}
        for system in map(found.__getitem__, _ordered(found, labels)):
            label = by_name(labels, system.system)
            told = with_interval(system.delta, system.interval)
            rows.append(
                Row(
                    label,
                    (
                        Dot(
                            system.delta,
                            f"{label}: {told}",
                            _shape_of(system.system, shapes),
                            MIDDLE,
                            filled=False,
                            soft=True,
                        ),
                    ),
                    _spans(system.interval, label, "thin"),
                    (_means(system.control, system.treatment), told),
                    told,
                    level=1,
                )
            )
    return rows


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
        )
        for task in tasks
    ]
    return Row(label, (*circles, mean), (), (wording.plural(len(tasks), "task"), signed(delta)))


def _caption(
    contrast: ContrastResult, weighting: str, shapes: Mapping[str, str], left_out: int, held: str
) -> str:
    """Return what the marks are, by what the figure has of them."""
    by_task = len(contrast.task_deltas) <= MOST_TASKS
    parts = [TASKS if by_task else FAMILIES.format(tasks=contrast.tasks)]
    if left_out:
        parts.append(f" The {left_out} families in the middle of the order are not drawn.")
    if by_task and shapes:
        many = STROKES if TICK in shapes.values() else SHAPED
        parts.append(many.format(held=held, count=len(shapes)))
    parts.append(WHOLE.format(weighting="families" if weighting == "family" else "tasks"))
    if contrast.interval:
        parts.append(
            f", and its interval of {percent(contrast.interval.level)} (thick: {_method(contrast.interval)}"
        )
        other = contrast.bootstrap_t
        parts.append(f"; thin below: {_method(other)})." if other else ").")
    else:
        parts.append(f"; {_why_no_interval(contrast)}.")
    parts.append(COUNTS)
    if contrast.equivalence:
        parts.append(f" {_claim(contrast.equivalence)}")
    if contrast.missing:
        lacking = wording.plural(
            len(contrast.missing), "pair of task and system", "pairs of task and system"
        )
        parts.append(f" Left out for want of one side: {lacking}.")
    if contrast.setting:
        parts.append(SETTING.format(setting=_side(contrast.setting)))
    if contrast.role == "exploratory":
        parts.append(" This comparison is exploratory.")
    if not contrast.publishable:
        parts.append(" These runs may not be published.")
    return "".join(parts)


def _why_no_interval(contrast: ContrastResult) -> str:
    """Return the reason the analysis gives, or the mere fact where it gives none."""
    reasons = [note for note in contrast.notes if NO_INTERVAL.search(note)]
    return wording.foreign(reasons[0]) if reasons else "its interval is not determined"


def _claim(found: Equivalence) -> str:
    """Return what was claimed of a control that is said to match, and whether that is shown."""
    what = "Equivalence" if found.claim == "equivalence" else "Non-inferiority"
    shown = "shown" if found.shown else "not shown, which is no proof of a difference"
    level = percent(found.interval.level)
    return f"{what} within {found.margin:g}: {shown} ({level} interval {writing.interval(found.interval)})."


def _method(interval: Interval) -> str:
    return METHODS.get(interval.method, wording.foreign(interval.method))


def _in_words(contrast: ContrastResult, sides: str) -> str:
    """Return the findings as a reader is told them who cannot see the figure."""
    names = distinct([task.task for task in contrast.task_deltas])
    ordered = sorted(contrast.task_deltas, key=lambda task: (-task.delta, task.task))
    correction = "Holm" if contrast.role == "primary" else "Benjamini and Hochberg"
    return (
        f"{sides}: {with_interval(contrast.delta, contrast.interval)} over "
        f"{wording.plural(contrast.tasks, 'task')} in {wording.plural(contrast.families, 'family', 'families')}, "
        f"{contrast.positive} improved, {contrast.negative} declined, {contrast.unchanged} unchanged; p "
        f"{p_value(contrast.p_value)}, {p_value(contrast.p_adjusted)} after {correction}. By task: "
        + listed(f"{names[task.task]} {signed(task.delta)}" for task in ordered)
        + "."
    )
