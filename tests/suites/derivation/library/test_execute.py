# SPDX-License-Identifier: MIT
"""Writing a derivation's rows: in one order, with repeated keys counted."""

from pathlib import Path

import duckdb
import pytest

from m4bench.suites.derivation.library.catalogue import Derivation, read_library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.execute import Written, execute
from tests.suites.derivation.library.toy import derivation

MANY = 400_000
"""More rows than fit three row groups of a Parquet file."""


def toy_concept(folder: Path, sql: str) -> Derivation:
    """Return a concept with the columns stay_id, its key, and value."""
    (folder / "concepts").mkdir()
    text = derivation("toy", sql, "toy_icu.stays")
    (folder / "concepts" / "toy.sql").write_text(text)
    return read_library(folder).concepts["toy"]


def run(folder: Path, rows: str, threads: int = 2) -> tuple[Written, Path]:
    """Write a concept that gives the rows of a query as they are."""
    folder.mkdir()
    concept = toy_concept(folder, "SELECT stay_id, value FROM toy_icu.stays")
    source, file = folder / "stays.parquet", folder / "toy.parquet"
    duckdb.sql(f"COPY ({rows}) TO '{source}' (FORMAT parquet)")
    with engine(EngineLimits(threads=threads)) as connection:
        return execute(connection, concept, {"toy_icu.stays": source}, file), file


ROWS = "SELECT stay_id, value FROM (VALUES {}) AS t(stay_id, value)"


@pytest.mark.parametrize(
    ("values", "repeated"),
    [
        pytest.param("(3, 1), (1, 1), (2, 1)", 0, id="none"),
        pytest.param("(2, 1), (1, 5), (2, 2), (2, 0)", 2, id="one key thrice"),
        pytest.param("(NULL, 1), (1, 5)", 0, id="a key of null once"),
        pytest.param("(NULL, 1), (1, 5), (NULL, 2)", 1, id="a key of null twice"),
    ],
)
def test_rows_that_repeat_a_key_are_counted(tmp_path: Path, values: str, repeated: int) -> None:
    """Every row beyond the first of a key counts, and nulls are one key."""
    rows = ROWS.format(values.replace("NULL", "CAST(NULL AS INTEGER)"))
    written, _ = run(tmp_path / "toy", rows)
    assert written == Written(values.count("("), repeated)


def test_repeated_keys_are_found_across_row_groups(tmp_path: Path) -> None:
    """In a file of several row groups each of the keys that stand twice is found, read by two threads."""
    rows = f"SELECT (i % {MANY // 2})::INTEGER AS stay_id, i::INTEGER AS value FROM range({MANY}) AS t(i)"
    written, _ = run(tmp_path / "toy", rows)
    assert written == Written(MANY, MANY // 2)


@pytest.mark.parametrize("repeats", [False, True])
def test_bytes_know_neither_the_order_of_rows_nor_of_threads(tmp_path: Path, repeats: bool) -> None:
    """The same rows in reverse, written by one thread, give the same file; also where keys repeat."""
    key = "i % 1000" if repeats else "i"
    rows = f"SELECT ({key})::INTEGER AS stay_id, i::INTEGER AS value FROM range({MANY}) AS t(i)"
    _, up = run(tmp_path / "up", f"{rows} ORDER BY i")
    _, down = run(tmp_path / "down", f"{rows} ORDER BY i DESC", threads=1)
    assert up.read_bytes() == down.read_bytes()
    assert sorted(path.name for path in up.parent.iterdir()) == [
        "concepts",
        "stays.parquet",
        "toy.parquet",
    ]
