# SPDX-License-Identifier: MIT
"""A table of shades: figures by row and column on colours of fixed steps, with what these mean. Knows no run.

Rows and columns may stand in groups, which a line or room parts. Where there is little room heads are numbered, and
columns stand in several tables, as many in each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, radians, sin
from typing import Any

from m4bench.report import palette
from m4bench.report.chart_parts import COMPACT, WIDE, Layout
from m4bench.report.sheet import LETTER, Sheet, breadth, page_height

FLAT, USUAL, TIGHT = 118, 62, 48
MANY = 9
SHORT_HEAD, FEW_HEADS = 18, 3
ANGLE, STEEP = -38, -75
PART = 9
GAP, HEADING, BETWEEN = 5, 17, 20
SMALL_LETTER = 5.6
LEGEND = 38
MARGIN = 8
NEARLY = 0.985  # letters are measured roughly
KEY = 16
TITLE = 18


@dataclass(frozen=True)
class Ramp:
    """Colours in the order a legend has them, on which of them figures are light, and words to each.

    Words are one a colour, below its middle, or one more than there are colours, below their edges.
    """

    title: str
    colours: tuple[str, ...]
    deep: frozenset[int]
    words: tuple[str, ...]


TENTHS = Ramp(
    "Mean reward",
    palette.TENTHS,
    frozenset(range(palette.DEEP_TENTHS)),
    ("0", "", "0.2", "", "0.4", "", "0.6", "", "0.8", "", "1"),
)
AGREEMENT = Ramp(
    "Match rate",
    palette.HEAT,
    frozenset(range(palette.FIRST_DEEP_HEAT, len(palette.HEAT))),
    palette.HEAT_WORDS,
)
SHARES = Ramp(
    "Share of a row’s runs",
    palette.HEAT,
    frozenset(range(palette.FIRST_DEEP_HEAT, len(palette.HEAT))),
    palette.SHARES_WORDS,
)


@dataclass(frozen=True)
class Shade:
    """A cell: its figures, what a reader sees on pointing at it, and its step; none is a figure without a shade."""

    text: str
    about: str
    step: int | None


@dataclass(frozen=True)
class Line:
    """A row or a column: its name, and the group it stands in."""

    name: str
    group: str = ""


@dataclass(frozen=True)
class Shades:
    """A table of shades; `cells` by the places of row and column, `absent` what a place without one means.

    A line parts groups of rows; where they are `headed`, the group's name stands above its first row.
    """

    rows: Sequence[Line]
    columns: Sequence[Line]
    cells: Mapping[tuple[int, int], Shade]
    ramp: Ramp
    absent: str = ""
    headed: bool = False


def shade_chart(shades: Shades, layout: Layout = WIDE) -> dict[str, Any]:
    """Return the description of a table of shades.

    Args:
        shades: what stands in it.
        layout: `WIDE`, heads above the columns; `COMPACT` for a paper and `NARROW` for a phone.
    """
    panels = [_Panel(shades, block, layout) for block in _blocks(shades, layout)]
    sheet = Sheet(max(panel.wide for panel in panels))
    top = _legend(sheet, shades, layout)
    for panel in panels:
        top = panel.draw(sheet, top) + BETWEEN
    return sheet.finished(top - BETWEEN)


def shade_parts(shades: Shades, layout: Layout = COMPACT) -> list[dict[str, Any]]:
    """Return the same in pieces that fit a paper's page each: columns that have room, rows of whole groups."""
    pieces = []
    for block in _blocks(shades, layout):
        panel = _Panel(shades, block, layout)
        room = _page(panel) - LEGEND - panel.head
        for rows in _row_blocks(shades, panel.high, room):
            cells = {
                (row, column): shades.cells[at, place]
                for row, at in enumerate(rows)
                for column, place in enumerate(block)
                if (at, place) in shades.cells
            }
            piece = replace(
                shades,
                rows=[shades.rows[row] for row in rows],
                columns=[shades.columns[column] for column in block],
                cells=cells,
            )
            pieces.append(shade_chart(piece, layout))
    return pieces


def _names(shades: Shades) -> float:
    """Return the room that names of rows take to the left of the cells."""
    return max(breadth(row.name) for row in shades.rows) * LETTER + 10


def _least(shades: Shades) -> int:
    """Return the width of the narrowest cell that holds all figures."""
    longest = max((len(cell.text) for cell in shades.cells.values()), default=1)
    return int(SMALL_LETTER * longest) + 6


def _blocks(shades: Shades, layout: Layout) -> list[list[int]]:
    """Return the places of the columns of each table: all where there is room, else as many in each, groups apart."""
    columns = shades.columns
    every = list(range(len(columns)))
    if not layout.above and not layout.most:
        return [every]
    most = layout.plot // _least(shades)
    if not layout.above:
        reach = max(breadth(one.name) for one in columns) * LETTER * cos(radians(STEEP))
        most = max(3, int((layout.most - _names(shades) - reach) // _least(shades)))
    grouped = len({one.group for one in columns}) > 1
    if len(every) <= most and not (layout.above and grouped):
        return [every]
    blocks: list[list[int]] = []
    for group in dict.fromkeys(one.group for one in columns):
        own = [place for place in every if columns[place].group == group]
        size = ceil(len(own) / ceil(len(own) / most))
        parts = [own[start : start + size] for start in range(0, len(own), size)]
        if blocks and not layout.above and len(blocks[-1]) + len(parts[0]) <= most:
            blocks[-1] += parts.pop(0)
        blocks += parts
    return blocks


def _row_blocks(shades: Shades, high: int, room: float) -> list[list[int]]:
    """Return the places of the rows of each piece: as few pieces as have room, of much the same height.

    Args:
        shades: the table.
        high: the height of a row.
        room: what rows may take in a piece; a group stays whole where it is not higher.
    """
    heights = [
        high + (GAP + HEADING * shades.headed if _begins(shades.rows, place) else 0)
        for place in range(len(shades.rows))
    ]
    even = sum(heights) / ceil(sum(heights) / room)
    blocks: list[list[int]] = [[]]
    filled = 0.0
    for place, row in enumerate(shades.rows):
        begins = _begins(shades.rows, place)
        group = sum(
            tall
            for tall, one in zip(heights[place:], shades.rows[place:], strict=True)
            if one.group == row.group
        )
        ends = filled + group > room if begins and group <= room else filled + heights[place] > room
        if blocks[-1] and (ends or (begins and filled >= even)):
            blocks.append([])
            filled = 0.0
        blocks[-1].append(place)
        filled += heights[place]
    return blocks


def _page(panel: "_Panel") -> float:
    """Return how many pixels of height a page has room for where a table is as wide as a panel."""
    high = page_height(panel.right + MARGIN)
    return NEARLY * high - MARGIN - (TITLE if panel.grouped else 0)


def _begins(rows: Sequence[Line], place: int) -> bool:
    return not place or rows[place].group != rows[place - 1].group


class _Panel:
    """One table of the sheet: some of the columns, all of the rows."""

    def __init__(self, shades: Shades, block: Sequence[int], layout: Layout) -> None:
        self.shades, self.block, self.layout = shades, block, layout
        self.names = 0.0 if layout.above else _names(shades)
        heads = [shades.columns[place].name for place in block]
        longest = max(map(breadth, heads))
        self.flat = not layout.above and len(heads) <= FEW_HEADS and longest <= SHORT_HEAD
        self.angle = 0 if self.flat else STEEP if layout.most else ANGLE
        self.reach = 0.0 if self.flat else longest * LETTER * cos(radians(self.angle))
        self.grouped = any(shades.columns[place].group for place in block)
        if layout.above:
            self.cell = float(min(USUAL, layout.plot // len(heads)))
        elif layout.most:
            room = (layout.most - self.names - self.reach) // len(heads)
            self.cell = max(_least(shades), min(USUAL, room))
        else:
            self.cell = FLAT if self.flat else TIGHT if len(heads) > MANY else USUAL
        self.high = 43 if layout.above else 16 if layout.most else 24
        self.head = longest * LETTER * sin(radians(-self.angle)) + 14
        self.lift = 19 if layout.above else 0
        self.x = self._across()
        self.wide = max(self.x) + self.cell
        lean = 0.0 if self.flat else LETTER * cos(radians(self.angle))
        ends = [
            x + self.cell / 2 + breadth(head) * lean for x, head in zip(self.x, heads, strict=True)
        ]
        self.right = max(self.wide, *ends)

    def _across(self) -> list[float]:
        """Return where each column begins, groups a little apart."""
        at, found = self.names, []
        for place, column in enumerate(self.block):
            before = self.shades.columns[self.block[place - 1]].group if place else None
            at += PART if place and before != self.shades.columns[column].group else 0
            found.append(at)
            at += self.cell
        return found

    def draw(self, sheet: Sheet, top: float) -> float:
        """Draw the table and return where it ends."""
        at = self._heads(sheet, self._groups(sheet, top))
        rows = self.shades.rows
        for place, row in enumerate(rows):
            if _begins(rows, place):
                if place:
                    sheet.line((0, at + GAP / 2), (self.wide, at + GAP / 2), palette.STRONG)
                    at += GAP
                if self.shades.headed:
                    sheet.words((0, at + HEADING / 2), row.group, colour=palette.SOFT)
                    at += HEADING
            self._row(sheet, place, at)
            at += self.high
        return at

    def _row(self, sheet: Sheet, place: int, at: float) -> None:
        name = self.shades.rows[place].name
        middle = at + self.lift + (self.high - self.lift) / 2
        if self.layout.above:
            sheet.words((0, at + 12), name)
        else:
            sheet.words((self.names - 10, middle), name, align="right")
        size = (self.cell, self.high - self.lift)
        for x, column in zip(self.x, self.block, strict=True):
            shade = self.shades.cells.get((place, column))
            head, group = self.shades.columns[column].name, self.shades.columns[column].group
            if shade is None:
                if self.shades.absent:
                    about = f"{name}, {head}: {self.shades.absent}"
                    sheet.empty((x, at + self.lift), size, about=about)
                    dash = (x + self.cell / 2, middle)
                    sheet.words(dash, "–", align="center", colour=palette.SOFT)
                continue
            arm = f"{head} · {group}" if group else head
            told = {"about": shade.about, "column": name, "arm": arm, "text": shade.text}
            colour = palette.PAPER if shade.step is None else self.shades.ramp.colours[shade.step]
            sheet.box((x, at + self.lift), size, colour, **told)
            ink = palette.ON_DEEP if shade.step in self.shades.ramp.deep else palette.ON_PALE
            ink = palette.INK if shade.step is None else ink
            sheet.words(
                (x + self.cell / 2, middle), shade.text, align="center", colour=ink, size=11
            )

    def _groups(self, sheet: Sheet, top: float) -> float:
        """Write what groups of columns are called, over their first one."""
        if not self.grouped:
            return top
        groups = [self.shades.columns[place].group for place in self.block]
        for place, group in enumerate(groups):
            if not place or group != groups[place - 1]:
                sheet.words((self.x[place] + 2, top + 8), group)
        return top + TITLE

    def _heads(self, sheet: Sheet, top: float) -> float:
        """Write the columns' names: above them, at an angle where they are long, or by numbers with a key."""
        heads = [self.shades.columns[place].name for place in self.block]
        if self.layout.above:
            for place, (column, head) in enumerate(zip(self.block, heads, strict=True)):
                sheet.words((0, top + 8 + KEY * place), f"{column + 1}  {head}")
            at = top + KEY * len(heads) + 14
            for x, column in zip(self.x, self.block, strict=True):
                number = (x + self.cell / 2, at)
                sheet.words(number, str(column + 1), align="center", colour=palette.SOFT)
            return at + 10
        align = "center" if self.flat else "left"
        for x, head in zip(self.x, heads, strict=True):
            foot = (x + self.cell / 2, top + self.head - 8)
            sheet.words(foot, head, align=align, angle=self.angle)
        return top + self.head


def _legend(sheet: Sheet, shades: Shades, layout: Layout) -> float:
    """Draw what the colours mean and return where it ends."""
    ramp = shades.ramp
    begin, top = breadth(ramp.title) * LETTER + 12, 0.0
    if layout.above:
        begin, top = 0.0, float(TITLE)
    sheet.words((0, 7), ramp.title)
    edges = len(ramp.words) > len(ramp.colours)
    wide = 21.0 if edges else 44.0
    for step, colour in enumerate(ramp.colours):
        sheet.box((begin + wide * step, top), (wide, 14), colour)
    for step, word in enumerate(ramp.words):
        at = begin + wide * step + (0 if edges else wide / 2)
        align = "left" if edges and not at else "center"
        sheet.words((at, top + 23), word, align=align, colour=palette.SOFT)
    if shades.absent and _has_gaps(shades):
        after = begin + wide * len(ramp.colours) + 16
        sheet.empty((after, top - 2), (26, 18))
        sheet.words((after + 13, top + 7), "–", align="center", colour=palette.SOFT)
        sheet.words((after + 32, top + 7), shades.absent)
    return top + LEGEND


def _has_gaps(shades: Shades) -> bool:
    return len(shades.cells) < len(shades.rows) * len(shades.columns)
