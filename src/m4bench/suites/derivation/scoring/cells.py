# SPDX-License-Identifier: MIT
"""What one submitted cell says when read as a number, an instant, an integer key or a text.

The rules are stated once, for a single cell, in `read_number`, `read_integer` and `read_instant`; whole
columns are read by the same rules, with the frequent spellings converted at once. Knows neither files
nor references.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from m4bench.suites.derivation.scoring.buffers import (
    Bools,
    all_finite,
    bools_of,
    compute,
    doubles_of,
    integers_of,
    nulls_of,
    row_numbers,
    values_of,
)

CellKind = Literal["integer", "number", "instant", "text"]
ARROW_TYPES: dict[CellKind, pa.DataType] = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "instant": pa.timestamp("us"),
    "text": pa.binary(),
}

_BLANKS = b" \t"
_MOST_INTEGER_DIGITS = 19  # of a 64-bit integer
_MOST_EXPONENT_DIGITS = 9  # a cell is too short for a longer one to be made good by its digits
_NUMBER = re.compile(rb"([+-]?)(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
_INFINITY = re.compile(rb"[+-]?(?:inf|infinity)", re.IGNORECASE)
_NAN = re.compile(rb"[+-]?nan", re.IGNORECASE)
_TRUTH = {b"true": 1.0, b"false": 0.0}
_INSTANT = re.compile(
    rb"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    rb"(?:[ T]([0-9]{2})(?::([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?)?(?:Z|[+-]00:?00)?)?"
)
_EPOCH = datetime(1970, 1, 1)
_FIRST_INSTANT = int((datetime(1, 1, 1) - _EPOCH).total_seconds()) * 1_000_000
_LAST_INSTANT = int((datetime(9999, 12, 31) - _EPOCH).total_seconds() + 86_400) * 1_000_000

_PLAIN_NUMBER = r"\A-?[0-9]{1,300}(?:\.[0-9]{1,60})?\z"
_PLAIN_INTEGER = r"\A-?[0-9]{1,18}\z"


def read_number(cell: bytes) -> float | None:
    """Return the number a cell holds, or None when it holds none.

    Decimal and scientific notation, with blanks around it; true and false in any case are 1 and 0;
    inf, infinity and nan are what they say. A finite spelling too large for a double is no number.
    """
    text = cell.strip(_BLANKS)
    if _NUMBER.fullmatch(text):
        value = float(text)
        return value if abs(value) != float("inf") else None
    if _INFINITY.fullmatch(text) or _NAN.fullmatch(text):
        return float(text)
    return _TRUTH.get(text.lower())


def read_integer(cell: bytes) -> int | None:
    """Return the integer a key cell holds exactly (`123`, `123.0`, `1.23e2`), or None; 64 bits."""
    found = _NUMBER.fullmatch(cell.strip(_BLANKS))
    if found is None:
        return None
    sign, whole, fraction, exponent = (part or b"" for part in found.groups())
    digits = (whole + fraction).lstrip(b"0")
    significant = digits.rstrip(b"0")
    if not significant:
        return 0
    bare = exponent.lstrip(b"+-").lstrip(b"0")
    if len(bare) > _MOST_EXPONENT_DIGITS:
        return None
    shift = int(bare or b"0") * (-1 if exponent.startswith(b"-") else 1)
    zeros = len(digits) - len(significant) - len(fraction) + shift
    if zeros < 0 or len(significant) + zeros > _MOST_INTEGER_DIGITS:
        return None
    value = int(significant) * 10**zeros * (-1 if sign == b"-" else 1)
    return value if -(2**63) <= value < 2**63 else None


def read_instant(cell: bytes) -> int | None:
    """Return an ISO 8601 wall-clock time as microseconds since 1970, or None.

    A date alone is its midnight; seconds and a fraction may be absent; a trailing Z or a zero offset is
    read as the same wall clock, any other offset is unreadable, and so is what is finer than 1 µs.
    """
    parts = _INSTANT.fullmatch(cell.strip(_BLANKS))
    if parts is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in parts.groups()[:6])
    fraction = (parts.group(7) or b"").ljust(9, b"0")
    if fraction[6:] != b"000":
        return None
    try:
        moment = datetime(year, month, day, hour, minute, second, int(fraction[:6]))
    except ValueError:
        return None
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


class Cells(NamedTuple):
    """One column of submitted or reference cells, n rows.

    `values` is float64 (number), int64 (integer; instant in µs), both 0 where empty or unreadable, or a
    binary Arrow array (text; null where empty or unreadable). `empty` and
    `unreadable` are masks, None when no cell is; a field a short row does not have is unreadable.
    `finite` is false when a number may be infinite or NaN.
    """

    kind: CellKind
    values: Any
    empty: Bools | None
    unreadable: Bools | None
    finite: bool = True

    def take(self, rows: Any) -> "Cells":
        """Return the cells of some rows: a slice or an array of row numbers."""
        if isinstance(self.values, pa.Array):
            values = (
                self.values[rows]
                if isinstance(rows, slice)
                else self.values.take(row_numbers(rows))
            )
        else:
            values = self.values[rows] if isinstance(rows, slice) else self.values.take(rows)
        return Cells(
            self.kind,
            values,
            None if self.empty is None else self.empty[rows],
            None if self.unreadable is None else self.unreadable[rows],
            self.finite,
        )


def some(mask: Bools) -> Bools | None:
    """Return a mask, or None when nothing is set in it."""
    return mask if mask.any() else None


def from_typed(kind: CellKind, column: pa.Array) -> Cells | None:
    """Return the cells of a column Arrow has converted, or None when it must be read cell by cell.

    Arrow's conversion agrees with the rules above but for non-finite numbers and for years outside
    1 to 9999.
    """
    empty = nulls_of(column)
    if kind == "text":
        return Cells(kind, column, empty, None)
    if kind == "number":
        return Cells(kind, doubles_of(column), empty, None) if all_finite(column) else None
    values: NDArray[Any] = integers_of(column)
    if kind == "instant" and len(values):
        lowest, highest = values.min(), values.max()
        if lowest < _FIRST_INSTANT or highest >= _LAST_INSTANT:
            return None
    return Cells(kind, values, empty, None)


def from_texts(kind: CellKind, texts: pa.Array, absent: Bools | None = None) -> Cells:
    """Return the cells of a column given as bytes (null where the field is empty).

    Args:
        kind: how to read them.
        texts: n fields, binary.
        absent: fields that were not supplied at all.
    """
    nulls = nulls_of(texts)
    empty = np.zeros(len(texts), dtype=np.bool_) if nulls is None else nulls
    if absent is not None:
        empty = empty & ~absent
    if kind == "text":
        return Cells(kind, texts, some(empty), None if absent is None else some(absent))
    if kind == "number":
        values, readable = _convert(texts, _PLAIN_NUMBER, pa.float64(), read_number)
    elif kind == "integer":
        values, readable = _convert(texts, _PLAIN_INTEGER, pa.int64(), read_integer)
    else:
        values, readable = _convert(texts, None, pa.int64(), read_instant)
    return Cells(kind, values, some(empty), some(~readable & ~empty), finite=False)


def _convert(
    texts: pa.Array,
    plain_spelling: str | None,
    type_: pa.DataType,
    read: Callable[[bytes], float | int | None],
) -> tuple[NDArray[Any], Bools]:
    """Return the values of texts and which could be read; plain spellings go through Arrow at once."""
    values = np.zeros(len(texts), dtype=type_.to_pandas_dtype())
    readable = np.zeros(len(texts), dtype=np.bool_)
    nulls = nulls_of(texts)
    rest = np.ones(len(texts), dtype=np.bool_) if nulls is None else ~nulls
    if plain_spelling is not None:
        matched = compute().match_substring_regex(texts, plain_spelling)
        plain = bools_of(matched)
        converted = texts.filter(matched).cast(pa.string()).cast(type_)
        values[plain], readable[plain] = values_of(converted, values.dtype.type), True
        rest &= ~plain
    remaining = np.flatnonzero(rest)
    if len(remaining):
        coded = texts.take(row_numbers(remaining)).dictionary_encode()
        answers = [read(text.as_py()) for text in coded.dictionary]
        known = np.array([answer is not None for answer in answers], dtype=np.bool_)
        told = np.array([0 if answer is None else answer for answer in answers], dtype=values.dtype)
        codes = values_of(coded.indices, np.int32)
        values[remaining], readable[remaining] = told[codes], known[codes]
    return values, readable
