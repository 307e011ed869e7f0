# SPDX-License-Identifier: MIT
"""A sheet of boxes, lines, dots and words at places in pixels, as one chart. Knows no run and no scale.

What cannot be said by rows and columns of a grammar of graphics is laid out here: tables of shades, plots beside
lists. Boxes lie below lines, these below dots, words above all.
"""

import unicodedata
from collections.abc import Mapping
from typing import Any

import altair as alt

from m4bench.report import palette
from m4bench.report.chart_parts import Data, finished
from m4bench.report.drawing import PIXEL, TEXT_HEIGHT, TEXT_WIDTH
from m4bench.report.wording import visible

LETTER = 5.8
"""How wide a letter of usual width is at 12 pixels, or nearly."""


class Sheet:
    """Collects marks from the top left; lengths in pixels."""

    def __init__(self, wide: float) -> None:
        self.wide = wide
        self._boxes: list[dict[str, Any]] = []
        self._empty: list[dict[str, Any]] = []
        self._lines: dict[tuple[str, float], list[dict[str, Any]]] = {}
        self._dots: list[dict[str, Any]] = []
        self._words: dict[tuple[str, str, int, int], list[dict[str, Any]]] = {}

    def box(
        self, at: tuple[float, float], size: tuple[float, float], colour: str, **told: Any
    ) -> None:
        """Add a filled box by its upper left corner."""
        self._boxes.append({"about": "", **_place(at, size), "colour": colour, **told})

    def empty(self, at: tuple[float, float], size: tuple[float, float], **told: Any) -> None:
        """Add a box of nothing but a dashed edge."""
        self._empty.append({"about": "", **_place(at, size), **told})

    def line(
        self,
        begin: tuple[float, float],
        end: tuple[float, float],
        colour: str = palette.RULE,
        thick: float = 1,
        **told: Any,
    ) -> None:
        """Add a line."""
        ends = {"x": begin[0], "y": begin[1], "x2": end[0], "y2": end[1]}
        self._lines.setdefault((colour, thick), []).append({"about": "", **ends, **told})

    def dot(
        self,
        at: tuple[float, float],
        *,
        size: float,
        shape: str = "circle",
        stroke: str = palette.FILL,
        fill: str = palette.PAPER,
        **told: Any,
    ) -> None:
        """Add a mark by its middle; `size` is its area in square pixels, what is `told` goes into its record."""
        look = {"size": size, "shape": shape, "stroke": stroke, "fill": fill}
        self._dots.append({"x": at[0], "y": at[1], **look, **told})

    def words(
        self,
        at: tuple[float, float],
        text: str,
        *,
        align: str = "left",
        colour: str = palette.INK,
        size: int = 12,
        angle: int = 0,
    ) -> None:
        """Add words whose beginning, middle or end, as they are aligned, is at a place, at half their height."""
        if text:
            record = {"x": at[0], "y": at[1], "text": visible(text)}
            self._words.setdefault((align, colour, size, angle), []).append(record)

    def finished(self, high: float) -> dict[str, Any]:
        """Return the description of the sheet, so many pixels high."""
        frame = _Frame(Data(), self.wide, high)
        layers = [*frame.boxes(self._boxes, self._empty), *frame.lines(self._lines)]
        layers += [*frame.dots(self._dots), *frame.words(self._words)]
        chart = alt.layer(*layers).properties(width=round(self.wide), height=round(high))
        return finished(frame.data, chart)


def page_height(wide: float) -> float:
    """Return how many pixels of height a paper's page has room for where a drawing is so many pixels wide."""
    return TEXT_HEIGHT / min(PIXEL, TEXT_WIDTH / wide)


def breadth(text: str) -> int:
    """Return how many letters of usual width a text is as wide as."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _place(at: tuple[float, float], size: tuple[float, float]) -> dict[str, float]:
    return {"x": at[0], "y": at[1], "x2": at[0] + size[0], "y2": at[1] + size[1]}


class _Frame:
    """Turns what a sheet collected into layers of one chart."""

    def __init__(self, data: Data, wide: float, high: float) -> None:
        self.data = data
        across = alt.Scale(domain=[0, wide], range=[0, wide], nice=False, zero=False)
        down = alt.Scale(domain=[0, high], range=[0, high], nice=False, zero=False)
        self.x = alt.X("x:Q", scale=across, axis=None)
        self.y = alt.Y("y:Q", scale=down, axis=None)
        self.ends = {"x2": alt.X2("x2:Q"), "y2": alt.Y2("y2:Q")}

    def boxes(self, filled: list[dict[str, Any]], empty: list[dict[str, Any]]) -> list[Any]:
        layers = []
        if filled:
            mark = alt.Chart(self.data.add(filled)).mark_rect(stroke=palette.PAPER, strokeWidth=2)
            fill = alt.Fill("colour:N", scale=None, legend=None)
            layers.append(
                mark.encode(x=self.x, y=self.y, fill=fill, description=_ABOUT, **self.ends)
            )
        if empty:
            inner = [
                {
                    **one,
                    "x": one["x"] + 3,
                    "y": one["y"] + 3,
                    "x2": one["x2"] - 3,
                    "y2": one["y2"] - 3,
                }
                for one in empty
            ]
            edge = alt.Chart(self.data.add(inner)).mark_rect(
                stroke=palette.STRONG, strokeWidth=1, strokeDash=[2, 2], fill=None
            )
            layers.append(edge.encode(x=self.x, y=self.y, description=_ABOUT, **self.ends))
        return layers

    def lines(self, kinds: Mapping[tuple[str, float], list[dict[str, Any]]]) -> list[Any]:
        return [
            alt.Chart(self.data.add(found))
            .mark_rule(color=colour, strokeWidth=thick)
            .encode(x=self.x, y=self.y, description=_ABOUT, **self.ends)
            for (colour, thick), found in kinds.items()
        ]

    def dots(self, found: list[dict[str, Any]]) -> list[Any]:
        if not found:
            return []
        marks = alt.Chart(self.data.add(found)).mark_point(opacity=1, strokeWidth=1.2)
        return [
            marks.encode(
                x=self.x,
                y=self.y,
                size=alt.Size("size:Q", scale=None, legend=None),
                shape=alt.Shape("shape:N", scale=None, legend=None),
                stroke=alt.Stroke("stroke:N", scale=None, legend=None),
                fill=alt.Fill("fill:N", scale=None, legend=None),
                description=_ABOUT,
            )
        ]

    def words(self, kinds: Mapping[tuple[str, str, int, int], list[dict[str, Any]]]) -> list[Any]:
        layers = []
        for (align, colour, size, angle), found in kinds.items():
            look: dict[str, Any] = {"align": align, "fontSize": size, "angle": angle % 360}
            mark = alt.Chart(self.data.add(found)).mark_text(
                baseline="middle", color=colour, **look
            )
            layers.append(mark.encode(x=self.x, y=self.y, text=alt.Text("text:N")))
        return layers


_ABOUT = alt.Description("about:N")
