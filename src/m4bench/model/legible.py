# SPDX-License-Identifier: MIT
"""Text from outside made fit for a terminal or a file. Knows no encoding but UTF-8, and imports nothing."""


def legible(text: str) -> str:
    r"""Return a text as one line a terminal shows and never obeys: what does not print is told as `\x1b`."""
    return "".join(one if one.isprintable() else _escape(one) for one in text)


def is_utf8(text: str) -> bool:
    """Tell whether a text can be written: one of bytes that are not UTF-8, such as a file name, cannot."""
    return not any("\ud800" <= one <= "\udfff" for one in text)


def writable(text: str) -> str:
    r"""Return a text that can be written, with the bytes that are not UTF-8 told as `\udcff`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _escape(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")
