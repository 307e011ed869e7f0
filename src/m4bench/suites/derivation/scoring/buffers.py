# SPDX-License-Identifier: MIT
"""Arrow arrays as NumPy arrays and back, by their buffers. Knows neither cells nor files.

Arrow's own conversions load pandas wherever it is installed, which costs more than scoring most files.
"""

from importlib import import_module
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Bools = NDArray[np.bool_]


def ignore_overflow() -> None:
    """Let numbers become infinite or NaN in this thread without a warning."""
    np.seterr(over="ignore", invalid="ignore")


def compute() -> Any:
    """Return Arrow's compute functions, loaded when first needed: a clean file needs none of them."""
    return import_module("pyarrow.compute")


def only_chunk(column: pa.ChunkedArray) -> pa.Array:
    """Return a column as one array, without a copy where it is one."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def values_of(array: pa.Array, dtype: type[np.generic]) -> NDArray[Any]:
    """Return the values of a primitive array, read-only; what stands where it is null is arbitrary."""
    if not len(array):
        return np.empty(0, dtype=dtype)
    return np.frombuffer(array.buffers()[1], dtype=dtype, count=len(array) + array.offset)[
        array.offset :
    ]


def nulls_of(array: pa.Array) -> Bools | None:
    """Return where an array is null, or None when it nowhere is."""
    if not array.null_count:
        return None
    if pa.types.is_null(array.type):
        return np.ones(len(array), dtype=np.bool_)
    return ~_bits(array.buffers()[0], array.offset, len(array))


def bools_of(array: pa.Array) -> Bools:
    """Return a boolean array, false where it is null."""
    if not len(array):
        return np.empty(0, dtype=np.bool_)
    bools = _bits(array.buffers()[1], array.offset, len(array))
    nulls = nulls_of(array)
    return bools if nulls is None else bools & ~nulls


def doubles_of(array: pa.Array) -> NDArray[np.float64]:
    """Return a float64 array with 0 where it is null."""
    values: NDArray[np.float64] = values_of(array, np.float64)
    nulls = nulls_of(array)
    return values if nulls is None else np.where(nulls, 0.0, values)


def all_finite(array: pa.Array) -> bool:
    """Tell whether a float64 array holds neither infinity nor NaN, whatever stands where it is null."""
    values = values_of(array, np.float64)
    if isfinite(np.add.reduce(values)):  # one quick pass; a sum may overflow though no value did
        return True
    nulls = nulls_of(array)
    return bool(np.isfinite(values if nulls is None else values[~nulls]).all())


def integers_of(array: pa.Array) -> NDArray[np.int64]:
    """Return an int64 array (or one of 64-bit instants) with 0 where it is null."""
    values: NDArray[np.int64] = values_of(array, np.int64)
    nulls = nulls_of(array)
    return values if nulls is None else np.where(nulls, 0, values)


def row_numbers(rows: NDArray[np.int64]) -> pa.Array:
    """Return row numbers as an Arrow array over the same memory."""
    whole = np.ascontiguousarray(rows, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(whole), [None, pa.py_buffer(whole)])


def _bits(buffer: pa.Buffer, offset: int, count: int) -> Bools:
    packed = np.frombuffer(buffer, dtype=np.uint8, count=(offset + count + 7) // 8)
    return np.unpackbits(packed, count=offset + count, bitorder="little")[offset:].view(np.bool_)
