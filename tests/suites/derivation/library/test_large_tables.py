# SPDX-License-Identifier: MIT
"""Large tables: what a query reads of one is found out, and reading it once changes no byte of a result."""

from pathlib import Path

import pytest

from m4bench.suites.derivation.library import large_tables
from m4bench.suites.derivation.library.build import build_concepts
from m4bench.suites.derivation.library.catalogue import Library, library, read_library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.large_tables import LargeTables, reading_of
from m4bench.suites.derivation.library.plan import open_stage
from tests.suites.derivation.library.toy import derivation, toy_dataset

EVENTS = "toy_icu.stays"


@pytest.mark.parametrize(
    ("sql", "items"),
    [
        pytest.param("SELECT value FROM toy_icu.stays WHERE itemid = 7", {7}, id="one"),
        pytest.param(
            "SELECT value FROM toy_icu.stays AS s WHERE value > 0 AND s.itemid IN (7, 8)",
            {7, 8},
            id="a list among other conditions",
        ),
        pytest.param(
            "SELECT 1 AS a FROM toy_icu.d AS d LEFT JOIN toy_icu.stays AS s ON d.a = s.a AND s.itemid = 7",
            {7},
            id="joined on",
        ),
        pytest.param(
            "WITH a AS (SELECT value FROM toy_icu.stays WHERE itemid = 7), "
            "b AS (SELECT value FROM toy_icu.stays WHERE itemid = 9) "
            "SELECT a.value FROM a JOIN b ON a.value = b.value",
            {7, 9},
            id="read twice",
        ),
        pytest.param(
            "SELECT value FROM toy_icu.stays "
            "WHERE (itemid IN (7, 8) OR (itemid = 9 AND value > 1) OR FALSE) AND (value > 0 OR TRUE)",
            {7, 8, 9},
            id="one list or another",
        ),
        pytest.param("SELECT value FROM toy_icu.stays", None, id="all of it"),
        pytest.param(
            "SELECT value FROM toy_icu.stays WHERE itemid = 7 OR value = 1", None, id="or another"
        ),
        pytest.param("SELECT value FROM toy_icu.stays WHERE itemid <> 7", None, id="all but one"),
        pytest.param("SELECT value FROM toy_icu.stays WHERE NOT itemid IN (7)", None, id="not in"),
        pytest.param(
            "SELECT value FROM toy_icu.stays WHERE itemid IN (SELECT a FROM toy_icu.d)",
            None,
            id="a list of another table",
        ),
        pytest.param("SELECT * FROM toy_icu.stays WHERE itemid = 7", None, id="columns not named"),
        pytest.param(
            "SELECT 1 AS a FROM toy_icu.stays AS s LEFT JOIN toy_icu.d AS d ON d.a = s.a AND s.itemid = 7",
            None,
            id="kept without a match",
        ),
        pytest.param(
            "SELECT 1 AS a FROM toy_icu.stays AS s JOIN toy_icu.d AS d ON d.a = s.a WHERE itemid = 7",
            None,
            id="whose item is not said",
        ),
        pytest.param(
            "WITH a AS (SELECT value FROM toy_icu.stays WHERE itemid = 7) "
            "SELECT a.value FROM a JOIN toy_icu.stays AS s ON a.value = s.value",
            None,
            id="once limited, once not",
        ),
    ],
)
def test_the_items_that_a_query_reads(sql: str, items: set[int] | None) -> None:
    """A query is known to read some items only where each of its readings of the table says so."""
    found = reading_of(sql, EVENTS)
    assert (found and set(found.items)) == items


def test_readers_of_events_say_which_items_they_read() -> None:
    """Every concept limits charted events and laboratory results to items, but one that joins a list of them."""
    relations = ("mimiciv_icu.chartevents", "mimiciv_hosp.labevents")
    readers = [
        (concept.name, reading_of(concept.sql, relation))
        for concept in library().concepts.values()
        for relation in relations
        if relation in concept.sources
    ]
    assert len(readers) > 20
    assert [name for name, found in readers if not found] == ["rrt"]


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
