# SPDX-License-Identifier: MIT
"""Text from outside made fit for a terminal or a file. Knows no encoding but UTF-8 and no other module here."""

import os
import re
import unicodedata

INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
NO_LETTER = 0xFFFE  # the last two places of a plane hold none, and XML takes none

_PATH = re.compile(r"(?:file:/*|(?<![\w./]))~?/(?!/)(?:[^:;\"'\n]{0,255}/)?[^\s:;,\"')\]]+")


def legible(text: str) -> str:
    r"""Return a text as one line a terminal shows and never obeys: what does not print is told as `\x1b`."""
    return "".join(one if one.isprintable() else _escape(one) for one in text)


def shortened(text: str, most: int = 200) -> str:
    """Return a text of at most so many letters, cut in its middle where it is longer."""
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    return f"{text[:half]}…{text[-half:]}"


def is_utf8(text: str) -> bool:
    """Tell whether a text can be written: one of bytes that are not UTF-8, such as a file name, cannot."""
    return not any("\ud800" <= one <= "\udfff" for one in text)


def writable(text: str) -> str:
    r"""Return a text that can be written, with the bytes that are not UTF-8 told as `\udcff`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def as_meant(text: str) -> str:
    """Return an argument or a file's name as who wrote it meant it: its bytes are UTF-8 in whatever locale.

    Bytes that are not are shown as the sign for that, U+FFFD, so that the text can be written.
    """
    if is_utf8(text):
        return text
    try:
        return os.fsencode(text).decode("utf-8", "replace")
    except UnicodeEncodeError:  # it came from elsewhere than the system
        return writable(text)


def _escape(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")


def without_paths(text: str) -> str:
    """Return a text that names no place of the machine it was written on; paths in it may hold blanks."""
    return _PATH.sub("(a path)", text)


def visible(text: object) -> str:
    """Show what is invisible, reorders or cannot be encoded as JSON would escape it, whole."""
    if (
        type(text) is str and text.isprintable()
    ):  # most texts, and tables of many runs hold millions
        return text
    return "".join(
        _json_escape(letter)
        if unicodedata.category(letter) in INVISIBLE or ord(letter) & NO_LETTER == NO_LETTER
        else letter
        for letter in str(text)
    )


def _json_escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
