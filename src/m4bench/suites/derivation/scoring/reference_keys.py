# SPDX-License-Identifier: MIT
"""Reading the keys of a Parquet reference into an index. Knows nothing of value columns or submissions."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.model.errors import InputError
from m4bench.suites.derivation.scoring.buffers import only_chunk
from m4bench.suites.derivation.scoring.cells import CellKind, Cells
from m4bench.suites.derivation.scoring.keys import Bounds, Codes, KeyIndex
from m4bench.suites.derivation.scoring.pipeline import default_threads
from m4bench.suites.derivation.scoring.reference_cells import key_cells


def key_index(
    path: Path, metadata: pq.FileMetaData, schema: pa.Schema, starts: Codes, key: Sequence[str]
) -> tuple[tuple[CellKind, ...], KeyIndex]:
    """Return the kinds of the key columns and the index of the N keys.

    Integer and time keys in ascending order, as ours are stored, are read a row group at a time; others whole.

    Raises:
        InputError: the keys are not unique or not whole, or the file is damaged.
    """
    names = list(key)
    try:
        bounds = [_bounds(metadata, schema, name) for name in names]
        known = [pair for pair in bounds if pair is not None]
        if len(known) == len(names):
            readers = _Readers(path, names)
            index = KeyIndex.of_stretches(starts, readers.read, known, default_threads())
            if index is not None:
                return tuple(_kind(schema, name) for name in names), index
        with pq.ParquetFile(path) as apart:  # a file serves one thread at a time
            table = apart.read(columns=names)
    except (OSError, pa.ArrowException) as error:
        raise InputError("the reference cannot be read as Parquet", file=path) from error
    cells = [key_cells(only_chunk(table.column(name))) for name in names]
    return tuple(column.kind for column in cells), KeyIndex.of(cells)


class _Readers:
    """One open file for each thread that reads keys."""

    def __init__(self, path: Path, names: list[str]) -> None:
        self._path, self._names = path, names
        self._local = threading.local()

    def read(self, group: int) -> list[Cells]:
        """Return the key columns of a row group."""
        if not hasattr(self._local, "file"):
            self._local.file = pq.ParquetFile(self._path)
        table = self._local.file.read_row_group(group, columns=self._names, use_threads=False)
        return [key_cells(only_chunk(table.column(name))) for name in self._names]


def _kind(schema: pa.Schema, name: str) -> CellKind:
    return "integer" if pa.types.is_integer(schema.field(name).type) else "instant"


def _bounds(metadata: pq.FileMetaData, schema: pa.Schema, name: str) -> Bounds | None:
    """Return the least and the greatest stored integer or microsecond of a column, where the footer says."""
    type_ = schema.field(name).type
    if not (pa.types.is_signed_integer(type_) or type_ == pa.timestamp("us")):
        return None
    position = schema.names.index(name)
    ends: list[Any] = []
    for group in range(metadata.num_row_groups):
        statistics = metadata.row_group(group).column(position).statistics
        if statistics is None or not statistics.has_min_max or statistics.null_count:
            return None
        ends += (statistics.min_raw, statistics.max_raw)
    return (min(ends), max(ends)) if all(isinstance(end, int) for end in ends) else None
