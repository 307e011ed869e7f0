# SPDX-License-Identifier: MIT
"""Tells in constant time whether a file an agent is given can be opened as what its name says; reads no row."""

import os
from pathlib import Path

PARQUET = b"PAR1"
PARQUET_TAIL = 8
DUCKDB, DUCKDB_AT = b"DUCK", 8


def damage(path: str) -> str | None:
    """Return what is wrong with a file in a few words, or None.

    Of a Parquet file the magic at both ends and the footer's length are looked at, of a DuckDB database the
    magic; of any other file, whether a byte can be read.
    """
    try:
        with Path(path).open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            start = stream.read(DUCKDB_AT + len(DUCKDB))
            stream.seek(max(size - PARQUET_TAIL, 0))
            end = stream.read(PARQUET_TAIL)
    except OSError as error:
        return error.strerror or "cannot be read"
    if path.endswith(".parquet"):
        footer = int.from_bytes(end[:4], "little")
        whole = start.startswith(PARQUET) and end[4:] == PARQUET
        if not whole or footer + PARQUET_TAIL + len(PARQUET) > size:
            return "it is no whole Parquet file"
    if path.endswith(".duckdb") and start[DUCKDB_AT:] != DUCKDB:
        return "it is no DuckDB database"
    return None
