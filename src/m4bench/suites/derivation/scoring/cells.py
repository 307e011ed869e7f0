# SPDX-License-Identifier: MIT
"""What one submitted cell says when read as a number, an instant, an integer key or a text.

The rules are stated once, for a single cell, in `read_number`, `read_integer` and `read_instant`; whole
columns are read by the same rules, with the frequent spellings converted at once. Knows neither files
nor references.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

CellKind = Literal["integer", "number", "instant", "text"]
Bools = NDArray[np.bool_]

ARROW_TYPES: dict[CellKind, pa.DataType] = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "instant": pa.timestamp("us"),
    "text": pa.binary(),
}

_BLANKS = b" \t"
_LONGEST_NUMBER = 400
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(rb"[+-]?[0-9]+")
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
    if len(text) > _LONGEST_NUMBER:
        return None
    if _NUMBER.fullmatch(text):
        value = float(text)
        return value if abs(value) != float("inf") else None
    if _INFINITY.fullmatch(text) or _NAN.fullmatch(text):
        return float(text)
    return _TRUTH.get(text.lower())


def read_integer(cell: bytes) -> int | None:
    """Return the integer a key cell holds exactly (`123`, `123.0`, `1.23e2`), or None; 64 bits."""
    text = cell.strip(_BLANKS)
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    if _INTEGER.fullmatch(text):
        value = int(text)
    else:
        if not abs(float(text)) < 2.0**64:
            return None
        exact = Decimal(text.decode("ascii"))
        value = int(exact)
        if value != exact:
            return None
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


@dataclass(frozen=True)
class Cells:
    """One column of submitted or reference cells, n rows.

    `values` is float64 (number; NaN where empty or unreadable), int64 (integer; instant in µs; 0 where
    empty or unreadable) or a binary Arrow array (text; null where empty or unreadable). `empty` and
    `unreadable` are masks, None when no cell is; a field a short row does not have is unreadable.
    """

    kind: CellKind
    values: Any
    empty: Bools | None
    unreadable: Bools | None

    def take(self, rows: Any) -> "Cells":
        """Return the cells of some rows: a slice or an array of row numbers."""
        if isinstance(self.values, pa.Array):
            values = (
                self.values[rows]
                if isinstance(rows, slice)
                else self.values.take(pa.array(rows, pa.int64()))
            )
        else:
            values = self.values[rows]
        return Cells(
            self.kind,
            values,
            None if self.empty is None else self.empty[rows],
            None if self.unreadable is None else self.unreadable[rows],
        )


def some(mask: Bools) -> Bools | None:
    """Return a mask, or None when nothing is set in it."""
    return mask if mask.any() else None


def from_typed(kind: CellKind, column: pa.Array) -> Cells | None:
    """Return the cells of a column Arrow has converted, or None when it must be read cell by cell.

    Arrow's conversion agrees with the rules above but for non-finite numbers and for years outside
    1 to 9999.
    """
    empty = pc.is_null(column).to_numpy(zero_copy_only=False) if column.null_count else None
    if kind == "text":
        return Cells(kind, column, empty, None)
    if kind == "number":
        values = column.to_numpy(zero_copy_only=False)
        finite = np.isfinite(values)
        if np.count_nonzero(finite) + column.null_count != len(column):
            return None
        return Cells(kind, values, empty, None)
    whole = column.cast(pa.int64()) if kind == "instant" else column
    values = (whole.fill_null(0) if column.null_count else whole).to_numpy()
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
    empty = pc.is_null(texts).to_numpy(zero_copy_only=False)
    if absent is not None:
        empty &= ~absent
    if kind == "text":
        return Cells(kind, texts, some(empty), None if absent is None else some(absent))
    if kind == "number":
        values, readable = _convert(texts, _PLAIN_NUMBER, pa.float64(), read_number, np.nan)
    elif kind == "integer":
        values, readable = _convert(texts, _PLAIN_INTEGER, pa.int64(), read_integer, 0)
    else:
        values, readable = _convert(texts, None, pa.int64(), read_instant, 0)
    return Cells(kind, values, some(empty), some(~readable & ~empty))


def _convert(
    texts: pa.Array,
    plain_spelling: str | None,
    type_: pa.DataType,
    read: Callable[[bytes], float | int | None],
    nothing: float,
) -> tuple[NDArray[Any], Bools]:
    """Return the values of texts and which could be read; plain spellings go through Arrow at once."""
    values = np.full(len(texts), nothing, dtype=type_.to_pandas_dtype())
    readable = np.zeros(len(texts), dtype=np.bool_)
    rest = pc.is_valid(texts).to_numpy(zero_copy_only=False)
    if plain_spelling is not None:
        matched = pc.match_substring_regex(texts, plain_spelling).fill_null(False)
        plain = matched.to_numpy(zero_copy_only=False)
        converted = texts.filter(matched).cast(pa.string()).cast(type_).to_numpy()
        values[plain], readable[plain] = converted, True
        rest &= ~plain
    remaining = np.flatnonzero(rest)
    if len(remaining):
        coded = texts.take(pa.array(remaining)).dictionary_encode()
        answers = [read(text.as_py()) for text in coded.dictionary]
        known = np.array([answer is not None for answer in answers], dtype=np.bool_)
        told = np.array(
            [nothing if answer is None else answer for answer in answers], dtype=values.dtype
        )
        codes = coded.indices.to_numpy()
        values[remaining], readable[remaining] = told[codes], known[codes]
    return values, readable
