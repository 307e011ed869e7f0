# SPDX-License-Identifier: MIT
"""The paper's released runs and the tables they give."""

from pathlib import Path

import pytest

from m4bench.analysis.paper import PaperTable, paper_runs, published_tables
from m4bench.analysis.reading import read_run_table
from m4bench.analysis.runs import RunTable


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> RunTable:
    """The 1,210 runs that ship with the package."""
    return read_run_table(paper_runs(Path(tmp_path_factory.mktemp("released"))))


@pytest.fixture(scope="session")
def tables(released: RunTable) -> dict[str, PaperTable]:
    """The published tables computed from them."""
    return published_tables(released)
