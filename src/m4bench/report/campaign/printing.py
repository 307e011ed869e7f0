# SPDX-License-Identifier: MIT
"""How the rows of a campaign's tables stand in print: written as on a page, under headings. Knows no analysis.

What CSV and Markdown hold unrounded a paper prints with signs, intervals in brackets, and `n. d.` for what was not
determined.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from m4bench.analysis.held import told
from m4bench.analysis.results import Interval
from m4bench.report.campaign import writing
from m4bench.report.exhibits import Row, Table
from m4bench.report.wording import rate

SETTING = ("schema", "dataset", "convention", "access", "drops")
MARK = "†"
MARKED = f" {MARK} not publishable."
UNKNOWN = "n. d."
EXPLAINED = f" {UNKNOWN}: not determined."
HEADING = "heading"


def marked(name: str, publishable: bool) -> str:
    """Return the name of a row, with the mark where it is not publishable."""
    return name if publishable else f"{name} {MARK}"


def explained(caption: str, publishable: Sequence[bool]) -> str:
    """Return a caption that explains the mark where a row bears it."""
    return caption if all(publishable) else caption + MARKED


def figure(value: float | None, write: Callable[[float], str]) -> str:
    """Write a number that may not be determined."""
    return UNKNOWN if value is None else write(value)


def delta(value: float | None) -> str:
    """Write a difference."""
    return figure(value, writing.signed)


def p_value(value: float | None) -> str:
    """Write a p-value."""
    return figure(value, writing.p_value)


def bracketed(found: Interval | None) -> str:
    """Write an interval in brackets."""
    return UNKNOWN if found is None else writing.interval(found)


def between(row: Row, prefix: str = "") -> str:
    """Write the interval of which a row has the two bounds."""
    low, high = row[f"{prefix}low"], row[f"{prefix}high"]
    if low is None or high is None:
        return UNKNOWN
    return f"[{writing.bound(low)}, {writing.bound(high)}]"


def strict(row: Row) -> str:
    """Write how many of a row's runs passed strictly."""
    return f"{row['strict_passes']} of {row['strict_runs']}"


COMPOSED: Mapping[str, Callable[[Row], str]] = {"interval": between, "strict_passes": strict}
WRITTEN: Mapping[str, Callable[[float], str]] = {
    "delta": writing.signed,
    "native_delta": writing.signed,
    "reward": rate,
    "treatment": rate,
    "control": rate,
    "pass_at_k": rate,
    "pass_all_k": rate,
    "p_value": writing.p_value,
    "p_adjusted": writing.p_value,
    "deviation": rate,
    "share": writing.share,
    "ratio": writing.ratio,
}


def written(row: Row, names: Sequence[str]) -> dict[str, Any]:
    """Return some columns of a row as a paper prints them; `interval` and `strict_passes` are made of several."""
    return {name: _written(row, name) for name in names}


def _written(row: Row, name: str) -> Any:
    if name in COMPOSED:
        return COMPOSED[name](row)
    if name in WRITTEN:
        return figure(row[name], WRITTEN[name])
    return row[name]


def printed(table: Table, names: Sequence[str], caption: str, headings: Sequence[str]) -> Table:
    """Return a table that in print has these columns, and rows of one heading together in order of their first."""
    first = {heading: place for place, heading in reversed(list(enumerate(headings)))}
    rows = [
        written(row, names) | ({HEADING: heading} if heading else {})
        for row, heading in sorted(
            zip(table.rows, headings, strict=True), key=lambda found: first[found[1]]
        )
    ]
    headed = HEADING if any(headings) else ""
    words = with_unknown(caption, rows)
    return replace(
        table, in_print=Table(table.name, table.title, words, rows, tuple(names), headed_by=headed)
    )


def with_unknown(caption: str, rows: Sequence[Row]) -> str:
    """Return a caption that says what stands for what was not determined, where a row has it."""
    unknown = any(
        UNKNOWN in value for row in rows for value in row.values() if isinstance(value, str)
    )
    return caption + (EXPLAINED if unknown else "")


def in_settings(table: Table, names: Sequence[str], caption: str = "") -> Table:
    """Return a table of arms that in print stands under a heading a condition and setting, rows not publishable marked.

    Of the setting a heading names what differs in the table; the caption says what all rows share.

    Args:
        table: rows with `condition` and the parts of a setting, those of one setting together. `publishable`, where
            it is among the columns, says what may be published; one of which no run enters has nothing to publish.
        names: the columns in print.
        caption: what stands in print instead of the table's own.
    """
    differing = [name for name in SETTING if len({row[name] for row in table.rows}) > 1]
    alike = [
        f"{name} {table.rows[0][name]}"
        for name in SETTING
        if table.rows and name not in differing and table.rows[0][name]
    ]
    publishable = [
        row.get("publishable", True) or row.get("entering_runs") == 0 for row in table.rows
    ]
    rows = [
        {**row, "system": marked(row["system"], fit)} if "system" in row else row
        for row, fit in zip(table.rows, publishable, strict=True)
    ]
    words = explained(caption or table.caption, publishable)
    if alike:
        words += f" In all rows: {', '.join(alike)}."
    shown = printed(
        replace(table, rows=rows), names, words, [_heading(row, differing) for row in rows]
    ).in_print
    return replace(table, in_print=shown)


def _heading(row: Row, differing: Sequence[str]) -> str:
    return ", ".join((row["condition"], *(told(name, row[name]) for name in differing)))
