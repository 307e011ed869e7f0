# SPDX-License-Identifier: MIT
"""The figures of a report in Altair: rewards, losses, trials, keys, columns. Knows no file and no page.

Every chart is drawn from plain records of text and numbers, wears one weight of one typeface, and writes
its figures beside its marks. Each has two layouts: `WIDE`, with names to the left and numbers to the right
of the marks, and `NARROW` for a phone, with both in a line above them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from m4bench.report import palette
from m4bench.report.chart_parts import (
    WIDE,
    Data,
    Layout,
    Records,
    either,
    finished,
    from_0_to_1,
    line_above,
    measure,
    rows_of,
    words,
)
from m4bench.report.circles import LANE, gathered

MOST_PANEL = 7
CELL = 38
LETTER = 6.2

LOSSES = {
    "matched": ("matched", palette.FILL),
    "values": ("wrong values", palette.AMBER),
    "missing": ("missing rows", palette.PALE),
    "excess": ("extra or duplicate rows", palette.DARK),
    "nothing": ("nothing to compare", palette.VOID),
}
KEYS = {
    "matched": ("in both", palette.FILL),
    "missing": ("missing from the output", palette.PALE),
    "extra": ("extra in the output", palette.DARK),
    "duplicate": ("duplicate in the output", palette.AMBER),
}
CUT_AT = 2.0


def rewards(
    cells: Records, arms: Records, order: Sequence[str], layout: Layout = WIDE
) -> dict[str, Any]:
    """Return rewards and strict passes side by side, an arm a row; one below the other where it is narrow.

    Args:
        cells: `arm`, `reward`, `strict` (whether all trials pass), `about`: one a task and arm.
        arms: `arm`, `mean`, `mean_text`, `share` (of runs that pass), `passes`, `about`.
        order: the arms from top to bottom.
        layout: `WIDE` or `NARROW`.
    """
    data = Data()
    title = "Reward, one circle a task; a number: so many tasks"
    left = (
        _means(data, arms, order, layout)
        + _circles(data, cells, order, title, layout)
        + words(data, arms, order, "mean_text", layout)
    ).properties(width=layout.plot, height=layout.row * len(order))
    wide = layout.plot if layout.above else 150
    passes = alt.Chart(data.add(arms)).encode(y=rows_of("arm", order, labelled=False))
    bars = (
        passes.mark_bar(height=9, color=palette.RULE, yOffset=layout.mark).encode(
            x=from_0_to_1("whole", "Strict passes, share of runs")
        )
        + passes.mark_bar(height=9, color=palette.FILL, yOffset=layout.mark).encode(
            x=alt.X("share:Q"), description=alt.Description("about_passes:N")
        )
        + words(data, arms, order, "passes", layout, named=layout.above, at=wide)
    ).properties(width=wide, height=layout.row * len(order))
    if layout.above:
        return finished(data, alt.vconcat(left, bars, spacing=26))
    return finished(data, alt.hconcat(left, bars, spacing=78))


def losses(shares: Records, order: Sequence[str], layout: Layout = WIDE) -> dict[str, Any]:
    """Return where reward was lost, a stacked bar an arm.

    Args:
        shares: `arm`, `kind` (a key of `LOSSES`), `place` (of the kind), `share`, `about`.
        order: the arms from top to bottom.
        layout: `WIDE` or `NARROW`.
    """
    data = Data()
    bars = _bars(
        data, shares, order, LOSSES, alt.Scale(domain=[0, 1]), "Mean share of rows", layout
    )
    wide = layout.plot if layout.above else layout.plot + 90
    if layout.above:
        bars += words(data, [{"arm": arm, "text": ""} for arm in order], order, "text", layout)
    return finished(data, bars.properties(width=wide, height=layout.row * len(order)))


def keys(
    counts: Records, order: Sequence[str], texts: Records, layout: Layout = WIDE
) -> dict[str, Any]:
    """Return how the keys of an output meet those of the reference, a bar an arm.

    Args:
        counts: `arm`, `kind` (a key of `KEYS`), `place`, `share` (of the reference's keys), `about`.
        order: the arms from top to bottom.
        texts: `arm` and `text`, the counts in words.
        layout: `WIDE` or `NARROW`.
    """
    data = Data()
    widest = max([1.0, *_ends(counts)])
    scale = alt.Scale(domain=[0, widest], nice=False)
    bars = _bars(data, counts, order, KEYS, scale, "Keys, per reference key", layout)
    edge = (
        alt.Chart(data.add([{"at": 1}]))
        .mark_rule(color=palette.INK, strokeWidth=1)
        .encode(x=alt.X("at:Q"))
    )
    row = layout.row + 18 if layout.above else layout.row
    chart = (edge + bars) if layout.above else (bars + edge)
    chart += words(data, texts, order, "text", layout, below=True)
    return finished(data, chart.properties(width=layout.plot, height=row * len(order)))


def trials(
    points: Records, means: Records, order: Sequence[str], layout: Layout = WIDE
) -> dict[str, Any]:
    """Return each trial's reward and the mean, an arm a row.

    Args:
        points: `arm`, `reward`, `strict`, `about`: one a run.
        means: `arm`, `mean`, `text`.
        order: the arms from top to bottom.
        layout: `WIDE` or `NARROW`.
    """
    data = Data()
    title = "Reward, one circle a trial; a number: so many trials"
    chart = (
        _means(data, means, order, layout)
        + _circles(data, points, order, title, layout)
        + words(data, means, order, "text", layout, below=True)
    )
    row = layout.row + 18 if layout.above else layout.row
    return finished(data, chart.properties(width=layout.plot, height=row * len(order)))


def columns(
    cells: Records, names: Sequence[str], arms: Sequence[str], layout: Layout = WIDE
) -> dict[str, Any]:
    """Return the match rate of each column and arm as a table of shades.

    Args:
        cells: `column`, `arm`, `step` (of `palette.HEAT`), `text`, `missed` (its threshold), `about`.
        names: the columns from top to bottom.
        arms: the arms from left to right.
        layout: `WIDE`; or `COMPACT` or `NARROW`, where arms are numbered, and stand in several tables where they
            are many.
    """
    data = Data()
    if not layout.above and not layout.most:
        flat = len(arms) <= 3 and max(map(len, arms)) <= 18
        axis = _heads(angle=0 if flat else -38)
        return finished(data, _shades(data, cells, names, arms, 118 if flat else 62, axis))
    room, most = layout.plot, MOST_PANEL
    if layout.most:
        room = max(CELL, layout.most - int(LETTER * max(map(len, names), default=0)))
        most = room // CELL
    panels = []
    for start in range(0, len(arms), most):
        shown = arms[start : start + most]
        numbers = {arm: str(start + place + 1) for place, arm in enumerate(shown)}
        numbered = [
            {**cell, "arm": numbers[str(cell["arm"])]} for cell in cells if cell["arm"] in numbers
        ]
        key = alt.TitleParams(
            [f"{number}  {arm}" for arm, number in numbers.items()],
            anchor="start",
            fontSize=12,
            fontWeight="normal",
            color=palette.INK,
            offset=8,
        )
        wide = min(62, room // len(shown))
        heads = list(numbers.values())
        panels.append(
            _shades(
                data, numbered, names, heads, wide, _heads(angle=0), above=layout.above
            ).properties(title=key)
        )
    return finished(data, alt.vconcat(*panels, spacing=24))


def _heads(*, angle: int) -> alt.Axis:
    return alt.Axis(
        orient="top",
        labelAngle=angle,
        labelAlign="left" if angle else "center",
        labelLimit=0,
        domain=False,
        ticks=False,
    )


def _shades(
    data: Data,
    cells: Records,
    names: Sequence[str],
    arms: Sequence[str],
    wide: int,
    axis: alt.Axis,
    *,
    above: bool = False,
) -> Any:
    """Return shaded cells with their figures; the columns' names to their left, or in a line above."""
    x = alt.X("arm:N", sort=list(arms), title=None, axis=axis)
    y = rows_of("column", names, labelled=not above)
    base = alt.Chart(data.add(cells)).encode(x=x, y=y)
    shade = alt.Scale(domain=list(range(len(palette.HEAT))), range=list(palette.HEAT))
    size: dict[str, Any] = {"height": 22, "yOffset": 9} if above else {}
    rects = base.mark_rect(stroke=palette.PAPER, strokeWidth=2, **size).encode(
        fill=alt.Fill("step:O", scale=shade, legend=None), description=alt.Description("about:N")
    )
    figures = base.mark_text(fontSize=11, baseline="middle", dy=9 if above else 0).encode(
        text=alt.Text("text:N"),
        fill=either(f"datum.step >= {palette.FIRST_DEEP_HEAT}", palette.ON_DEEP, palette.ON_PALE),
    )
    chart = rects + figures
    if above:
        labels = [{"column": name} for name in names]
        chart += line_above(data, labels, y, "column", 0, "left")
    return chart.properties(width=wide * len(arms), height=(44 if above else 24) * len(names))


def _circles(data: Data, points: Records, order: Sequence[str], title: str, layout: Layout) -> Any:
    """Return a circle a point, those that would hide one another beside each other or as one with a number."""
    drawn = gathered(points, layout.plot)
    y = rows_of("arm", order, labelled=not layout.above)
    x = from_0_to_1("reward", title)
    chart: Any = None
    for lane in sorted({circle["lane"] for circle in drawn}):
        lift = layout.mark + lane * LANE
        shown = alt.Chart(data.add([circle for circle in drawn if circle["lane"] == lane]))
        dots = shown.mark_point(strokeWidth=1.2, filled=False, opacity=1, yOffset=lift).encode(
            x=x,
            y=y,
            size=alt.Size("size:Q", scale=None, legend=None),
            stroke=alt.StrokeValue(palette.FILL),
            fill=either("datum.strict", palette.FILL, palette.PAPER),
            description=alt.Description("about:N"),
        )
        numbers = shown.mark_text(fontSize=10, baseline="middle", dy=lift).encode(
            x=x,
            y=y,
            text=alt.Text("number:N"),
            fill=either("datum.strict", palette.ON_DEEP, palette.ON_PALE),
        )
        chart = dots + numbers if chart is None else chart + dots + numbers
    return chart


def _means(data: Data, rows: Records, order: Sequence[str], layout: Layout) -> Any:
    """Return an upright stroke at each mean, to lie behind the circles."""
    return (
        alt.Chart(data.add([{"about": "", **row} for row in rows]))
        .transform_filter("datum.mean !== null")
        .mark_tick(thickness=2, size=22, color=palette.INK, opacity=1, yOffset=layout.mark)
        .encode(
            x=alt.X("mean:Q"),
            y=rows_of("arm", order, labelled=not layout.above),
            description=alt.Description("about:N"),
        )
    )


def _bars(
    data: Data,
    shares: Records,
    order: Sequence[str],
    kinds: Mapping[str, tuple[str, str]],
    scale: alt.Scale,
    title: str,
    layout: Layout,
) -> Any:
    """Return stacked bars whose parts stand in the order of the kinds."""
    shown = [kind for kind in kinds if any(share["kind"] == kind for share in shares)]
    named = [{**share, "kind": kinds[str(share["kind"])][0]} for share in shares]
    folded: dict[str, Any] = {"columns": 2} if layout.above else {}
    return (
        alt.Chart(data.add(named))
        .mark_bar(height=13, stroke=palette.PAPER, strokeWidth=1, yOffset=layout.mark)
        .encode(
            x=alt.X("share:Q", stack="zero", scale=scale, title=title, axis=measure()),
            y=rows_of("arm", order, labelled=not layout.above),
            order=alt.Order("place:Q"),
            fill=alt.Fill(
                "kind:N",
                scale=alt.Scale(
                    domain=[kinds[kind][0] for kind in shown],
                    range=[kinds[kind][1] for kind in shown],
                ),
                legend=alt.Legend(
                    title=None,
                    orient="top",
                    direction="horizontal",
                    symbolType="square",
                    symbolStrokeWidth=0,
                    columnPadding=16,
                    labelLimit=0,
                    **folded,
                ),
            ),
            description=alt.Description("about:N"),
        )
    )


def _ends(counts: Records) -> list[float]:
    """Return where each arm's bar ends."""
    ends: dict[str, float] = {}
    for count in counts:
        ends[str(count["arm"])] = ends.get(str(count["arm"]), 0.0) + float(count["share"])
    return list(ends.values())
