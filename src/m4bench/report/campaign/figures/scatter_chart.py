# SPDX-License-Identifier: MIT
"""Points on two scales: gathered where they would hide one another, or numbered with a key. Knows no run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log, log10
from statistics import fmean
from typing import Any

import altair as alt

from m4bench.report import palette
from m4bench.report.campaign.figures.naming import cut, listed
from m4bench.report.chart_parts import Data, finished, measure

WIDE_PLOT = 300
NARROW_PLOT = 292
PANEL = 220
HIGH = 230
LOW = 92
LETTER = 6.2
KEY_LINE = 17
NEAR = 13
FAR = 21
HUNDRED = 100
LEVEL = 6
SINGLE, COUNTED, CROWDED = 42, 160, 340
LOG_FROM = 10
MOST_TOLD = 12
FEW_STEPS = 2
BOX = (15, 12)
RINGS = (12, 19, 27, 36, 46)
TURNS = ((0, -1), (1, 0), (-1, 0), (0, 1), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))


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
    levels: dict[int, list[list[Point]]] = {}
    for point in sorted(points, key=lambda one: (one.x, one.about)):
        groups = levels.setdefault(round(point.y * high / LEVEL), [])
        groups.append([point])
        while len(groups) > 1 and _apart(groups[-2], groups[-1]) * pixel < _reach(*groups[-2:]):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [(_mean(group), len(group)) for _, groups in sorted(levels.items()) for group in groups]


def _reach(left: Sequence[Point], right: Sequence[Point]) -> int:
    """Return how many pixels two circles need between their middles."""
    return FAR if max(len(left), len(right)) >= HUNDRED else NEAR


def _apart(left: Sequence[Point], right: Sequence[Point]) -> float:
    return fmean(one.x for one in right) - fmean(one.x for one in left)


def _mean(group: Sequence[Point]) -> Point:
    return Point(
        fmean(one.x for one in group),
        fmean(one.y for one in group),
        listed((one.about for one in group), MOST_TOLD),
    )


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
                "size": SINGLE if many == 1 else COUNTED if many < HUNDRED else CROWDED,
            }
            for point, many in found
        ]
        base = alt.Chart(data.add(rows)).encode(
            x=_x(panel.axis, "x"),
            y=_y("y", _Up(y_title, -0.12, 1.12), steps=[0, 0.5, 1]),
            description=alt.Description("about:N"),
        )
        circles = base.mark_point(
            filled=False, opacity=1, strokeWidth=1.2, stroke=palette.FILL, fill=palette.PAPER
        ).encode(size=alt.Size("size:Q", scale=None, legend=None))
        numbers = base.mark_text(fontSize=10, baseline="middle", color=palette.INK).encode(
            text=alt.Text("number:N")
        )
        charts.append(
            (circles + numbers).properties(width=wide, height=LOW, title=_heading(panel.heading))
        )
    return finished(data, alt.concat(*charts, columns=columns, spacing=28))


def numbered_panels(
    panels: Sequence[Panel], y_title: str, key: Sequence[Sequence[str]], *, narrow: bool
) -> dict[str, Any]:
    """Return panels of numbered points with their key: beside a single one, below several or where it is narrow.

    Args:
        panels: points by number.
        y_title: what the upright scale is.
        key: lines of columns, the heads first; a number stands at the beginning of each line.
        narrow: whether for a phone.
    """
    data = Data()
    wide = NARROW_PLOT if narrow else WIDE_PLOT
    low, high = _ends([point.y for panel in panels for point in panel.points])
    up = _Up(y_title, low, high)
    charts = [_numbered(data, panel, up, wide) for panel in panels]
    legend = _key(data, key, wide if narrow else 0)
    if narrow:
        return finished(data, alt.vconcat(*charts, legend, spacing=22))
    if len(charts) == 1:
        return finished(data, alt.hconcat(*charts, legend, spacing=34))
    return finished(data, alt.vconcat(alt.hconcat(*charts, spacing=34), legend, spacing=24))


@dataclass(frozen=True)
class _Up:
    """The upright scale of a figure."""

    title: str
    low: float
    high: float


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Return ends of a scale of rates around the values, a tenth apart from them."""
    low, high = floor(min(values) * 10 - 0.5) / 10, ceil(max(values) * 10 + 0.5) / 10
    return max(0.0, low), min(1.0, high) if max(values) < 0.98 else 1.02


def _numbered(data: Data, panel: Panel, up: _Up, wide: int) -> Any:
    placed = list(_labels(panel, up, wide))
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
        .encode(x=_x(panel.axis, "x"), y=_y("y", up), description=alt.Description("about:N"))
    )
    numbers = (
        alt.Chart(data.add([{"x": x, "y": y, "text": str(one.number)} for one, x, y in placed]))
        .mark_text(fontSize=11, baseline="middle", color=palette.INK)
        .encode(x=_x(panel.axis, "x"), y=_y("y", up), text=alt.Text("text:N"))
    )
    chart = (dots + numbers).properties(width=wide, height=HIGH)
    return chart.properties(title=_heading(panel.heading)) if panel.heading else chart


def _labels(panel: Panel, up: _Up, wide: int) -> Iterator[tuple[Point, float, float]]:
    """Yield each point with where its number stands on both scales: near it, and on no other number or point."""
    tall = HIGH / (up.high - up.low)
    places = [
        (_pixel(panel.axis, point.x, wide), (up.high - point.y) * tall) for point in panel.points
    ]
    taken = [(x, y, 5.0, 5.0) for x, y in places]
    for point, (x, y) in zip(panel.points, places, strict=True):
        around = [(x + ring * dx, y + ring * dy) for ring in RINGS for dx, dy in TURNS]
        at = next((place for place in around if _is_free(*place, taken, wide)), around[0])
        taken.append((*at, BOX[0] / 2, BOX[1] / 2))
        yield point, _value(panel.axis, at[0], wide), up.high - at[1] / tall


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


def _value(axis: Axis, pixel: float, wide: int) -> float:
    share = pixel / wide
    if axis.log:
        return axis.low * float((axis.high / axis.low) ** share)
    return axis.low + share * (axis.high - axis.low)


def _key(data: Data, key: Sequence[Sequence[str]], wide: int) -> Any:
    """Return the lines of the key as text: in columns, or within a width, names to the left and rest to the right."""
    high = KEY_LINE * len(key)
    pixels = alt.Scale(domain=[0, high], range=[0, high], nice=False, zero=False)
    at = 0.0
    layers = []
    for column in range(len(key[0])):
        texts = [line[column] for line in key]
        last = column == len(key[0]) - 1
        room = int(wide / LETTER) - 8
        rows = [
            {"y": KEY_LINE * place + 8, "text": cut(text, room) if wide and not last else text}
            for place, text in enumerate(texts)
        ]
        layers.append(
            alt.Chart(data.add(rows))
            .mark_text(
                align="right" if wide and last else "left",
                baseline="middle",
                fontSize=12,
                color=palette.INK,
            )
            .encode(
                x=alt.XValue(wide if wide and last else at),  # type: ignore[no-untyped-call]
                y=alt.Y("y:Q", scale=pixels, axis=None),
                text=alt.Text("text:N"),
            )
        )
        at += max(map(len, texts)) * LETTER + 14
    return alt.layer(*layers).properties(width=wide or int(at), height=high)


def _x(axis: Axis, field: str) -> alt.X:
    scale = alt.Scale(
        type="log" if axis.log else "linear", domain=[axis.low, axis.high], nice=False, zero=False
    )
    marks = measure()
    marks.tickCount = 4
    marks.labelExpr = "format(datum.value, abs(datum.value) >= 1000 ? '~s' : '~f')"
    marks.labelOverlap = True
    if axis.log:
        marks.values = _decades(axis.low, axis.high)
    marks.labelPadding = 6
    return alt.X(f"{field}:Q", scale=scale, title=axis.title, axis=marks)


def _decades(low: float, high: float) -> list[float]:
    """Return the steps of a logarithmic scale: powers of ten, with their doubles and fives where these are few."""
    powers = [10.0**power for power in range(floor(log10(low)), ceil(log10(high)) + 1)]
    within = [step for step in powers if low <= step <= high]
    if len(within) > FEW_STEPS:
        return within
    return [times * step for step in powers for times in (1, 2, 5) if low <= times * step <= high]


def _y(field: str, up: _Up, steps: Sequence[float] = ()) -> alt.Y:
    axis = measure()
    axis.labelPadding = 6
    if steps:
        axis.values = list(steps)
    scale = alt.Scale(domain=[up.low, up.high], nice=False, zero=False)
    return alt.Y(f"{field}:Q", scale=scale, title=up.title, axis=axis)


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
