# SPDX-License-Identifier: MIT
"""Rows of marks on one scale, with names to their left and numbers to their right. Knows no run and no contrast.

Where each row lies is reckoned in pixels, so that families part, tasks are set in, and a phone's rows have their
names above the marks.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import altair as alt

from m4bench.report import palette
from m4bench.report.campaign.figures.lettering import width
from m4bench.report.campaign.figures.naming import cut
from m4bench.report.campaign.figures.row_places import (
    BESIDE_NAMES,
    COMPACT_ROWS,
    HEAD,
    HEAD_LINE,
    INDENT,
    LETTERS,
    NARROW_ROWS,
    WIDE_ROWS,
    columns_of,
    fitted,
    left_of,
    parted,
    places_of,
    scale_at,
    shown_names,
    with_heads,
)
from m4bench.report.campaign.figures.rows import Row, Scale
from m4bench.report.campaign.figures.scales import label, marks_of
from m4bench.report.chart_parts import Data, Layout, finished, measure
from m4bench.report.exhibits import Figure

PIECE = 8
ROOM_OF_A_VALUE = 28
SMALLER = 0.75  # marks on paper, where rows are low
UP, DOWN = 2.5, 4.5
"""How far a mark lies above the middle of a row where others are below it, and these under the middle."""
ALIGNED: tuple[Literal["right", "left"], ...] = ("right", "left")
SPANS = {"strong": 3.0, "thin": 1.4}


def row_figure(
    name: str, title: str, caption: str, alt_text: str, rows: Sequence[Row], scale: Scale
) -> Figure:
    """Return a figure of rows for a page, a phone and a paper, where it may take several parts."""
    return Figure(
        name,
        title,
        caption,
        alt_text,
        rows_chart(rows, scale, WIDE_ROWS),
        rows_chart(rows, scale, NARROW_ROWS),
        compact=partial(rows_chart, rows, scale, COMPACT_ROWS),
        parts=partial(rows_in_parts, rows, scale, COMPACT_ROWS),
    )


def rows_chart(
    rows: Sequence[Row], scale: Scale, layout: Layout, of: Sequence[Row] = ()
) -> dict[str, Any]:
    """Return the description of a chart of rows, in the order they are given from top to bottom.

    `of` are all the rows of what this chart is a part of: they have one scale and the same columns.
    """
    data = Data()
    every = of or rows
    scale = with_heads(every, scale, layout)
    layout = fitted(every, scale, layout)
    names = shown_names(every, scale, layout)
    places, bottom = places_of(rows, scale, layout)
    frame = _Frame(data, scale, layout, bottom, scale_at(rows, scale, layout))
    layers = [
        *_margins(frame),
        *_uprights(frame, rows, places),
        *_spans(frame, rows, places),
        *_dots(frame, rows, places),
        *_words(frame, rows, places, every, names),
        *_sides(frame),
        *_scale_above(frame),
        *(_as_wide_as(frame, columns_of(every, scale)[-1]) if of and not layout.above else ()),
    ]
    return finished(data, alt.layer(*layers).properties(width=layout.plot, height=bottom))


def rows_in_parts(rows: Sequence[Row], scale: Scale, layout: Layout) -> list[dict[str, Any]]:
    """Return a chart in as many parts as make each fit a paper's page; parted only between groups."""
    return [rows_chart(part, scale, layout, rows) for part in parted(rows, scale, layout)]


@dataclass(frozen=True)
class _Frame:
    """What every layer of a chart shares."""

    data: Data
    scale: Scale
    layout: Layout
    bottom: int
    above: int | None

    @property
    def marks(self) -> tuple[float, ...]:
        """The values that the scale names."""
        return marks_of(self.scale.low, self.scale.high)

    def y(self, field: str = "y") -> alt.Y:
        """Return the place of a row, in pixels from the top."""
        pixels = alt.Scale(domain=[0, self.bottom], range=[0, self.bottom], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=pixels, axis=None)

    def x(self, field: str) -> alt.X:
        """Return a value's place on the scale."""
        ends = alt.Scale(domain=[self.scale.low, self.scale.high], nice=False, zero=False)
        axis = measure()
        axis.values = list(self.marks)
        axis.tickCount = len(self.marks)  # with fewer, values are left out
        if len(self.marks) * ROOM_OF_A_VALUE > self.layout.plot:
            axis.labelExpr = _every_second(self.marks)
        return alt.X(f"{field}:Q", scale=ends, title=self.scale.title, axis=axis)

    def words(
        self, lines: Sequence[dict[str, Any]], align: Any, *, clear: bool = False
    ) -> list[Any]:
        """Return words at places given in pixels: `x`, `y`, `text` and `colour` of each.

        Where they are `clear`, no line runs through a letter.
        """
        layers = []
        for x, colour in sorted({(line["x"], line["colour"]) for line in lines}):
            own = [line for line in lines if (line["x"], line["colour"]) == (x, colour)]
            chart = alt.Chart(
                self.data.add([{"y": line["y"], "text": line["text"]} for line in own])
            ).encode(
                x=alt.XValue(x),  # type: ignore[no-untyped-call]
                y=self.y(),
                text=alt.Text("text:N"),
            )
            dressed: dict[str, Any] = {
                "align": align,
                "baseline": "middle",
                "fontSize": LETTERS,
            }
            if clear:
                layers.append(
                    chart.mark_text(
                        **dressed, color=palette.PAPER, stroke=palette.PAPER, strokeWidth=4
                    )
                )
            layers.append(chart.mark_text(**dressed, color=colour))
        return layers


def _every_second(marks: Sequence[float]) -> str:
    """Return what names every second value of a scale, and 0 where it has that."""
    from_zero = marks.index(0.0) if 0.0 in marks else 0
    named = [one for place, one in enumerate(marks) if (place - from_zero) % 2 == 0]
    return f"indexof({json.dumps(named)}, datum.value) < 0 ? '' : datum.label"


def _margins(frame: _Frame) -> list[Any]:
    """Return dashed lines through all rows."""
    found = [
        {"at": at, "from": HEAD, "to": frame.bottom, "about": f"margin: {label(at)}"}
        for at in frame.scale.margins
    ]
    if not found:
        return []
    return [
        alt.Chart(frame.data.add(found))
        .mark_rule(color=palette.SOFT, strokeWidth=1.2, strokeDash=[5, 4])
        .encode(
            x=frame.x("at"),
            y=frame.y("from"),
            y2=alt.Y2("to:Q"),
            description=alt.Description("about:N"),
        )
    ]


def _uprights(frame: _Frame, rows: Sequence[Row], places: Sequence[int]) -> list[Any]:
    """Return the line at 0 where the scale is one of differences, and the rows' own upright strokes."""
    layout = frame.layout
    half = PIECE if layout.above else layout.row / 2
    lines: list[dict[str, Any]] = []
    if frame.scale.low < 0 < frame.scale.high:
        lines.append({"at": 0.0, "from": 0, "to": frame.bottom})
    marked = [place for place, row in enumerate(rows) if row.dots or row.spans]
    begun = [place for place, row in enumerate(rows) if row.rule is not None]
    for place, following in zip(begun, [*begun[1:], len(rows)], strict=False):
        own = [places[n] + layout.mark for n in marked if place <= n < following]
        lines.append({"at": rows[place].rule, "from": own[0] - half + 2, "to": own[-1] + half})
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
                "y": at + frame.layout.mark + (DOWN if dot.below else -UP if lanes else 0),
                "shape": dot.shape,
                "size": dot.size * (SMALLER if frame.layout.most else 1),
                "filled": dot.filled,
                "about": dot.about,
            }
            for row, at in zip(rows, places, strict=True)
            for lanes in [any(dot.below for dot in row.dots)]
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


def _words(
    frame: _Frame,
    rows: Sequence[Row],
    places: Sequence[int],
    every: Sequence[Row],
    shown: Mapping[str, str],
) -> list[Any]:
    """Return names and figures: to both sides of the marks, or in a line above them."""
    if frame.layout.above:
        return _words_above(frame, rows, places)
    names: list[dict[str, Any]] = []
    headings: list[dict[str, Any]] = []
    figures: list[dict[str, Any]] = []
    wide = frame.layout.plot
    starts = columns_of(every, frame.scale)
    named = [replace(row, name=shown.get(row.name, row.name)) for row in every]
    left = left_of(named)
    for row, at in zip(rows, places, strict=True):
        line = {"y": at, "colour": palette.SOFT if row.soft else palette.INK}
        name = {**line, "x": INDENT * row.level - left}
        if row.dots or row.spans:
            names.append({**name, "text": shown.get(row.name, row.name)})
        else:
            # Nothing stands beside a heading: it may be as long as the whole is wide.
            room = left + wide + starts[-1] - INDENT * row.level
            headings.append({**name, "text": _to_fit(row.name, room)})
        figures += [
            {**line, "x": wide + start, "text": text}
            for text, start in zip(row.numbers, starts, strict=False)
        ]
    figures += [
        {
            "y": HEAD // 2 - 2 + place * HEAD_LINE,
            "colour": palette.SOFT,
            "x": wide + start,
            "text": text,
        }
        for head, start in zip(frame.scale.heads, starts, strict=False)
        for place, text in enumerate(head.split("\n"))
    ]
    return [
        *frame.words(names, "left"),
        *frame.words(headings, "left", clear=True),
        *frame.words([one for one in figures if one["text"]], "left"),
    ]


def _words_above(frame: _Frame, rows: Sequence[Row], places: Sequence[int]) -> list[Any]:
    """Return names and figures in a line above the marks of each row."""
    names: list[dict[str, Any]] = []
    figures: list[dict[str, Any]] = []
    for row, at in zip(rows, places, strict=True):
        line = {
            "y": at - 9 if row.dots or row.spans else at,
            "colour": palette.SOFT if row.soft else palette.INK,
        }
        brief = row.brief or (row.numbers[-1] if row.numbers else "")
        indent = INDENT // 2 * row.level
        room = frame.layout.plot - indent - (width(brief) + BESIDE_NAMES if brief else 0)
        names.append({**line, "x": indent, "text": _to_fit(row.name, room)})
        figures.append({**line, "x": frame.layout.plot, "text": brief})
    told = [one for one in figures if one["text"]]
    return [
        *frame.words(names, "left", clear=True),
        *frame.words(told, "right", clear=True),
    ]


def _to_fit(text: str, room: float) -> str:
    """Return a text no wider than so many pixels, or ten letters of it."""
    letters = len(text)
    shown = text
    while width(shown) > room and letters > 10:
        letters -= 1
        shown = cut(text, letters)
    return shown


def _sides(frame: _Frame) -> list[Any]:
    """Return the words to both sides of 0, above all rows; at the plot's ends where a side has no room for them."""
    scale = frame.scale
    if not scale.sides:
        return []
    a_unit = frame.layout.plot / (scale.high - scale.low)
    fits = all(
        width(text) + 7 <= room * a_unit
        for text, room in zip(scale.sides, (-scale.low, scale.high), strict=True)
    )
    line = {"y": HEAD // 2 - 2, "colour": palette.SOFT}
    if not fits:
        left, right = scale.sides
        return [
            *frame.words([{**line, "x": 0, "text": left}], "left", clear=True),
            *frame.words([{**line, "x": frame.layout.plot, "text": right}], "right", clear=True),
        ]
    return [
        alt.Chart(frame.data.add([{"at": 0, "y": HEAD // 2 - 2, "text": text}]))
        .mark_text(align=align, dx=shift, baseline="middle", fontSize=LETTERS, color=palette.SOFT)
        .encode(x=frame.x("at"), y=frame.y(), text=alt.Text("text:N"))
        for text, align, shift in zip(scale.sides, ALIGNED, (-7, 7), strict=True)
    ]


def _scale_above(frame: _Frame) -> list[Any]:
    """Return what the scale names above rows that reach far down."""
    if frame.above is None:
        return []
    named = [{"at": at, "y": frame.above, "text": label(at)} for at in frame.marks]
    return [
        alt.Chart(frame.data.add(named))
        .mark_text(align="center", baseline="middle", fontSize=LETTERS, color=palette.INK)
        .encode(x=frame.x("at"), y=frame.y(), text=alt.Text("text:N"))
    ]


def _as_wide_as(frame: _Frame, end: float) -> list[Any]:
    """Return a dot of the paper's own colour where the widest row of all parts ends: parts are of one width."""
    return [
        alt.Chart(frame.data.add([{"y": 0}]))
        .mark_point(color=palette.PAPER, size=1, strokeWidth=1)
        .encode(x=alt.XValue(frame.layout.plot + end), y=frame.y())  # type: ignore[no-untyped-call]
    ]
