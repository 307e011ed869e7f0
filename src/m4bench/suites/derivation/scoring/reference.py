# SPDX-License-Identifier: MIT
"""The hidden reference of a task: which kind each column is, its keys, and its rows on demand.

Rows are read a Parquet row group at a time and kept while a submission in the reference's order passes
by; a submission in another order makes the whole reference stay. Knows nothing of submissions.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.model.errors import InputError
from m4bench.model.score import ColumnKind
from m4bench.suites.derivation.scoring.buffers import Bools, ignore_overflow, only_chunk
from m4bench.suites.derivation.scoring.cells import CellKind, Cells, from_texts
from m4bench.suites.derivation.scoring.keys import NOWHERE, Codes, ascending
from m4bench.suites.derivation.scoring.reference_cells import kind_of, value_cells
from m4bench.suites.derivation.scoring.reference_keys import key_index

COLUMN_KINDS: dict[CellKind, ColumnKind] = {
    "integer": "numeric",
    "number": "numeric",
    "instant": "temporal",
    "text": "text",
}

GROUPS_KEPT = 3


class Part(NamedTuple):
    """Rows of a submission that fall into one stretch of the reference.

    `rows` selects the rows of the submission's batch, `places` the same rows in `columns`.
    """

    rows: Any
    places: Any
    columns: Mapping[str, Cells]


class Reference:
    """A reference of N rows in a Parquet file."""

    def __init__(self, path: Path, key: Sequence[str], scored: Sequence[str]) -> None:
        """Open a reference and index its keys.

        Raises:
            InputError: it cannot be read, lacks a column, has no rows, or its keys are not unique.
        """
        self._path = path
        try:
            self._file = pq.ParquetFile(path)
        except (OSError, pa.ArrowException) as error:
            raise InputError("the reference cannot be read as Parquet", file=path) from error
        # The file itself is for the reading thread alone; these two are plain data.
        self._schema, self._metadata = schema, metadata = (
            self._file.schema_arrow,
            self._file.metadata,
        )
        for name in (*key, *scored):
            if schema.names.count(name) != 1:
                raise InputError("the reference lacks this column", file=path, column=name)
        self.rows = metadata.num_rows
        if not self.rows:
            raise InputError("the reference has no rows, so nothing can be scored", file=path)
        self.scored = tuple(scored)
        self.kinds: dict[str, CellKind] = {
            name: kind_of(schema.field(name).type) for name in scored
        }
        sizes = [
            self._metadata.row_group(group).num_rows
            for group in range(self._metadata.num_row_groups)
        ]
        self._starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._lock = threading.Lock()
        self._groups: OrderedDict[int, Future[dict[str, Cells]]] = OrderedDict()
        self._whole: dict[str, Cells] | None = None
        self._reads = 0
        self._reader = ThreadPoolExecutor(1, initializer=ignore_overflow)
        self._begin(0)  # an output usually starts where its reference does
        try:
            self.key_kinds, self.index = key_index(path, metadata, schema, self._starts, key)
        except InputError as error:
            self.close()
            raise InputError(error.problem, file=path) from error

    def close(self) -> None:
        """Let go of the file."""
        self._reader.shutdown(cancel_futures=True)
        self._file.close()

    def find(self, keys: Sequence[Sequence[object]]) -> Codes:
        """Return the row numbers of the keys, given as values or their text, that are in the reference."""
        if not keys:
            return np.empty(0, dtype=np.int64)
        columns = []
        for position, kind in enumerate(self.key_kinds):
            texts = [str(key[position]).encode() for key in keys]
            columns.append(from_texts(kind, pa.array(texts, pa.binary())))
        rows = self.index.locate(columns)
        return np.unique(rows[rows != NOWHERE])

    def parts(self, rows: Codes) -> list[Part]:
        """Return the reference cells that stand opposite n submitted rows.

        Args:
            rows: for each submitted row its row in the reference.
        """
        if not len(rows):
            return []
        everything = slice(0, len(rows))
        ordered = ascending(rows)
        ends = rows[[0, -1]] if ordered else (rows.min(), rows.max())
        first, last = np.searchsorted(self._starts, ends, side="right") - 1
        if self._whole is not None or (first != last and not ordered):
            order = everything if ordered else np.argsort(rows)
            return [Part(order, rows[order], self._all())]
        parts = []
        for group in range(int(first), int(last) + 1):
            start, stop = (
                np.searchsorted(rows, self._starts[group : group + 2])
                if first != last
                else (0, len(rows))
            )
            if start < stop:
                places = rows[start:stop] - self._starts[group]
                together = ordered and places[-1] - places[0] == stop - start - 1
                parts.append(
                    Part(
                        slice(int(start), int(stop)) if len(rows) != stop - start else everything,
                        slice(int(places[0]), int(places[-1]) + 1) if together else places,
                        self._group(group),
                    )
                )
        return parts

    def rows_held(self) -> int:
        """Return how many rows are in memory now."""
        if self._whole is not None:
            return int(self.rows)
        sizes: list[int] = np.diff(self._starts).tolist()
        return sum(sizes[group] for group in self._groups)

    def ranges(self, names: Sequence[str], excluded: Codes) -> dict[str, float]:
        """Return the greatest minus the least finite value of numeric columns, where there is any.

        Read from the file's statistics, but for row groups whose statistics do not serve or that hold
        an excluded row.
        """
        groups_of = set((np.searchsorted(self._starts, excluded, side="right") - 1).tolist())
        spans: dict[str, float] = {}
        for name in names:
            ends: list[float] = []
            position = self._schema.names.index(name)
            for group in range(self._metadata.num_row_groups):
                found = self._metadata.row_group(group).column(position)
                ends += (
                    None if group in groups_of else _ends_from_statistics(found)
                ) or self._ends(name, group, excluded)
            if ends:
                spans[name] = max(ends) - min(ends)
        return spans

    def _ends(self, name: str, group: int, excluded: Codes) -> list[float]:
        """Return the least and the greatest finite value of a column in a row group, by reading it."""
        cells = self._reader.submit(
            lambda: value_cells(self._column(group, name), "number")
        ).result()
        values, kept = cells.values, np.isfinite(cells.values)
        if cells.empty is not None:
            kept &= ~cells.empty
        inside = excluded[(excluded >= self._starts[group]) & (excluded < self._starts[group + 1])]
        kept[inside - self._starts[group]] = False
        values = values[kept]
        return [float(values.min()), float(values.max())] if len(values) else []

    def _group(self, group: int) -> Mapping[str, Cells]:
        """Return the scored columns of a row group; those lately read, and the next, are in memory."""
        with self._lock:
            reading = self._groups.get(group)
            if reading is not None:
                self._groups.move_to_end(group)
            wanders = self._reads > 2 * self._metadata.num_row_groups + GROUPS_KEPT
            if not wanders:
                reading = reading or self._begin(group)
                if group + 1 < self._metadata.num_row_groups and group + 1 not in self._groups:
                    self._begin(group + 1)
        if reading is None:
            return _rows_of(self._all(), int(self._starts[group]), int(self._starts[group + 1]))
        return reading.result()

    def _begin(self, group: int) -> "Future[dict[str, Cells]]":
        """Have a row group read in the background, and let go of the one used least lately."""
        self._reads += 1
        self._groups[group] = self._reader.submit(self._read, group)
        if len(self._groups) > GROUPS_KEPT:
            self._groups.popitem(last=False)
        return self._groups[group]

    def _all(self) -> Mapping[str, Cells]:
        """Return all scored columns, read once and kept."""
        with self._lock:
            if self._whole is None:
                self._groups.clear()
                whole = {name: _Filling(self.kinds[name], self.rows) for name in self.scored}
                for group in range(self._metadata.num_row_groups):
                    for name, cells in self._reader.submit(self._read, group).result().items():
                        whole[name].put(int(self._starts[group]), cells)
                self._whole = {name: filling.cells() for name, filling in whole.items()}
            return self._whole

    def _read(self, group: int) -> dict[str, Cells]:
        """Return the scored columns of a row group, numbers in one block of memory.

        One column is decoded after the other, since memory touched for the first time is what costs most.
        """
        count = self._metadata.row_group(group).num_rows
        block = np.empty((len(self.scored), count))
        return {
            name: value_cells(self._column(group, name), self.kinds[name], block[place])
            for place, name in enumerate(self.scored)
        }

    def _column(self, group: int, name: str) -> pa.Array:
        """Read a column of a row group, in the one thread that reads them.

        Raises:
            InputError: the file is damaged.
        """
        try:
            table = self._file.read_row_group(group, columns=[name], use_threads=False)
        except (OSError, pa.ArrowException) as error:
            raise InputError("the reference cannot be read as Parquet", file=self._path) from error
        return only_chunk(table.column(0))


class _Filling:
    """A whole column being put together, with no more memory than it needs in the end."""

    def __init__(self, kind: CellKind, rows: int) -> None:
        self._kind, self._finite = kind, True
        self._pieces: list[pa.Array] = []
        self._values = np.empty(
            0 if kind == "text" else rows, np.int64 if kind == "instant" else np.float64
        )
        self._empty: Bools | None = None
        self._rows = rows

    def put(self, start: int, cells: Cells) -> None:
        """Put the next cells, which begin at row `start`."""
        rows = slice(start, start + len(cells.values))
        if self._kind == "text":
            self._pieces.append(cells.values)
        else:
            self._values[rows] = cells.values
        if cells.empty is not None:
            if self._empty is None:
                self._empty = np.zeros(self._rows, dtype=np.bool_)
            self._empty[rows] = cells.empty
        self._finite = self._finite and cells.finite

    def cells(self) -> Cells:
        """Return the column."""
        values = pa.concat_arrays(self._pieces) if self._kind == "text" else self._values
        return Cells(self._kind, values, self._empty, None, self._finite)


def _ends_from_statistics(column: Any) -> list[float] | None:
    """Return the ends a Parquet footer states, [] when all is null, None when it does not say."""
    statistics = column.statistics
    if statistics is None:
        return None
    if statistics.has_null_count and statistics.null_count == column.num_values:
        return []
    if not statistics.has_min_max:
        return None
    try:
        ends = [float(statistics.min), float(statistics.max)]
    except (TypeError, ValueError):
        return None
    return ends if np.isfinite(ends).all() else None


def _rows_of(columns: Mapping[str, Cells], start: int, stop: int) -> dict[str, Cells]:
    return {name: cells.take(slice(start, stop)) for name, cells in columns.items()}
