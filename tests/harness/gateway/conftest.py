# SPDX-License-Identifier: MIT
"""A gateway process that the tests of a module share, and what one test opens in it."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from m4bench.harness.gateway.process import Gateway, GatewayError
from tests.harness.gateway.rig import Rig


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    """A gateway process."""
    with Gateway() as process:
        yield process


@pytest.fixture
def rig(gateway: Gateway, tmp_path: Path) -> Iterator[Rig]:
    """What opens lanes for one test."""
    made = Rig(gateway, tmp_path)
    yield made
    for lane in made.lanes:
        with suppress(GatewayError):
            lane.close()
