# SPDX-License-Identifier: MIT
"""Rows between Parquet files and PostgreSQL's COPY, batch by batch as CSV. Knows no connection."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.engines.engine import ColumnType

_BATCH = 65_536
_BLOCK = 4 << 20
_DECIMAL = re.compile(r"DECIMAL\((\d+), ?(\d+)\)")
_TYPES: dict[str, tuple[str, pa.DataType]] = {
    "SMALLINT": ("smallint", pa.int16()),
    "INTEGER": ("integer", pa.int32()),
    "BIGINT": ("bigint", pa.int64()),
    "DOUBLE": ("double precision", pa.float64()),
    "REAL": ("real", pa.float32()),
    "FLOAT": ("real", pa.float32()),
    "VARCHAR": ("text", pa.string()),
    "DATE": ("date", pa.date32()),
    "TIMESTAMP": ("timestamp", pa.timestamp("us")),
    "BOOLEAN": ("boolean", pa.bool_()),
}


def _kinds(declared: str) -> tuple[str, pa.DataType]:
    if found := _DECIMAL.fullmatch(declared):
        precision, scale = int(found[1]), int(found[2])
        return f"numeric({precision}, {scale})", pa.decimal128(precision, scale)
    if declared not in _TYPES:
        raise InputError(f"a column of type {declared} cannot be kept in PostgreSQL")
    return _TYPES[declared]


def server_type(declared: str) -> str:
    """Return PostgreSQL's name of a DuckDB type.

    Raises:
        InputError: it is none that derivations or source tables have.
    """
    return _kinds(declared)[0]


def csv_of_parquet(file: Path, columns: Sequence[ColumnType]) -> Iterator[tuple[int, bytes]]:
    """Yield a Parquet file as CSV text without a header, with the rows it holds, a batch at a time.

    Every value is quoted and a null is not, so that an empty text stays one.
    """
    schema = pa.schema([(name, _kinds(declared)[1]) for name, declared in columns])
    options = csv.WriteOptions(include_header=False, quoting_style="all_valid")
    with pq.ParquetFile(file) as parquet:
        for batch in parquet.iter_batches(_BATCH, columns=schema.names):
            table = pa.Table.from_batches([batch]).select(schema.names).cast(schema)
            text = io.BytesIO()
            csv.write_csv(table, text, options)
            yield batch.num_rows, text.getvalue()


class _Incoming(io.RawIOBase):
    """What COPY sends, as a file to read."""

    def __init__(self, read: Callable[[], bytes | bytearray | memoryview]) -> None:
        self._read, self._rest = read, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            data = bytes(self._read())
            if not data:
                return 0
            self._rest = data
        taken = min(len(buffer), len(self._rest))
        buffer[:taken], self._rest = self._rest[:taken], self._rest[taken:]
        return taken


def parquet_of_csv(
    read: Callable[[], bytes | bytearray | memoryview], columns: Sequence[ColumnType], file: Path
) -> None:
    """Write CSV with a header, of which `read` returns the next piece and nothing at its end, as Parquet."""
    schema = pa.schema([(name, _kinds(declared)[1]) for name, declared in columns])
    rows = csv.open_csv(
        io.BufferedReader(_Incoming(read), _BLOCK),
        read_options=csv.ReadOptions(block_size=_BLOCK, use_threads=False),
        parse_options=csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        convert_options=csv.ConvertOptions(
            column_types=schema,
            null_values=[""],
            true_values=["t"],
            false_values=["f"],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    with rows, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in rows:
            writer.write_batch(batch)
