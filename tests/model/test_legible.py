# SPDX-License-Identifier: MIT
"""Text from outside: escaped for a terminal, written where it can be."""

import pytest

from m4bench.model.legible import is_utf8, legible, writable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain · µg – ✓", "plain · µg – ✓"),
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("a\udcffb", r"a\udcffb"),
        ("a\u202eb\x9b", r"a\u202eb\x9b"),
    ],
)
def test_what_does_not_print_is_escaped(text: str, shown: str) -> None:
    """Controls, line ends, directions and lone surrogates are told; letters of any script are shown."""
    assert legible(text) == shown
    assert legible(text).isprintable()


@pytest.mark.parametrize(
    ("text", "whole"), [("µ\n", True), ("\U0001f600", True), ("\udcff", False), ("a\ud800", False)]
)
def test_what_is_not_utf8_is_known_and_written(text: str, whole: bool) -> None:
    """A text is left as it is when it can be written, and can be written afterwards in any case."""
    assert is_utf8(text) is whole
    assert (writable(text) == text) is whole
    writable(text).encode()
