# SPDX-License-Identifier: MIT
"""Rows that cannot exist, planted in a hidden reference: whoever shows one has seen the reference.

An identifier of a honeytoken lies above any identifier of the source databases, so an honest answer,
however wrong, does not hold one; the scorer leaves them out.
"""

import secrets
from pathlib import Path

import duckdb

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.engine import COMPRESSION, described, identifier, quoted

COUNT = 3
LOWEST = 2_000_000_000
HIGHEST = 2_147_483_646
WATERMARK = "m4bench_watermark"
NUMBERED = ("_id", "stayid")  # how the identifiers of MIMIC-IV and of eICU end
PATIENT_OF_EICU = "uniquepid"  # a text: the number of a hospital group, a hyphen, a number


def _literal(value: str, column_type: str) -> str:
    return f"CAST({quoted(value)} AS {column_type})"


def _identity(name: str) -> str | None:
    """Return a value that no row of a source database has, or None for a column that identifies nothing."""
    number = LOWEST + secrets.randbelow(HIGHEST - LOWEST)
    if name.endswith(NUMBERED):
        return str(number)
    return f"{secrets.randbelow(1000):03d}-{number}" if name == PATIENT_OF_EICU else None


def _drawn(
    connection: duckdb.DuckDBPyConnection, bare: Path, columns: list[str], key: tuple[str, ...]
) -> list[dict[str, str | None]]:
    """Return, for each honeytoken, the value of a real row in each column, as text and drawn for each apart.

    Only rows whose keys are whole are drawn from: a honeytoken is told by its key. Without any there is none.
    """
    texts = ", ".join(f"{identifier(name)}::VARCHAR" for name in columns)
    whole = " AND ".join(f"{identifier(name)} IS NOT NULL" for name in key)
    found = connection.execute(
        f"SELECT {texts} FROM (SELECT * FROM read_parquet({quoted(bare)}) WHERE {whole}) "
        f"USING SAMPLE reservoir({COUNT * len(columns)} ROWS)"
    ).fetchall()
    if not found:
        return []
    return [
        {name: secrets.choice(found)[place] for place, name in enumerate(columns)}
        for _ in range(COUNT)
    ]


def plant(
    connection: duckdb.DuckDBPyConnection,
    bare: Path,
    planted: Path,
    key: tuple[str, ...],
    watermark: str,
) -> tuple[tuple[str, ...], ...]:
    """Copy a reference with honeytoken rows added and a watermark in its metadata; return their keys as text.

    Identifier columns get values of their own; every other column takes the value of some real row,
    drawn for each column apart, so that a honeytoken looks like its neighbours and tells nothing.

    Raises:
        InputError: the key begins with no identifier, so that a honeytoken could have a real row's key.
    """
    if _identity(key[0]) is None:
        raise InputError(f"the key of a reference begins with {key[0]}, which is no identifier")
    columns = described(connection, f"SELECT * FROM read_parquet({quoted(bare)})")
    selects, keys = [], []
    for drawn in _drawn(connection, bare, [name for name, _ in columns], key):
        values: dict[str, str] = {}
        for name, value in drawn.items():
            found = _identity(name) or value
            if found is not None:
                values[name] = found
        keys.append(tuple(values[column] for column in key))
        fields = ", ".join(
            f"{_literal(values[name], kind) if name in values else f'CAST(NULL AS {kind})'} "
            f"AS {identifier(name)}"
            for name, kind in columns
        )
        selects.append(f"SELECT {fields}")
    union = "".join(f" UNION ALL {select}" for select in selects)
    order = ", ".join(identifier(column) for column in key)
    connection.execute(
        f"COPY (SELECT * FROM (SELECT * FROM read_parquet({quoted(bare)}){union}) ORDER BY {order}) "
        f"TO {quoted(planted)} (FORMAT parquet, COMPRESSION {COMPRESSION}, "
        f"KV_METADATA {{{WATERMARK}: {quoted(watermark)}}})"
    )
    return tuple(keys)
