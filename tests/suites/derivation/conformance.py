# SPDX-License-Identifier: MIT
"""Comparison of a built relation with an expected one, cell by cell, open cells masked and counted."""

import csv
import gzip
import io
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import duckdb

RELATIVE = 1e-9
OPEN = "∗open∗"

Row = dict[str, str | None]
Cell = tuple[str, str]


def read_csv(path: Path) -> list[dict[str, str]]:
    """Read a plain or gzipped CSV as texts."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def expected_rows(path: Path) -> list[Row]:
    """Read an expected file: an empty field is null, every other text is a value."""
    return [{name: text or None for name, text in row.items()} for row in read_csv(path)]


def built_rows(path: Path, where: str = "true") -> list[Row]:
    """Read a built Parquet file as DuckDB prints its values."""
    relation = duckdb.sql(f"SELECT * FROM read_parquet('{path}') WHERE {where}")
    names = relation.columns
    printed = ", ".join(f'CAST("{name}" AS VARCHAR)' for name in names)
    rows = duckdb.sql(f"SELECT {printed} FROM read_parquet('{path}') WHERE {where}").fetchall()
    return [dict(zip(names, row, strict=True)) for row in rows]


@dataclass
class OpenCells:
    """Cells that the definition leaves open: per row key, the columns and what they may hold.

    Where the listed key names several rows, `where` tells which of them are meant.
    """

    key: tuple[str, ...]
    columns: Mapping[str, Mapping[str, tuple[str, ...]]]
    where: Callable[[Row], bool] = lambda row: True

    def of(self, row: Row) -> Mapping[str, tuple[str, ...]]:
        """Return the open columns of a row, with their admissible values where these are listed."""
        if not self.where(row):
            return {}
        return self.columns.get("|".join(row[name] or "" for name in self.key), {})


NOTHING_OPEN = OpenCells((), {})


@dataclass
class Comparison:
    """What a comparison found: differences, and how many cells were masked or checked otherwise."""

    differences: list[str] = field(default_factory=list)
    masked: int = 0
    masked_expected: int = 0
    inadmissible: list[str] = field(default_factory=list)


def same(found: str | None, wanted: str | None, column_type: str) -> bool:
    """Compare two printed cells: floats to 1e-9 relative, decimals and integers as numbers, the rest exactly."""
    if found is None or wanted is None:
        return found is wanted
    if column_type in {"DOUBLE", "REAL", "FLOAT"}:
        a, b = float(found), float(wanted)
        return a == b or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=RELATIVE)
    if column_type.startswith("DECIMAL"):
        return Decimal(found) == Decimal(wanted)
    return found == wanted


def masked(rows: Iterable[Row], cells: OpenCells, result: Comparison, *, check: bool) -> list[Row]:
    """Replace open cells by a mark; those of the built relation are checked against listed alternatives."""
    marked = []
    for row in rows:
        open_columns = cells.of(row)
        copy = dict(row)
        for column, alternatives in open_columns.items():
            if column not in copy:
                continue
            if not check:
                result.masked_expected += 1
            else:
                result.masked += 1
                held = copy[column] or ""
                if alternatives and not any(equal_text(held, a) for a in alternatives):
                    key = "|".join(row[name] or "" for name in cells.key)
                    result.inadmissible.append(f"{key}: {column} holds {held!r}")
            copy[column] = OPEN
        marked.append(copy)
    return marked


def equal_text(a: str, b: str) -> bool:
    """Compare two texts, as numbers where both are."""
    try:
        return math.isclose(float(a), float(b), rel_tol=RELATIVE)
    except ValueError:
        return a == b


def compare(
    found: list[Row], wanted: list[Row], types: Mapping[str, str], cells: OpenCells = NOTHING_OPEN
) -> Comparison:
    """Compare two relations as multisets of rows."""
    result = Comparison()
    found = masked(found, cells, result, check=True)
    wanted = masked(wanted, cells, result, check=False)
    inexact = [n for n, t in types.items() if t in {"DOUBLE", "REAL", "FLOAT"}]
    exact = [n for n in types if n not in inexact]

    def grouped(rows: list[Row]) -> dict[tuple[str | None, ...], list[Row]]:
        groups: dict[tuple[str | None, ...], list[Row]] = defaultdict(list)
        for row in rows:
            plain = tuple(
                str(Decimal(row[n]).normalize())
                if types[n].startswith("DECIMAL") and row[n] not in (None, OPEN)
                else row[n]
                for n in exact
            )
            groups[plain].append(row)
        for group in groups.values():
            group.sort(key=lambda row: [_rank(row[n]) for n in inexact])
        return groups

    left, right = grouped(found), grouped(wanted)
    counts = Counter({k: len(v) for k, v in left.items()})
    counts.subtract({k: len(v) for k, v in right.items()})
    for plain, surplus in counts.items():
        if surplus:
            side = "only found" if surplus > 0 else "only expected"
            result.differences.append(
                f"{side} {abs(surplus)}×: {dict(zip(exact, plain, strict=True))}"
            )
    for plain, group in left.items():
        others = right.get(plain, [])
        if len(others) != len(group):
            continue
        for a, b in zip(group, others, strict=True):
            result.differences.extend(
                f"{dict(zip(exact, plain, strict=True))}: {n} is {a[n]}, expected {b[n]}"
                for n in inexact
                if not (a[n] == OPEN == b[n] or same(a[n], b[n], types[n]))
            )
    return result


def _rank(text: str | None) -> tuple[int, float]:
    if text is None or text == OPEN:
        return (0, 0.0)
    value = float(text)
    return (2, 0.0) if math.isnan(value) else (1, float(f"{value:.9g}"))


def csv_rows(text: str) -> list[Row]:
    """Read a CSV text as rows; an empty cell is null."""
    return [
        {name: value or None for name, value in row.items()}
        for row in csv.DictReader(io.StringIO(text.strip("\n")), skipinitialspace=False)
    ]
