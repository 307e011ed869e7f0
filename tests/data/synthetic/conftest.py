# SPDX-License-Identifier: MIT
"""One hospital of the demo's size for all tests of this folder, and what is derived from it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic import generate
from m4bench.data.synthetic.creation import SEED, STAYS
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library

Rows = Callable[[str], list[tuple[Any, ...]]]


def view_tables(folder: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with a view of every table, by its bare name."""
    connection = duckdb.connect()
    for file in sorted(folder.glob("*/*.parquet")):
        connection.execute(f"CREATE VIEW {file.stem} AS SELECT * FROM '{file}'")
    return connection


@pytest.fixture(scope="session")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a hospital as the demo makes it."""
    folder = tmp_path_factory.mktemp("hospital") / "files"
    generate(folder, stays=STAYS, seed=SEED)
    return folder


@pytest.fixture(scope="session")
def rows(hospital: Path) -> Rows:
    """A function that runs a query over the hospital's tables."""
    connection = view_tables(hospital)
    return lambda query: connection.execute(query).fetchall()


@pytest.fixture(scope="session")
def dataset(hospital: Path, tmp_path_factory: pytest.TempPathFactory) -> StoredDataset:
    """The hospital imported, with all concepts and references that exist."""
    stored = Store(tmp_path_factory.mktemp("store")).dataset("synthetic")
    import_dataset(stored, hospital)
    build_concepts(library(), stored)
    build_references(library(), stored)
    return stored


@pytest.fixture(scope="session")
def derived(dataset: StoredDataset) -> Rows:
    """A function that runs a query over concepts and, under the prefix `reference_`, references.

    Honeytoken rows of references, whose stay or admission does not exist, are left out.
    """
    connection = duckdb.connect()
    stays, admissions = (
        dataset.source(name) for name in ("mimiciv_icu.icustays", "mimiciv_hosp.admissions")
    )
    for file in dataset.derived("published").glob("*.parquet"):
        connection.execute(f"CREATE VIEW \"{file.stem}\" AS SELECT * FROM '{file}'")
    for file in dataset.references("published").glob("*.parquet"):
        name = f"reference_{file.stem.replace('-', '_')}"
        columns = {c[0] for c in connection.execute(f"DESCRIBE SELECT * FROM '{file}'").fetchall()}
        key, known = ("stay_id", stays) if "stay_id" in columns else ("hadm_id", admissions)
        connection.execute(
            f"CREATE VIEW {name} AS SELECT * FROM '{file}' WHERE {key} IN (SELECT {key} FROM '{known}')"
        )
    connection.execute(f"CREATE VIEW icustays AS SELECT * FROM '{stays}'")
    connection.execute(f"CREATE VIEW admissions AS SELECT * FROM '{admissions}'")
    return lambda query: connection.execute(query).fetchall()
