# SPDX-License-Identifier: MIT
"""What tells the rows of a printed table apart, and marks those not publishable. Knows no analysis and no LaTeX."""

from collections.abc import Sequence
from dataclasses import replace

from m4bench.report.exhibits import Row, Table

SETTING = ("dataset", "convention", "access", "drops")
MARK = "†"
MARKED = f" {MARK} not publishable."


def telling(names: Sequence[str], rows: Sequence[Row]) -> tuple[str, ...]:
    """Return columns to print, with those parts of a setting in which the rows differ."""
    return (
        *names,
        *(name for name in SETTING if len({row[name] for row in rows if name in row}) > 1),
    )


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
    printed = telling(table.printed, table.rows)
    words = explained(caption or table.caption, publishable)
    return replace(
        table,
        printed=printed,
        in_print=Table(table.name, table.title, words, rows, printed),
    )
