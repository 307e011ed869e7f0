# SPDX-License-Identifier: MIT
"""One network of hospitals of 2,000 stays for all tests of this folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from m4bench.data.synthetic import generate
from tests.data.synthetic.eicu.recomputed import recompute

Rows = Callable[[str], list[tuple[Any, ...]]]

STAYS, SEED = 2_000, 20260101


def source_tables(folder: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with a view of every table, by its bare name."""
    connection = duckdb.connect()
    for file in sorted(folder.glob("*.parquet")):
        connection.execute(f"CREATE VIEW {file.stem} AS SELECT * FROM '{file}'")
    return connection


@pytest.fixture(scope="session")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a network at full density."""
    folder = tmp_path_factory.mktemp("network") / "files"
    generate(folder, stays=STAYS, seed=SEED, site="eicu")
    return folder


@pytest.fixture(scope="session")
def sources(network: Path) -> Rows:
    """A function that runs a query over the network's tables."""
    connection = source_tables(network)
    return lambda query: connection.execute(query).fetchall()


@pytest.fixture(scope="session")
def derived(network: Path, shared: Path) -> Rows:
    """A function that runs a query over the tables and, from the specifications, `oasis` and `coma`."""
    connection = source_tables(network)
    recompute(connection, shared / "specs")
    for view in ("oasis", "coma"):
        connection.execute(f"CREATE TABLE kept_{view} AS FROM {view}")
        connection.execute(f"DROP VIEW {view}")
        connection.execute(f"ALTER TABLE kept_{view} RENAME TO {view}")
    return lambda query: connection.execute(query).fetchall()
