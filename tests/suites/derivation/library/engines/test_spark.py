# SPDX-License-Identifier: MIT
"""Spark gives the rows of DuckDB, reads what is stored instead of deriving it again, and says what failed."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import duckdb
import pytest

from m4bench.data.catalogue import declared_tables
from m4bench.data.store import Store, StoredDataset
from m4bench.model.errors import InputError
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.build import build_concepts
from m4bench.suites.derivation.library.catalogue import Derivation, library
from m4bench.suites.derivation.library.dialects.translate import translate
from m4bench.suites.derivation.library.dialects.typing import Columns, declared_columns
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.engines.build import build_in, columns_of
from m4bench.suites.derivation.library.engines.spark import (
    SparkOptions,
    SparkWarehouse,
    spark_warehouse,
)
from m4bench.suites.derivation.library.execute import execute
from m4bench.suites.derivation.library.plan import Stage, open_stage
from m4bench.suites.derivation.library.sites import serves
from tests.suites.derivation.library.engines.cells import (
    CELLS,
    CELLS_COLUMNS,
    EXPRESSIONS,
    QUERIES,
)
from tests.suites.derivation.library.engines.comparison import last_digits
from tests.suites.derivation.library.engines.spark_there import copy_of_sources, require_spark
from tests.suites.derivation.library.toy import toy_dataset, toy_library

CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
LIMITS = EngineLimits(memory="1GB", threads=2)
OPTIONS = SparkOptions(master="local[2]", memory="1GB")

# Every construct of the library stands in one of these; the rest is compared before a release.
CONCEPTS = (
    "age", "blood_differential", "charlson", "first_day_height", "first_day_rrt",
    "first_day_urine_output", "icustay_hourly", "kdigo_creatinine", "suspicion_of_infection",
    "urine_output_rate", "ventilation", "vitalsign",
)  # fmt: skip
REFERENCES = ("gcs-24h", "kdigo-48h")
# Sums of doubles over windows, which each engine adds up in an order of its own.
SUMS_OVER_WINDOWS: dict[Convention, dict[str, dict[str, int]]] = {
    "published": {
        "urine_output_rate": {"urineoutput_24hr": 207},
        "kdigo_uo": {"urineoutput_24hr": 261},
    },
    "current": {
        "urine_output_rate": {"urineoutput_24hr": 207},
        "kdigo_uo": {"urineoutput_24hr": 261},
    },
    "adjudicated": {
        "urine_output_rate": {"urineoutput_24hr": 241, "uo_mlkghr_24hr": 100},
        "kdigo_uo": {"urineoutput_24hr": 257, "uo_rt_24hr": 114},
    },
}
# Powers and exponentials, whose last digit hangs on the mathematical library of the machine.
POWERS: dict[str, set[str]] = {
    "apsiii": {"apsiii_prob"},
    "creatinine_baseline": {"mdrd_est", "scr_baseline"},
    "oasis": {"oasis_prob"},
    "sapsii": {"sapsii_prob"},
}


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Spark's work folder is made."""
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="session")
def warehouse(session_folder: Path) -> Iterator[SparkWarehouse]:
    """A warehouse for all tests of this worker."""
    require_spark()
    with pytest.MonkeyPatch.context() as environment:
        # Queries of a few rows are compiled once and run once: the quick compiler is enough.
        environment.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
        with spark_warehouse(session_folder, OPTIONS) as opened:
            yield opened


@pytest.fixture(scope="session")
def cells(session_folder: Path) -> Path:
    """A file with the rows above."""
    file = session_folder / "cells.parquet"
    names = ", ".join(name for name, _ in CELLS_COLUMNS)
    typed = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in CELLS_COLUMNS)
    duckdb.sql(f"SELECT {typed} FROM (VALUES {CELLS}) AS given({names})").write_parquet(str(file))
    return file


def both(warehouse: SparkWarehouse, cells: Path, query: str) -> tuple[list[Any], list[Any]]:
    """Return the rows of a query over `cells` in DuckDB and in Spark, the latter of DuckDB's types."""
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA mimiciv_icu")
        connection.execute(
            f"CREATE VIEW mimiciv_icu.cells AS SELECT * FROM read_parquet('{cells}')"
        )
        qualified = query.replace("FROM cells", "FROM mimiciv_icu.cells")
        described = connection.execute(f"DESCRIBE {qualified}").fetchall()
        columns = [(row[0], row[1].replace("HUGEINT", "BIGINT")) for row in described]
        ordered = f"SELECT * FROM ({qualified}) ORDER BY ALL"
        mine = connection.execute(ordered).fetchall()
        relation = "mimiciv_derived.of_cells"
        warehouse.source("mimiciv_icu.cells", cells, CELLS_COLUMNS, "cells", lambda rows: None)
        text = translate(qualified, "spark", columns={"mimiciv_icu.cells": dict(CELLS_COLUMNS)})
        warehouse.derive(relation, text, columns, "")
        files = [str(file) for file in warehouse.export(relation, columns, cells.parent)]
        theirs = connection.execute(f"SELECT * FROM read_parquet({files}) ORDER BY ALL").fetchall()
    return mine, theirs


def same(one: object, other: object) -> bool:
    """Tell whether two cells are one value, doubles to the last digits of a mathematical function."""
    if isinstance(one, float) and isinstance(other, float):
        return (one != one and other != other) or math.isclose(one, other, rel_tol=1e-14)
    return one == other and type(one) is type(other)


def test_expressions_have_duckdbs_values(warehouse: SparkWarehouse, cells: Path) -> None:
    """Every expression has the value and the type it has in DuckDB on every row."""
    listed = ", ".join(f"{text} AS e{number}" for number, text in enumerate(EXPRESSIONS))
    mine, theirs = both(warehouse, cells, f"SELECT n, {listed} FROM cells")
    assert len(mine) == len(theirs) == 14
    wrong = [
        (text, row[0], row[place], other[place])
        for place, text in enumerate(EXPRESSIONS, start=1)
        for row, other in zip(mine, theirs, strict=True)
        if not same(row[place], other[place])
    ]
    assert wrong == []


def test_queries_have_duckdbs_rows(warehouse: SparkWarehouse, cells: Path) -> None:
    """Windows, aggregates, joins and series give the rows they give in DuckDB."""
    wrong = {}
    for name, query in QUERIES.items():
        mine, theirs = both(warehouse, cells, query)
        assert mine, name
        alike = len(mine) == len(theirs) and all(
            same(*pair)
            for row, other in zip(mine, theirs, strict=True)
            for pair in zip(row, other, strict=True)
        )
        if not alike:
            wrong[name] = (mine, theirs)
    assert wrong == {}


def derived(
    warehouse: SparkWarehouse, stage: Stage, columns: Columns, derivation: Derivation, place: str
) -> str:
    """Derive in Spark from the store's source tables and the concepts DuckDB has made; return where it is."""
    declared = declared_tables(stage.source.site)
    for relation in derivation.inputs:
        concept = relation.startswith("mimiciv_derived.")
        held = concept or stage.source.table(relation) is not None
        kinds = columns[relation] if concept else declared[relation].column_types
        file = stage.file(relation) if held else None
        digest = f"{stage.dataset.root} {stage.convention}"
        warehouse.source(relation, file, list(kinds.items()), digest, lambda rows: None)
    query = translate(derivation.sql, "spark", columns=columns)
    warehouse.derive(place, query, columns_of(derivation), "")
    return place


def differing(
    warehouse: SparkWarehouse,
    dataset: StoredDataset,
    convention: Convention,
    names: dict[str, Derivation],
    folder: Path,
) -> dict[str, dict[str, int]]:
    """Derive in Spark and DuckDB from the same tables; return the doubles that differ in their last digits."""
    stage = open_stage(dataset, convention)
    columns = declared_columns(library(convention))
    found = {}
    with engine(LIMITS, folder) as connection:
        for name, derivation in names.items():
            place = derived(
                warehouse,
                stage,
                columns,
                derivation,
                f"answers.{derivation.name.replace('-', '_')}",
            )
            (first, *_) = warehouse.export(place, columns_of(derivation), folder)
            mine = folder / "mine.parquet"
            inputs = {r: stage.file(r) for r in derivation.inputs if stage.file(r).is_file()}
            absent = {r: dict(columns[r]) for r in derivation.inputs - set(inputs)}
            execute(connection, derivation, inputs, mine, empty=absent)
            digits = last_digits(mine, first.parent / "*.parquet", columns_of(derivation))
            if digits:
                found[name] = digits
    return found


def but_for_powers(found: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Return what is left when the columns are taken out whose last digit hangs on the machine's mathematics."""
    left = {
        name: {c: n for c, n in digits.items() if c not in POWERS.get(name, set())}
        for name, digits in found.items()
    }
    return {name: digits for name, digits in left.items() if digits}


def test_a_dozen_concepts_have_the_rows_of_duckdb(
    warehouse: SparkWarehouse, conformance_store: Store, tmp_path: Path
) -> None:
    """Concepts and references that hold every construct equal DuckDB's, but for counted last digits."""
    said = library()
    names = {name: said.concepts[name] for name in CONCEPTS}
    names |= {f"reference {name}": said.references[name] for name in REFERENCES}
    found = differing(
        warehouse, conformance_store.dataset("synthetic"), "published", names, tmp_path
    )
    expected = SUMS_OVER_WINDOWS["published"]
    assert found == {name: expected[name] for name in names if name in expected}


@pytest.mark.slow
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_table_has_the_rows_of_duckdb(
    convention: Convention, warehouse: SparkWarehouse, conformance_store: Store, tmp_path: Path
) -> None:
    """All concepts and references of MIMIC-IV equal DuckDB's, but for counted last digits."""
    dataset = conformance_store.dataset("synthetic")
    build_concepts(library(), dataset, convention=convention, limits=LIMITS)
    said = library(convention)
    names = dict(said.concepts)
    names |= {
        f"reference {name}": reference
        for name, reference in said.references.items()
        if serves(said, name, "mimic-iv")
    }
    found = differing(warehouse, dataset, convention, names, tmp_path)
    print(f"{convention}: last digits that differ: {found}")
    assert but_for_powers(found) == SUMS_OVER_WINDOWS[convention]


def test_a_build_comes_back_to_the_store(
    warehouse: SparkWarehouse, conformance_store: Store, tmp_path: Path
) -> None:
    """What is built is stored with its engine's name; unchanged, it is read and not derived again."""
    own = conformance_store.dataset("synthetic")
    other = copy_of_sources(own, tmp_path / "store")
    first = build_in(warehouse, library(), other, ["icustay_times"], limits=LIMITS)
    assert {e.made.engine for e in first.built.values()} == {warehouse.version}
    second = build_in(warehouse, library(), other, ["icustay_hourly"], limits=LIMITS)
    assert (set(second.reused), set(second.built)) == ({"icustay_times"}, {"icustay_hourly"})
    for name in ("icustay_times", "icustay_hourly"):
        files = [dataset.derived("published") / f"{name}.parquet" for dataset in (own, other)]
        assert last_digits(*files, columns_of(library().concepts[name])) == {}
    assert not list(other.root.rglob(".partial-*"))


def test_a_changed_query_rebuilds_what_reads_it(warehouse: SparkWarehouse, tmp_path: Path) -> None:
    """A concept whose SQL has changed is derived again, and so are its readers."""
    toy = toy_dataset(tmp_path / "store")
    build_in(warehouse, toy_library(tmp_path / "before"), toy)
    again = build_in(warehouse, toy_library(tmp_path / "before"), toy)
    assert set(again.reused) == {"doubled", "summed"}
    changed = build_in(warehouse, toy_library(tmp_path / "after", doubled="value * 3"), toy)
    assert set(changed.built) == {"doubled", "summed"}
    file = toy.derived("published") / "summed.parquet"
    assert duckdb.sql(f"SELECT value FROM '{file}' ORDER BY 1").fetchall() == [(31,), (61,), (91,)]


@pytest.mark.parametrize(
    ("doubled", "said"),
    [
        ("value * 1987654321", "building mimiciv_derived.doubled failed in Spark"),
        ("value / 2", "type double where int is declared"),
        ("no_such_column", "could not be resolved"),
    ],
)
def test_a_query_spark_refuses_is_one_line(
    doubled: str, said: str, warehouse: SparkWarehouse, tmp_path: Path
) -> None:
    """A value that does not fit, a type that is not declared: one line without a value, nothing stored."""
    toy = toy_dataset(tmp_path / "store")
    with pytest.raises(InputError) as told:
        build_in(warehouse, toy_library(tmp_path / "library", doubled=doubled), toy)
    assert said in str(told.value)
    assert "1987654321" not in str(told.value)
    assert not list(toy.derived("published").glob("*.parquet"))


SOURCES: list[tuple[str, str | None]] = [
    ("SELECT stay_id, value FROM '{file}'", None),
    ("SELECT stay_id::SMALLINT AS stay_id, value FROM '{file}'", None),
    ("SELECT stay_id, value FROM '{file}' LIMIT 2", "has 2 rows in the source folder and 3"),
    ("SELECT stay_id FROM '{file}'", "has no column value"),
    ("SELECT stay_id, value::VARCHAR AS value FROM '{file}'", "type string where int"),
]


@pytest.mark.parametrize(("query", "said"), SOURCES)
def test_source_tables_of_a_folder(
    query: str,
    said: str | None,
    warehouse: SparkWarehouse,
    tmp_path: Path,
) -> None:
    """A folder's tables, of one file or several, are read in place of the store's when they are like them."""
    toy = toy_dataset(tmp_path / "store")
    folder = tmp_path / "shared"
    table = folder / "toy_icu" / "stays.parquet"
    table.mkdir(parents=True)
    stored = toy.source("toy_icu.stays")
    rows = query.format(file=stored)
    for part in (0, 1):
        some = f"SELECT * FROM ({rows}) WHERE stay_id % 2 = {part}"
        duckdb.sql(f"COPY ({some}) TO '{table}/part-{part}.parquet'")
    reader = SparkWarehouse(warehouse.spark, folder, folder)
    if said is None:
        report = build_in(reader, toy_library(tmp_path / "library"), toy)
        assert (
            report.built["doubled"].made.engine == f"{warehouse.version}, source tables of a folder"
        )
        assert report.built["doubled"].rows == 3
        return
    with pytest.raises(InputError, match=said):
        build_in(reader, toy_library(tmp_path / "library"), toy)
