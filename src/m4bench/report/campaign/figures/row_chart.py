# SPDX-License-Identifier: MIT
"""Rows of marks on one scale, with names to their left and numbers to their right. Knows no run and no contrast.

Where each row lies is reckoned in pixels here, so that families part, tasks are set in, and a phone's rows have
their names above the marks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import altair as alt

from m4bench.report import palette
from m4bench.report.campaign.figures.naming import LONGEST_NARROW, breadth, cut
from m4bench.report.chart_parts import Data, Layout, finished, measure

WIDE_ROWS = Layout(row=21, plot=380)
COMPACT_ROWS = Layout(row=21, plot=170, most=760)
NARROW_ROWS = Layout(row=37, plot=312, mark=8, above=True)
CIRCLE, DIAMOND = "circle", "diamond"
LARGE, MIDDLE, SMALL = 120, 62, 34
INDENT = 14
GAP = 9
HEAD = 18
HEADING = 20
LONGEST_HEADING = 36
FIRST_NUMBER = 14
BETWEEN_NUMBERS = 16
LETTER = 6.2
PIECE = 8
ALIGNED: tuple[Literal["right", "left"], ...] = ("right", "left")
SPANS = {"strong": 3.0, "thin": 1.4}


@dataclass(frozen=True)
class Dot:
    """A mark at a value; `about` is what a reader sees on pointing at it."""

    at: float
    about: str
    shape: str = CIRCLE
    size: int = MIDDLE
    filled: bool = True
    soft: bool = False


@dataclass(frozen=True)
class Span:
    """An interval; `weight` is a key of `SPANS`."""

    low: float
    high: float
    about: str
    weight: str = "strong"


@dataclass(frozen=True)
class Row:
    """One row: its name, its marks, the figures beside them, and what stands for these where it is narrow.

    `level` sets the name in; `parted` leaves room above; `rule` is where a thin upright stroke begins that
    reaches down to the last row before the next one with a rule of its own.
    """

    name: str
    dots: tuple[Dot, ...] = ()
    spans: tuple[Span, ...] = ()
    numbers: tuple[str, ...] = ()
    brief: str = ""
    level: int = 0
    parted: bool = False
    soft: bool = False
    rule: float | None = None


@dataclass(frozen=True)
class Scale:
    """The scale of all rows: its ends, its name, what each column of figures is, and words to both sides of 0."""

    low: float
    high: float
    title: str
    heads: tuple[str, ...] = ()
    sides: tuple[str, str] | None = None


def room_around(values: Sequence[float]) -> tuple[float, float]:
    """Return ends of a scale of differences that hold the values, with room for words to both sides of 0."""
    low, high = min([0.0, *values]), max([0.0, *values])
    if low == high:
        return -0.1, 0.1
    low, high = low - 0.03 * (high - low), high + 0.03 * (high - low)
    return min(low, -0.3 * high), max(high, -0.3 * low)


def rows_chart(rows: Sequence[Row], scale: Scale, layout: Layout) -> dict[str, Any]:
    """Return the description of a chart of rows, in the order they are given from top to bottom."""
    data = Data()
    if layout.most:
        words = max(map(_breadth, rows), default=0) + _columns(rows, scale)[-1]
        layout = replace(
            layout, plot=min(WIDE_ROWS.plot, max(layout.plot, int(layout.most - words)))
        )
    places, bottom = _places(rows, scale, layout)
    frame = _Frame(data, scale, layout, bottom)
    layers = [
        *_uprights(frame, rows, places),
        *_spans(frame, rows, places),
        *_dots(frame, rows, places),
        *_words(frame, rows, places),
        *_sides(frame),
    ]
    return finished(data, alt.layer(*layers).properties(width=layout.plot, height=bottom))


@dataclass(frozen=True)
class _Frame:
    """What every layer of a chart shares."""

    data: Data
    scale: Scale
    layout: Layout
    bottom: int

    def y(self, field: str = "y") -> alt.Y:
        """Return the place of a row, in pixels from the top."""
        pixels = alt.Scale(domain=[0, self.bottom], range=[0, self.bottom], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=pixels, axis=None)

    def x(self, field: str) -> alt.X:
        """Return a value's place on the scale."""
        ends = alt.Scale(domain=[self.scale.low, self.scale.high], nice=False, zero=False)
        axis = measure()
        axis.grid = (
            not self.layout.above
        )  # where names stand above the marks, lines would run through them
        return alt.X(f"{field}:Q", scale=ends, title=self.scale.title, axis=axis)

    def words(self, lines: Sequence[dict[str, Any]], align: Any) -> list[Any]:
        """Return words at places given in pixels: `x`, `y`, `text` and `colour` of each."""
        layers = []
        for x, colour in sorted({(line["x"], line["colour"]) for line in lines}):
            own = [line for line in lines if (line["x"], line["colour"]) == (x, colour)]
            layers.append(
                alt.Chart(self.data.add([{"y": line["y"], "text": line["text"]} for line in own]))
                .mark_text(align=align, baseline="middle", fontSize=12, color=colour)
                .encode(
                    x=alt.XValue(x),  # type: ignore[no-untyped-call]
                    y=self.y(),
                    text=alt.Text("text:N"),
                )
            )
        return layers


def _places(rows: Sequence[Row], scale: Scale, layout: Layout) -> tuple[list[int], int]:
    """Return the middle of each row and where the last one ends, in pixels from the top."""
    at = HEAD if scale.sides or (scale.heads and not layout.above) else 0
    places = []
    for row in rows:
        at += GAP if row.parted else 0
        high = layout.row if row.dots or row.spans or not layout.above else HEADING
        places.append(at + high // 2)
        at += high
    return places, at + 4


def _uprights(frame: _Frame, rows: Sequence[Row], places: Sequence[int]) -> list[Any]:
    """Return the line at 0 where the scale is one of differences, and the rows' own upright strokes.

    Where names stand above the marks it is in pieces, a piece a row, so that it runs through no name.
    """
    half = frame.layout.row / 2
    marked = [place for place, row in enumerate(rows) if row.dots or row.spans]
    found: list[tuple[float, list[int]]] = []
    if frame.scale.low < 0 < frame.scale.high:
        found.append((0.0, marked))
    begun = [place for place, row in enumerate(rows) if row.rule is not None]
    for place, following in zip(begun, [*begun[1:], len(rows)], strict=False):
        found.append((rows[place].rule or 0.0, [n for n in marked if place <= n < following]))
    lines: list[dict[str, Any]] = []
    for at, own in found:
        if frame.layout.above:
            middles = [places[n] + frame.layout.mark for n in own]
            lines += [{"at": at, "from": m - PIECE, "to": m + PIECE} for m in middles]
        elif at == 0.0 and frame.scale.low < 0:
            lines.append({"at": at, "from": 0, "to": frame.bottom})
        elif own:
            lines.append(
                {"at": at, "from": places[own[0]] - half + 2, "to": places[own[-1]] + half}
            )
    if not lines:
        return []
    return [
        alt.Chart(frame.data.add(lines))
        .mark_rule(color=palette.STRONG, strokeWidth=1)
        .encode(x=frame.x("at"), y=frame.y("from"), y2=alt.Y2("to:Q"))
    ]


def _spans(frame: _Frame, rows: Sequence[Row], places: Sequence[int]) -> list[Any]:
    layers = []
    for weight, thick in SPANS.items():
        found = [
            {
                "low": span.low,
                "high": span.high,
                "y": at + frame.layout.mark,
                "about": span.about,
            }
            for row, at in zip(rows, places, strict=True)
            for span in row.spans
            if span.weight == weight
        ]
        if found:
            lines = alt.Chart(frame.data.add(found))
            colour = palette.FILL if weight == "strong" else palette.SOFT
            layers.append(
                lines.mark_rule(color=colour, strokeWidth=thick, strokeCap="butt").encode(
                    x=frame.x("low"),
                    x2=alt.X2("high:Q"),
                    y=frame.y(),
                    description=alt.Description("about:N"),
                )
            )
    return layers


def _dots(frame: _Frame, rows: Sequence[Row], places: Sequence[int]) -> list[Any]:
    """Return the marks: soft ones below, so that a system's does not hide the mean's."""
    layers = []
    for soft in (True, False):
        found = [
            {
                "at": dot.at,
                "y": at + frame.layout.mark,
                "shape": dot.shape,
                "size": dot.size,
                "filled": dot.filled,
                "about": dot.about,
            }
            for row, at in zip(rows, places, strict=True)
            for dot in row.dots
            if dot.soft == soft
        ]
        if found:
            colour = palette.SOFT if soft else palette.FILL
            layers.append(
                alt.Chart(frame.data.add(found))
                .mark_point(filled=False, opacity=1, strokeWidth=1.3)
                .encode(
                    x=frame.x("at"),
                    y=frame.y(),
                    shape=alt.Shape("shape:N", scale=None, legend=None),
                    size=alt.Size("size:Q", scale=None, legend=None),
                    stroke=alt.StrokeValue(colour),
                    fill=alt.FillValue(
                        palette.PAPER, condition={"test": "datum.filled", "value": colour}
                    ),
                    description=alt.Description("about:N"),
                )
            )
    return layers


def _words(frame: _Frame, rows: Sequence[Row], places: Sequence[int]) -> list[Any]:
    """Return names and figures: to both sides of the marks, or in a line above them."""
    names: list[dict[str, Any]] = []
    figures: list[dict[str, Any]] = []
    wide = frame.layout.plot
    starts = _columns(rows, frame.scale)
    left = max(_breadth(row) for row in rows) + 10
    for row, at in zip(rows, places, strict=True):
        colour = palette.SOFT if row.soft else palette.INK
        if frame.layout.above:
            line = {"y": at - 9 if row.dots or row.spans else at, "colour": colour}
            brief = row.brief or (row.numbers[-1] if row.numbers else "")
            free = (wide - LETTER * len(brief)) / LETTER * len(row.name) / max(1, breadth(row.name))
            most = max(10, min(LONGEST_NARROW + 12, int(free)))
            names.append({**line, "x": INDENT // 2 * row.level, "text": cut(row.name, most)})
            figures.append({**line, "x": wide, "text": brief})
        else:
            line = {"y": at, "colour": colour}
            names.append({**line, "x": INDENT * row.level - left, "text": row.name})
            figures += [
                {**line, "x": wide + start, "text": text}
                for text, start in zip(row.numbers, starts, strict=False)
            ]
    if not frame.layout.above:
        head = {"y": HEAD // 2 - 2, "colour": palette.SOFT}
        figures += [
            {**head, "x": wide + start, "text": text}
            for text, start in zip(frame.scale.heads, starts, strict=False)
        ]
    told = [one for one in figures if one["text"]]
    return [
        *frame.words(names, "left"),
        *frame.words(told, "right" if frame.layout.above else "left"),
    ]


def _breadth(row: Row) -> float:
    """Return the room a name takes to the left of the plot; a long heading may reach into it."""
    letters = breadth(row.name)
    letters = letters if row.dots or row.spans else min(letters, LONGEST_HEADING)
    return letters * LETTER + INDENT * row.level


def _columns(rows: Sequence[Row], scale: Scale) -> list[float]:
    """Return where each column of figures begins, in pixels to the right of the plot, and where the last one ends."""
    many = max([len(scale.heads), *(len(row.numbers) for row in rows)], default=0)
    starts, at = [], float(FIRST_NUMBER)
    for column in range(many):
        starts.append(at)
        texts = [row.numbers[column] for row in rows if column < len(row.numbers)]
        texts += [scale.heads[column]] if column < len(scale.heads) else []
        at += max(map(len, texts)) * LETTER + BETWEEN_NUMBERS
    return [*starts, at]


def _sides(frame: _Frame) -> list[Any]:
    """Return the words to both sides of 0, above all rows."""
    if not frame.scale.sides:
        return []
    return [
        alt.Chart(frame.data.add([{"at": 0, "y": HEAD // 2 - 2, "text": text}]))
        .mark_text(align=align, dx=shift, baseline="middle", fontSize=12, color=palette.SOFT)
        .encode(x=frame.x("at"), y=frame.y(), text=alt.Text("text:N"))
        for text, align, shift in zip(frame.scale.sides, ALIGNED, (-7, 7), strict=True)
    ]
