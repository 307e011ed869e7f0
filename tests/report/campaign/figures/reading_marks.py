# SPDX-License-Identifier: MIT
"""Reads the marks and words of a figure's description back, as a reader of the drawing would."""

from collections.abc import Iterator, Mapping
from typing import Any

from m4bench.report.exhibits import Figure


def records(specification: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every record a description draws."""
    for rows in specification["datasets"].values():
        yield from rows


def words(specification: Mapping[str, Any]) -> list[str]:
    """Return every text of the records."""
    return [str(row["text"]) for row in records(specification) if "text" in row]


def marks(figure: Figure, field: str = "at") -> dict[str, float]:
    """Return the value of each mark by what it says it stands for."""
    return {
        row["about"]: row[field]
        for row in records(figure.specification)
        if "about" in row and field in row
    }


def one_mark(figure: Figure, beginning: str, field: str = "at") -> float:
    """Return the value of the only mark whose words begin so."""
    found = {
        about: value for about, value in marks(figure, field).items() if about.startswith(beginning)
    }
    assert len(found) == 1, (beginning, sorted(found))
    return next(iter(found.values()))


def cell(figure: Figure, row: str, column: str) -> str | None:
    """Return the figures in a cell of a map, or nothing where it is empty."""
    found = [
        one["text"]
        for one in records(figure.specification)
        if (one.get("column"), one.get("arm")) == (row, column)
    ]
    assert len(found) <= 1
    return found[0] if found else None
