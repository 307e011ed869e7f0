# SPDX-License-Identifier: MIT
"""Where systems stand: means with intervals, and letters that those share who are not told apart. Knows no run."""

from collections.abc import Mapping, Sequence

from m4bench.analysis.results import Standing, Standings
from m4bench.analysis.words import each_equal
from m4bench.model.analysis import AnalysisPlan
from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.naming import (
    by_name,
    condition_label,
    cut,
    listed,
    marked,
    noted,
    percent,
)
from m4bench.report.campaign.figures.row_chart import row_figure
from m4bench.report.campaign.figures.rows import LARGE, Dot, Row, Scale, Span
from m4bench.report.exhibits import Figure

MOST_ROWS = 60
MOST_NAMED = 8
SETTINGS = (("dataset", "on {}"), ("convention", "{} convention"), ("drops", "drops {}"))
CAPTION = (
    "Mean reward over the tasks of a system, {weighting}, with its interval{level}. Within one heading, systems that "
    "share a letter are not told apart by what was run: there are no ranks. Intervals are of each mean alone; "
    "whether two differ is told by the paired comparison behind the letters."
)


def standings_figure(
    found: Sequence[Standings], labels: Mapping[str, str], plan: AnalysisPlan
) -> Figure | None:
    """Return the figure of all conditions under which systems were compared, or nothing where there is none.

    Conditions stand in the order of the analysis, which has the published native ones first; where there are too
    many, the last ones are left to the table, and none is cut but one that is too long alone.
    """
    several = [one for one in found if len(one.standings) > 1]
    if not several:
        return None
    rows: list[Row] = []
    told: list[str] = []
    drawn: list[Standings] = []
    left_out = 0
    for one in several:
        ordered = sorted(one.standings, key=lambda row: (-row.reward, row.system))
        if drawn and len(rows) + 1 + len(ordered) > MOST_ROWS:
            break
        shown = ordered[:MOST_ROWS]
        left_out = len(ordered) - len(shown)
        names = [marked(by_name(labels, row.system), row.publishable) for row in shown]
        rows.append(Row(_heading(one, several), parted=True, soft=True))
        rows += [_row(standing, name) for standing, name in zip(shown, names, strict=True)]
        said = listed(
            f"{name} {wording.rate(row.reward)}, {row.letters}"
            for row, name in zip(shown, names, strict=True)
        )
        told.append(f"{_heading(one, several)}: {said}.")
        drawn.append(one)
    caption = CAPTION.format(
        weighting=each_equal(plan),
        level=_level([row for one in several for row in one.standings]),
    )
    if left_out:
        caption += f" {wording.plural(left_out, 'row')} more stand in the table."
    undrawn = [_heading(one, several) for one in several[len(drawn) :]]
    if undrawn:
        caption += f" In the table alone: {listed(undrawn, MOST_NAMED)}."
    scale = Scale(0.0, 1.0, "Mean reward", ("ties", "reward", "strict passes"))
    return row_figure(
        "standings",
        "Systems compared, by condition",
        noted(caption, [row.name for row in rows]),
        " ".join(told),
        rows,
        scale,
    )


def _heading(one: Standings, all_of_them: Sequence[Standings]) -> str:
    """Return the condition, and of its setting what is not the same of all."""
    text = condition_label(one.condition, one.schema_name)
    for field, words in SETTINGS:
        value = getattr(one, field)
        if value and len({getattr(other, field) for other in all_of_them}) > 1:
            text += f", {words.format(value)}"
    return cut(wording.foreign(text), 60)


def _level(shown: Sequence[Standing]) -> str:
    levels = [percent(row.interval.level) for row in shown if row.interval]
    return f" of {levels[0]}" if levels else ", which was not determined"


def _row(standing: Standing, name: str) -> Row:
    interval = standing.interval
    rate = wording.rate(standing.reward)
    told = f"{rate} {writing.interval(interval)}" if interval else rate
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
