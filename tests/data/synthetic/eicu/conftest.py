# SPDX-License-Identifier: MIT
"""One network of hospitals of 2,000 stays for all tests of this folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from m4bench.data.synthetic import generate
from tests.data.synthetic.conftest import made_once, view_tables
from tests.data.synthetic.eicu.recomputed import recompute

Rows = Callable[[str], list[tuple[Any, ...]]]

STAYS, SEED = 2_000, 20260101


@pytest.fixture(scope="session")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a network at full density."""
    return made_once(
        tmp_path_factory,
        "network",
        lambda folder: generate(folder, stays=STAYS, seed=SEED, site="eicu"),
    )


@pytest.fixture(scope="session")
def sources(network: Path) -> Rows:
    """A function that runs a query over the network's tables."""
    connection = view_tables(network)
    return lambda query: connection.execute(query).fetchall()


@pytest.fixture(scope="session")
def derived(network: Path, shared: Path) -> Rows:
    """A function that runs a query over the tables and, from the specifications, `oasis` and `coma`."""
    connection = view_tables(network)
    recompute(connection, shared / "specs")
    for view in ("oasis", "coma"):
        connection.execute(f"CREATE TABLE kept_{view} AS FROM {view}")
        connection.execute(f"DROP VIEW {view}")
        connection.execute(f"ALTER TABLE kept_{view} RENAME TO {view}")
    return lambda query: connection.execute(query).fetchall()
