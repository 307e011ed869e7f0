# SPDX-License-Identifier: MIT
"""Scripts make every table a concept needs, in order; queries say what they are."""

from typing import get_args

import duckdb
import pytest

from m4bench.data.catalogue import declared_tables
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.dialects.script import query, script
from m4bench.suites.derivation.library.dialects.translate import DIALECTS, Dialect, require_dialect


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_a_script_makes_tables_before_they_are_read(dialect: Dialect) -> None:
    """Each table is made once, after all it reads, with the columns that are declared."""
    text = script(library(), ["meld"], dialect)
    made = [line.split()[2] for line in text.splitlines() if line.startswith("CREATE TABLE")]
    wanted = [f"mimiciv_derived.{name}" for name in library().order(["meld"])]
    assert made == wanted
    for column in library().concepts["meld"].header.columns:
        assert f" AS {column.name}" in text.partition("CREATE TABLE mimiciv_derived.meld")[2]


def test_a_script_of_duckdb_runs() -> None:
    """DuckDB's own script runs over empty source tables and leaves the declared types."""
    with duckdb.connect() as connection:
        for table in declared_tables("mimic-iv").values():
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {table.schema_name}")
            typed = ", ".join(f'"{name}" {kind}' for name, kind in table.column_types.items())
            connection.execute(f"CREATE TABLE {table.qualified} ({typed})")
        connection.execute(script(library(), ["sepsis3"], "duckdb"))
        described = connection.execute("DESCRIBE mimiciv_derived.sepsis3").fetchall()
    declared = [(c.name, c.type) for c in library().concepts["sepsis3"].header.columns]
    assert [(row[0], row[1]) for row in described] == declared


def test_a_reference_is_a_query_after_the_tables_it_reads() -> None:
    """A reference makes no table of its own."""
    text = script(library(), ["meld-24h"], "postgres")
    assert "CREATE TABLE mimiciv_derived.meld AS" in text
    assert "CREATE TABLE mimiciv_derived.meld-24h" not in text
    assert text.rstrip().endswith(";")


@pytest.mark.parametrize("convention", ["published", "current", "adjudicated"])
def test_a_query_tells_its_convention(convention: str) -> None:
    """The comment before a query has name, grain, convention and what it reads."""
    first = query(library(convention), "age", "postgres").splitlines()[:3]  # type: ignore[arg-type]
    assert first[0].startswith("-- age: ")
    assert first[1].endswith(f"{convention} convention")
    assert first[2] == "-- reads mimiciv_hosp.admissions, mimiciv_hosp.patients"


def test_an_unknown_dialect_is_refused_with_those_there_are() -> None:
    """The error lists the dialects."""
    with pytest.raises(InputError, match=", ".join(DIALECTS)):
        require_dialect("oracle")
