# SPDX-License-Identifier: MIT
"""Large tables: reading one once changes no byte of a result, and takes memory only while it is read."""

from pathlib import Path

import pytest

from m4bench.suites.derivation.library import large_tables
from m4bench.suites.derivation.library.build import build_concepts
from m4bench.suites.derivation.library.catalogue import Library, read_library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.large_tables import LargeTables
from m4bench.suites.derivation.library.plan import open_stage
from tests.suites.derivation.library.toy import derivation, toy_dataset

EVENTS = "toy_icu.stays"


def reader(folder: Path, name: str, where: str) -> None:
    """Write a concept that sums the values of some items of each stay."""
    sql = (
        f"SELECT stay_id, sum(value)::INTEGER AS value FROM {EVENTS} WHERE {where} GROUP BY stay_id"
    )
    (folder / f"{name}.sql").write_text(derivation(name, sql, EVENTS))


def readers(folder: Path) -> Library:
    """Five concepts of a toy library that read some items of a table of events, and one that reads all."""
    (folder / "concepts").mkdir(parents=True)
    (folder / "references").mkdir()
    for item in range(5):
        reader(folder / "concepts", f"reads_{item}", f"itemid IN ({item}, {item + 1})")
    reader(folder / "concepts", "reads_all", "value > 0")
    return read_library(folder)


ROWS = (
    "SELECT (i % 50)::INTEGER AS stay_id, (i % 9)::INTEGER AS itemid, (i % 7)::INTEGER AS value, "
    "'text' AS note FROM range(5000) AS t(i)"
)


@pytest.mark.parametrize("memory", ["1GB", "100MB"])
def test_rows_read_once_give_the_files_that_rows_read_again_give(
    tmp_path: Path, memory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are the same bytes whether a table counts as large or not, and whether its rows fit or not."""
    known, limits = readers(tmp_path / "library"), EngineLimits(memory=memory)
    hashes = []
    for least, row in ((5001, 64), (1, 64), (1, 10**6)):
        monkeypatch.setattr(large_tables, "LEAST_ROWS", least)
        monkeypatch.setattr(large_tables, "BYTES_A_ROW", row)
        dataset = toy_dataset(tmp_path / f"store-{least}-{row}", ROWS)
        report = build_concepts(known, dataset, limits=limits)
        assert len(report.built) == 6
        hashes.append({name: entry.sha256 for name, entry in report.built.items()})
    assert hashes[0] == hashes[1] == hashes[2]


def test_rows_are_held_while_something_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of all wanted items stand in memory until the last reader has been, without other columns."""
    monkeypatch.setattr(large_tables, "LEAST_ROWS", 1)
    known, limits = readers(tmp_path / "library"), EngineLimits(memory="1GB")
    stage = open_stage(toy_dataset(tmp_path / "store", ROWS), "published")
    of_items = [concept for name, concept in known.concepts.items() if name != "reads_all"]
    held = (
        'SELECT itemid, count(*) FROM m4bench_large."toy_icu.stays" GROUP BY itemid ORDER BY itemid'
    )
    tables = "SELECT count(*) FROM duckdb_tables()"
    with engine(limits) as connection:
        large = LargeTables(connection, stage, limits, known.concepts.values())
        assert large.due(known.concepts["reads_all"]) == []
        assert (
            large.queries(known.concepts["reads_all"]),
            connection.execute(tables).fetchone(),
        ) == ({}, (0,))
        for place, concept in enumerate(of_items):
            assert large.due(concept) == ([] if place else [EVENTS])
            if not place:
                large.hold(EVENTS)
            counted = connection.execute(held).fetchall()
            assert [item for item, _ in counted] == [0, 1, 2, 3, 4, 5], place
            columns = connection.execute(large.queries(concept)[EVENTS]).description
            assert [column[0] for column in columns or ()] == ["stay_id", "itemid", "value"]
            large.leave(concept)
        assert connection.execute(tables).fetchone() == (0,)


def test_few_readers_go_through_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is held for three readers; each is given the rows of its items alone."""
    monkeypatch.setattr(large_tables, "LEAST_ROWS", 1)
    known, limits = readers(tmp_path / "library"), EngineLimits(memory="1GB")
    stage = open_stage(toy_dataset(tmp_path / "store", ROWS), "published")
    few = [known.concepts[f"reads_{item}"] for item in range(3)]
    with engine(limits) as connection:
        large = LargeTables(connection, stage, limits, few)
        assert large.due(few[1]) == []
        rows = connection.execute(large.queries(few[1])[EVENTS]).fetchall()
        assert {row[1] for row in rows} == {1, 2}
        assert connection.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)


@pytest.mark.parametrize(
    ("memory", "number"),
    [("4GB", 4e9), ("512MiB", 512 * 2**20), ("1.5 kb", 1500), ("2T", 2e12)],
)
def test_a_bound_of_memory_in_bytes(memory: str, number: float) -> None:
    """Decimal and binary units are told apart, as the engine does."""
    assert EngineLimits.of_memory(memory).memory_bytes() == number
