# SPDX-License-Identifier: MIT
"""The engine: a DuckDB connection with bounds, and relations given to it as Parquet files."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import duckdb
from pydantic import Field

from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX
from m4bench.model.record import Record

OWN = "duckdb "
ENGINE = f"{OWN}{duckdb.__version__}"
COMPRESSION = "zstd"
STORED = f"FORMAT parquet, COMPRESSION {COMPRESSION}, PARQUET_VERSION v2"
"""How rows are kept in the store: the second version writes columns that run on as differences."""
SPILL_PREFIX = f"{PARTIAL_PREFIX}spill-"
MOST_MEMORY = 2**50
"""Bytes; the engine counts them in 64 bits and takes what is beyond for a fault of its own."""
_MEMORY = re.compile(r"\d+(\.\d+)? ?[KMGT](i?B)?", re.IGNORECASE)


class EngineLimits(Record):
    """Bounds of the engine: memory such as 4GB or 512MiB, threads as a count (default: all cores)."""

    memory: str = "4GB"
    threads: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=1)

    @classmethod
    def of_memory(cls, memory: str) -> Self:
        """Return limits with a memory bound a person wrote.

        Raises:
            InputError: it is not a positive number with a unit, or more than any machine has.
        """
        positive = _MEMORY.fullmatch(memory.strip()) and re.search("[1-9]", memory)
        if not positive or (limits := cls(memory=memory.strip())).memory_bytes() > MOST_MEMORY:
            raise InputError(
                f"{memory!r} is no amount of memory",
                remedy="give --memory-limit such as 4GB or 512MiB",
            )
        return limits

    def memory_bytes(self) -> float:
        """Return the memory bound in bytes: KB is 1,000 of them, KiB 1,024."""
        number = self.memory.rstrip("BbIiKkMmGgTt ")
        unit = self.memory[len(number) :].strip().upper()
        step = 1024.0 if "I" in unit else 1000.0
        return float(number) * step ** (1 + "KMGT".index(unit[0]))


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
        scratch: where the spill folder is made, under a name that marks it as partial; the system's
            temporary folder when not given.
    """
    with TemporaryDirectory(prefix=SPILL_PREFIX, dir=scratch) as spill:
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
            connection.execute("SET parquet_metadata_cache = true")
            yield connection
        finally:
            connection.close()


def create_view(connection: duckdb.DuckDBPyConnection, qualified: str, query: str) -> None:
    """Make the rows of a query readable as `schema.table`."""
    schema, table = qualified.split(".")
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {identifier(schema)}")
    connection.execute(
        f"CREATE OR REPLACE VIEW {identifier(schema)}.{identifier(table)} AS {query}"
    )


def create_empty_view(
    connection: duckdb.DuckDBPyConnection, qualified: str, types: Mapping[str, str]
) -> None:
    """Make a relation without rows readable as `schema.table`, by the types of its columns."""
    nulls = ", ".join(f"CAST(NULL AS {kind}) AS {identifier(name)}" for name, kind in types.items())
    create_view(connection, qualified, f"SELECT {nulls} WHERE false")


def create_views(connection: duckdb.DuckDBPyConnection, files: Mapping[str, Path]) -> None:
    """Make several Parquet files readable under their qualified names."""
    for qualified, file in sorted(files.items()):
        create_view(connection, qualified, f"SELECT * FROM read_parquet({quoted(file)})")


def described(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple[str, str]]:
    """Return the name and type of every column of a query."""
    return [(row[0], row[1]) for row in connection.execute(f"DESCRIBE {query}").fetchall()]
