# SPDX-License-Identifier: MIT
"""The engine: a DuckDB connection with bounds, and relations given to it as Parquet files."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from pydantic import Field

from m4bench.model.record import Record

ENGINE = f"duckdb {duckdb.__version__}"
COMPRESSION = "zstd"


class EngineLimits(Record):
    """Bounds of the engine: memory as DuckDB writes it, threads as a count (default: all cores)."""

    memory: str = "4GB"
    threads: int = Field(default_factory=lambda: os.cpu_count() or 1)


def quoted(value: str | Path) -> str:
    """Return a SQL string literal."""
    return "'" + str(value).replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def engine(
    limits: EngineLimits, scratch: Path | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection that spills into a folder of its own and never loads an extension from a network.

    Args:
        limits: memory and threads.
        scratch: where the spill folder is made; the system's temporary folder when not given.
    """
    with TemporaryDirectory(prefix="m4bench-spill-", dir=scratch) as spill:
        connection = duckdb.connect(
            config={
                "memory_limit": limits.memory,
                "threads": str(limits.threads),
                "temp_directory": spill,
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "preserve_insertion_order": "true",
            }
        )
        try:
            connection.execute("SET enable_progress_bar = false")
            yield connection
        finally:
            connection.close()


def create_view(connection: duckdb.DuckDBPyConnection, qualified: str, file: Path) -> None:
    """Make a Parquet file readable as `schema.table`."""
    schema, table = qualified.split(".")
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {identifier(schema)}")
    connection.execute(
        f"CREATE OR REPLACE VIEW {identifier(schema)}.{identifier(table)} AS "
        f"SELECT * FROM read_parquet({quoted(file)})"
    )


def create_views(connection: duckdb.DuckDBPyConnection, files: Mapping[str, Path]) -> None:
    """Make several Parquet files readable under their qualified names."""
    for qualified, file in sorted(files.items()):
        create_view(connection, qualified, file)


def described(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple[str, str]]:
    """Return the name and type of every column of a query."""
    return [(row[0], row[1]) for row in connection.execute(f"DESCRIBE {query}").fetchall()]
