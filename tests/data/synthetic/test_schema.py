# SPDX-License-Identifier: MIT
"""The files have the tables, columns and types of the release."""

import csv
from pathlib import Path

import duckdb

from m4bench.data.catalogue import declared_tables
from m4bench.data.importer import import_dataset
from m4bench.data.store import Store

REAL = {"FLOAT": "REAL"}
"""The engine's other name of a type."""
MODULES = {"hosp": "mimiciv_hosp", "icu": "mimiciv_icu"}


def _described(hospital: Path) -> dict[str, list[tuple[str, str]]]:
    return {
        f"{MODULES[file.parent.name]}.{file.stem}": [
            (name, REAL.get(kind, kind))
            for name, kind, *_ in duckdb.execute(f"DESCRIBE SELECT * FROM '{file}'").fetchall()
        ]
        for file in hospital.glob("*/*.parquet")
    }


def test_tables_are_those_of_the_catalogue(hospital: Path) -> None:
    """Every table is declared, and has the declared columns in their order and types, each that is required."""
    declared = declared_tables("mimic-iv")
    for table, columns in _described(hospital).items():
        names = {name for name, _ in columns}
        expected = [
            (column.name, column.type)
            for column in declared[table].columns
            if column.required or column.name in names
        ]
        assert columns == expected, table


def test_tables_are_those_of_the_conformance_schema(hospital: Path, shared: Path) -> None:
    """All tables that the conformance data has are written, with the same columns and types."""
    expected: dict[str, list[tuple[str, str]]] = {}
    with (shared / "conformance" / "mimic" / "schema.csv").open() as stream:
        for row in csv.DictReader(stream):
            table = expected.setdefault(f"{row['schema']}.{row['table']}", [])
            table.append((row["column"], row["type"]))
    found = _described(hospital)
    assert len(expected) >= 13
    assert {table: found.get(table) for table in expected} == expected


def test_files_import_as_they_are(hospital: Path, tmp_path: Path) -> None:
    """The importer takes the folder without a remark: same types, no cell changed but the null tokens."""
    manifest = import_dataset(Store(tmp_path).dataset("synthetic"), hospital)
    assert manifest.access == "synthetic"
    assert not manifest.modified
    tokens = {
        (table.table, column.name): set(column.null_tokens)
        for table in manifest.tables
        for column in table.columns
        if column.null_tokens
    }
    assert tokens == {("labevents", "value"): {"___"}}


def test_the_word_none_is_a_value(hospital: Path, tmp_path: Path) -> None:
    """The oxygen device and the eye answer `None` survive the import as words."""
    dataset = Store(tmp_path).dataset("synthetic")
    import_dataset(dataset, hospital)
    charted = dataset.source("mimiciv_icu.chartevents")
    counts = duckdb.execute(
        f"SELECT itemid, count(*) FROM '{charted}' WHERE value = 'None' GROUP BY 1"
    ).fetchall()
    assert {itemid for itemid, _ in counts} >= {226732, 220739}
