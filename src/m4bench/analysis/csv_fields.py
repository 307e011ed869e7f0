# SPDX-License-Identifier: MIT
"""The fields of a runs CSV as values: text in, number, truth or rates out. Knows no run and no column's meaning.

Only an empty field is a value that does not exist: `None` and `NA` are texts. An error names file, row and
column, never what stands there.
"""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from m4bench.harness.finished.soundness import LONGEST_NAME, MOST, ROUNDING
from m4bench.model.errors import InputError

TRUTHS = {"true": True, "false": False, "1": True, "0": False}
MOST_DIGITS = 19  # of a whole number that is not out of range
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def is_formula(text: str) -> bool:
    """Tell whether a spreadsheet would calculate a text, or would if apostrophes before it were taken away."""
    return text.lstrip("'").lstrip().startswith(FORMULA)


def guarded(text: str) -> str:
    """Return a text that no spreadsheet calculates: an apostrophe stands before a formula."""
    return f"'{text}" if is_formula(text) else text


def unguarded(text: str) -> str:
    """Return the text that `guarded` was given."""
    return text[1:] if text.startswith("'") and is_formula(text[1:]) else text


class Header:
    """The columns of a file by their place."""

    def __init__(self, file: Path | str, names: Sequence[str], *, ours: bool) -> None:
        self.file, self.names, self.ours = file, names, ours

    def __contains__(self, name: str) -> bool:
        return name in self.names


class Fields:
    """One row of a file; every method is given a column's name and returns its value, None where it is empty."""

    __slots__ = ("filled", "header", "line")

    def __init__(self, header: Header, texts: Sequence[str], line: int) -> None:
        self.header, self.line = header, line
        self.filled = {name: text for name, text in zip(header.names, texts, strict=True) if text}

    def wrong(self, column: str, problem: str, remedy: str | None = None) -> InputError:
        """Return the error of a field."""
        return InputError(
            problem, file=self.header.file, row=self.line, column=column, remedy=remedy
        )

    def has(self, column: str) -> bool:
        """Tell whether a field is filled."""
        return column in self.filled

    def text(self, column: str) -> str | None:
        """Return a text.

        Raises:
            InputError: it begins or ends with a blank: it would look like another that is not the same; or it is
                too long for a name.
        """
        text = self.filled.get(column)
        if text is not None and len(text) > LONGEST_NAME:
            remedy = f"a name has at most {LONGEST_NAME:,} letters"
            raise self.wrong(column, f"is {len(text):,} letters long", remedy)
        if text is not None and self.header.ours:
            text = unguarded(text)
        if text is not None and text.strip() != text:
            raise self.wrong(column, "has a blank at its beginning or end", "take the blank away")
        return text

    def named(self, column: str) -> str:
        """Return a text that must be there.

        Raises:
            InputError: it is empty.
        """
        if not self.filled.get(column, "").strip():
            raise self.wrong(column, "is empty", "every run has one")
        return self.interned(column)

    def interned(self, column: str) -> str:
        """Return a text that many rows share; empty where there is none."""
        return sys.intern(self.text(column) or "")

    def number(self, column: str, least: float = 0.0, most: float = math.inf) -> float | None:
        """Return a finite number within bounds.

        Raises:
            InputError: it is none.
        """
        text = self.filled.get(column)
        if text is None:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or "_" in text:
            raise self.wrong(column, "is not a number", _as_a_number(text))
        if not least <= value <= most:
            bounds = (
                f"from {least:,.10g} to {most:,.10g}"
                if most < math.inf
                else f"of {least:g} or more"
            )
            raise self.wrong(column, "is out of range", f"it is a number {bounds}")
        return value

    def share(self, column: str) -> float | None:
        """Return a number from 0 to 1."""
        return self.number(column, 0.0, 1.0)

    def mean_of_shares(self, column: str) -> float | None:
        """Return a number from 0 to 1 that was reckoned: one above by a rounding is 1."""
        value = self.number(column, 0.0, 1.0 + ROUNDING)
        return None if value is None else min(value, 1.0)

    def whole(self, column: str, least: int = 0, most: int = MOST) -> int | None:
        """Return a whole number within bounds; `5.0`, as the released tables write it, is one.

        Raises:
            InputError: it is none.
        """
        text = self.filled.get(column)
        if text is None:
            return None
        if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
            exact = int(text)
            if least <= exact <= most:
                return exact
        value = self.number(column, least, most)
        if value is None:
            return None
        if not value.is_integer():
            raise self.wrong(column, "is not a whole number", "write it without decimals")
        return int(value)

    def truth(self, column: str) -> bool | None:
        """Return a truth: True, False, 1 or 0.

        Raises:
            InputError: it is none.
        """
        text = self.filled.get(column)
        if text is None:
            return None
        value = TRUTHS.get(text.strip().lower())
        if value is None:
            raise self.wrong(column, "is neither True nor False", "write True or False")
        return value

    def rates(self, column: str) -> Mapping[str, float]:
        """Return rates by name, from a JSON object.

        Raises:
            InputError: it is no such object, or a rate is not from 0 to 1.
        """
        text = self.filled.get(column)
        if text is None or text == "{}":
            return {}
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            remedy = "write a JSON object of rates by column"
            raise self.wrong(column, "is not a JSON object", remedy)
        if not all(_is_share(rate) for rate in found.values()):
            raise self.wrong(column, "holds a rate out of range", "a rate is a number from 0 to 1")
        return {sys.intern(name): float(rate) for name, rate in found.items()}


def _as_a_number(text: str) -> str:
    """Return how what stands there in place of a number is to be written."""
    if text.strip().endswith("%"):
        return "write a share of 1 without a sign, as 0.71"
    if "," in text:
        return "write a point before the decimals and nothing between thousands, as 0.71"
    return "write it in digits, as 0.71, or leave it empty where there is no value"


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
