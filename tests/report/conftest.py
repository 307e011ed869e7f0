# SPDX-License-Identifier: MIT
"""Fixtures of the report's tests."""

from pathlib import Path

import pytest

from m4bench.report import write_report
from tests.report.records import build_run, build_study, write_runs


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A results folder of a small study with failures."""
    return write_runs(tmp_path / "results", build_study())


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A results folder of two runs of one task, for tests of how a report is written."""
    return write_runs(tmp_path / "results", [build_run(), build_run(agent="naive", trial=2)])


@pytest.fixture(scope="session")
def study_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The front page of that study's report, for tests that only read it."""
    folder = tmp_path_factory.mktemp("study")
    results = write_runs(folder / "results", build_study())
    return write_report(results, folder / "out", tasks={})
