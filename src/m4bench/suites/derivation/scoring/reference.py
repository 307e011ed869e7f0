# SPDX-License-Identifier: MIT
"""The hidden reference of a task: which kind each column is, its keys, and its rows on demand.

Rows are read a Parquet row group at a time and kept while a submission in the reference's order passes
by; a submission in another order makes the whole reference stay. Knows nothing of submissions.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from m4bench.model.errors import InputError
from m4bench.model.score import ColumnKind
from m4bench.suites.derivation.scoring.cells import Bools, CellKind, Cells, from_texts
from m4bench.suites.derivation.scoring.keys import NOWHERE, Codes, KeyIndex

COLUMN_KINDS: dict[CellKind, ColumnKind] = {
    "integer": "numeric",
    "number": "numeric",
    "instant": "temporal",
    "text": "text",
}

_GROUPS_KEPT = 4
_MOST_EXACT_DIGITS = 15


@dataclass(frozen=True)
class Part:
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
        try:
            self._file = pq.ParquetFile(path)
        except (OSError, pa.ArrowInvalid) as error:
            raise InputError("the reference cannot be read as Parquet", file=path) from error
        schema = self._file.schema_arrow
        for name in (*key, *scored):
            if schema.names.count(name) != 1:
                raise InputError("the reference lacks this column", file=path, column=name)
        self.rows = self._file.metadata.num_rows
        if not self.rows:
            raise InputError("the reference has no rows, so nothing can be scored", file=path)
        self.scored = tuple(scored)
        self.kinds: dict[str, CellKind] = {
            name: kind_of(schema.field(name).type) for name in scored
        }
        keys = self._file.read(columns=list(key), use_threads=False)
        cells = [key_cells(keys.column(name).combine_chunks()) for name in key]
        del keys
        self.key_kinds = tuple(cell.kind for cell in cells)
        try:
            self.index = KeyIndex(cells)
        except InputError as error:
            raise InputError(error.problem, file=path) from error
        sizes = [
            self._file.metadata.row_group(group).num_rows
            for group in range(self._file.num_row_groups)
        ]
        self._starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._lock = threading.Lock()
        self._groups: OrderedDict[int, dict[str, Cells]] = OrderedDict()
        self._whole: dict[str, Cells] | None = None
        self._reads = 0

    def close(self) -> None:
        """Let go of the file."""
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
        first, last = np.searchsorted(self._starts, (rows.min(), rows.max()), side="right") - 1
        everything = slice(0, len(rows))
        ordered = bool((rows[1:] > rows[:-1]).all())
        if self._whole is not None or (first != last and not ordered):
            return [Part(everything, rows, self._all())]
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

    def ranges(self, names: Sequence[str], excluded: Codes) -> dict[str, float]:
        """Return the greatest minus the least finite value of numeric columns, where there is any.

        Read from the file's statistics, but for row groups whose statistics do not serve or that hold
        an excluded row.
        """
        groups_of = set((np.searchsorted(self._starts, excluded, side="right") - 1).tolist())
        spans: dict[str, float] = {}
        for name in names:
            ends: list[float] = []
            position = self._file.schema_arrow.names.index(name)
            for group in range(self._file.num_row_groups):
                found = self._file.metadata.row_group(group).column(position)
                ends += (
                    None if group in groups_of else _ends_from_statistics(found)
                ) or self._ends(name, group, excluded)
            if ends:
                spans[name] = max(ends) - min(ends)
        return spans

    def _ends(self, name: str, group: int, excluded: Codes) -> list[float]:
        """Return the least and the greatest finite value of a column in a row group, by reading it."""
        with self._lock:
            column = self._file.read_row_group(group, columns=[name], use_threads=False).column(0)
        values = value_cells(column.combine_chunks(), "number").values
        kept = np.isfinite(values)
        inside = excluded[(excluded >= self._starts[group]) & (excluded < self._starts[group + 1])]
        kept[inside - self._starts[group]] = False
        values = values[kept]
        return [float(values.min()), float(values.max())] if len(values) else []

    def _group(self, group: int) -> Mapping[str, Cells]:
        """Return the scored columns of a row group, from memory when it was read lately."""
        with self._lock:
            if group in self._groups:
                self._groups.move_to_end(group)
                return self._groups[group]
            self._reads += 1
            wanders = self._reads > 2 * self._file.num_row_groups + _GROUPS_KEPT
        if wanders:
            return _rows_of(self._all(), int(self._starts[group]), int(self._starts[group + 1]))
        with self._lock:
            if group not in self._groups:
                table = self._file.read_row_group(
                    group, columns=list(self.scored), use_threads=False
                )
                self._groups[group] = self._cells(table)
            if len(self._groups) > _GROUPS_KEPT:
                self._groups.popitem(last=False)
            return self._groups[group]

    def _all(self) -> Mapping[str, Cells]:
        """Return all scored columns, read once and kept."""
        with self._lock:
            if self._whole is None:
                self._groups.clear()
                whole: dict[str, Cells] = {}
                for name in self.scored:
                    table = self._file.read(columns=[name], use_threads=False)
                    whole |= self._cells(table)
                self._whole = whole
            return self._whole

    def _cells(self, table: pa.Table) -> dict[str, Cells]:
        return {
            name: value_cells(table.column(name).combine_chunks(), self.kinds[name])
            for name in table.column_names
        }


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
            values = column.cast(pa.int64()).to_numpy()
            return Cells("integer", values, None, None)
        cells = value_cells(column, "number")
        whole = np.abs(cells.values) < 2.0**53
        if whole.all() and (cells.values == np.floor(cells.values)).all():
            return Cells("integer", cells.values.astype(np.int64), None, None)
        return cells
    return value_cells(column, kind)


def value_cells(column: pa.Array, kind: CellKind) -> Cells:
    """Return a reference column as cells of a kind; an empty text is an empty cell."""
    if kind == "text":
        words = column if pa.types.is_binary(column.type) else column.cast(pa.string())
        words = words.cast(pa.binary())
        words = pc.if_else(pc.equal(pc.binary_length(words), 0), None, words)
        return Cells(kind, words, _empty(words), None)
    empty = _empty(column)
    if kind == "instant":
        moments = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        return Cells(kind, moments.fill_null(0).to_numpy(), empty, None)
    return Cells(kind, _doubles(column), empty, None)


def _empty(column: pa.Array) -> Bools | None:
    return pc.is_null(column).to_numpy(zero_copy_only=False) if column.null_count else None


def _doubles(column: pa.Array) -> NDArray[np.float64]:
    """Return a numeric column as the doubles nearest to its decimal spelling, NaN where null."""
    type_ = column.type
    if pa.types.is_decimal(type_):
        if type_.precision > 18:
            column = column.cast(pa.string())
        else:
            return _scaled(column.cast(pa.decimal128(18, type_.scale)))
    elif pa.types.is_float32(type_) or pa.types.is_float16(type_):
        column = column.cast(pa.float32()).cast(pa.string())
    elif pa.types.is_null(type_):
        return np.full(len(column), np.nan)
    doubles = column.cast(pa.float64(), safe=False)
    return np.asarray(doubles.to_numpy(zero_copy_only=False), dtype=np.float64)


def _scaled(column: pa.Array) -> NDArray[np.float64]:
    """Return decimals of at most 18 digits as doubles.

    Dividing an exact integer by an exact power of ten rounds once, which Arrow's own cast does not.
    """
    words = np.frombuffer(column.buffers()[1], dtype=np.int64)
    unscaled = words[2 * column.offset : 2 * (column.offset + len(column)) : 2]
    values = unscaled / 10.0**column.type.scale
    if column.null_count:
        values[pc.is_null(column).to_numpy(zero_copy_only=False)] = np.nan
    if (np.abs(unscaled) >= 10**_MOST_EXACT_DIGITS).any():
        return np.asarray(
            column.cast(pa.string()).cast(pa.float64()).to_numpy(zero_copy_only=False),
            dtype=np.float64,
        )
    return values


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
