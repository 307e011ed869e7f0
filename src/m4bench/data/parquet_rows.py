# SPDX-License-Identifier: MIT
"""The rows of a Parquet file as batches of the types it was written with. Knows no declared column or type."""

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from m4bench.data.conversion import is_text
from m4bench.data.table_rows import Advanced, lower_names
from m4bench.model.errors import InputError

_BATCH_ROWS = 65_536
_ENGINE_DIGITS = 38
"""Digits of the engine's longest decimal."""


class ParquetRows:
    """A Parquet file; columns have the types they were written with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = pq.ParquetFile(path)
        except (pa.ArrowException, OSError) as error:
            raise self._unreadable() from error
        given = self._file.schema_arrow
        names = lower_names(given.names, path)
        self.schema = pa.schema(
            [
                (name, self._type(field, i))
                for i, (name, field) in enumerate(zip(names, given, strict=True))
            ]
        )

    def batches(self, advanced: Advanced | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows in the order of the file; see `TableRows`."""
        size, total, seen = self.path.stat().st_size, max(self._file.metadata.num_rows, 1), 0
        reported = 0
        try:
            for batch in self._file.iter_batches(batch_size=_BATCH_ROWS):
                columns = [
                    self._plain(field, column)
                    for field, column in zip(self.schema, batch.columns, strict=True)
                ]
                self._check_text(columns, seen)
                yield pa.RecordBatch.from_arrays(columns, schema=self.schema)
                seen += batch.num_rows
                if advanced is not None:
                    here = size * seen // total
                    advanced(here - reported)
                    reported = here
        except (pa.ArrowException, OSError) as error:
            raise self._unreadable() from error

    def row_of(self, index: int) -> int:
        """Return the number of a row, counted from 1: Parquet has no header line."""
        return index + 1

    def _type(self, field: pa.Field, position: int) -> pa.DataType:
        if self._only_nulls(position):
            return pa.null()
        return _plain_type(field.type)

    def _only_nulls(self, position: int) -> bool:
        metadata = self._file.metadata
        if metadata.num_columns != len(self._file.schema_arrow.names):
            return False
        for group in range(metadata.num_row_groups):
            chunk = metadata.row_group(group).column(position)
            statistics = chunk.statistics
            if statistics is None or not statistics.has_null_count:
                return False
            if statistics.null_count != metadata.row_group(group).num_rows:
                return False
        return True

    def _plain(self, field: pa.Field, column: pa.Array) -> pa.Array:
        if pa.types.is_null(field.type):
            return pa.nulls(len(column))
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if column.type == field.type:
            return column
        try:
            return column.cast(field.type)
        except pa.ArrowInvalid:
            raise InputError(
                f"a value does not fit into {field.type}",
                file=self.path,
                column=field.name,
                remedy="write the column with fewer digits, or give the original CSV",
            ) from None

    def _check_text(self, columns: list[pa.Array], seen: int) -> None:
        for field, column in zip(self.schema, columns, strict=True):
            if not is_text(column.type):
                continue
            try:
                column.validate(full=True)
            except pa.ArrowInvalid:
                self._refuse("text that is not UTF-8", field.name, None)
            holds = pc.match_substring(column, "\0")
            if pc.any(holds).as_py():
                self._refuse("a NUL byte", field.name, seen + pc.index(holds, True).as_py())

    def _refuse(self, problem: str, column: str, index: int | None) -> NoReturn:
        raise InputError(
            problem,
            file=self.path,
            row=None if index is None else self.row_of(index),
            column=column,
            remedy="export it as plain UTF-8 text",
        ) from None

    def _unreadable(self) -> InputError:
        return InputError(
            "is not a readable Parquet file",
            file=self.path,
            remedy="write or copy the file again",
        )


def _plain_type(given: pa.DataType) -> pa.DataType:
    """Return the type a column is handed on with: the nearest that the engine knows and that loses nothing."""
    if pa.types.is_dictionary(given):
        return _plain_type(given.value_type)
    if pa.types.is_string_view(given):
        return pa.large_string()
    if pa.types.is_float16(given):
        return pa.float32()
    if pa.types.is_decimal256(given) and 0 <= given.scale <= _ENGINE_DIGITS:
        return pa.decimal128(min(given.precision, _ENGINE_DIGITS), given.scale)
    return given
