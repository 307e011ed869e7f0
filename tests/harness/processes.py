# SPDX-License-Identifier: MIT
"""Looks for processes and waits for what they do."""

import time
from collections.abc import Callable
from pathlib import Path


def running(marker: str) -> list[int]:
    """Processes other than ours whose command line ends with the marker."""
    found = []
    for one in Path("/proc").iterdir():
        try:
            if one.name.isdigit() and (one / "cmdline").read_bytes().endswith(
                f"{marker}\0".encode()
            ):
                found.append(int(one.name))
        except OSError:
            continue
    return found


def await_true(condition: Callable[[], object]) -> None:
    """Wait for a condition, at most half a minute."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)
