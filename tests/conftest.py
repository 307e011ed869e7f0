# SPDX-License-Identifier: MIT
"""Fixtures every test may use."""

import os
from pathlib import Path

import pytest

SHARED_VARIABLE = "M4BENCH_SHARED"
REQUIRED_VARIABLE = "M4BENCH_REQUIRE_SHARED"


def shared_folder() -> Path | None:
    """Return the folder of specifications and conformance data, or None where there is none."""
    given = os.environ.get(SHARED_VARIABLE)
    return Path(given).resolve() if given and Path(given).is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of specifications and conformance data; the test skips without it, or fails where it is required."""
    folder = shared_folder()
    if folder is None:
        reason = f"needs {SHARED_VARIABLE} to name the folder of conformance data"
        if os.environ.get(REQUIRED_VARIABLE) == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


# Tracing more than doubles the time of these, which ask one small piece of code thousands of times; the part they
# play in coverage is not measured, so that its total is a floor.
UNTRACED = (
    "specifications/test_extraction.py",
    "specifications/test_skills_falsified.py",
    "specifications/test_stated_record.py",
    "specifications/test_comparison.py",
    "specifications/test_completeness.py",
    "library/test_column_lineage.py",
    "library/test_lineage.py",
    "dialects/test_bigquery.py",
    "dialects/test_script.py",
    "dialects/test_spark.py",
    "tasks/test_raw_sql.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the tests of `UNTRACED` out of the measurement of coverage."""
    for item in items:
        if f"{item.path.parent.name}/{item.path.name}" in UNTRACED:
            item.add_marker("no_cover")
