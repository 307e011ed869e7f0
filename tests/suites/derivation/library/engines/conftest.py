# SPDX-License-Identifier: MIT
"""A PostgreSQL server for the tests of engines."""

import os
from collections.abc import Iterator

import pytest

from tests.suites.derivation.library.engines.server import programs, server

REQUIRED_VARIABLE = "M4BENCH_REQUIRE_POSTGRES"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a running server; the test skips without one, or fails where it is required."""
    found = programs()
    if found is None:
        reason = "needs a PostgreSQL server (package postgresql)"
        if os.environ.get(REQUIRED_VARIABLE) == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with server(found) as url:
        yield url
