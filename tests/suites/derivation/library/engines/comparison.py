# SPDX-License-Identifier: MIT
"""Rows of one engine against another's: exact, but for doubles, whose last digits are counted."""

import math
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb

from m4bench.suites.derivation.library.engines.engine import ColumnType

RELATIVE = 1e-9
INEXACT = ("DOUBLE", "REAL", "FLOAT")


def rows_of(file: Path, columns: list[ColumnType]) -> list[tuple[Any, ...]]:
    """Read a file's rows in the order of their exact columns, then of the others."""
    listed = ", ".join(f'"{name}"' for name, _ in columns)
    keys = sorted(columns, key=lambda column: column[1] in INEXACT)
    order = ", ".join(f'"{name}" NULLS LAST' for name, _ in keys)
    return duckdb.sql(f"SELECT {listed} FROM read_parquet('{file}') ORDER BY {order}").fetchall()


def types_of(file: Path) -> list[ColumnType]:
    """Read a file's columns with their types."""
    described = duckdb.sql(f"DESCRIBE SELECT * FROM read_parquet('{file}')").fetchall()
    return [(row[0], row[1]) for row in described]


def last_digits(own: Path, other: Path, columns: list[ColumnType]) -> dict[str, int]:
    """Compare two files and return, by column, the doubles that differ by at most 1e-9 of themselves.

    Raises:
        AssertionError: types, the number of rows, or anything else differs.
    """
    assert types_of(other) == types_of(own)
    left, right = rows_of(own, columns), rows_of(other, columns)
    assert len(right) == len(left)
    counted: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for mine, theirs in zip(left, right, strict=True):
        if mine == theirs:
            continue
        for (name, kind), a, b in zip(columns, mine, theirs, strict=True):
            if a == b or (a is not None and b is not None and a != a and b != b):
                continue
            if kind in INEXACT and None not in (a, b) and math.isclose(a, b, rel_tol=RELATIVE):
                counted[name] += 1
            else:
                wrong[name] += 1
    assert not wrong, dict(wrong)
    return dict(counted)
