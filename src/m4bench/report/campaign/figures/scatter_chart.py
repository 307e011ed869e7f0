# SPDX-License-Identifier: MIT
"""Points on two scales: gathered where they would hide one another, or numbered with a key. Knows no run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import altair as alt

from m4bench.report import palette
from m4bench.report.campaign.figures.naming import cut
from m4bench.report.chart_parts import Data, finished, measure

WIDE_PLOT = 300
NARROW_PLOT = 292
PANEL = 220
HIGH = 230
LOW = 92
LETTER = 6.2
KEY_LINE = 17
NEAR = 13
LEVEL = 6
SINGLE, COUNTED = 42, 160
LOG_FROM = 10
BOX = (15, 12)
RINGS = (12, 19, 27, 36, 46)
_TURNS = ((0, -1), (1, 0), (-1, 0), (0, 1), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))


@dataclass(frozen=True)
class Point:
    """A point with what a reader sees on pointing at it."""

    x: float
    y: float
    about: str
    number: int = 0


@dataclass(frozen=True)
class Axis:
    """A horizontal scale: its name and whether it is logarithmic."""

    low: float
    high: float
    title: str
    log: bool = False


@dataclass(frozen=True)
class Panel:
    """Points under a heading of one or two lines."""

    points: tuple[Point, ...]
    axis: Axis
    heading: tuple[str, ...] = ()


def axis_of(values: Sequence[float], title: str) -> Axis:
    """Return a scale that holds the values: logarithmic where they are wide and above 0, else from 0."""
    low, high = min(values), max(values)
    if low > 0 and high / low >= LOG_FROM:
        return Axis(low / 1.3, high * 1.3, f"{title}, logarithmic", log=True)
    return Axis(0.0, high * 1.08 or 1.0, title)


def gathered(points: Sequence[Point], axis: Axis, wide: int, high: int) -> list[tuple[Point, int]]:
    """Return points, near ones on one level as their mean, each with how many it stands for.

    Args:
        points: `y` of 0 to 1.
        axis: the scale of `x`, linear.
        wide: the width of the plot in pixels.
        high: its height in pixels.
    """
    pixel = wide / (axis.high - axis.low)
    groups: list[list[Point]] = []
    for point in sorted(points, key=lambda one: (round(one.y * high / LEVEL), one.x, one.about)):
        last = groups[-1] if groups else []
        level = last and round(last[0].y * high / LEVEL) == round(point.y * high / LEVEL)
        if level and (point.x - last[0].x) * pixel < NEAR:
            last.append(point)
        else:
            groups.append([point])
    return [
        (
            Point(
                sum(one.x for one in group) / len(group),
                sum(one.y for one in group) / len(group),
                "; ".join(one.about for one in group),
            ),
            len(group),
        )
        for group in groups
    ]


def small_panels(
    panels: Sequence[Panel], y_title: str, *, columns: int, wide: int
) -> dict[str, Any]:
    """Return panels of gathered points, so many a line."""
    data = Data()
    charts = []
    for panel in panels:
        found = gathered(panel.points, panel.axis, wide, LOW)
        rows = [
            {
                "x": point.x,
                "y": point.y,
                "about": point.about,
                "number": str(many) if many > 1 else "",
                "size": COUNTED if many > 1 else SINGLE,
            }
            for point, many in found
        ]
        base = alt.Chart(data.add(rows)).encode(
            x=_x(panel.axis, "x"), y=_y("y", y_title), description="about:N"
        )
        circles = base.mark_point(
            filled=False, opacity=1, strokeWidth=1.2, stroke=palette.FILL, fill=palette.PAPER
        ).encode(size=alt.Size("size:Q", scale=None, legend=None))
        numbers = base.mark_text(fontSize=10, baseline="middle", color=palette.INK).encode(
            text="number:N"
        )
        charts.append(
            (circles + numbers).properties(width=wide, height=LOW, title=_heading(panel.heading))
        )
    return finished(data, alt.concat(*charts, columns=columns, spacing=28))


def numbered_panels(
    panels: Sequence[Panel], y_title: str, key: Sequence[str], *, narrow: bool
) -> dict[str, Any]:
    """Return panels of numbered points with their key: beside them, or below where it is narrow."""
    data = Data()
    wide = NARROW_PLOT if narrow else WIDE_PLOT
    charts = [_numbered(data, panel, y_title, wide) for panel in panels]
    legend = _key(data, key, wide if narrow else 0)
    if narrow:
        return finished(data, alt.vconcat(*charts, legend, spacing=22))
    return finished(data, alt.hconcat(*charts, legend, spacing=30))


def _numbered(data: Data, panel: Panel, y_title: str, wide: int) -> Any:
    placed = list(_labels(panel, wide))
    rows = [
        {
            "x": point.x,
            "y": point.y,
            "about": point.about,
        }
        for point, _, _ in placed
    ]
    dots = (
        alt.Chart(data.add(rows))
        .mark_point(
            filled=False,
            size=30,
            opacity=1,
            strokeWidth=1.2,
            stroke=palette.FILL,
            fill=palette.FILL,
        )
        .encode(x=_x(panel.axis, "x"), y=_y("y", y_title), description="about:N")
    )
    layers: list[Any] = [dots]
    for point, dx, dy in placed:
        one = alt.Chart(data.add([{"x": point.x, "y": point.y, "text": str(point.number)}])).encode(
            x=_x(panel.axis, "x"), y=_y("y", y_title)
        )
        layers.append(
            one.mark_text(dx=dx, dy=dy, fontSize=11, baseline="middle", color=palette.INK).encode(
                text="text:N"
            )
        )
    chart = alt.layer(*layers).properties(width=wide, height=HIGH)
    return chart.properties(title=_heading(panel.heading)) if panel.heading else chart


def _labels(panel: Panel, wide: int) -> Iterator[tuple[Point, float, float]]:
    """Yield each point with where its number stands from it in pixels: near, and on no other number or point."""
    places = [(_pixel(panel.axis, point.x, wide), (1 - point.y) * HIGH) for point in panel.points]
    taken = [(x, y, 5.0, 5.0) for x, y in places]
    for point, (x, y) in zip(panel.points, places, strict=True):
        for ring in RINGS:
            free = [
                (turn[0] * ring, turn[1] * ring)
                for turn in _TURNS
                if _is_free(x + turn[0] * ring, y + turn[1] * ring, taken, wide)
            ]
            if free:
                break
        dx, dy = free[0] if free else (0.0, -float(RINGS[0]))
        taken.append((x + dx, y + dy, BOX[0] / 2, BOX[1] / 2))
        yield point, dx, dy


def _is_free(
    x: float, y: float, taken: Sequence[tuple[float, float, float, float]], wide: int
) -> bool:
    if not (BOX[0] / 2 <= x <= wide - BOX[0] / 2 and BOX[1] / 2 <= y <= HIGH - BOX[1] / 2):
        return False
    return all(
        abs(x - other) >= BOX[0] / 2 + half or abs(y - level) >= BOX[1] / 2 + tall
        for other, level, half, tall in taken
    )


def _pixel(axis: Axis, value: float, wide: int) -> float:
    if axis.log:
        return wide * log(value / axis.low) / log(axis.high / axis.low)
    return wide * (value - axis.low) / (axis.high - axis.low)


def _key(data: Data, key: Sequence[str], wide: int) -> Any:
    """Return the lines of the key as text."""
    longest = max(20, int(wide / LETTER)) if wide else 0
    rows = [
        {"y": KEY_LINE * place + 8, "text": cut(line, longest) if longest else line}
        for place, line in enumerate(key)
    ]
    high = KEY_LINE * len(key)
    pixels = alt.Scale(domain=[0, high], range=[0, high], nice=False, zero=False)
    return (
        alt.Chart(data.add(rows))
        .mark_text(align="left", baseline="middle", fontSize=12, color=palette.INK)
        .encode(x=alt.value(0), y=alt.Y("y:Q", scale=pixels, axis=None), text="text:N")
        .properties(width=wide or int(max(map(len, key)) * LETTER), height=high)
    )


def _x(axis: Axis, field: str) -> alt.X:
    scale = alt.Scale(
        type="log" if axis.log else "linear", domain=[axis.low, axis.high], nice=False, zero=False
    )
    marks = measure()
    marks.tickCount = 4
    marks.format = "~s" if axis.high >= 1000 else "~"
    marks.labelOverlap = True
    return alt.X(f"{field}:Q", scale=scale, title=axis.title, axis=marks)


def _y(field: str, title: str) -> alt.Y:
    scale = alt.Scale(domain=[0, 1], nice=False)
    return alt.Y(f"{field}:Q", scale=scale, title=title, axis=_rates(2))


def _rates(count: int) -> alt.Axis:
    """Return the axis of a scale of rates with so many steps."""
    axis = measure()
    axis.tickCount = count
    return axis


def _heading(lines: Sequence[str]) -> alt.TitleParams:
    return alt.TitleParams(
        list(lines),
        anchor="start",
        fontSize=12,
        fontWeight="normal",
        color=palette.INK,
        offset=8,
        lineHeight=15,
    )
