# SPDX-License-Identifier: MIT
"""A row an arm: its means under several conventions as shapes on one scale, and their differences. Knows no run."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil
from typing import Any

from m4bench.analysis.results import Interval
from m4bench.report import palette, wording
from m4bench.report.campaign.figures.lettering import width
from m4bench.report.campaign.figures.naming import signed, with_interval
from m4bench.report.campaign.figures.scales import round_ends
from m4bench.report.campaign.figures.scatter_chart import Axis, Plot, rates_axis
from m4bench.report.sheet import Sheet, page_height

SHAPES = ("circle", "diamond", "square", "triangle-up", "triangle-down", "cross")
SIZE = 70
LINE, GAP, NAME = 17, 9, 18
SCALE, HEAD = 44, 18
BETWEEN = 16
SCALES_APART = 34
MARGIN = 12


@dataclass(frozen=True)
class Side:
    """A convention: the mean under it, and how far that is from the first one's, with its interval."""

    name: str
    reward: float
    delta: float | None = None
    interval: Interval | None = None

    @property
    def written(self) -> tuple[str, str]:
        """The mean, and the difference with its interval where there is one."""
        told = "" if self.delta is None else with_interval(self.delta, self.interval)
        return wording.rate(self.reward), told


@dataclass(frozen=True)
class Agreement:
    """An arm with the number of its tasks and its means under two conventions or more."""

    name: str
    tasks: str
    sides: tuple[Side, ...]


@dataclass(frozen=True)
class ConventionLayout:
    """How wide the plots of means and of differences are in pixels, and whether names and lists stand apart."""

    means: int
    differences: int
    named_above: bool = False
    listed_below: bool = False


WIDE = ConventionLayout(260, 230)
COMPACT = ConventionLayout(140, 112, named_above=True)
NARROW = ConventionLayout(296, 0, named_above=True, listed_below=True)


def convention_chart(rows: Sequence[Agreement], layout: ConventionLayout) -> dict[str, Any]:
    """Return the description of the rows, from top to bottom."""
    frame = _Frame(rows, layout)
    sheet = Sheet(frame.wide)
    high = frame.top + sum(map(frame.height, rows))
    for plot in frame.plots(high):
        plot.frame(sheet, upright=False, ruled=not layout.named_above, most=frame.most(plot))
    at = float(frame.top)
    for row in rows:
        frame.draw(sheet, row, at)
        at += frame.height(row)
    for x, text in frame.heads():
        sheet.words((x, HEAD / 2), text, colour=palette.SOFT)
    return sheet.finished(high + SCALE)


def convention_parts(rows: Sequence[Agreement]) -> list[dict[str, Any]]:
    """Return the compact description in pieces that fit a page each, as many rows in each."""
    frame = _Frame(rows, COMPACT)
    room = max(
        1,
        int(
            (page_height(frame.wide + MARGIN) - SCALE - HEAD - MARGIN)
            // max(map(frame.height, rows))
        ),
    )
    size = ceil(len(rows) / ceil(len(rows) / room))
    pieces = [rows[start : start + size] for start in range(0, len(rows), size)]
    return [convention_chart(piece, COMPACT) for piece in pieces]


class _Frame:
    """Where everything of a chart lies."""

    def __init__(self, rows: Sequence[Agreement], layout: ConventionLayout) -> None:
        self.layout = layout
        sides = list(chain.from_iterable(row.sides for row in rows))
        conventions = dict.fromkeys(side.name.removesuffix(" †") for side in sides)
        self.shapes = {name: SHAPES[place % len(SHAPES)] for place, name in enumerate(conventions)}
        names = max(width(row.name) for row in rows) + 14
        self.left = 6.0 if layout.named_above else names
        self.top = 4 if layout.listed_below else HEAD
        self.right = self.left + layout.means
        self.second = self.right + (SCALES_APART if layout.differences else 0)
        end = self.second + layout.differences
        self.texts = 0.0 if layout.listed_below else end + BETWEEN
        self.names = max(width(side.name) for side in sides) + 28
        self.rates = rates_axis([side.reward for side in sides], "Mean reward")
        ends = [0.0]
        for side in sides:
            ends += [side.delta] if side.delta is not None else []
            ends += [side.interval.low, side.interval.high] if side.interval else []
        low, high = round_ends(min(ends), max(ends)) if min(ends) < max(ends) else (-0.1, 0.1)
        self.deltas = Axis(low, high, "Difference")
        longest = max(width(side.written[1]) for side in sides)
        self.wide = max(end, self.texts + self.names + 46 + longest + 4)

    def height(self, row: Agreement) -> float:
        """Return the height of a row."""
        above = NAME if self.layout.named_above else 0
        plot = LINE + 4 if self.layout.listed_below else 0
        return above + plot + LINE * len(row.sides) + GAP

    def plots(self, high: float) -> list[Plot]:
        """Return the rectangles of the scales, over all rows."""
        up = Axis(0.0, 1.0, "")
        tall = high - self.top
        found = [Plot(self.left, self.top, self.layout.means, tall, self.rates, up)]
        if self.layout.differences:
            found.append(
                Plot(self.second, self.top, self.layout.differences, tall, self.deltas, up)
            )
        return found

    def most(self, plot: Plot) -> int:
        """Return how many marks a scale has room for."""
        return max(2, int(plot.wide // 60))

    def heads(self) -> list[tuple[float, str]]:
        """Return the words above columns of figures."""
        if self.layout.listed_below:
            return []
        after = self.texts + self.names
        return [(after, "reward"), (after + 46, "difference")]

    def draw(self, sheet: Sheet, row: Agreement, top: float) -> None:
        """Draw a row that begins at a height."""
        at = top + GAP / 2
        title = f"{row.name}, {row.tasks}"
        if self.layout.named_above:
            sheet.words((0, at + NAME / 2), title)
            at += NAME
        lines = at
        middle = at + LINE * len(row.sides) / 2
        if self.layout.listed_below:
            middle = at + LINE / 2
            lines = at + LINE + 4
        elif not self.layout.named_above:
            sheet.words((0, middle - 8), row.name)
            sheet.words((0, middle + 8), row.tasks, colour=palette.SOFT)
        if self.layout.named_above:
            end = at + LINE if self.layout.listed_below else at + LINE * len(row.sides)
            self._rules(sheet, at, end)
        for place, side in enumerate(row.sides):
            y = lines + LINE * (place + 0.5)
            self._mark(sheet, row, side, (self._x(self.rates, side.reward, self.left), middle))
            self._listed(sheet, row, side, y)
            if side.delta is not None and self.layout.differences:
                self._difference(sheet, row, side, y)

    def _rules(self, sheet: Sheet, begin: float, end: float) -> None:
        """Draw the lines of the scales within a row alone, so that they run through no words."""
        for plot in self.plots(self.top):
            for value in plot.across.marks(self.most(plot)):
                x = plot.place(value, 0)[0]
                sheet.line((x, begin), (x, end))

    def _x(self, axis: Axis, value: float, left: float) -> float:
        wide = self.layout.means if left == self.left else self.layout.differences
        return left + wide * axis.share(value)

    def _mark(self, sheet: Sheet, row: Agreement, side: Side, at: tuple[float, float]) -> None:
        about = f"{row.name}, {side.name}: {side.written[0]}"
        fill = palette.FILL if side.delta is None else palette.PAPER
        shape = self.shapes[side.name.removesuffix(" †")]
        sheet.dot(at, size=SIZE, shape=shape, fill=fill, about=about, value=side.reward)

    def _listed(self, sheet: Sheet, row: Agreement, side: Side, y: float) -> None:
        shape = self.shapes[side.name.removesuffix(" †")]
        fill = palette.FILL if side.delta is None else palette.PAPER
        sheet.dot((self.texts + 8, y), size=SIZE, shape=shape, fill=fill, about=side.name)
        sheet.words((self.texts + 18, y), side.name)
        reward, difference = side.written
        sheet.words((self.texts + self.names, y), reward)
        sheet.words((self.texts + self.names + 46, y), difference)

    def _difference(self, sheet: Sheet, row: Agreement, side: Side, y: float) -> None:
        assert side.delta is not None
        zero = self._x(self.deltas, 0.0, self.second)
        sheet.line((zero, y - LINE / 2), (zero, y + LINE / 2), palette.STRONG)
        about = f"{row.name}, {side.name} minus the first: {signed(side.delta)}"
        if side.interval:
            low, high = side.interval.low, side.interval.high
            begin, end = (self._x(self.deltas, one, self.second) for one in (low, high))
            sheet.line((begin, y), (end, y), palette.FILL, 2.5, about=about)
        shape = self.shapes[side.name.removesuffix(" †")]
        at = (self._x(self.deltas, side.delta, self.second), y)
        sheet.dot(at, size=SIZE * 0.8, shape=shape, about=about, value=side.delta)
