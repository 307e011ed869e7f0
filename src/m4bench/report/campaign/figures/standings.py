# SPDX-License-Identifier: MIT
"""Where systems stand: means with intervals, and letters that those share who are not told apart. Knows no run."""

from collections.abc import Mapping, Sequence

from m4bench.analysis.results import Standing, Standings
from m4bench.report import wording
from m4bench.report.campaign.figures.naming import (
    between,
    by_name,
    condition_label,
    cut,
    listed,
    marked,
    noted,
    percent,
)
from m4bench.report.campaign.figures.row_chart import (
    LARGE,
    NARROW_ROWS,
    WIDE_ROWS,
    Dot,
    Row,
    Scale,
    Span,
    rows_chart,
)
from m4bench.report.exhibits import Figure

MOST_SYSTEMS = 60
CAPTION = (
    "Mean reward over the tasks of a system, each equal, with its interval{level}. Systems that share a "
    "letter are not told apart by what was run: there are no ranks. Intervals are of each mean alone; whether "
    "two differ is told by the paired comparison behind the letters."
)


def standings_figures(
    found: tuple[Standings, ...], labels: Mapping[str, str], most: int
) -> list[Figure]:
    """Return a figure a condition and setting in which systems were compared, at most so many."""
    several = [one for one in found if len(one.standings) > 1]
    return [
        _figure(one, labels, f"standings-{place}") for place, one in enumerate(several[:most], 1)
    ]


def _figure(one: Standings, labels: Mapping[str, str], name: str) -> Figure:
    ordered = sorted(one.standings, key=lambda row: (-row.reward, row.system))
    shown = ordered[:MOST_SYSTEMS]
    names = {row.system: marked(by_name(labels, row.system), row.publishable) for row in shown}
    rows = [_row(standing, names[standing.system]) for standing in shown]
    caption = CAPTION.format(level=_level(shown))
    if len(shown) < len(ordered):
        caption += f" The {len(ordered) - len(shown)} systems below are in the table."
    told = listed(f"{names[row.system]} {wording.rate(row.reward)}, {row.letters}" for row in shown)
    where = condition_label(
        cut(wording.foreign(one.condition)), cut(wording.foreign(one.schema_name))
    )
    setting = ", ".join(
        cut(wording.foreign(part)) for part in (one.dataset, one.convention) if part
    )
    scale = Scale(0.0, 1.0, "Mean reward", ("not told apart", "reward", "strict passes"))
    return Figure(
        name,
        f"Systems under {where}" + (f" ({setting})" if setting else ""),
        noted(caption, names.values()),
        f"{told}.",
        rows_chart(rows, scale, WIDE_ROWS),
        rows_chart(rows, scale, NARROW_ROWS),
    )


def _level(shown: Sequence[Standing]) -> str:
    levels = [percent(row.interval.level) for row in shown if row.interval]
    return f" of {levels[0]}" if levels else ", which was not determined"


def _row(standing: Standing, name: str) -> Row:
    interval = standing.interval
    rate = wording.rate(standing.reward)
    told = f"{rate} {between(interval)}" if interval else rate
    spans = (
        (Span(max(0.0, interval.low), min(1.0, interval.high), f"{name}: {told}", "thin"),)
        if interval
        else ()
    )
    strict = f"{standing.strict.passes} of {standing.strict.runs}"
    return Row(
        name,
        (Dot(standing.reward, f"{name}: {told}", size=LARGE),),
        spans,
        (standing.letters, told, strict),
        f"{standing.letters}  {rate}",
    )
