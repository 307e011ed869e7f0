# SPDX-License-Identifier: MIT
"""Graded reward against strict passes, a dot a cell, a panel a condition. Knows means of cells and no run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import pi
from statistics import fmean
from typing import Any

from m4bench.analysis.order import condition_key, schema_key
from m4bench.report import palette, wording
from m4bench.report.campaign.figures.means import Mean, Means, Place
from m4bench.report.campaign.figures.naming import (
    by_name,
    condition_label,
    cut,
    listed,
    marked,
    noted,
)
from m4bench.report.campaign.figures.scatter_chart import Axis, Plot, Point, swarms
from m4bench.report.exhibits import Figure
from m4bench.report.sheet import Sheet

MOST_PANELS = 12
LONGEST = 25
TABLE = "task-arms"
TITLES = "Across: mean reward; upwards: share of strict passes"
SIDE, BELOW, ABOVE, BETWEEN = 34, 36, 52, 14
CAPTION = (
    "A dot is a task under a condition by a system: to the right its mean reward, upwards the share of its runs that "
    "pass strictly. Dots that would hide one another lie beside one another. To the right and "
    "low lie answers that are nearly right everywhere and still fail a check."
)
Arm = tuple[str, str]


@dataclass(frozen=True)
class _Panel:
    """The dots of a condition below lines that say what they are."""

    heading: tuple[str, ...]
    points: tuple[Point, ...]


@dataclass(frozen=True)
class _Size:
    """How panels stand: so many a line, each plot so wide and high, in pixels."""

    columns: int
    wide: int
    high: int


WIDE, COMPACT, NARROW = _Size(3, 260, 150), _Size(3, 136, 84), _Size(2, 112, 110)


def strict_figure(means: Means, labels: Mapping[str, str]) -> Figure | None:
    """Return the figure, or nothing where no run passes strictly."""
    if not any(mean.passes for mean in means.cells.values()):
        return None
    groups: dict[Arm, dict[Place, Mean]] = {}
    for place, mean in means.cells.items():
        groups.setdefault((place.condition, place.schema), {})[place] = mean
    arms = sorted(groups, key=lambda arm: (schema_key(arm[1]), condition_key(arm[0])))
    passed = [arm for arm in arms if any(mean.passes for mean in groups[arm].values())]
    shown = passed[:MOST_PANELS]
    panels = [_panel(arm, groups[arm], labels) for arm in shown]
    told = []
    for arm, panel in zip(shown, panels, strict=True):
        reward = wording.rate(fmean(mean.reward for mean in groups[arm].values()))
        told.append(
            f"{panel.heading[0]}: mean reward of cells {reward}, {', '.join(panel.heading[1:])}"
        )
    caption = CAPTION
    if len(passed) > len(shown):
        left = listed(wording.foreign(condition_label(*arm)) for arm in passed[len(shown) :])
        caption += f" Not drawn, but in the table: {left}."
    if len(arms) > len(passed):
        none = listed(wording.foreign(condition_label(*arm)) for arm in arms if arm not in passed)
        caption += f" No run passes strictly under: {none}."
    return Figure(
        "strict",
        "Strict passes against graded reward",
        noted(caption, [panel.heading[0] for panel in panels]),
        f"{listed(told)}.",
        _drawn(panels, WIDE),
        _drawn(panels, NARROW),
        partial(_drawn, panels, COMPACT),
        table=TABLE,
    )


def _panel(arm: Arm, cells: Mapping[Place, Mean], labels: Mapping[str, str]) -> _Panel:
    passes, runs = sum(m.passes for m in cells.values()), sum(m.runs for m in cells.values())
    tasks, systems = len({at.task for at in cells}), len({at.system for at in cells})
    name = marked(
        cut(wording.foreign(condition_label(*arm)), LONGEST),
        all(mean.publishable for mean in cells.values()),
    )
    points = tuple(
        Point(mean.reward, mean.passes / mean.runs, _about(place, mean, labels))
        for place, mean in sorted(cells.items())
    )
    counted = f"{wording.count(passes)} of {wording.plural(runs, 'run')} strict"
    of = f"{wording.plural(tasks, 'task')}, {wording.plural(systems, 'system')}"
    return _Panel((name, counted, of), points)


def _about(place: Place, mean: Mean, labels: Mapping[str, str]) -> str:
    return (
        f"{cut(wording.foreign(place.task))}, {by_name(labels, place.system)}: reward "
        f"{wording.rate(mean.reward)}, {mean.passes} of {mean.runs} strict"
    )


def _drawn(panels: Sequence[_Panel], size: _Size) -> dict[str, Any]:
    """Return the panels in lines; dots are of one size in all of them."""
    across, up = Axis(-0.02, 1.02, "Mean reward"), Axis(-0.16, 1.16, "Strict share")
    columns = min(size.columns, len(panels))
    cell = SIDE + size.wide + BETWEEN
    sheet = Sheet(cell * columns)
    plot = Plot(0, 0, size.wide, size.high, across, up)
    pitch, swarmed = swarms([panel.points for panel in panels], plot)
    top = 0.0
    for line in _lines(list(zip(panels, swarmed, strict=True)), columns):
        for place, (panel, dots) in enumerate(line):
            left = cell * place + SIDE
            for row, text in enumerate(panel.heading):
                colour = palette.SOFT if row else palette.INK
                sheet.words((left - 24, top + 8 + 16 * row), text, colour=colour)
            own = Plot(left, top + ABOVE, size.wide, size.high, across, up)
            _frame(sheet, own)
            for point, (x, y) in zip(panel.points, dots, strict=True):
                told = {"about": point.about, "reward": point.x, "share": point.y}
                at = (own.left + x, own.top + y)
                area = pi * (pitch / 2) ** 2 * 0.8
                sheet.dot(at, size=area, fill=palette.FILL, **told)
        top += ABOVE + size.high + BELOW
    sheet.words(
        (SIDE - 24, top + 2),
        TITLES,
        colour=palette.SOFT,
    )
    return sheet.finished(top + 4)


def _lines(found: list[Any], columns: int) -> list[list[Any]]:
    return [found[start : start + columns] for start in range(0, len(found), columns)]


def _frame(sheet: Sheet, plot: Plot) -> None:
    for value in (0, 0.5, 1):
        y = plot.place(0, value)[1]
        sheet.line((plot.left, y), (plot.left + plot.wide, y))
        sheet.words((plot.left - 6, y), f"{value:g}", align="right")
        x = plot.place(value, 0)[0]
        sheet.line((x, plot.top), (x, plot.top + plot.high))
        sheet.words((x, plot.top + plot.high + 11), f"{value:g}", align="center")
