# SPDX-License-Identifier: MIT
"""How an imported dataset compares with what its publisher declares: tables and counts of rows. Reads no row."""

from m4bench.data.catalogue import DatasetDeclaration
from m4bench.data.discovery import FoundTable
from m4bench.data.manifest import TableEntry
from m4bench.model.errors import InputError


def absences(declaration: DatasetDeclaration, missing: tuple[str, ...]) -> list[str]:
    """Return what a dataset lacks of its release; an invented hospital has no release to lack from."""
    if declaration.access == "synthetic":
        return []
    return [f"{name}: the table is missing" for name in missing]


def compared(
    declaration: DatasetDeclaration, found: FoundTable, entry: TableEntry, allow_modified: bool
) -> list[str]:
    """Compare a table's rows with the counts its publisher declares; return what differs, a line each.

    Raises:
        InputError: they differ and that is not allowed.
    """
    known = {
        release: counts[entry.qualified]
        for release, counts in declaration.releases.items()
        if entry.qualified in counts
    }
    if not known or entry.rows in known.values():
        return []
    expected = " or ".join(f"{rows:,} (release {release})" for release, rows in known.items())
    if not allow_modified:
        raise InputError(
            f"{entry.qualified} has {entry.rows:,} rows, and {expected} are declared",
            file=found.path,
            remedy="get the file of a known release, or take it as it is with --allow-modified",
        )
    return [f"{entry.qualified}: {expected} rows expected, {entry.rows:,} found"]


def release(declaration: DatasetDeclaration, entries: list[TableEntry]) -> str | None:
    """Return the release whose known counts the tables that are there all have, None when there is none."""
    rows = {entry.qualified: entry.rows for entry in entries}
    for name, counts in declaration.releases.items():
        present = {table: count for table, count in counts.items() if table in rows}
        if present and all(rows[table] == count for table, count in present.items()):
            return name
    return None
