# SPDX-License-Identifier: MIT
"""The content hash tells rows from rows, and nothing else."""

import hashlib
from pathlib import Path

import duckdb
import pytest

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store
from m4bench.data.synthetic.content import content_hash, table_hashes
from m4bench.data.synthetic.hospital import generate

ROWS = (
    "(VALUES (1, 'a', 0.5, TIMESTAMP '2150-01-01'), (2, NULL, NULL, NULL), (2, NULL, NULL, NULL))"
)
SELECTED = f"SELECT a::INTEGER AS a, b, c::DOUBLE AS c, d FROM {ROWS} AS t(a, b, c, d)"


def written(folder: Path, query: str, options: str = "FORMAT parquet") -> Path:
    """Write a query's rows as the only table of a hospital and return its folder."""
    (folder / "icu").mkdir(parents=True)
    duckdb.sql(f"COPY ({query}) TO '{folder / 'icu' / 'chartevents.parquet'}' ({options})")
    return folder


def test_rows_are_hashed_as_documented(tmp_path: Path) -> None:
    """The sums are those of MD5 digests of the documented text, computed here without the engine."""
    found = table_hashes(written(tmp_path / "h", SELECTED))["mimiciv_icu.chartevents"]
    texts = ["1,1:a,0.5,5680281600000000", "2,,,", "2,,,"]
    digests = [hashlib.md5(text.encode()).digest() for text in texts]
    halves = [
        sum(int.from_bytes(digest[part], "little") for digest in digests)
        for part in (slice(0, 8), slice(8, 16))
    ]
    assert found == {
        "columns": [("a", "INTEGER"), ("b", "VARCHAR"), ("c", "DOUBLE"), ("d", "TIMESTAMP")],
        "rows": 3,
        "sums": halves,
    }


@pytest.mark.parametrize(
    ("query", "options"),
    [
        (f"{SELECTED} ORDER BY a DESC", "FORMAT parquet"),
        (SELECTED, "FORMAT parquet, COMPRESSION gzip, ROW_GROUP_SIZE 1"),
        (SELECTED.replace("c::DOUBLE", "(c + 1e-12)::DOUBLE"), "FORMAT parquet"),
        (SELECTED.replace("AS a, b,", "AS a, coalesce(b, '___') AS b,"), "FORMAT parquet"),
    ],
    ids=["order", "file format", "the tenth digit", "null token"],
)
def test_what_does_not_change_the_content(tmp_path: Path, query: str, options: str) -> None:
    """Order, compression, digits beyond the ninth and the spelling of null make no difference."""
    assert content_hash(written(tmp_path / "a", SELECTED)) == content_hash(
        written(tmp_path / "b", query, options)
    )


@pytest.mark.parametrize(
    "query",
    [
        f"{SELECTED} LIMIT 2",
        f"{SELECTED} WHERE a = 1",
        f"{SELECTED} UNION ALL {SELECTED}",
        SELECTED.replace("'a'", "'b'"),
        SELECTED.replace("0.5", "0.50000001"),
        SELECTED.replace("2150-01-01'", "2150-01-01 00:00:00.000001'"),
        SELECTED.replace("AS c, d", "AS d, d AS c"),
        SELECTED.replace("a::INTEGER", "a::BIGINT"),
        "SELECT a::INTEGER AS a, b, c::DOUBLE AS c, d FROM (VALUES "
        "(1, 'a', NULL, NULL), (2, NULL, 0.5, TIMESTAMP '2150-01-01'), (2, NULL, NULL, NULL)) AS t(a, b, c, d)",
    ],
)
def test_what_changes_the_content(tmp_path: Path, query: str) -> None:
    """A row missing or twice, another value, name or type, and values that change rows all show."""
    assert content_hash(written(tmp_path / "a", SELECTED)) != content_hash(
        written(tmp_path / "b", query)
    )


def test_text_cannot_pass_for_two_columns(tmp_path: Path) -> None:
    """A comma within a text is not taken for the border of a column."""
    one = "SELECT 'x,1:y' AS a, 'z' AS b"
    other = "SELECT 'x' AS a, 'y,1:z' AS b"
    assert content_hash(written(tmp_path / "a", one)) != content_hash(
        written(tmp_path / "b", other)
    )


def test_a_dataset_has_the_hash_of_the_files_it_was_imported_from(tmp_path: Path) -> None:
    """An import changes nothing that is hashed, though it rewrites every file."""
    folder = tmp_path / "files"
    generate(folder, stays=8, seed=3)
    dataset = Store(tmp_path / "store").dataset("synthetic")
    import_dataset(dataset, folder)
    assert content_hash(dataset) == content_hash(folder)
    assert len(table_hashes(dataset)) == 31
