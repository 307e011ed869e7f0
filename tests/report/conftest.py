# SPDX-License-Identifier: MIT
"""Fixtures of the report's tests."""

from pathlib import Path

import pytest

from tests.report.records import build_study, write_runs


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A results folder of a small study with failures."""
    return write_runs(tmp_path / "results", build_study())
