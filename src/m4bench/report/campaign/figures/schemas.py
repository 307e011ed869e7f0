# SPDX-License-Identifier: MIT
"""How a contrast fares when tables and columns have other names or cuts. Knows results and no run."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from m4bench.analysis.order import schema_key
from m4bench.analysis.results import Analysis, SchemaRobustness
from m4bench.analysis.words import each_equal
from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.forest_words import method_of
from m4bench.report.campaign.figures.naming import (
    BETWEEN_PARTS,
    NATIVE,
    apart,
    by_name,
    cut,
    in_a_setting,
    listed,
    percent,
    signed,
)
from m4bench.report.campaign.figures.row_chart import row_figure
from m4bench.report.campaign.figures.rows import LARGE, Dot, Row, Scale, Span
from m4bench.report.exhibits import Figure

Key = tuple[str, str]
Lines = list[SchemaRobustness]
MOST_GROUPS = 12
LONGEST_HEADING = 70
NOT_RUN = "not run"
CAPTION = (
    "Mean reward of the two sides of a comparison in each schema, on the tasks that both schemas have, {weighting}: "
    "the line leads from the control, an open circle, to the side with what is tested, a filled one.{interval} The "
    "ratio is the difference in the schema divided by the native one on the same tasks; 1 is a difference that "
    "survives whole. What was not run is told so, and is not 0."
)
INTERVAL = " Beside the difference stands its interval of {level} ({method})."
OF_NATIVE = " Where lines are of different tasks the native difference on a line’s own stands behind its ratio."
ONE_SIDED = " {count} whose control was not run in another schema stand in the table."
MORE = " {count} more stand in the table."


def schema_figure(analysis: Analysis, labels: Mapping[str, str]) -> Figure | None:
    """Return the figure, or nothing where all runs were on one schema.

    A comparison of which no other schema has both sides is drawn only where none has more.
    """
    every: dict[Key, Lines] = {}
    for one in analysis.schemas:
        if one.treatment is not None or one.control is not None:
            every.setdefault((one.contrast, one.system), []).append(one)
    every = {key: lines for key, lines in every.items() if any(map(_is_altered, lines))}
    if not every:
        return None
    compared = {
        key: lines
        for key, lines in every.items()
        if any(_is_altered(one) and one.delta is not None for one in lines)
    }
    groups = compared or every
    shown = dict(list(groups.items())[:MOST_GROUPS])
    headings = _headings(shown, labels)
    for key, lines in shown.items():
        if len(counts := {one.tasks for one in lines}) == 1:
            headings[key] += f", {wording.plural(counts.pop(), 'task')}"
    rows = [row for key, lines in shown.items() for row in _rows(headings[key], lines)]
    scale = Scale(
        0.0, 1.0, "Mean reward", ("control → treatment", "difference", "ratio", "improved")
    )
    return row_figure(
        "schemas",
        "What other schemas leave of a difference",
        _caption(analysis, shown, len(groups), len(every)),
        " ".join(_in_words(headings[key], lines) for key, lines in shown.items()),
        rows,
        scale,
    )


def _is_altered(one: SchemaRobustness) -> bool:
    return one.schema_name != NATIVE


def _caption(analysis: Analysis, shown: Mapping[Key, Lines], fit: int, every: int) -> str:
    """Return what the marks are, and how many comparisons are not drawn."""
    found = [one.interval for lines in shown.values() for one in lines if one.interval]
    told = (
        INTERVAL.format(level=percent(found[0].level), method=method_of(found[0])) if found else ""
    )
    caption = CAPTION.format(weighting=each_equal(analysis.plan), interval=told)
    if any(len({one.tasks for one in lines}) > 1 for lines in shown.values()):
        caption += OF_NATIVE
    if fit > len(shown):
        caption += MORE.format(count=wording.plural(fit - len(shown), "comparison"))
    if every > fit:
        caption += ONE_SIDED.format(count=wording.plural(every - fit, "comparison"))
    return caption


def _headings(keys: Collection[Key], labels: Mapping[str, str]) -> dict[Key, str]:
    """Return what each group is called: its sides, its system, its setting where there are several; no two alike."""
    settings = {in_a_setting(labels, system)[1] for _, system in keys}
    names = []
    for contrast, told in keys:
        system, setting = in_a_setting(labels, told)
        parts = [wording.foreign(writing.difference(contrast))]
        parts += [by_name(labels, system)] if system else []
        parts += [setting] if setting and len(settings) > 1 else []
        names.append(BETWEEN_PARTS.join(parts))
    return dict(zip(keys, apart(names, LONGEST_HEADING), strict=True))


def _in_order(lines: Iterable[SchemaRobustness]) -> Lines:
    return sorted(lines, key=lambda one: schema_key(one.schema_name))


def _rows(heading: str, lines: Sequence[SchemaRobustness]) -> list[Row]:
    rows = [Row(heading, parted=True, soft=True)]
    alike = len({one.tasks for one in lines}) == 1
    for one in _in_order(lines):
        schema = cut(wording.foreign(one.schema_name))
        sides = ((one.control, "control", False), (one.treatment, "treatment", True))
        dots = tuple(
            Dot(value, f"{schema}, {what}: {wording.rate(value)}", size=LARGE, filled=filled)
            for value, what, filled in sides
            if value is not None
        )
        spans: tuple[Span, ...] = ()
        if one.control is not None and one.treatment is not None:
            low, high = sorted((one.control, one.treatment))
            spans = (Span(low, high, f"{schema}: {_means(one)}", "thin"),)
        name = schema if alike else f"{schema}, {wording.plural(one.tasks, 'task')}"
        ratio = _ratio(one)
        if not alike and one.ratio is not None and one.native_delta is not None:
            ratio = f"{ratio} of {signed(one.native_delta)}"
        numbers = (_means(one), _difference(one), ratio, _improved(one))
        rows.append(Row(name, dots, spans, numbers, _brief(one), level=1))
    return rows


def _brief(one: SchemaRobustness) -> str:
    if one.delta is None:
        return _means(one)
    ratio = f" ratio {_ratio(one)}" if _is_altered(one) else ""
    return f"{_means(one)} {signed(one.delta)}{ratio}"


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
    return "–" if one.ratio is None else writing.ratio(one.ratio)


def _improved(one: SchemaRobustness) -> str:
    return "–" if one.delta is None else f"{one.positive} of {one.tasks}"


def _in_words(heading: str, lines: Sequence[SchemaRobustness]) -> str:
    told = listed(
        f"{wording.foreign(one.schema_name)} {_means(one)}, difference {_difference(one)}, "
        f"ratio {_ratio(one)}, improved {_improved(one)}"
        for one in _in_order(lines)
    )
    return f"{heading}: {told}."
