# SPDX-License-Identifier: MIT
"""Which visible columns equal a target column: numbers, times and texts, by the key or by what stands in for it."""

from pathlib import Path

import duckdb
import pytest

from m4bench.suites.derivation.schemas.equal_columns import equal_columns

TARGET = (
    "SELECT i AS stay_id, i % 3 AS seq, TIMESTAMP '2100-01-01' + to_minutes(i) AS starttime, "
    "i * 37 % 11 AS points, 'word ' || (i * 37 % 11) AS word FROM range(300) AS t(i)"
)
SCORED = ("starttime", "points", "word")


def found(
    folder: Path, query: str, keys: tuple[tuple[str, ...], ...] = (("stay_id",),)
) -> set[tuple[str, str]]:
    """Return the pairs of visible and target columns found equal in a relation made by a query."""
    file = folder / "visible.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({query}) TO '{file}' (FORMAT parquet)")
        equal = equal_columns(connection, TARGET, keys, SCORED, {"s.visible": file})
    return {(match.column, match.target) for match in equal}


@pytest.mark.parametrize(
    ("columns", "pairs"),
    [
        ("points::DOUBLE AS a", {("a", "points")}),
        ("points::DECIMAL(9, 2) AS a", {("a", "points")}),
        ("word AS a", {("a", "word")}),
        ("starttime AS a", {("a", "starttime")}),
        ("starttime::DATE AS a", set()),
        ("points::VARCHAR AS a", set()),
        ("upper(word) AS a", set()),
        ("points = 3 AS a", set()),
        ("[points] AS a", set()),
        ("CASE WHEN i > 2 THEN word END AS a", {("a", "word")}),
        ("CASE WHEN i > 20 THEN word END AS a", set()),
    ],
)
def test_like_is_compared_with_like(
    columns: str, pairs: set[tuple[str, str]], tmp_path: Path
) -> None:
    """A number equals a number, a time a time and a text a text, on nearly all rows."""
    query = f"SELECT stay_id, {columns} FROM (SELECT *, stay_id AS i FROM ({TARGET}))"
    assert found(tmp_path, query) == pairs


def test_a_relation_without_the_key_is_matched_by_what_stands_in_for_it(tmp_path: Path) -> None:
    """Where no other relation has the number that is the key, rows are matched by the columns that are stated."""
    query = f"SELECT stay_id, starttime, word AS a FROM ({TARGET})"
    keys = (("stay_id", "seq"), ("stay_id", "starttime"))
    assert found(tmp_path, query, keys[:1]) == set()
    assert found(tmp_path, query, keys) == {("a", "word")}
