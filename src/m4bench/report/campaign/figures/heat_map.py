# SPDX-License-Identifier: MIT
"""The map of mean rewards, task by condition, over systems and within each. Knows means and no run."""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TypeVar

from m4bench.analysis.order import conditions_in_order
from m4bench.report import charts, wording
from m4bench.report.campaign.figures.means import ASIDE, Means
from m4bench.report.campaign.figures.naming import (
    MARK,
    NATIVE,
    apart,
    by_name,
    condition_label,
    distinct,
    listed,
    noted,
)
from m4bench.report.chart_parts import COMPACT, NARROW
from m4bench.report.exhibits import Figure
from m4bench.report.palette import heat

MOST_ROWS = 60
MOST_COLUMNS = 14
FEWER = "*"
CAPTION = (
    "Mean reward of a task’s runs, {whose}. The stronger the shade, the lower the reward; only an exact 1 has "
    "none. An empty place was not run."
)
FAMILIES = " There are {tasks} tasks: a row is a family, the mean of its tasks."
COMPOSITION = " * not of all systems: {which}; to be read within its column, not against those of all systems."
Arm = tuple[str, str]
Head = TypeVar("Head")


def heat_maps(means: Means, labels: Mapping[str, str]) -> list[Figure]:
    """Return the map over systems, and the one with each system's columns where these have room."""
    if not means.cells:
        return []
    systems = sorted({place.system for place in means.cells}, key=lambda one: by_name(labels, one))
    figures = [_over_systems(means)]
    arms = _arms(means)
    beside = [
        (system, arm)
        for arm in arms
        for system in systems
        if any(
            (place.system, place.condition, place.schema) == (system, *arm) for place in means.cells
        )
    ]
    if len(systems) > 1 and len(beside) <= MOST_COLUMNS:
        figures.append(_by_system(means, beside, labels))
    return figures


def _arms(means: Means) -> list[Arm]:
    """Return conditions with their schemas: native ones first, from the barest to the fullest help."""
    order = conditions_in_order(place.condition for place in means.cells)
    found = {(place.condition, place.schema) for place in means.cells}
    return sorted(found, key=lambda arm: (arm[1] != NATIVE, arm[1], order.index(arm[0])))


def _over_systems(every: Means) -> Figure:
    means = every.publishable_first()
    systems = {place.system for place in means.cells}
    arms = _arms(means)
    heads: dict[Arm, str] = {}
    fewer: list[str] = []
    values: dict[tuple[str, Arm], float] = {}
    for arm in arms:
        own = {
            place: mean
            for place, mean in means.cells.items()
            if (place.condition, place.schema) == arm
        }
        label = condition_label(*arm)
        here = {place.system for place in own}
        if len(here) < len(systems):
            label += FEWER
            fewer.append(f"{label.removesuffix(FEWER)}, {len(here)} of {len(systems)}")
        if not all(mean.publishable for mean in own.values()):
            label += MARK
        heads[arm] = label
        for task in means.tasks():
            rewards = [mean.reward for place, mean in own.items() if place.task == task]
            if rewards:
                values[task, arm] = fmean(rewards)
    whose = "the mean over systems" if len(systems) > 1 else "one system’s"
    caption = CAPTION.format(whose=whose)
    if fewer:
        caption += COMPOSITION.format(which=listed(map(wording.foreign, fewer)))
    if len(means.cells) < len(every.cells):
        caption += ASIDE
    return _figure("heat-map", "Mean reward by task and condition", caption, means, values, heads)


def _by_system(
    means: Means, beside: Sequence[tuple[str, Arm]], labels: Mapping[str, str]
) -> Figure:
    heads, values = {}, {}
    for system, arm in beside:
        own = {
            place.task: mean
            for place, mean in means.cells.items()
            if (place.system, place.condition, place.schema) == (system, *arm)
        }
        label = f"{condition_label(*arm)} · {by_name(labels, system)}"
        heads[system, arm] = label + ("" if all(m.publishable for m in own.values()) else MARK)
        for task, mean in own.items():
            values[task, (system, arm)] = mean.reward
    caption = CAPTION.format(whose="by system")
    title = "Mean reward by task, condition and system"
    return _figure("heat-map-systems", title, caption, means, values, heads)


def _figure(
    name: str,
    title: str,
    caption: str,
    means: Means,
    values: Mapping[tuple[str, Head], float],
    heads: Mapping[Head, str],
) -> Figure:
    """Return the figure of a map: tasks as rows, or families where tasks are too many."""
    tasks = means.tasks()
    rows = {task: [task] for task in tasks}
    if len(tasks) > MOST_ROWS:
        caption += FAMILIES.format(tasks=len(tasks))
        rows = {}
        for task in tasks:
            rows.setdefault(means.families[task], []).append(task)
    if len(rows) > MOST_ROWS:
        caption += (
            f" Only the first {MOST_ROWS} of {len(rows)} rows are drawn; the tables have them all."
        )
        rows = dict(list(rows.items())[:MOST_ROWS])
    called = distinct(rows)
    columns = dict(zip(heads, apart(heads.values()), strict=True))
    cells = []
    for row, members in rows.items():
        for head, label in columns.items():
            found = [values[task, head] for task in members if (task, head) in values]
            if found:
                rate = fmean(found)
                cells.append(
                    {
                        "column": called[row],
                        "arm": label,
                        "step": heat(rate),
                        "text": wording.rate(rate),
                        "about": f"{called[row]}, {label}: {wording.rate(rate)}",
                    }
                )
    order = list(columns.values())
    over = {
        label: [v for (_, at), v in values.items() if at == head] for head, label in columns.items()
    }
    told = listed(
        f"{label} {wording.rate(fmean(found))} over {wording.plural(len(found), 'task')}"
        for label, found in over.items()
        if found
    )
    names = list(called.values())
    return Figure(
        name,
        title,
        noted(caption, heads.values()),
        f"Means of the columns: {told}. They are of different tasks where these differ in number.",
        charts.columns(cells, names, order),
        charts.columns(cells, names, order, NARROW),
        partial(charts.columns, cells, names, order, COMPACT),
    )
