# SPDX-License-Identifier: MIT
"""How a contrast fares when tables and columns have other names or cuts. Knows results and no run."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from m4bench.analysis.results import Analysis, SchemaRobustness
from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.naming import (
    NATIVE,
    by_name,
    cut,
    listed,
    signed,
)
from m4bench.report.campaign.figures.row_chart import (
    COMPACT_ROWS,
    LARGE,
    NARROW_ROWS,
    WIDE_ROWS,
    Dot,
    Row,
    Scale,
    rows_chart,
)
from m4bench.report.exhibits import Figure

MOST_GROUPS = 12
NOT_RUN = "not run"
CAPTION = (
    "Mean reward of the two sides of a comparison in each schema, on the tasks that both schemas have: the filled "
    "circle is the side with what is tested, the open one the control. The ratio is the difference in the schema "
    "divided by the native one on the same tasks; 1 is a difference that survives whole. What was not run is told "
    "so, and is not 0."
)


def schema_figure(analysis: Analysis, labels: Mapping[str, str]) -> Figure | None:
    """Return the figure, or nothing where all runs were on one schema."""
    found = [
        one for one in analysis.schemas if one.treatment is not None or one.control is not None
    ]
    if not any(one.schema_name != NATIVE for one in found):
        return None
    groups: dict[tuple[str, str], list[SchemaRobustness]] = {}
    for one in found:
        groups.setdefault((one.contrast, one.system), []).append(one)
    groups = {
        key: ordered
        for key, ordered in groups.items()
        if any(one.schema_name != NATIVE for one in ordered)
    }
    shown = list(groups.items())[:MOST_GROUPS]
    rows = [row for key, ordered in shown for row in _rows(key, ordered, labels)]
    caption = CAPTION
    if len(groups) > len(shown):
        caption += f" {len(groups) - len(shown)} more comparisons stand in the tables."
    scale = Scale(
        0.0, 1.0, "Mean reward", ("control → treatment", "difference", "ratio", "improved")
    )
    return Figure(
        "schemas",
        "What other schemas leave of a difference",
        caption,
        " ".join(_in_words(key, ordered, labels) for key, ordered in shown),
        rows_chart(rows, scale, WIDE_ROWS),
        rows_chart(rows, scale, NARROW_ROWS),
        partial(rows_chart, rows, scale, COMPACT_ROWS),
    )


def _in_order(ordered: Iterable[SchemaRobustness]) -> list[SchemaRobustness]:
    return sorted(ordered, key=lambda one: (one.schema_name != NATIVE, one.schema_name))


def _rows(
    key: tuple[str, str], ordered: Sequence[SchemaRobustness], labels: Mapping[str, str]
) -> list[Row]:
    rows = [Row(_heading(key, labels), parted=True, soft=True)]
    for one in _in_order(ordered):
        schema = cut(wording.foreign(one.schema_name))
        name = f"{schema}, {wording.plural(one.tasks, 'task')}"
        dots = [
            Dot(value, f"{schema}, {what}: {wording.rate(value)}", size=LARGE, filled=filled)
            for value, what, filled in (
                (one.control, "control", False),
                (one.treatment, "treatment", True),
            )
            if value is not None
        ]
        rows.append(
            Row(
                name,
                tuple(dots),
                (),
                (_means(one), _difference(one), _ratio(one), _improved(one)),
                _brief(one),
                level=1,
            )
        )
    return rows


def _brief(one: SchemaRobustness) -> str:
    if one.delta is None:
        return _means(one)
    ratio = "" if one.schema_name == NATIVE else f" ratio {_ratio(one)}"
    return f"{_means(one)} {signed(one.delta)}{ratio}"


def _heading(key: tuple[str, str], labels: Mapping[str, str]) -> str:
    contrast, system = key
    sides = cut(wording.foreign(contrast), 60)
    return f"{sides} · {by_name(labels, system)}" if system else sides


def _means(one: SchemaRobustness) -> str:
    sides = (one.control, one.treatment)
    control, treatment = (NOT_RUN if side is None else wording.rate(side) for side in sides)
    return f"{control} → {treatment}"


def _difference(one: SchemaRobustness) -> str:
    if one.delta is None:
        return "not determined"
    return (
        f"{signed(one.delta)} {writing.interval(one.interval)}"
        if one.interval
        else signed(one.delta)
    )


def _ratio(one: SchemaRobustness) -> str:
    return "–" if one.ratio is None else f"{one.ratio:.2f}"


def _improved(one: SchemaRobustness) -> str:
    return "–" if one.delta is None else f"{one.positive} of {one.tasks}"


def _in_words(
    key: tuple[str, str], ordered: Sequence[SchemaRobustness], labels: Mapping[str, str]
) -> str:
    told = listed(
        f"{wording.foreign(one.schema_name)} {_means(one)}, difference {_difference(one)}, "
        f"ratio {_ratio(one)}, improved {_improved(one)}"
        for one in _in_order(ordered)
    )
    return f"{_heading(key, labels)}: {told}."
