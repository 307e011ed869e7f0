# SPDX-License-Identifier: MIT
"""Text from outside: escaped for a terminal, written where it can be."""

import pytest

from m4bench.model.legible import as_meant, is_utf8, legible, shortened, writable


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


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Gr\u00f6\u00dfe", "Gr\u00f6\u00dfe"),
        ("Gr\udcc3\udcb6\udcc3\udc9fe", "Gr\u00f6\u00dfe"),
        ("wx\udcff.csv", "wx\ufffd.csv"),
        ("a\ud800", r"a\ud800"),
    ],
)
def test_bytes_are_read_as_they_were_meant(text: str, meant: str) -> None:
    """Of an argument or name that a locale without UTF-8 took apart the letters come back; other bytes are told."""
    assert as_meant(text) == meant


@pytest.mark.parametrize(
    ("text", "most", "short"), [("abcdefg", 7, "abcdefg"), ("abcdefgh", 7, "abc…fgh"), ("", 7, "")]
)
def test_a_long_text_is_cut_in_its_middle(text: str, most: int, short: str) -> None:
    """Beginning and end stay."""
    assert shortened(text, most) == short
