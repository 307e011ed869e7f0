# SPDX-License-Identifier: MIT
"""Which known name may have been meant by one that is not known. Knows no name of its own."""

import difflib
from collections.abc import Iterable

NEAR = 0.8
MOST_GUESSES = 3


def plain(name: str) -> str:
    """Return a name without what a slip of the pen changes: case, blanks, hyphens and underscores."""
    return "".join(letter for letter in name.casefold() if letter not in "-_ \t")


def near(name: str, known: Iterable[str], least: float = NEAR) -> str | None:
    """Return the known name that may have been meant, if there is one: alike but for case, hyphens and blanks, or near.

    Args:
        name: one that is not known.
        known: the names there are.
        least: how like it has to be, from 0 to 1 (1 the same letters), as `difflib` reckons.
    """
    listed = sorted(known)
    alike = next((one for one in listed if plain(one) == plain(name)), None)
    return alike or next(iter(difflib.get_close_matches(name, listed, 1, least)), None)


def choice(name: str, known: Iterable[str]) -> str:
    """Return a remedy: the names that may have been meant, or where none is near all there are."""
    listed = list(known)
    close = difflib.get_close_matches(name, listed, MOST_GUESSES, NEAR)
    return f"did you mean {' or '.join(close)}?" if close else f"choose one of: {', '.join(listed)}"
