# SPDX-License-Identifier: MIT
"""The figures of a report in Altair: rewards, losses, trials, keys, columns. Knows no file and no page.

Every chart is drawn from plain records of text and numbers, wears one weight of one typeface, and writes
its figures beside its marks.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from m4bench.report import palette

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
ROW = 26
PLOT = 330
Records = Sequence[Mapping[str, Any]]

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
    "duplicate": ("repeated in the output", palette.AMBER),
}
CUT_AT = 2.0


class _Data:
    """The records of a chart, kept out of it while it is composed: a chart is copied at every step."""

    def __init__(self) -> None:
        self.sets: dict[str, list[dict[str, Any]]] = {}

    def add(self, rows: Records) -> alt.NamedData:
        """Take records and return the name they have in the chart."""
        name = f"records-{len(self.sets) + 1}"
        self.sets[name] = [dict(row) for row in rows]
        return alt.NamedData(name=name)


def rewards(cells: Records, arms: Records, order: Sequence[str]) -> dict[str, Any]:
    """Return rewards and strict passes side by side, an arm a row.

    Args:
        cells: `arm`, `reward`, `strict` (whether all trials pass), `about`: one a task and arm.
        arms: `arm`, `mean`, `mean_text`, `share` (of runs that pass), `passes`, `about`.
        order: the arms from top to bottom.
    """
    data = _Data()
    y = _rows("arm", order)
    points = (
        alt.Chart(data.add(cells))
        .mark_point(size=42, strokeWidth=1.2, filled=False, opacity=1)
        .encode(
            x=_from_0_to_1("reward", "Reward, one circle a task"),
            y=y,
            stroke=alt.value(palette.FILL),
            fill=alt.condition("datum.strict", alt.value(palette.FILL), alt.value(palette.PAPER)),
            description="about:N",
        )
    )
    mean = (
        alt.Chart(data.add(arms))
        .transform_filter("datum.mean !== null")
        .mark_tick(thickness=2, size=18, color=palette.INK, opacity=1)
        .encode(x="mean:Q", y=y, description="about:N")
    )
    height = ROW * len(order)
    left = (points + mean + _beside(data, arms, y, "mean_text", PLOT)).properties(
        width=PLOT, height=height
    )
    bare = _rows("arm", order, labelled=False)
    passes = alt.Chart(data.add(arms)).encode(y=bare)
    right = (
        passes.mark_bar(height=9, color=palette.RULE).encode(
            x=_from_0_to_1("whole", "Strict passes, share of runs")
        )
        + passes.mark_bar(height=9, color=palette.FILL).encode(
            x="share:Q", description="about_passes:N"
        )
        + _beside(data, arms, bare, "passes", 150)
    ).properties(width=150, height=height)
    return _finished(data, alt.hconcat(left, right, spacing=78))


def losses(shares: Records, order: Sequence[str]) -> dict[str, Any]:
    """Return where reward was lost, a stacked bar an arm.

    Args:
        shares: `arm`, `kind` (a key of `LOSSES`), `place` (of the kind), `share`, `about`.
        order: the arms from top to bottom.
    """
    data = _Data()
    return _finished(data, _stacked(data, shares, order, LOSSES, "Mean share of rows"))


def keys(counts: Records, order: Sequence[str], texts: Records) -> dict[str, Any]:
    """Return how the keys of an output meet those of the reference, a bar an arm.

    Args:
        counts: `arm`, `kind` (a key of `KEYS`), `place`, `share` (of the reference's keys), `about`.
        order: the arms from top to bottom.
        texts: `arm` and `text`, the counts in words.
    """
    data = _Data()
    y = _rows("arm", order)
    widest = max([1.0, *_ends(counts)])
    bars = _bars(
        data, counts, y, KEYS, alt.Scale(domain=[0, widest], nice=False), "Keys, per reference key"
    )
    edge = (
        alt.Chart(data.add([{"at": 1}]))
        .mark_rule(color=palette.INK, strokeWidth=1)
        .encode(x="at:Q")
    )
    return _finished(
        data,
        (bars + edge + _beside(data, texts, y, "text", PLOT)).properties(
            width=PLOT, height=ROW * len(order)
        ),
    )


def trials(points: Records, means: Records, order: Sequence[str]) -> dict[str, Any]:
    """Return each trial's reward and the mean, an arm a row.

    Args:
        points: `arm`, `reward`, `strict`, `about`: one a run.
        means: `arm`, `mean`, `text`.
        order: the arms from top to bottom.
    """
    data = _Data()
    y = _rows("arm", order)
    dots = (
        alt.Chart(data.add(points))
        .mark_point(size=48, strokeWidth=1.2, filled=False, opacity=1)
        .encode(
            x=_from_0_to_1("reward", "Reward, one circle a trial"),
            y=y,
            stroke=alt.value(palette.FILL),
            fill=alt.condition("datum.strict", alt.value(palette.FILL), alt.value(palette.PAPER)),
            description="about:N",
        )
    )
    mean = (
        alt.Chart(data.add(means))
        .transform_filter("datum.mean !== null")
        .mark_tick(thickness=2, size=18, color=palette.INK, opacity=1)
        .encode(x="mean:Q", y=y)
    )
    return _finished(
        data,
        (dots + mean + _beside(data, means, y, "text", PLOT)).properties(
            width=PLOT, height=ROW * len(order)
        ),
    )


def columns(cells: Records, names: Sequence[str], arms: Sequence[str]) -> dict[str, Any]:
    """Return the match rate of each column and arm as a table of shades.

    Args:
        cells: `column`, `arm`, `step` (of `palette.HEAT`), `text`, `missed` (its threshold), `about`.
        names: the columns from top to bottom.
        arms: the arms from left to right.
    """
    data = _Data()
    flat = len(arms) <= 3 and max(map(len, arms)) <= 18
    x = alt.X(
        "arm:N",
        sort=list(arms),
        title=None,
        axis=alt.Axis(
            orient="top",
            labelAngle=0 if flat else -38,
            labelAlign="center" if flat else "left",
            labelLimit=0,
            domain=False,
            ticks=False,
        ),
    )
    base = alt.Chart(data.add(cells)).encode(x=x, y=_rows("column", names))
    shade = alt.Scale(domain=list(range(len(palette.HEAT))), range=list(palette.HEAT))
    rects = base.mark_rect(stroke=palette.PAPER, strokeWidth=2).encode(
        fill=alt.Fill("step:O", scale=shade, legend=None), description="about:N"
    )
    figures = base.mark_text(fontSize=11, baseline="middle").encode(
        text="text:N",
        fill=alt.condition(
            f"datum.step >= {palette.FIRST_DEEP_HEAT}",
            alt.value(palette.ON_DEEP),
            alt.value(palette.ON_PALE),
        ),
    )
    wide = 118 if flat else 62
    return _finished(
        data, (rects + figures).properties(width=wide * len(arms), height=24 * len(names))
    )


def _stacked(
    data: _Data,
    shares: Records,
    order: Sequence[str],
    kinds: Mapping[str, tuple[str, str]],
    title: str,
) -> Any:
    y = _rows("arm", order)
    bars = _bars(data, shares, y, kinds, alt.Scale(domain=[0, 1]), title)
    return bars.properties(width=PLOT + 90, height=ROW * len(order))


def _bars(
    data: _Data,
    shares: Records,
    y: alt.Y,
    kinds: Mapping[str, tuple[str, str]],
    scale: alt.Scale,
    title: str,
) -> Any:
    """Return stacked bars whose parts stand in the order of the kinds."""
    shown = [kind for kind in kinds if any(share["kind"] == kind for share in shares)]
    named = [{**share, "kind": kinds[str(share["kind"])][0]} for share in shares]
    return (
        alt.Chart(data.add(named))
        .mark_bar(height=13, stroke=palette.PAPER, strokeWidth=1)
        .encode(
            x=alt.X("share:Q", stack="zero", scale=scale, title=title, axis=_measure()),
            y=y,
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
                ),
            ),
            description="about:N",
        )
    )


def _ends(counts: Records) -> list[float]:
    """Return where each arm's bar ends."""
    ends: dict[str, float] = {}
    for count in counts:
        ends[str(count["arm"])] = ends.get(str(count["arm"]), 0.0) + float(count["share"])
    return list(ends.values())


def _beside(data: _Data, rows: Records, y: alt.Y, field: str, at: float) -> Any:
    """Return text to the right of a plot, in its rows."""
    return (
        alt.Chart(data.add(rows))
        .mark_text(align="left", dx=10, color=palette.INK, fontSize=12)
        .encode(x=alt.value(at), y=y, text=f"{field}:N")
    )


def _rows(field: str, order: Sequence[str], *, labelled: bool = True) -> alt.Y:
    axis = alt.Axis(
        labels=labelled, ticks=False, domain=False, grid=False, labelLimit=0, labelPadding=10
    )
    return alt.Y(f"{field}:N", sort=list(order), title=None, axis=axis)


def _from_0_to_1(field: str, title: str) -> alt.X:
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, 1]), title=title, axis=_measure())


def _measure() -> alt.Axis:
    return alt.Axis(
        tickCount=5,
        format="~",
        labelFlush=False,
        grid=True,
        domain=False,
        ticks=False,
        titlePadding=8,
    )


def _finished(data: _Data, chart: Any) -> dict[str, Any]:
    """Return the description of a chart in the house's dress."""
    text = {"font": FONT, "fontWeight": "normal"}
    dressed = (
        chart.configure(background=palette.PAPER, font=FONT, padding=4)
        .configure_view(stroke=None)
        .configure_axis(
            gridColor=palette.RULE,
            gridWidth=1,
            labelColor=palette.INK,
            labelFontSize=12,
            labelFontWeight="normal",
            titleColor=palette.SOFT,
            titleFontSize=12,
            titleFontWeight="normal",
        )
        .configure_legend(labelColor=palette.INK, labelFontSize=12, offset=10)
        .configure_text(**text)
    )
    return {**dressed.to_dict(validate=False), "datasets": data.sets}
