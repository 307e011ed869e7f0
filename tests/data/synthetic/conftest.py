# SPDX-License-Identifier: MIT
"""One hospital of the demo's size for all tests of this folder, and what is derived from it."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from numpy._core import _multiarray_umath

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
    for file in sorted(folder.rglob("*.parquet")):
        connection.execute(f"CREATE VIEW {file.stem} AS SELECT * FROM '{file}'")
    return connection


def vector_units() -> list[str]:
    """Return what of this processor NumPy chooses routines by, as NPY_DISABLE_CPU_FEATURES names it."""
    has = _multiarray_umath.__cpu_features__
    return [name for name in _multiarray_umath.__cpu_dispatch__ if has[name]]


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that the first process of a test run to need it makes for all of them."""
    base = factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / name).exists():
            make(root / f"{name}-in-the-making")
            (root / f"{name}-in-the-making").rename(root / name)
    return root / name


@pytest.fixture(scope="session")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a hospital as the demo makes it."""
    return made_once(
        tmp_path_factory, "hospital", lambda folder: generate(folder, stays=STAYS, seed=SEED)
    )


@pytest.fixture(scope="session")
def rows(hospital: Path) -> Rows:
    """A function that runs a query over the hospital's tables."""
    connection = view_tables(hospital)
    return lambda query: connection.execute(query).fetchall()


@pytest.fixture(scope="session")
def many_rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """A function that runs a query over a hospital of 1,500 stays: shares and what is rare need so many."""
    folder = made_once(
        tmp_path_factory, "large", lambda folder: generate(folder, stays=1_500, seed=SEED)
    )
    connection = view_tables(folder)
    return lambda query: connection.execute(query).fetchall()


@pytest.fixture(scope="session")
def dataset(hospital: Path, tmp_path_factory: pytest.TempPathFactory) -> StoredDataset:
    """The hospital imported, with all concepts and references that exist."""

    def make(folder: Path) -> None:
        stored = Store(folder).dataset("synthetic")
        import_dataset(stored, hospital)
        build_concepts(library(), stored)
        build_references(library(), stored)

    return Store(made_once(tmp_path_factory, "hospital-store", make)).dataset("synthetic")


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
