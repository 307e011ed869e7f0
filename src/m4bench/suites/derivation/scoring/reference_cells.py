# SPDX-License-Identifier: MIT
"""Stored columns of a reference as cells: which kind each type is, and its values. Knows no files."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from m4bench.suites.derivation.scoring.buffers import (
    all_finite,
    compute,
    integers_of,
    nulls_of,
    values_of,
)
from m4bench.suites.derivation.scoring.cells import CellKind, Cells

_MOST_EXACT_DIGITS = 15
_MOST_DIGITS_OF_A_LONG = 18
_DECIMAL_BITS = 128


def kind_of(type_: pa.DataType) -> CellKind:
    """Return how cells opposite a reference column of this type are read."""
    if (
        pa.types.is_integer(type_)
        or pa.types.is_floating(type_)
        or pa.types.is_decimal(type_)
        or pa.types.is_boolean(type_)
        or pa.types.is_null(type_)
    ):
        return "number"
    if pa.types.is_timestamp(type_) or pa.types.is_date(type_):
        return "instant"
    return "text"


def key_cells(column: pa.Array) -> Cells:
    """Return a key column; numeric keys without a fraction are integers, exact to 64 bits."""
    kind = kind_of(column.type)
    if kind == "number" and not column.null_count:
        if pa.types.is_integer(column.type):
            whole = values_of(column, column.type.to_pandas_dtype()).astype(np.int64)
            return Cells("integer", whole, None, None)
        cells = value_cells(column, "number")
        whole = np.abs(cells.values) < 2.0**53
        if whole.all() and (cells.values == np.floor(cells.values)).all():
            return Cells("integer", cells.values.astype(np.int64), None, None)
        return cells
    return value_cells(column, kind)


def value_cells(
    column: pa.Array, kind: CellKind, space: NDArray[np.float64] | None = None
) -> Cells:
    """Return a reference column as cells of a kind; an empty text is an empty cell.

    Numbers are put into the space, of the column's length, when there is one.
    """
    if kind == "text":
        words = column if pa.types.is_binary(column.type) else column.cast(pa.string())
        words = words.cast(pa.binary())
        pc = compute()
        words = pc.if_else(pc.equal(pc.binary_length(words), 0), None, words)
        return Cells(kind, words, nulls_of(words), None)
    empty = nulls_of(column)
    if kind == "instant":
        microseconds = pa.timestamp("us")
        moments = column if column.type == microseconds else column.cast(microseconds, safe=False)
        return Cells(kind, integers_of(moments), empty, None)
    if space is None:
        space = np.empty(len(column))
    finite = pa.types.is_decimal(column.type) and _divide_decimals(column, space)
    if not finite:
        column = _doubles(column)
        finite = all_finite(column)
        space[:] = values_of(column, np.float64)
    if empty is not None:
        space[empty] = 0.0
    return Cells(kind, space, empty, None, finite)


def _doubles(column: pa.Array) -> pa.Array:
    """Return a numeric column as the doubles nearest to its decimal spelling."""
    type_ = column.type
    if pa.types.is_float32(type_) or pa.types.is_float16(type_):
        column = column.cast(pa.float32()).cast(pa.string())
    elif pa.types.is_decimal(type_):
        column = column.cast(pa.string())
    return column if pa.types.is_float64(type_) else column.cast(pa.float64(), safe=False)


def _divide_decimals(column: pa.Array, space: NDArray[np.float64]) -> bool:
    """Put decimals of few enough digits into a space as the nearest doubles, or return False.

    Dividing an exact integer by an exact power of ten rounds once, which Arrow's own cast does not.
    """
    type_ = column.type
    if type_.precision > _MOST_DIGITS_OF_A_LONG or not len(column):
        return False
    if type_.bit_width != _DECIMAL_BITS:
        column = column.cast(pa.decimal128(_MOST_DIGITS_OF_A_LONG, type_.scale))
    longs = np.frombuffer(column.buffers()[1], dtype=np.int64)
    low = longs[2 * column.offset : 2 * (column.offset + len(column)) : 2]
    np.divide(low, 10.0**type_.scale, out=space)
    most = 10.0 ** (_MOST_EXACT_DIGITS - type_.scale)
    return bool(-most < space.min() and space.max() < most)
