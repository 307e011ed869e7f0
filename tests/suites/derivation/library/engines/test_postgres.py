# SPDX-License-Identifier: MIT
"""PostgreSQL gives the rows of DuckDB, redoes what has changed, replaces nothing of others, and says what failed."""

import os
import shutil
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import get_args
from urllib.parse import quote

import duckdb
import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from m4bench.data.store import Store, StoredDataset
from m4bench.model.errors import InputError
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.build import build_concepts
from m4bench.suites.derivation.library.catalogue import Library, library
from m4bench.suites.derivation.library.dialects.translate import translate
from m4bench.suites.derivation.library.dialects.typing import declared_columns
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.engines.build import (
    bring_back,
    build_in,
    columns_of,
    target_names,
)
from m4bench.suites.derivation.library.engines.opening import existing_schemas
from m4bench.suites.derivation.library.engines.postgres import MARK, postgres
from m4bench.suites.derivation.library.engines.postgres_session import server_faults
from m4bench.suites.derivation.library.execute import execute
from m4bench.suites.derivation.library.manifest import read_concepts
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.library.sites import serves
from tests.suites.derivation.library.engines.comparison import last_digits
from tests.suites.derivation.library.engines.server import PASSWORD, USER
from tests.suites.derivation.library.toy import toy_dataset, toy_library

CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
LIMITS = EngineLimits(memory="1GB", threads=2)
# Sums of doubles over windows, which each engine adds up in an order of its own.
LAST_DIGITS: dict[Convention, dict[str, dict[str, int]]] = {
    "published": {
        "kdigo_uo": {"urineoutput_24hr": 261},
        "urine_output_rate": {"urineoutput_24hr": 207},
        "sofa": {"uo_24hr": 113},
    },
    "current": {
        "kdigo_uo": {"urineoutput_24hr": 261},
        "urine_output_rate": {"urineoutput_24hr": 207},
        "sofa": {"uo_24hr": 110},
    },
    "adjudicated": {
        "kdigo_uo": {"urineoutput_24hr": 257, "uo_rt_24hr": 114},
        "kdigo_stages": {"uo_rt_24hr": 114},
        "urine_output_rate": {"urineoutput_24hr": 241, "uo_mlkghr_24hr": 100},
        "sofa": {"uo_24hr": 134},
    },
}
IN_REFERENCES: dict[Convention, dict[str, dict[str, int]]] = {
    "published": {"urine-output-rate": {"urineoutput_24hr": 207}},
    "current": {"urine-output-rate": {"urineoutput_24hr": 207}},
    "adjudicated": {"urine-output-rate": {"urineoutput_24hr": 241, "uo_mlkghr_24hr": 100}},
}

Fresh = Callable[[str], str]


@pytest.fixture(scope="session")
def database(postgres_server: str) -> Fresh:
    """Return a function that makes an empty database and returns its URL."""

    def make(name: str) -> str:
        with psycopg.connect(postgres_server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return postgres_server.replace("/postgres?", f"/{name}?")

    return make


def counted(url: str, statement: str) -> object:
    """Return the one value of a query."""
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(statement.encode()).fetchone()
    assert row is not None
    return row[0]


def asked(url: str, *statements: str) -> None:
    """Run statements in a database."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_table_has_the_rows_of_duckdb(
    convention: Convention, conformance_store: Store, database: Fresh, tmp_path: Path
) -> None:
    """All concepts and references of MIMIC-IV equal DuckDB's, but for counted last digits of window sums."""
    own = conformance_store.dataset("synthetic")
    build_concepts(library(), own, convention=convention, limits=LIMITS)
    other = Store(tmp_path).dataset("synthetic")
    shutil.copytree(own.manifest_path.parent, other.manifest_path.parent)
    said = library(convention)
    differing: dict[str, dict[str, int]] = {}
    with postgres(database(f"rows_{convention}")) as warehouse:
        report = build_in(warehouse, said, other, convention=convention, limits=LIMITS)
        assert set(report.built) == set(said.concepts)
        for name, concept in said.concepts.items():
            files = (folder.derived(convention) / f"{name}.parquet" for folder in (own, other))
            if found := last_digits(*files, columns_of(concept)):
                differing[name] = found
        print(f"{convention}: last digits that differ: {differing}")
        assert differing == LAST_DIGITS[convention]
        stage, columns, names = (
            open_stage(own, convention),
            declared_columns(said),
            target_names(said, convention),
        )
        in_references: dict[str, dict[str, int]] = {}
        with engine(LIMITS, tmp_path) as connection:
            for name, reference in said.references.items():
                if not serves(said, name, "mimic-iv"):
                    continue
                query = translate(reference.sql, "postgres", names, columns)
                place = f"answers.{name}"
                warehouse.derive(place, query, columns_of(reference), "a test")
                theirs, mine = tmp_path / "theirs.parquet", tmp_path / "mine.parquet"
                bring_back(connection, warehouse, place, reference, theirs)
                inputs = {relation: stage.file(relation) for relation in reference.inputs}
                execute(connection, reference, inputs, mine)
                found = last_digits(mine, theirs, columns_of(reference))
                if found:
                    in_references[name] = found
        assert in_references == IN_REFERENCES[convention]


@pytest.fixture
def toy(tmp_path: Path) -> StoredDataset:
    """A dataset of three rows."""
    return toy_dataset(tmp_path / "store")


def test_what_has_not_changed_is_not_redone(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """A second build does nothing; a changed query rebuilds its table and those that read it."""
    url = database("unchanged")
    before = toy_library(tmp_path / "before")
    with postgres(url) as warehouse:
        first = build_in(warehouse, before, toy)
        version = warehouse.version
    assert set(first.built) == {"doubled", "summed"}
    assert {entry.made.engine for entry in first.built.values()} == {version}
    identity = "SELECT string_agg(oid::text, ',' ORDER BY oid) FROM pg_class WHERE relnamespace = "
    tables = f"{identity}'mimiciv_derived'::regnamespace"
    standing = counted(url, tables)
    with postgres(url) as warehouse:
        second = build_in(warehouse, before, toy)
    assert set(second.reused) == {"doubled", "summed"}
    assert counted(url, tables) == standing
    after = toy_library(tmp_path / "after", doubled="value * 3")
    with postgres(url) as warehouse:
        third = build_in(warehouse, after, toy)
    assert set(third.built) == {"doubled", "summed"}
    assert counted(url, "SELECT sum(value) FROM mimiciv_derived.summed") == 183


def test_what_a_warehouse_made_serves_what_duckdb_builds(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """DuckDB's build leaves a concept of another engine as it is, and the manifest names that engine."""
    said = toy_library(tmp_path / "library")
    with postgres(database("served")) as warehouse:
        build_in(warehouse, said, toy, ["doubled"])
    report = build_concepts(said, toy)
    assert (set(report.reused), set(report.built)) == ({"doubled"}, {"summed"})
    entries = read_concepts(toy.derived("published"), "toy", "published").entries
    assert entries["doubled"].made.engine.startswith("postgresql ")
    assert entries["summed"].made.engine.startswith("duckdb ")


def test_a_table_of_others_is_left_as_it_is(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """A table without the mark of a build is neither replaced nor read: the build is refused."""
    said = toy_library(tmp_path / "library")
    url = database("of_others")
    asked(url, "CREATE SCHEMA mimiciv_derived", "CREATE TABLE mimiciv_derived.doubled (a int)")
    with pytest.raises(InputError, match="did not make"), postgres(url) as warehouse:
        build_in(warehouse, said, toy)
    assert counted(url, "SELECT count(*) FROM mimiciv_derived.doubled") == 0
    asked(url, "DROP TABLE mimiciv_derived.doubled", "CREATE SCHEMA toy_icu")
    asked(url, "CREATE TABLE toy_icu.stays (stay_id int, value int)")
    with pytest.raises(InputError, match="--source-schema"), postgres(url) as warehouse:
        build_in(warehouse, said, toy)


def test_what_others_made_of_a_table_keeps_it(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """A view on a derived table makes a rebuild refuse; neither the view nor the table is dropped."""
    url = database("viewed")
    with postgres(url) as warehouse:
        build_in(warehouse, toy_library(tmp_path / "before"), toy)
    asked(url, "CREATE VIEW public.mine AS SELECT sum(value) FROM mimiciv_derived.doubled")
    changed = toy_library(tmp_path / "after", doubled="value * 3")
    with pytest.raises(InputError, match="depends on"), postgres(url) as warehouse:
        build_in(warehouse, changed, toy)
    assert counted(url, "SELECT * FROM public.mine") == 120


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ((), None),
        (("DELETE FROM stays.stays WHERE stay_id = 1",), "has 2 rows, the store's has 3"),
        (("ALTER TABLE stays.stays DROP COLUMN value",), "no such column"),
        (("ALTER TABLE stays.stays ALTER COLUMN value TYPE text",), "it as text"),
        (("DROP TABLE stays.stays",), "has no table"),
    ],
)
def test_source_tables_of_the_database(
    statements: tuple[str, ...],
    said: str | None,
    toy: StoredDataset,
    database: Fresh,
    tmp_path: Path,
) -> None:
    """Tables that stand in the database are read there when they have the store's columns and rows."""
    url = database(f"standing_{len(said or '')}")
    asked(
        url,
        "CREATE SCHEMA stays",
        "CREATE TABLE stays.stays AS SELECT * FROM (VALUES (1, 10::bigint), (2, 20), (3, 30)) "
        "AS t (stay_id, value)",
        *statements,
    )
    schemas = existing_schemas(["toy_icu=stays"])
    with postgres(url, schemas) as warehouse:
        if said is not None:
            with pytest.raises(InputError, match=said):
                build_in(warehouse, toy_library(tmp_path / "library"), toy)
            return
        report = build_in(warehouse, toy_library(tmp_path / "library"), toy)
    assert {entry.made.engine.partition(", ")[2] for entry in report.built.values()} == {
        "source tables of the database in stays"
    }
    file = toy.derived("published") / "doubled.parquet"
    assert duckdb.sql(f"SELECT value FROM '{file}' ORDER BY 1").fetchall() == [(20,), (40,), (60,)]


def made_in(
    url: str, library: Library, dataset: StoredDataset, *said: str
) -> tuple[list[int], str, object]:
    """Build in a database; return the values of `doubled`, its maker without the version, and what `stays` is."""
    with postgres(url, existing_schemas(said)) as warehouse:
        build_in(warehouse, library, dataset)
    file = dataset.derived("published") / "doubled.parquet"
    rows = duckdb.sql(f"SELECT value FROM '{file}' ORDER BY 1").fetchall()
    entry = read_concepts(file.parent, dataset.name, "published").entries["doubled"]
    kind = counted(url, "SELECT relkind::text FROM pg_class WHERE oid = 'toy_icu.stays'::regclass")
    return [row[0] for row in rows], entry.made.engine.partition(", ")[2], kind


def test_tables_of_the_store_and_of_the_database_take_turns(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """Each build reads the tables it was told to, whatever one before it read, and the manifest says which."""
    url, said = database("turns"), toy_library(tmp_path / "library")
    for schema, value in (("one", 10), ("two", 50)):
        asked(
            url,
            f"CREATE SCHEMA {schema}",
            f"CREATE TABLE {schema}.stays AS SELECT * FROM (VALUES (1, {value}), (2, 20), (3, 30)) "
            "AS t (stay_id, value)",
        )
    asked(url, "UPDATE one.stays SET value = 7 WHERE stay_id = 1")
    in_one, in_two = (f"source tables of the database in {name}" for name in ("one", "two"))
    assert made_in(url, said, toy, "toy_icu=one") == ([14, 40, 60], in_one, "v")
    asked(url, "DROP TABLE mimiciv_derived.doubled")
    assert made_in(url, said, toy) == ([20, 40, 60], "", "r")
    assert made_in(url, said, toy, "toy_icu=two") == ([40, 60, 100], in_two, "v")
    assert made_in(url, said, toy, "toy_icu=one") == ([14, 40, 60], in_one, "v")
    assert made_in(url, said, toy) == ([20, 40, 60], "", "r")
    assert counted(url, "SELECT sum(value) FROM one.stays") == 57


@pytest.mark.parametrize("before", [(), ("toy_icu=one",)], ids=["loaded", "view"])
def test_what_a_build_made_is_no_table_of_the_database(
    before: tuple[str, ...], toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """A table or view that a build made under a source table's name is not taken for somebody's own."""
    url, said = database(f"own_{len(before)}"), toy_library(tmp_path / "library")
    asked(url, "CREATE SCHEMA one", "CREATE TABLE one.stays (stay_id int, value int)")
    asked(url, "INSERT INTO one.stays VALUES (1, 10), (2, 20), (3, 30)")
    made_in(url, said, toy, *before)
    asked(url, "DROP TABLE mimiciv_derived.doubled")
    with pytest.raises(InputError, match="a build of m4bench made it"):
        made_in(url, said, toy, "toy_icu")


def test_only_what_rests_on_tables_of_the_database_is_said_to(database: Fresh) -> None:
    """The maker names the schemas that a derivation reads, under the names they have there."""
    existing = {"mimiciv_icu": "icu", "mimiciv_hosp": "hosp"}
    with postgres(database("lineage"), existing) as warehouse:
        version = warehouse.version
        told = [
            warehouse.made_by(sources)
            for sources in (
                {"mimiciv_icu.icustays", "mimiciv_hosp.patients"},
                {"mimiciv_icu.icustays", "other.table"},
                {"other.table"},
            )
        ]
    read = f"{version}, source tables of the database in"
    assert told == [f"{read} hosp, icu", f"{read} icu", version]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("/postgres?", "/nowhere?"), 'database "nowhere" does not exist'),
        ((PASSWORD, "wrong-secret"), "password authentication failed"),
        ((f"{USER}:", "nobody-of-that-name:"), "authentication failed"),
        (("/postgres?host=", "/postgres?host=/nowhere"), "No such file"),
        (("postgresql://", "postgresql//"), "cannot be read"),
    ],
)
def test_no_session_is_one_line_without_the_password(
    changed: tuple[str, str], said: str, postgres_server: str
) -> None:
    """What hinders a session is told with the place, never with the password."""
    with pytest.raises(InputError) as told, postgres(postgres_server.replace(*changed)):
        pass
    assert said in str(told.value)
    assert PASSWORD not in str(told.value)
    assert "wrong-secret" not in str(told.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:hunter2/x@host/d",
        "postgresql://u:hunter2@x@host/d",
        "postgresql://u:x@hunter2@host/d",
        "postgresql://u:x@hunter2/x@host/d",
        "postgres://u:hunter2/x@host/d",
        "postgresql://u:x/hunter2@host",
        "postgresql://u:x?hunter2/@host",
        "postgresql://u:hunter2",
        "postgresql://u:hunter2:5432/d",
        "postgresql://u@host:hunter2/d",
        "u:hunter2@host/d",
        "u:hunter2@x@host",
        "user=u password=a hunter2",
        "postgresql://u:hunter2%zz@host/d",
    ],
)
def test_a_url_of_two_readings_is_refused_without_a_part_of_it(url: str) -> None:
    """What libpq would take for a host, a port or a database could be a part of the password."""
    with pytest.raises(InputError, match="read") as told, postgres(url):
        pass
    assert "hunter2" not in str(told.value)
    assert "host/" not in str(told.value)


@pytest.mark.parametrize("secret", ["hun/ter@2:3?#", "hun:ter2", "hun?ter2", "[hunter2"])
def test_a_password_of_any_character_is_taken_encoded(secret: str, database: Fresh) -> None:
    """What is refused as it is will do percent-encoded; other marks will do as they are."""
    role = f"role_{sum(map(ord, secret))}"
    url = database(role)
    asked(url, f"CREATE ROLE {role} LOGIN PASSWORD '{secret}'")
    said = quote(secret, safe="" if "@" in secret else "?:[")
    with postgres(url.replace(f"{USER}:{PASSWORD}", f"{role}:{said}")) as warehouse:
        assert warehouse.version.startswith("postgresql ")


def test_a_password_the_server_repeats_is_hidden(postgres_server: str) -> None:
    """A password that is also the user's name does not come back in the server's own words."""
    secret = "told twice"
    url = postgres_server.replace(f"{USER}:{PASSWORD}", f"{quote(secret)}:{quote(secret)}")
    with pytest.raises(InputError) as told, postgres(url):
        pass
    assert secret not in str(told.value)


def test_a_second_build_of_a_database_waits_its_turn(database: Fresh) -> None:
    """Two sessions that build cannot be open at once."""
    url = database("twice")
    with postgres(url), pytest.raises(InputError, match="another build"), postgres(url):
        pass


def test_a_user_without_rights_is_told_so(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """A right that is missing is named, and the store keeps what it had."""
    url = database("rights")
    asked(url, "CREATE ROLE guest LOGIN PASSWORD 'guest'")
    with (
        pytest.raises(InputError, match="lacks a right"),
        postgres(url.replace(f"{USER}:{PASSWORD}", "guest:guest")) as warehouse,
    ):
        build_in(warehouse, toy_library(tmp_path / "library"), toy)
    assert not list(toy.derived("published").glob("*.parquet"))


def test_a_value_the_engine_refuses_is_not_shown(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """A number out of range ends the build in one line without it, and leaves no table behind."""
    url = database("refused")
    said = toy_library(tmp_path / "library", doubled="value * 1987654321")
    with pytest.raises(InputError) as told, postgres(url) as warehouse:
        build_in(warehouse, said, toy)
    assert "doubled" in str(told.value)
    assert "1987654321" not in str(told.value)
    assert counted(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'mimiciv_derived'") == 0


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (psycopg.errors.DiskFull, "the server's disk is full"),
        (psycopg.errors.OutOfMemory, "out of memory"),
        (psycopg.errors.TooManyConnections, "lacks resources"),
        (psycopg.errors.AdminShutdown, "was shut down"),
        (psycopg.errors.QueryCanceled, "stopped the statement"),
        (psycopg.errors.ReadOnlySqlTransaction, "is read-only"),
        (psycopg.OperationalError, "connection was lost"),
        (psycopg.errors.NumericValueOutOfRange, "NumericValueOutOfRange, SQLSTATE 22003"),
    ],
)
def test_faults_of_a_server_are_told_without_its_words(
    fault: type[psycopg.Error], said: str
) -> None:
    """Each fault has a line of our own: the server's could hold a value."""
    with pytest.raises(InputError) as told, server_faults("building age"):
        raise fault("the value 4711")
    assert said in str(told.value)
    assert "4711" not in str(told.value)


def test_an_interrupt_leaves_nothing_half_made(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """Ctrl-C during a long statement comes through at once, and no table is left."""
    url = database("interrupted")
    said = toy_library(tmp_path / "library")
    with postgres(url) as warehouse:
        build_in(warehouse, said, toy, ["doubled"])
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        slow = "SELECT pg_sleep(60) AS n"
        with pytest.raises(KeyboardInterrupt):
            warehouse.derive("mimiciv_derived.slow", slow, [("n", "VARCHAR")], "")
    assert counted(url, "SELECT to_regclass('mimiciv_derived.slow')") is None
    assert counted(url, "SELECT sum(value) FROM mimiciv_derived.doubled") == 120


CELLS: list[tuple[str, pa.DataType, list[object]]] = [
    ("VARCHAR", pa.string(), ["", None, 'a "quoted", line\nand another', "\\N", "µ–×", " x "]),
    ("DOUBLE", pa.float64(), [0.1, None, float("inf"), -0.0, 1e-300, 1.7976931348623157e308]),
    ("INTEGER", pa.int32(), [-(2**31), None, 2**31 - 1, 0, 1, 2]),
    ("BOOLEAN", pa.bool_(), [True, None, False, True, True, True]),
]


@pytest.mark.parametrize(("kind", "arrow", "cells"), CELLS, ids=[case[0] for case in CELLS])
def test_cells_come_back_as_they_went(
    kind: str, arrow: pa.DataType, cells: list[object], database: Fresh, tmp_path: Path
) -> None:
    """A table that is loaded and brought back has the same cells, empty texts and nulls apart."""
    file = tmp_path / "given.parquet"
    numbers = list(range(len(cells)))
    table = pa.table({"n": pa.array(numbers, pa.int32()), "cell": pa.array(cells, arrow)})
    pq.write_table(table, file)
    columns = [("n", "INTEGER"), ("cell", kind)]
    loaded: list[int] = []
    with postgres(database(f"cells_{kind.lower()}")) as warehouse:
        warehouse.source("given.cells", file, columns, "digest", loaded.append)
        assert warehouse.standing("given.cells") == "digest"
        (back,) = warehouse.export("given.cells", columns, tmp_path)
    assert loaded == [len(cells)]
    assert pq.read_table(back).sort_by("n").to_pydict() == table.to_pydict()


def test_tables_carry_the_mark_of_a_build(
    toy: StoredDataset, database: Fresh, tmp_path: Path
) -> None:
    """Loaded and derived tables are told by their comment."""
    url = database("marked")
    with postgres(url) as warehouse:
        build_in(warehouse, toy_library(tmp_path / "library"), toy)
    comments = (
        "SELECT string_agg(obj_description(oid, 'pg_class'), ',') FROM pg_class WHERE oid IN "
    )
    tables = "('toy_icu.stays'::regclass, 'mimiciv_derived.doubled'::regclass)"
    told = str(counted(url, comments + tables)).split(",")
    assert len(told) == 2
    assert all(comment.startswith(MARK) for comment in told)
