# SPDX-License-Identifier: MIT
"""The declared tables of a site as growing Parquet files. Knows no row's meaning."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from m4bench.data.catalogue import declared_tables

Columns: TypeAlias = Mapping[str, NDArray[Any] | pa.Array]

NO_TIME = int(np.iinfo(np.int64).min)
"""Stands for a missing time in an array of seconds."""
NO_ID = -1
"""Stands for a missing identifier or count; no integer of these tables is negative."""

_ARROW = {
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "SMALLINT": pa.int16(),
    "DOUBLE": pa.float64(),
    "REAL": pa.float32(),
    "VARCHAR": pa.string(),
    "TIMESTAMP": pa.timestamp("us"),
    "DATE": pa.date32(),
    "BOOLEAN": pa.bool_(),
}


_GONE = {("mimiciv_hosp.d_labitems", "loinc_code")}
"""Columns that are declared because early releases have them, and that a hospital of today has not."""


@cache
def arrow_schemas(site: str) -> dict[str, pa.Schema]:
    """Return the Arrow schema of every declared table of a site, by `schema.table`, columns in its order.

    What only early releases of MIMIC-IV have (`loinc_code` of `d_labitems`) is left out.

    Args:
        site: `mimic-iv` or `eicu`.
    """
    return {
        name: pa.schema(
            [(c.name, _ARROW[c.type]) for c in table.columns if (name, c.name) not in _GONE]
        )
        for name, table in declared_tables(site).items()
    }


def _column(values: NDArray[Any] | pa.Array, kind: pa.DataType) -> pa.Array:
    if isinstance(values, pa.Array):
        return values.cast(kind)
    if pa.types.is_timestamp(kind):
        missing = values == NO_TIME
        return pa.array(np.where(missing, 0, values) * 1_000_000, mask=missing).cast(kind)
    if pa.types.is_date(kind):
        missing = values == NO_TIME
        days = np.where(missing, 0, values) // 86_400
        return pa.array(days.astype(np.int32), mask=missing).cast(kind)
    if pa.types.is_integer(kind):
        return pa.array(values, mask=values < 0).cast(kind)
    if pa.types.is_floating(kind):
        return pa.array(values, mask=np.isnan(values)).cast(kind)
    return pa.array(values, type=kind, from_pandas=False)


def to_arrow(schema: pa.Schema, columns: Columns) -> pa.Table:
    """Return the rows as an Arrow table of the release's columns and types.

    Args:
        schema: the table's columns.
        columns: arrays of one length by column name. Times are seconds since 1970 (NO_TIME is null),
            negative integers, NaN and None are null; a column left out is null throughout.
    """
    rows = len(next(iter(columns.values())))
    unknown = set(columns) - set(schema.names)
    assert not unknown, f"no declared columns: {sorted(unknown)}"
    arrays = [
        _column(columns[field.name], field.type)
        if field.name in columns
        else pa.nulls(rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


class Writers:
    """Open Parquet files, one a declared table, that grow block by block; holds no rows itself.

    Tables lie in folders named as the release names them: `hosp/` and `icu/`, or none at all.
    """

    def __init__(self, folder: Path, site: str) -> None:
        self._folder, self._schemas = folder, arrow_schemas(site)
        self._open: dict[str, pq.ParquetWriter] = {}

    def __enter__(self) -> Self:
        for table, schema in self._schemas.items():
            place = self._folder / table_file(table)
            place.parent.mkdir(parents=True, exist_ok=True)
            self._open[table] = pq.ParquetWriter(place, schema, compression="zstd")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for writer in self._open.values():
            writer.close()

    def append_all(self, tables: Iterable[tuple[str, pa.Table]]) -> None:
        """Append the rows of several tables, holding one at a time."""
        for table, rows in tables:
            self.append(table, rows)
            del rows

    def append(self, table: str, rows: pa.Table) -> None:
        """Append rows to a table as one row group; nothing is written for no rows."""
        if rows.num_rows:
            self._open[table].write_table(rows)


def table_file(table: str) -> Path:
    """Return where a table lies in a hospital's folder: `hosp/patients.parquet`, or `patient.parquet`."""
    schema, _, name = table.partition(".")
    module = Path(schema.removeprefix("mimiciv_")) if schema.startswith("mimiciv_") else Path()
    return module / f"{name}.parquet"
