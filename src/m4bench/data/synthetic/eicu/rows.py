# SPDX-License-Identifier: MIT
"""How rows are written: words as coded Arrow arrays, numbers as typed, identifiers, order. Knows no table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.draws import FloatArray, IntArray

NARROW_FROM, NARROW_WIDTH = 1_000_000_000, 5_000
WIDE_FROM, WIDE_WIDTH = 10_000_000_000, 100_000
"""Row identifiers start above all of the release's; each stay has room for `width` rows, so that a block's
identifiers depend on no other block. The narrow ones fit an INTEGER for every number of stays allowed."""


def words(options: Sequence[str | None], codes: IntArray) -> pa.Array:
    """Return the option of each code as text; a negative code is null."""
    codes = np.asarray(codes)
    lost = np.array([option is None for option in options])
    absent = (codes < 0) | lost[np.maximum(codes, 0)]
    index = pa.array(codes.astype(np.int32), mask=absent)
    return pa.DictionaryArray.from_arrays(
        index, pa.array([option or "" for option in options], pa.string())
    ).cast(pa.string())


def said(word: str, rows: int) -> pa.Array:
    """Return one word on every row."""
    return words((word,), np.zeros(rows, np.int64))


def truths(holds: Any) -> pa.Array:
    """Return `True` and `False` as texts."""
    return words(("False", "True"), np.asarray(holds).astype(np.int64))


def typed(numbers: FloatArray | IntArray) -> pa.Array:
    """Return numbers as they are typed, without a trailing zero; NaN is null."""
    return pc.cast(pa.array(numbers, mask=np.isnan(numbers)), pa.string())


def first_known(*texts: pa.Array) -> pa.Array:
    """Return the first text that is not null, row by row."""
    return pc.coalesce(*texts)


def narrow_ids(block: Block, rows: int) -> IntArray:
    """Return identifiers for the rows of a table whose identifier is an INTEGER."""
    assert rows <= block.stays * NARROW_WIDTH, "more rows than the identifiers of a block"
    return NARROW_FROM + block.first * NARROW_WIDTH + np.arange(rows)


def wide_ids(block: Block, rows: int) -> IntArray:
    """Return identifiers for the rows of a table whose identifier is a BIGINT."""
    assert rows <= block.stays * WIDE_WIDTH, "more rows than the identifiers of a block"
    return WIDE_FROM + block.first * WIDE_WIDTH + np.arange(rows)


def minutes(hours: FloatArray) -> IntArray:
    """Return offsets in whole minutes, the unit of every time of eICU."""
    return np.floor(hours * 60.0).astype(np.int64)


def shifted(offsets: IntArray) -> pa.Array:
    """Return offsets as Arrow integers: they may be negative, which elsewhere stands for null."""
    return pa.array(offsets.astype(np.int32))
