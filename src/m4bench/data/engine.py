# SPDX-License-Identifier: MIT
"""The engine an import writes with: its bounds, its spill, and what Control-C looks like in it. Knows no table."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from m4bench.model.errors import InputError

_MEMORY = re.compile(r"\d+(\.\d+)? ?[KMGT](i?B)?", re.IGNORECASE)


def check_memory_limit(given: str | None) -> None:
    """Check a bound that a person wrote, before any work is done under it.

    The engine itself takes `-5GB` and `none` for no bound at all.

    Raises:
        InputError: it is not a positive number with a unit, or none the engine can work with.
    """
    if given is None:
        return
    wrong = InputError(
        f"{given!r} is not a memory limit", remedy="write it like --memory-limit 4GB"
    )
    if not _MEMORY.fullmatch(given.strip()) or not re.search("[1-9]", given):
        raise wrong
    try:
        duckdb.connect(config={"memory_limit": given.strip()}).close()
    except duckdb.Error:
        raise wrong from None


@contextmanager
def import_engine(spill: Path, memory_limit: str | None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection that spills into a folder, which is removed at the end.

    Args:
        spill: the folder.
        memory_limit: a bound that has been checked; DuckDB's default when None.
    """
    # One thread writes, so that the same files give the same bytes under any memory limit and on any
    # machine; unpacking and parsing run beside it in threads of their own.
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": 1,
        "preserve_insertion_order": "true",
        "temp_directory": str(spill),
    }
    if memory_limit is not None:
        config["memory_limit"] = memory_limit.strip()
    connection = duckdb.connect(config=config)
    try:
        yield connection
    finally:
        connection.close()
        shutil.rmtree(spill, ignore_errors=True)


@contextmanager
def interrupts_told() -> Iterator[None]:
    """Raise KeyboardInterrupt for the errors in which DuckDB and Arrow hand on Control-C."""
    try:
        yield
    except (duckdb.InterruptException, pa.ArrowCancelled):
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt) or "interrupt" in str(error).lower():
            raise KeyboardInterrupt from None
        raise
