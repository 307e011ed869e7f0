# SPDX-License-Identifier: MIT
"""What all figures are made of: layouts, scales, words beside marks, and the house's dress. Knows no figure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from m4bench.report import palette

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
Records = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Layout:
    """Where names and numbers stand; lengths in pixels. `mark` is how far marks lie below a row's middle.

    `above` has names above the marks; `most`, where it is given, is the width that the whole should not exceed.
    """

    row: int
    plot: int
    mark: int = 0
    above: bool = False
    most: int = 0


WIDE = Layout(row=26, plot=330)
COMPACT = Layout(row=26, plot=330, most=540)
NARROW = Layout(row=50, plot=312, mark=9, above=True)
LINE_ABOVE = -13
ROOM = 0.03


class Data:
    """The records of a chart, kept out of it while it is composed: a chart is copied at every step."""

    def __init__(self) -> None:
        self.sets: dict[str, list[dict[str, Any]]] = {}

    def add(self, rows: Records) -> alt.NamedData:
        """Take records and return the name they have in the chart."""
        name = f"records-{len(self.sets) + 1}"
        self.sets[name] = [dict(row) for row in rows]
        return alt.NamedData(name=name)


def words(
    data: Data,
    rows: Records,
    order: Sequence[str],
    field: str,
    layout: Layout,
    *,
    named: bool = True,
    below: bool = False,
    at: int | None = None,
) -> Any:
    """Return text to the right of a plot in its rows; where narrow, the names above the marks with it.

    `below` puts it under the marks where narrow: it may be long.
    """
    y = rows_of("arm", order, labelled=not layout.above and named)
    end = layout.plot if at is None else at
    if not layout.above:
        return (
            alt.Chart(data.add(rows))
            .mark_text(align="left", dx=10, color=palette.INK, fontSize=12)
            .encode(x=at_pixel(end), y=y, text=alt.Text(f"{field}:N"))
        )
    names = line_above(data, rows, y, "arm", 0, "left")
    if below:
        return names + line_above(data, rows, y, field, 0, "left", lift=layout.mark + 17)
    return names + line_above(data, rows, y, field, end, "right")


def line_above(
    data: Data, rows: Records, y: alt.Y, field: str, at: int, align: Any, lift: int = LINE_ABOVE
) -> Any:
    """Return text in its rows, `lift` pixels below their middle."""
    return (
        alt.Chart(data.add(rows))
        .mark_text(align=align, dy=lift, color=palette.INK, fontSize=12, baseline="middle")
        .encode(x=at_pixel(at), y=y, text=alt.Text(f"{field}:N"))
    )


def at_pixel(place: float) -> alt.XValue:
    """Return a place so many pixels from the left; what a channel is has to be said, or it is looked for at length."""
    return alt.XValue(place)  # type: ignore[no-untyped-call]


def either(test: str, yes: str, no: str) -> alt.FillValue:
    """Return the colour of what a test holds for, else another."""
    return alt.FillValue(no, condition={"test": test, "value": yes})


def rows_of(field: str, order: Sequence[str], *, labelled: bool = True) -> alt.Y:
    """Return rows in an order, from top to bottom."""
    axis = alt.Axis(
        labels=labelled, ticks=False, domain=False, grid=False, labelLimit=0, labelPadding=10
    )
    return alt.Y(f"{field}:N", sort=list(order), title=None, axis=axis)


def from_0_to_1(field: str, title: str, room: float = 0.0) -> alt.X:
    """Return a scale of rates, with room for half a mark at both ends where it is to have `room`."""
    scale = alt.Scale(domain=[-room, 1 + room], nice=False)
    return alt.X(f"{field}:Q", scale=scale, title=title, axis=measure())


def measure() -> alt.Axis:
    """Return the axis of a scale of rates."""
    return alt.Axis(
        tickCount=5,
        format="~",
        labelFlush=False,
        grid=True,
        domain=False,
        ticks=False,
        titlePadding=8,
    )


def finished(data: Data, chart: Any) -> dict[str, Any]:
    """Return the description of a chart in the house's dress."""
    # Set at once: each of Altair's `configure_…` copies the whole chart, which takes longer than to draw it.
    chart.config = alt.Config(
        background=palette.PAPER,
        font=FONT,
        padding=4,
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(
            gridColor=palette.RULE,
            gridWidth=1,
            labelColor=palette.INK,
            labelFontSize=12,
            labelFontWeight="normal",
            titleColor=palette.SOFT,
            titleFontSize=12,
            titleFontWeight="normal",
        ),
        legend=alt.LegendConfig(labelColor=palette.INK, labelFontSize=12, offset=10),
        text=alt.MarkConfig(font=FONT, fontWeight="normal"),
    )
    return {**chart.to_dict(validate=False), "datasets": data.sets}
