# SPDX-License-Identifier: MIT
"""Tables and captions as Markdown that no text of a run can break out of. Knows no run."""

import re
from collections.abc import Iterable
from typing import Any

from m4bench.report.exhibits import Figure, Table
from m4bench.report.wording import foreign, visible

_SIGNS = re.compile(r"([\\`*{}\[\]|<>&~$]|(?<!\w)_|_(?!\w))")
LONGEST_IN_PRINT = 120
_BEGINNING = re.compile(r"^([#+=-]|\d+(?=[.)]))")


def text(value: object) -> str:
    """Return a text on one line in which no sign means anything to Markdown or HTML."""
    return whole(foreign(value))


def whole(words: str) -> str:
    """Return words of our own as `text` does, however long they are: what is foreign in them is bounded already."""
    return _BEGINNING.sub(_escaped, _SIGNS.sub(r"\\\1", visible(words)))


def _escaped(found: re.Match[str]) -> str:
    """Escape what would begin a heading or a list: a sign before it, the dot after a number."""
    sign = found.group()
    return f"{sign}\\" if sign.isdigit() else f"\\{sign}"


def cell(value: Any) -> str:
    """Return a cell: an empty one of what does not exist, numbers as they are, text escaped."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value) if isinstance(value, int) else text(value)


def table(exhibit: Table) -> str:
    """Return a table with its title and caption; numbers are set to the right."""
    head = f"# {whole(exhibit.title)}\n\n{whole(exhibit.caption)}\n"
    if not exhibit.rows:
        return f"{head}\nNo rows.\n"
    names = list(exhibit.rows[0])
    numeric = {name for name in names if _is_numeric(row[name] for row in exhibit.rows)}
    lines = [
        _line(text(name) for name in names),
        _line("---:" if name in numeric else "---" for name in names),
        *(_line(cell(row[name]) for name in names) for row in exhibit.rows),
    ]
    return f"{head}\n" + "\n".join(lines) + "\n"


def captions(figures: Iterable[Figure], tables: Iterable[Table]) -> str:
    """Return what every file of a report shows and how its numbers are defined."""
    lines = ["# Figures and tables of this report", ""]
    for figure in figures:
        lines += [
            f"## figures/{text(figure.name)}",
            "",
            f"{whole(figure.title)}. {whole(figure.caption)}",
            "",
        ]
    for exhibit in tables:
        lines += [
            f"## tables/{text(exhibit.name)}",
            "",
            f"{whole(exhibit.title)}. {whole(exhibit.caption)}{_length(exhibit)}",
            "",
        ]
    return "\n".join(lines)


def _length(exhibit: Table) -> str:
    """Say of a table that goes on over pages in print that it belongs into a supplement."""
    rows = len((exhibit.in_print or exhibit).rows)
    if rows <= LONGEST_IN_PRINT:
        return ""
    return f" In LaTeX it has {rows:,} rows and goes on over pages: for a supplement."


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_numeric(values: Iterable[Any]) -> bool:
    found = [value for value in values if value is not None]
    return bool(found) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in found
    )
