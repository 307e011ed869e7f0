# SPDX-License-Identifier: MIT
"""Maps of mean rewards, task by condition: over systems, in other schemas, and by system. Knows means and no run.

What stands side by side is of the same systems, so that a column is not higher for being of others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from string import ascii_lowercase

from m4bench.analysis.order import condition_key, schema_key
from m4bench.report import wording
from m4bench.report.campaign.figures.means import Mean, Means, Place
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
from m4bench.report.palette import tenth
from m4bench.report.shade_chart import TENTHS, Line, Shade, Shades, shade_chart, shade_parts

MOST_ROWS = 60
MOST_COLUMNS = 14
MOST_MAPS = 8
FEWER = "*"
NOT_RUN = "not run"
TABLE = "task-arms"
SHADES = (
    " A shade is a tenth of the scale, the lower the reward the stronger; a line parts families."
)
FAMILIES = " There are {tasks} tasks: a row is a family, the mean of its tasks."
SOME = (
    " {mark} of fewer systems: those that have the task under all of the row’s conditions; not comparable with "
    "other rows."
)
NONE_COMMON = " No system has all conditions of {tasks}: there a column’s mean is of its own systems ({mark})."
ASIDE = " Systems none of whose runs may be published ({systems}) stand in their own map."
Arm = tuple[str, str]
Cells = Mapping[Place, Mean]


@dataclass(frozen=True)
class _Column:
    """A column: a condition and schema, and whose cells it is the mean of."""

    arm: Arm
    systems: tuple[str, ...]
    group: str = ""


def heat_maps(means: Means, labels: Mapping[str, str]) -> list[Figure]:
    """Return the map over systems, the one of other schemas beside the native one, and those by system."""
    if not means.cells:
        return []
    kept, aside = _kept(means)
    arms = _systems_of(kept)
    titles = ("Mean reward by task and condition", "Mean reward by task, condition and schema")
    native = _maps("heat-map", titles[0], kept, _native(arms), labels)
    others = _maps("heat-map-schemas", titles[1], kept, _other_schemas(arms), labels)
    figures = native + others
    if aside and figures:
        told = ASIDE.format(systems=listed(by_name(labels, one) for one in aside))
        figures[0] = _with(figures[0], told)
    return figures + _by_system(means, labels, over=len(figures) == 1)


def _maps(
    name: str, title: str, means: Means, groups: Sequence["Group"], labels: Mapping[str, str]
) -> list[Figure]:
    """Return a map for each group of systems, all but the first with a letter: numbers are of a figure's parts."""
    figures = [
        _over(f"{name}-{letter}" if place else name, title, means, columns, systems, labels)
        for place, (letter, (systems, columns)) in enumerate(
            zip(ascii_lowercase, groups[:MOST_MAPS], strict=False)
        )
    ]
    if len(groups) > MOST_MAPS:
        left = {arm for _, arms in groups[MOST_MAPS:] for arm in arms}
        told = listed(condition_label(*arm) for arm in sorted(left, key=_rank))
        figures[-1] = _with(figures[-1], f" Not drawn of other systems, but in the table: {told}.")
    return figures


def _kept(means: Means) -> tuple[Means, list[str]]:
    """Return the means of systems with something that may be published, where there is one, and who stands aside."""
    first = means.publishable_first()
    fit = {at.system for at, mean in first.cells.items() if mean.publishable}
    if not fit:
        return means, []
    aside = sorted({at.system for at in means.cells} - fit)
    return first.where(lambda at: at.system in fit), aside


def _systems_of(means: Means) -> dict[Arm, frozenset[str]]:
    """Return the systems of each condition and schema, native ones first, from the barest to the fullest help."""
    found: dict[Arm, set[str]] = {}
    for place in means.cells:
        found.setdefault((place.condition, place.schema), set()).add(place.system)
    return {arm: frozenset(found[arm]) for arm in sorted(found, key=_rank)}


def _rank(arm: Arm) -> tuple[object, ...]:
    return schema_key(arm[1]), condition_key(arm[0])


Group = tuple[frozenset[str], list[Arm]]


def _native(arms: Mapping[Arm, frozenset[str]]) -> list[Group]:
    """Return the native conditions by who ran them: those that the most systems share, then what is left over.

    What fewer systems ran stands beside the barest condition, over these systems alone.
    """
    left = {arm: systems for arm, systems in arms.items() if arm[1] == NATIVE}
    groups: list[Group] = []
    while left:
        counts = {
            systems: sum(systems <= other for other in left.values()) for systems in left.values()
        }
        chosen = max(counts, key=lambda one: (counts[one] * len(one), counts[one], sorted(one)))
        own = [arm for arm, systems in left.items() if chosen <= systems]
        base = [arm for arm in arms if arm[1] == NATIVE and chosen <= arms[arm]][:1]
        groups.append((chosen, sorted({*own, *base}, key=_rank)))
        left = {arm: systems for arm, systems in left.items() if arm not in own}
    return groups


def _other_schemas(arms: Mapping[Arm, frozenset[str]]) -> list[Group]:
    """Return conditions in other schemas beside themselves in the native one, over the systems that have both."""
    groups: dict[frozenset[str], set[Arm]] = {}
    for arm, systems in arms.items():
        if arm[1] == NATIVE:
            continue
        native = (arm[0], NATIVE)
        both = systems & arms.get(native, frozenset())
        groups.setdefault(both or systems, set()).update({arm, native} if both else {arm})
    return [
        (systems, sorted(own, key=lambda arm: (condition_key(arm[0]), schema_key(arm[1]))))
        for systems, own in sorted(groups.items(), key=lambda one: (-len(one[0]), sorted(one[0])))
    ]


def _over(
    name: str,
    title: str,
    means: Means,
    arms: Sequence[Arm],
    systems: frozenset[str],
    labels: Mapping[str, str],
) -> Figure:
    """Return a map over systems: of a task, those that have all of its conditions."""
    columns = [_Column(arm, tuple(sorted(systems))) for arm in arms]
    own = means.where(lambda at: at.system in systems and (at.condition, at.schema) in arms)
    if any(arm[1] != NATIVE for arm in arms):
        other = {at.task for at in own.cells if at.schema != NATIVE}
        own = own.where(lambda at: at.task in other)
    who = sorted(by_name(labels, one) for one in systems)
    whose = (
        f"the mean over {len(who)} systems ({listed(who, 8)})"
        if len(who) > 1
        else f"of {who[0]} alone"
    )
    return _figure(name, title, f"Mean reward of a task’s runs, {whose}.", own, columns)


def _by_system(means: Means, labels: Mapping[str, str], *, over: bool) -> list[Figure]:
    """Return maps of one system beside another, as many in each as have room; none where it would say nothing new."""
    systems = sorted({at.system for at in means.cells}, key=lambda one: by_name(labels, one))
    if len(systems) < 2 and over:
        return []
    blocks: list[list[_Column]] = []
    for system in systems:
        arms = _systems_of(means.where(lambda at, system=system: at.system == system))  # type: ignore[misc]
        own = [_Column(arm, (system,), by_name(labels, system)) for arm in arms]
        if blocks and len(blocks[-1]) + len(own) <= MOST_COLUMNS:
            blocks[-1] += own
        else:
            blocks.append(own)
    figures = []
    for number, columns in enumerate(blocks[:MOST_MAPS], 1):
        some = {column.systems[0] for column in columns}
        whose = listed(dict.fromkeys(column.group for column in columns))
        title = "Mean reward by task, condition and system"
        title += f": {whose}" if len(blocks) > 1 else ""
        shown = means.where(lambda at, some=frozenset(some): at.system in some)  # type: ignore[misc]
        name = f"heat-map-systems-{number}" if len(blocks) > 1 else "heat-map-systems"
        caption = "Mean reward of a task’s runs, by system."
        figures.append(_figure(name, title, caption, shown, columns))
    if len(blocks) > MOST_MAPS:
        left = [column.group for block in blocks[MOST_MAPS:] for column in block]
        told = f" Not drawn, but in the table: {listed(dict.fromkeys(left))}."
        figures[-1] = _with(figures[-1], told)
    return figures


def _with(figure: Figure, more: str) -> Figure:
    return replace(figure, caption=figure.caption + more)


def _values(
    means: Means, columns: Sequence[_Column]
) -> tuple[dict[tuple[str, int], float], dict[str, str]]:
    """Return the value of each task and column, and what marks a task not all systems of its columns have.

    A row's columns are of the systems that have all of them; where none has, each column is of its own.
    """
    values: dict[tuple[str, int], float] = {}
    marks: dict[str, str] = {}
    for task in means.tasks():
        rewards = {
            (place, system): mean.reward
            for place, column in enumerate(columns)
            for system in column.systems
            if (mean := means.cells.get(Place(task, *column.arm, system)))
        }
        filled = {place for place, _ in rewards}
        pooled = len(columns[0].systems) > 1
        common = [
            one
            for one in columns[0].systems
            if pooled and all((place, one) in rewards for place in filled)
        ]
        if pooled and len(common) < len(columns[0].systems):
            marks[task] = FEWER if common else FEWER * 2
        for place in filled:
            found = [
                reward
                for (at, system), reward in rewards.items()
                if at == place and (not common or system in common)
            ]
            values[task, place] = fmean(found)
    return values, marks


def _figure(
    name: str, title: str, caption: str, means: Means, columns: Sequence[_Column]
) -> Figure:
    """Return the figure of a map: tasks as rows, or families where tasks are too many."""
    values, marks = _values(means, columns)
    tasks = means.tasks()
    rows = {task: [task] for task in tasks}
    caption += SHADES
    if len(tasks) > MOST_ROWS:
        caption += FAMILIES.format(tasks=len(tasks))
        rows = {}
        for task in tasks:
            rows.setdefault(means.families[task], []).append(task)
    if len(rows) > MOST_ROWS:
        caption += f" The first {MOST_ROWS} of {len(rows)} rows are drawn; the table has them all."
        rows = dict(list(rows.items())[:MOST_ROWS])
    if FEWER in marks.values():
        caption += SOME.format(mark=FEWER)
    alone = sum(mark == FEWER * 2 for mark in marks.values())
    if alone:
        caption += NONE_COMMON.format(tasks=wording.plural(alone, "task"), mark=FEWER * 2)
    heads = _heads(means, columns)
    shades = _shades(rows, marks, heads, columns, values, means.families)
    return Figure(
        name,
        title,
        noted(caption, heads),
        _told(heads, columns, values),
        shade_chart(shades),
        shade_chart(shades, NARROW),
        partial(shade_chart, shades, COMPACT),
        table=TABLE,
        parts=partial(shade_parts, shades),
    )


def _heads(means: Means, columns: Sequence[_Column]) -> list[str]:
    """Return what columns are called, marked where what they are of may not be published."""
    fit = [
        all(
            mean.publishable
            for at, mean in means.cells.items()
            if (at.condition, at.schema) == column.arm and at.system in column.systems
        )
        for column in columns
    ]
    heads: list[str] = []
    for group in dict.fromkeys(column.group for column in columns):
        heads += apart(condition_label(*one.arm) for one in columns if one.group == group)
    return [head + ("" if good else MARK) for head, good in zip(heads, fit, strict=True)]


def _shades(
    rows: Mapping[str, Sequence[str]],
    marks: Mapping[str, str],
    heads: Sequence[str],
    columns: Sequence[_Column],
    values: Mapping[tuple[str, int], float],
    families: Mapping[str, str],
) -> Shades:
    called = distinct(rows)
    lines = [Line(called[row] + marks.get(row, ""), families.get(row, "")) for row in rows]
    cells = {}
    for at, (row, members) in enumerate(rows.items()):
        for place, head in enumerate(heads):
            found = [values[task, place] for task in members if (task, place) in values]
            if found:
                rate = fmean(found)
                whose = f"{head}, {columns[place].group}" if columns[place].group else head
                about = f"{called[row]}, {whose}: {wording.rate(rate)}"
                cells[at, place] = Shade(wording.rate(rate), about, tenth(rate))
    named = [Line(head, one.group) for head, one in zip(heads, columns, strict=True)]
    return Shades(lines, named, cells, TENTHS, NOT_RUN)


def _told(
    heads: Sequence[str], columns: Sequence[_Column], values: Mapping[tuple[str, int], float]
) -> str:
    """Say in words what the means of the columns are, for who cannot see the map."""
    parts = []
    for place, head in enumerate(heads):
        found = [value for (_, at), value in values.items() if at == place]
        whose = f"{head}, {columns[place].group}" if columns[place].group else head
        parts.append(
            f"{whose} {wording.rate(fmean(found))} over {wording.plural(len(found), 'task')}"
        )
    return f"Means of the columns: {listed(parts)}."
