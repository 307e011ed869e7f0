# SPDX-License-Identifier: MIT
"""What a forest says in words: its caption, its findings, and what its marks are called. Draws nothing."""

import re
from collections.abc import Collection, Mapping, Sequence

from m4bench.analysis.order import CONVENTIONS
from m4bench.analysis.results import ContrastResult, Equivalence, Interval
from m4bench.analysis.words import each_equal, of_unmeasured
from m4bench.model.analysis import AnalysisPlan
from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.naming import (
    BETWEEN_PARTS,
    by_name,
    cut,
    distinct,
    listed,
    percent,
    signed,
    with_interval,
)
from m4bench.report.campaign.writing import p_value

METRICS = {"key_f1": "key F1", "ordered_nmae": "ordered nMAE", "strict": "strict passes"}
MOST_TASKS = 60
TICK = "M0,-0.8L0,0.8"  # an upright stroke
METHODS = {
    "family-t": "t, clustered by family",
    "family-bootstrap-t": "bootstrap-t, families drawn",
}
CLAIM = "{level} interval of the claim"
TASKS = (
    "Filled circles are the tasks’ differences, open diamonds their families’ means; a family of one task is a row of "
    "that task alone. Tasks have no interval of their own: families are the clusters."
)
FAMILIES = (
    "A row is a family, its filled diamond the mean and the small circles below it the {tasks} tasks, which are listed "
    "in the tables."
)
SHAPED = (
    " Small open marks below a circle: {held}, whose mean it is, in the shapes beside their names."
)
STROKES = " Small strokes below a circle: {held} ({count}), whose mean it is."
HELD_SYSTEMS = "the systems"
HELD_CONDITIONS = "the conditions"
HELD_OTHERS = "the differences within what both sides have in common"
SETTING = " All of one setting: {setting}."
WHOLE = " At the top the mean over {tasks} in {families}, {weighting}"
NO_INTERVAL = re.compile(r"\bno (bootstrap-t )?interval")
RUNS = " {runs}, {treatment} of {treated} and {control} of {bare}{trials}: a failed one counts 0{unmeasured}."


def words_of_sides(contrast: ContrastResult) -> tuple[str, str]:
    """Return what lies to the left and right of 0: an error is the better the lower it is."""
    better, worse = writing.moved(contrast)
    positive, negative = f"{contrast.positive} {better}", f"{contrast.negative} {worse}"
    less_is_better = contrast.metric == writing.LESS_IS_BETTER
    return (positive, negative) if less_is_better else (negative, positive)


def side(label: str) -> str:
    """Return what a side or a setting is called in a sentence."""
    return cut(wording.foreign(label), 60)


def setting_of(contrast: ContrastResult) -> str:
    """Return the setting a contrast is of, in which a convention is said to be one."""
    parts = contrast.setting.split(", ")
    return side(", ".join(f"{one} convention" if one in CONVENTIONS else one for one in parts))


def metric_of(contrast: ContrastResult) -> str:
    """Return what a contrast's measure is called."""
    return METRICS.get(contrast.metric, cut(wording.foreign(contrast.metric)))


def called(contrast: ContrastResult, conditions: Collection[str]) -> str:
    """Return what the marks below a task's own are called: a system may be told with a setting."""
    held = contrast.held_equal or contrast.systems
    differing = {part for one in _told_apart(held).values() for part in one.split(BETWEEN_PARTS)}
    if len(held) > 1 and differing <= set(conditions):
        return HELD_CONDITIONS
    if all(
        any(one == of or one.startswith(f"{of}{BETWEEN_PARTS}") for of in contrast.systems)
        for one in held
    ):
        return HELD_SYSTEMS
    return HELD_OTHERS


def _told_apart(held: Sequence[str]) -> dict[str, str]:
    """Return each of what is held equal with those of its parts that not all have, or whole where there are none."""
    parts = {one: one.split(BETWEEN_PARTS) for one in held}
    shared = set.intersection(*map(set, parts.values())) if parts else set()
    return {
        one: BETWEEN_PARTS.join(part for part in own if part not in shared) or one
        for one, own in parts.items()
    }


def names_of(contrast: ContrastResult, labels: Mapping[str, str], held: str) -> dict[str, str]:
    """Return what stands for each of what is held equal."""
    every = contrast.held_equal or contrast.systems
    if held == HELD_SYSTEMS:
        return {one: by_name(labels, one) for one in every}
    return {one: cut(wording.foreign(text)) for one, text in _told_apart(every).items()}


def what_is_whole(contrast: ContrastResult, plan: AnalysisPlan) -> str:
    """Return what the whole mean is over: tasks, or the means of families."""
    family = plan.weighting == "family"
    count = contrast.families if family else contrast.tasks
    if count == 1:
        return "One family" if family else "One task"
    return f"All {count} {'families' if family else 'tasks'}"


def other_interval(contrast: ContrastResult) -> Interval | None:
    """Return the interval of the other kind than the headline's."""
    headline = contrast.interval
    kinds = [contrast.family_t, contrast.bootstrap_t]
    found = [one for one in kinds if one and (headline is None or one.method != headline.method)]
    return found[0] if found else None


def caption(
    contrast: ContrastResult,
    plan: AnalysisPlan,
    shapes: Mapping[str, str],
    left_out: int,
    held: str,
) -> str:
    """Return what the marks are, by what the figure has of them."""
    by_task = len(contrast.task_deltas) <= MOST_TASKS
    parts = [TASKS if by_task else FAMILIES.format(tasks=contrast.tasks)]
    if left_out:
        parts.append(f" The {left_out} families in the middle of the order are not drawn.")
    if by_task and shapes:
        many = STROKES if TICK in shapes.values() else SHAPED
        parts.append(many.format(held=held, count=len(shapes)))
    parts.append(
        WHOLE.format(
            tasks=wording.plural(contrast.tasks, "task"),
            families=wording.plural(contrast.families, "family", "families"),
            weighting=each_equal(plan),
        )
    )
    parts.append(_lines(contrast, held))
    parts.append(_runs(contrast, plan))
    if contrast.equivalence:
        parts.append(f" {_claim(contrast.equivalence)}")
    if contrast.missing:
        lacking = wording.plural(
            len(contrast.missing), "pair of task and system", "pairs of task and system"
        )
        parts.append(f" Left out for want of one side: {lacking}.")
    if contrast.setting:
        parts.append(SETTING.format(setting=setting_of(contrast)))
    if contrast.role == "exploratory":
        parts.append(" This comparison is exploratory.")
    if not contrast.publishable:
        parts.append(" These runs may not be published.")
    return "".join(parts)


def _lines(contrast: ContrastResult, held: str) -> str:
    """Return what the lines at the top are, or why there is none."""
    if contrast.interval is None:
        found = f"; {_why_no_interval(contrast)}."
    else:
        level = percent(contrast.interval.level)
        other = other_interval(contrast)
        below = f"; thin: {method_of(other)}" if other else ""
        found = f", with its interval of {level} (thick: {method_of(contrast.interval)}{below})."
    own = [one.interval for one in contrast.by_system if one.interval]
    if len(contrast.by_system) > 1 and own:
        alike = contrast.interval is not None and own[0].method == contrast.interval.method
        made = "" if alike else f" ({method_of(own[0])})"
        found += f" The lines of {held} are such intervals within each{made}."
    return found


def _runs(contrast: ContrastResult, plan: AnalysisPlan) -> str:
    """Return how many runs a forest is of, how many a cell, and what becomes of those that failed or were lost."""
    control = contrast.runs[1]
    each = {
        round(runs / len(task.by_system), 1)
        for task in contrast.task_deltas
        for runs in task.runs
        if task.by_system
    }
    trials = ""
    if each and all(one.is_integer() for one in each):
        least, most = int(min(each)), int(max(each))
        trials = f", {least if least == most else f'{least} to {most}'} a cell"
    return RUNS.format(
        runs=wording.plural(sum(contrast.runs), "run"),
        treatment=wording.count(contrast.runs[0]),
        treated=side(contrast.treatment_label),
        control=wording.count(control),
        bare=side(contrast.control_label),
        trials=trials,
        unmeasured=f", an unmeasured one is {of_unmeasured(plan)}",
    )


def _why_no_interval(contrast: ContrastResult) -> str:
    """Return the reason the analysis gives, or the mere fact where it gives none."""
    reasons = [note for note in contrast.notes if NO_INTERVAL.search(note)]
    return wording.foreign(reasons[0]) if reasons else "its interval is not determined"


def _claim(found: Equivalence) -> str:
    """Return what was claimed of a control that is said to match, and whether that is shown."""
    what = "Equivalence" if found.claim == "equivalence" else "Non-inferiority"
    lines = "margins" if found.claim == "equivalence" else "margin"
    shown = "shown" if found.shown else "not shown, which is no proof of a difference"
    interval = f"{percent(found.interval.level)} interval {writing.interval(found.interval)}"
    return (
        f"Dashed: the {lines} of the claim. {what} within {found.margin:g}: {shown} ({interval}, "
        f"{method_of(found.interval)})."
    )


def method_of(interval: Interval) -> str:
    """Return how an interval was made, in words."""
    return METHODS.get(interval.method, wording.foreign(interval.method))


def in_words(contrast: ContrastResult, sides: str) -> str:
    """Return the findings as a reader is told them who cannot see the figure."""
    names = distinct([task.task for task in contrast.task_deltas])
    ordered = sorted(contrast.task_deltas, key=lambda task: (-task.delta, task.task))
    correction = "Holm" if contrast.role == "primary" else "Benjamini and Hochberg"
    better, worse = writing.moved(contrast)
    return (
        f"{sides}: {with_interval(contrast.delta, contrast.interval)} over "
        f"{wording.plural(contrast.tasks, 'task')} in {wording.plural(contrast.families, 'family', 'families')}, "
        f"{contrast.positive} {better}, {contrast.negative} {worse}, {contrast.unchanged} unchanged; p "
        f"{p_value(contrast.p_value)}, {p_value(contrast.p_adjusted)} after {correction}. By task: "
        + listed(f"{names[task.task]} {signed(task.delta)}" for task in ordered)
        + "."
    )
