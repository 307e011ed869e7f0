# SPDX-License-Identifier: MIT
"""What tells the rows of a printed table apart, and marks those not publishable. Knows no analysis and no LaTeX."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from m4bench.analysis.held import told
from m4bench.report.exhibits import Row, Table

SETTING = ("schema", "dataset", "convention", "access", "drops")
MARK = "†"
MARKED = f" {MARK} not publishable."


def told_apart(table: Table, caption: str = "") -> Table:
    """Return a table that in print names what differs in the settings of its rows.

    That is a column of its own where one part of the setting differs, and one column of all parts where several do,
    for which a page has no room side by side.

    Args:
        table: rows with the parts of a setting.
        caption: what stands in print instead of the table's own.
    """
    differing = [name for name in SETTING if len({row[name] for row in table.rows}) > 1]
    rows: Sequence[Row] = table.rows
    apart = tuple(name for name in differing if name not in table.printed)
    names = (*table.printed, *apart)
    if len(differing) > 1:
        rows = [_with_setting(row, differing) for row in rows]
        names = (*(name for name in table.printed if name not in differing), "setting")
    words = caption or table.caption
    return replace(table, in_print=Table(table.name, table.title, words, rows, names))


def _with_setting(row: Row, names: Sequence[str]) -> Row:
    """Return a row with the parts of its setting in one column, behind its condition."""
    setting = ", ".join(told(name, row[name]) for name in names if row[name])
    found: dict[str, Any] = {}
    for name, value in row.items():
        found[name] = value
        if name == "condition":
            found["setting"] = setting
    return found


def marked(name: str, publishable: bool) -> str:
    """Return the name of a row, with the mark where it is not publishable."""
    return name if publishable else f"{name} {MARK}"


def explained(caption: str, publishable: Sequence[bool]) -> str:
    """Return a caption that explains the mark where a row bears it."""
    return caption if all(publishable) else caption + MARKED


def in_print(table: Table, caption: str = "") -> Table:
    """Return a table of systems that in print tells settings apart and marks rows that are not publishable.

    Args:
        table: rows with `system` and `publishable`; one of which no run enters has nothing to publish.
        caption: what stands in print instead of the table's own.
    """
    publishable = [row["publishable"] or row.get("entering_runs") == 0 for row in table.rows]
    rows = [
        {**row, "system": marked(row["system"], fit)}
        for row, fit in zip(table.rows, publishable, strict=True)
    ]
    words = explained(caption or table.caption, publishable)
    shown = told_apart(replace(table, rows=rows), words).in_print
    return replace(table, in_print=shown)
