# SPDX-License-Identifier: MIT
"""The figures of a report in Altair: rewards, losses, trials, keys. Knows no file and no page.

Every chart is drawn from plain records of text and numbers, wears one weight of one typeface, and writes
its figures beside its marks. Each has two layouts: `WIDE`, with names to the left and numbers to the right
of the marks, and `NARROW` for a phone, with both in a line above them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from m4bench.report import palette
from m4bench.report.chart_parts import (
    ROOM,
    WIDE,
    Data,
    Layout,
    Records,
    either,
    finished,
    from_0_to_1,
    measure,
    rows_of,
    words,
)
from m4bench.report.circles import LANE, gathered

LOSSES = {
    "matched": ("matched", palette.FILL),
    "values": ("wrong values", palette.GOLD),
    "missing": ("missing rows", palette.DARK),
    "excess": ("extra or duplicate rows", palette.ICE),
    "nothing": ("nothing to compare", palette.SLATE),
}
KEYS = {
    "matched": ("in both", palette.FILL),
    "missing": ("missing from the output", palette.DARK),
    "extra": ("extra in the output", palette.ICE),
    "duplicate": ("duplicate in the output", palette.SLATE),
}
CUT_AT = 2.0
DEEP = {palette.FILL, palette.DARK, palette.SLATE}
BAR = 15
BROAD = 30


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
    wide = layout.plot if layout.above else layout.plot + 90
    bars = _bars(data, shares, order, LOSSES, (1.0, "Mean share of rows"), layout, wide)
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
    scale = (widest, "Keys, per reference key")
    bars = _bars(data, counts, order, KEYS, scale, layout, layout.plot)
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


def _circles(data: Data, points: Records, order: Sequence[str], title: str, layout: Layout) -> Any:
    """Return a circle a point, near ones beside each other or as one with a number, which lies above all circles."""
    drawn = gathered(points, round(layout.plot / (1 + 2 * ROOM)))
    y = rows_of("arm", order, labelled=not layout.above)
    x = from_0_to_1("reward", title, ROOM)
    dots, numbers = [], []
    for lane in sorted({circle["lane"] for circle in drawn}):
        lift = layout.mark + lane * LANE
        shown = alt.Chart(data.add([circle for circle in drawn if circle["lane"] == lane]))
        dots.append(
            shown.mark_point(strokeWidth=1.2, filled=False, opacity=1, yOffset=lift).encode(
                x=x,
                y=y,
                size=alt.Size("size:Q", scale=None, legend=None),
                stroke=alt.StrokeValue(palette.FILL),
                fill=either("datum.strict", palette.FILL, palette.PAPER),
                description=alt.Description("about:N"),
            )
        )
        numbers.append(
            shown.mark_text(fontSize=10, baseline="middle", dy=lift).encode(
                x=x,
                y=y,
                text=alt.Text("number:N"),
                fill=either("datum.strict", palette.ON_DEEP, palette.ON_PALE),
            )
        )
    return alt.layer(*dots, *numbers)


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
    scale: tuple[float, str],
    layout: Layout,
    wide: int,
) -> Any:
    """Return stacked bars whose parts stand in the order of the kinds, each with its share where it has room.

    Args:
        data: takes the records.
        shares: `arm`, `kind`, `share`, `about`.
        order: the arms from top to bottom.
        kinds: the words and the colour of each kind.
        scale: where it ends, and its name.
        layout: `WIDE` or `NARROW`.
        wide: the width of the plot in pixels.
    """
    widest, title = scale
    parts = _parts(shares, kinds)
    y = rows_of("arm", order, labelled=not layout.above)
    x = alt.X(
        "from:Q", scale=alt.Scale(domain=[0, widest], nice=False), title=title, axis=measure()
    )
    shown = [kind for kind in kinds if any(share["kind"] == kind for share in shares)]
    folded: dict[str, Any] = {"columns": 2} if layout.above else {}
    legend = alt.Legend(
        title=None,
        orient="top",
        direction="horizontal",
        symbolType="square",
        symbolStrokeWidth=0,
        columnPadding=16,
        labelLimit=0,
        **folded,
    )
    colours = alt.Scale(
        domain=[kinds[kind][0] for kind in shown], range=[kinds[kind][1] for kind in shown]
    )
    bars = (
        alt.Chart(data.add(parts))
        .mark_bar(height=BAR, stroke=palette.PAPER, strokeWidth=1, yOffset=layout.mark)
        .encode(
            x=x,
            x2=alt.X2("to:Q"),
            y=y,
            fill=alt.Fill("kind:N", scale=colours, legend=legend),
            description=alt.Description("about:N"),
        )
    )
    told = [part for part in parts if part["share"] / widest * wide >= BROAD]
    words = alt.Chart(data.add(told)).mark_text(fontSize=11, baseline="middle", dy=layout.mark)
    return bars + words.encode(
        x=alt.X("middle:Q"),
        y=y,
        text=alt.Text("text:N"),
        fill=either("datum.deep", palette.ON_DEEP, palette.ON_PALE),
    )


def _parts(shares: Records, kinds: Mapping[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """Return where each part of a bar begins and ends, one after the other in the order of the kinds."""
    places = {kind: place for place, kind in enumerate(kinds)}
    ends: dict[str, float] = {}
    parts = []
    for share in sorted(shares, key=lambda one: places[str(one["kind"])]):
        words, colour = kinds[str(share["kind"])]
        begin = ends.get(str(share["arm"]), 0.0)
        end = ends[str(share["arm"])] = begin + float(share["share"])
        parts.append(
            {
                **share,
                "kind": words,
                "from": begin,
                "to": end,
                "middle": (begin + end) / 2,
                "text": f"{float(share['share']):.2f}",
                "deep": colour in DEEP,
            }
        )
    return parts


def _ends(counts: Records) -> list[float]:
    """Return where each arm's bar ends."""
    ends: dict[str, float] = {}
    for count in counts:
        ends[str(count["arm"])] = ends.get(str(count["arm"]), 0.0) + float(count["share"])
    return list(ends.values())
