# SPDX-License-Identifier: MIT
"""What long work is told to: what is done, how much of it, and how much there is. Knows no screen."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]


def unheard(_name: str, _done: int, _total: int) -> None:
    """Tell nobody."""
