# SPDX-License-Identifier: MIT
"""One table from its source file to Parquet, in one pass. Knows no dataset, release or store."""

import errno
from collections.abc import Callable, Generator
from pathlib import Path
from typing import NoReturn

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.data.conversion import converts, is_text, misfit, quoted, strict
from m4bench.data.csv_rows import CsvRows
from m4bench.data.discovery import FoundTable
from m4bench.data.engine import interrupts_told
from m4bench.data.manifest import ColumnEntry, SourceFile, TableEntry
from m4bench.data.parquet_rows import ParquetRows
from m4bench.data.table_rows import NullTally, TableRows
from m4bench.model.errors import InputError, M4BenchError
from m4bench.model.files import written_beside
from m4bench.model.hashing import sha256_file

UNDECLARED = "VARCHAR"
_INDEX = "m4bench_row_index"


def open_rows(found: FoundTable) -> TableRows:
    """Open the file of a table.

    Raises:
        InputError: the file is empty, is not of its format, or its header names a column twice.
    """
    if found.format == "parquet":
        return ParquetRows(found.path)
    return CsvRows(found.path, packed=found.format == "csv.gz")


def target_types(found: FoundTable, given: pa.Schema) -> dict[str, str]:
    """Return the columns to write and their DuckDB types: the declared in their order, then the others.

    Raises:
        InputError: a required column is missing, or a column's type does not convert.
    """
    declared = found.declaration.column_types
    for column in found.declaration.columns:
        if column.required and column.name not in given.names:
            raise InputError(
                f"the column is missing, and {found.declaration.table} needs it",
                file=found.path,
                column=column.name,
                remedy="export the table with all its columns",
            )
    types = {name: type_ for name, type_ in declared.items() if name in given.names}
    types |= {name: UNDECLARED for name in given.names if name not in declared}
    for name, type_ in types.items():
        if name in declared and not converts(given.field(name).type, type_):
            raise InputError(
                f"type {given.field(name).type} does not convert to {type_}",
                file=found.path,
                column=name,
                remedy=_type_remedy(given.field(name).type, type_),
            )
    return types


def _refuse_unknown_types(connection: duckdb.DuckDBPyConnection, rows: TableRows) -> None:
    """Ask the engine of each column, before a row is read, whether it knows the type at all."""
    for field in rows.schema:
        if is_text(field.type):
            continue
        empty = pa.RecordBatchReader.from_batches(pa.schema([field]), iter(()))
        try:
            with interrupts_told():
                connection.register("column_alone", empty.__arrow_c_stream__())
                connection.execute(
                    f"SELECT CAST({quoted(field.name)} AS VARCHAR) FROM column_alone"
                )
        except duckdb.OutOfMemoryException:
            raise _too_little_memory(rows) from None
        except duckdb.Error:
            raise InputError(
                f"type {field.type} cannot be read by the engine",
                file=rows.path,
                column=field.name,
                remedy="write the column as text or plain numbers, or export the table without it",
            ) from None
        finally:
            connection.unregister("column_alone")


def _too_little_memory(rows: TableRows) -> InputError:
    return InputError(
        "the memory limit is too small for this table",
        file=rows.path,
        remedy="raise it with --memory-limit, e.g. --memory-limit 8GB",
    )


def _type_remedy(given: pa.DataType, declared: str) -> str:
    if pa.types.is_timestamp(given):
        return "write it as wall-clock time without a time zone"
    if declared == "VARCHAR":
        return "write it as text, from the original CSV: a number has lost its leading zeros"
    return f"write it as {declared}, or give the original CSV"


def import_table(
    connection: duckdb.DuckDBPyConnection,
    found: FoundTable,
    source: SourceFile,
    target: Path,
    file: str,
    advanced: Callable[[int], None],
) -> TableEntry:
    """Write a table as Parquet (zstd, rows in the order of the source) and return its manifest entry.

    Args:
        connection: the engine, with its memory limit and spill folder set.
        found: the table and its file.
        source: what is recorded of the file.
        target: the Parquet file to write, whole or not at all.
        file: the place of `target` as the manifest records it.
        advanced: called with the bytes read since the last call.

    Raises:
        InputError: the file is malformed or a value does not fit its type; names file, row and column.
    """
    rows = open_rows(found)
    types = target_types(found, rows.schema)
    _refuse_unknown_types(connection, rows)
    tally = NullTally(tuple(rows.schema.names))
    with written_beside(target) as partial:
        _write(connection, rows, types, tally, partial, advanced)
        written = pq.read_metadata(partial).num_rows
        if written != tally.rows:
            raise M4BenchError(f"{found.path}: {tally.rows} rows were read but {written} written")
    declared = found.declaration.column_types
    return TableEntry(
        schema_name=found.declaration.schema_name,
        table=found.declaration.table,
        file=file,
        rows=tally.rows,
        bytes=target.stat().st_size,
        sha256=sha256_file(target),
        columns=tuple(
            ColumnEntry(
                name=name,
                type=type_,
                nulls=tally.nulls.get(name, 0),
                null_tokens=tally.tokens.get(name, {}),
                declared=name in declared,
            )
            for name, type_ in types.items()
        ),
        sources=(source,),
    )


def _write(
    connection: duckdb.DuckDBPyConnection,
    rows: TableRows,
    types: dict[str, str],
    tally: NullTally,
    partial: Path,
    advanced: Callable[[int], None],
) -> None:
    met: list[BaseException] = []

    def kept() -> Generator[pa.RecordBatch, None, None]:
        try:
            with interrupts_told():
                yield from tally.passed(rows.batches(advanced))
        except (Exception, KeyboardInterrupt) as error:
            # The engine would tell of any of them, Control-C too, as an error of its own.
            met.append(error)
            raise

    source = kept()
    columns = ", ".join(
        f"{_expression(name, rows.schema, type_)} AS {quoted(name)}"
        for name, type_ in types.items()
    )
    place = str(partial).replace("'", "''")
    # The engine would wrap a reader of Arrow in a scanner that reads a gigabyte ahead; a bare stream it
    # pulls batch by batch.
    reader = pa.RecordBatchReader.from_batches(rows.schema, source)
    connection.register("given", reader.__arrow_c_stream__())
    try:
        with interrupts_told():
            connection.execute(
                f"COPY (SELECT {columns} FROM given) TO '{place}' (FORMAT parquet, COMPRESSION zstd)"
            )
    except duckdb.OutOfMemoryException:
        raise _too_little_memory(rows) from None
    except duckdb.Error as error:
        if met:
            raise met[0] from None
        if "No space left on device" in str(error):
            raise OSError(errno.ENOSPC, "No space left on device") from None
        if isinstance(error, duckdb.IOException):
            raise InputError(
                "the engine cannot write here",
                file=partial.parent,
                remedy="check the permissions and the disk of the store",
            ) from None
        _refuse_misfit(connection, rows, types)
    finally:
        connection.unregister("given")
        source.close()


def _expression(name: str, given: pa.Schema, type_: str) -> str:
    given_type = given.field(name).type
    if not converts(given_type, type_):
        return f"CAST({quoted(name)} AS {type_})"
    return strict(name, given_type, type_)


def _refuse_misfit(
    connection: duckdb.DuckDBPyConnection, rows: TableRows, types: dict[str, str]
) -> NoReturn:
    """Read the file again up to the first value that does not fit, and name its place.

    The engine's own message is dropped: it quotes the value.
    """
    checks = {
        name: misfit(name, rows.schema.field(name).type, type_)
        for name, type_ in types.items()
        if converts(rows.schema.field(name).type, type_) and type_ != "VARCHAR"
    }
    first = ", ".join(f"min(CASE WHEN {check} THEN {_INDEX} END)" for check in checks.values())
    seen = 0
    for batch in NullTally(tuple(rows.schema.names)).passed(rows.batches()):
        numbered = pa.Table.from_batches([batch]).append_column(
            _INDEX, pa.array(range(batch.num_rows), pa.int64())
        )
        connection.register("numbered", numbered)
        with interrupts_told():
            query = f"SELECT {first} FROM numbered"
            found = connection.execute(query).fetchone() if checks else None
        connection.unregister("numbered")
        misfits = [
            (at, name) for at, name in zip(found or (), checks, strict=False) if at is not None
        ]
        if misfits:
            at, name = min(misfits, key=lambda place: place[0])
            raise InputError(
                f"the value is not of type {types[name]}",
                file=rows.path,
                row=rows.row_of(seen + at),
                column=name,
                remedy="correct the row, or export the table again",
            ) from None
        seen += batch.num_rows
    raise InputError(
        "cannot be converted by the engine",
        file=rows.path,
        remedy="check that no column holds a nested or unusual type",
    ) from None
