# SPDX-License-Identifier: MIT
"""Run one derivation over given relations and write its rows. Knows neither store nor manifest."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import Derivation
from m4bench.suites.derivation.library.engine import (
    STORED,
    create_empty_view,
    create_view,
    create_views,
    described,
    identifier,
    quoted,
)


@dataclass(frozen=True)
class Written:
    """What was written: rows, and how many of them repeat a declared key."""

    rows: int
    repeated_keys: int


def ordering(derivation: Derivation, *, whole_rows: bool) -> str:
    """Return the ORDER BY that makes a file the same whatever the order of its making."""
    key = () if whole_rows else derivation.header.key or ()
    columns = key or tuple(column.name for column in derivation.header.columns)
    return ", ".join(f"{identifier(column)} NULLS LAST" for column in columns)


def check_columns(connection: duckdb.DuckDBPyConnection, derivation: Derivation) -> None:
    """Compare the query's columns with the declared ones.

    Raises:
        InputError: a name, type or place differs.
    """
    found = described(connection, derivation.sql)
    declared = [(column.name, column.type) for column in derivation.header.columns]
    if found == declared:
        return
    names = [name for name, _ in found]
    if names != [name for name, _ in declared]:
        raise InputError(f"its query gives the columns {', '.join(names)}", file=derivation.path)
    wrong = next((f, d) for f, d in zip(found, declared, strict=True) if f != d)
    raise InputError(
        f"its query gives type {wrong[0][1]}, its header says {wrong[1][1]}",
        file=derivation.path,
        column=wrong[1][0],
    )


def repeated_keys(connection: duckdb.DuckDBPyConnection, derivation: Derivation, file: Path) -> int:
    """Return how many rows of a written file repeat the declared key; 0 when none is declared.

    The file is in the order of its key, so that a row that repeats one stands below its like: one pass
    that keeps a single row, where grouping would keep every key.
    """
    key = [identifier(column) for column in derivation.header.key or ()]
    if not key:
        return 0
    compared = ", ".join(
        f"{column} IS NOT DISTINCT FROM lag({column}) OVER () AS same_{place}"
        for place, column in enumerate(key)
    )
    same = " AND ".join(f"same_{place}" for place in range(len(key)))
    row = connection.execute(
        f"SELECT count(*) FROM (SELECT row_number() OVER () AS number, {compared} "
        f"FROM read_parquet({quoted(file)})) WHERE number > 1 AND {same}"
    ).fetchone()
    assert row is not None
    return int(row[0])


def _write(connection: duckdb.DuckDBPyConnection, query: str, file: Path) -> int:
    row = connection.execute(f"COPY ({query}) TO {quoted(file)} ({STORED})").fetchone()
    assert row is not None
    return int(row[0])


def execute(
    connection: duckdb.DuckDBPyConnection,
    derivation: Derivation,
    relations: Mapping[str, Path],
    file: Path,
    empty: Mapping[str, Mapping[str, str]] | None = None,
    queries: Mapping[str, str] | None = None,
) -> Written:
    """Run a derivation over `relations` (qualified name → Parquet) and write it, sorted, to `file`.

    `empty` gives the column types of relations that have no rows, `queries` what gives all the rows of a
    relation that the derivation wants, in place of its file. Any upstream concept can be replaced by rows
    of one's own by giving another file for its name.

    Raises:
        InputError: an input is not given, or the query's columns are not the declared ones.
    """
    empty = empty or {}
    missing = sorted(derivation.inputs - set(relations) - set(empty))
    if missing:
        raise InputError(f"{derivation.name} needs {', '.join(missing)}, which is not given")
    create_views(connection, {n: f for n, f in relations.items() if n in derivation.inputs})
    for name, types in empty.items():
        create_empty_view(connection, name, types)
    for name, wanted in (queries or {}).items():
        create_view(connection, name, wanted)
    check_columns(connection, derivation)
    return write_sorted(connection, derivation, derivation.sql, file)


def write_sorted(
    connection: duckdb.DuckDBPyConnection, derivation: Derivation, query: str, file: Path
) -> Written:
    """Write the rows of a query, which has the derivation's columns, in the order that its files have."""
    by_key, by_row = (ordering(derivation, whole_rows=whole) for whole in (False, True))
    rows = _write(connection, f"SELECT * FROM (\n{query}\n) ORDER BY {by_key}", file)
    repeats = repeated_keys(connection, derivation, file)
    if repeats:
        resorted = file.with_name(f"{file.name}-resorted")
        try:
            written = f"SELECT * FROM read_parquet({quoted(file)})"
            _write(connection, f"{written} ORDER BY {by_row}", resorted)
            resorted.replace(file)
        finally:
            resorted.unlink(missing_ok=True)
    return Written(rows, repeats)
