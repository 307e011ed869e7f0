# SPDX-License-Identifier: MIT
"""The hash of what a hospital holds, whatever the files look like. Knows no table's meaning.

A table's hash is the sum of the hashes of its rows, so that neither their order nor the files' compression
nor their row groups matter, and a table of any size is read once in a stream. Each row is written as text in
which no two different rows look alike (numbers with 9 significant digits, times in microseconds, texts with
their length before them), hashed with MD5, and the two 64-bit halves of the hashes are added up in 128 bits.
The count of rows is kept beside the sums. Rows that differ by accident change the sums but for a chance of
about 1 in 2 to the power of 128, and a row written twice changes them too, which an exclusive or would not show.
It is no protection against somebody who sets out to build other rows of the same sum: a store is protected by
the sha256 of its files in the manifest, a sealed seed by its commitment.
"""

from pathlib import Path

import duckdb

from m4bench.data.engine import interrupts_told
from m4bench.data.store import StoredDataset
from m4bench.data.table_rows import NULL_TOKENS
from m4bench.model.hashing import sha256_record

_SCHEMAS = {"hosp": "mimiciv_hosp", "icu": "mimiciv_icu"}
_FLAT = "eicu_crd"
_TOKENS = ", ".join(f"'{token}'" for token in NULL_TOKENS)
_MEMORY = "768MB"


def content_hash(place: Path | StoredDataset) -> str:
    """Return the hex sha256 of the content of a hospital's folder, or of a dataset imported from one.

    Both are equal: what an import takes for null is null here too.
    """
    return sha256_record(table_hashes(place))


def table_hashes(place: Path | StoredDataset) -> dict[str, dict[str, object]]:
    """Return, for each table `schema.table`, its columns with their types, its rows and the sum of their hashes.

    Args:
        place: a dataset, or a folder whose Parquet files lie in `hosp/` and `icu/`, in folders named like
            their schemas, or in the folder itself (eICU).
    """
    folder = place.root / "source" if isinstance(place, StoredDataset) else place
    hashes = {}
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": _MEMORY,
        "preserve_insertion_order": "false",
    }
    with interrupts_told(), duckdb.connect(config=config) as connection:
        # There is nothing to find out about such a query; looking for it takes longer than a small table.
        connection.execute("PRAGMA disable_optimizer")
        for file in sorted(folder.rglob("*.parquet")):
            parent = file.parent.name if file.parent != folder else _FLAT
            hashes[f"{_SCHEMAS.get(parent, parent)}.{file.stem}"] = _hashed(connection, file)
    return dict(sorted(hashes.items()))


def _hashed(connection: duckdb.DuckDBPyConnection, file: Path) -> dict[str, object]:
    rows = f"read_parquet('{str(file).replace(chr(39), chr(39) * 2)}')"
    described = connection.execute(f"DESCRIBE SELECT * FROM {rows}").fetchall()
    columns = [(str(name), str(kind)) for name, kind, *_ in described]
    text = f"concat_ws(',', {', '.join(_as_text(name, kind) for name, kind in columns)})"
    count, lower, upper = connection.execute(
        f"WITH hashed AS (SELECT md5_number({text}) AS row_hash FROM {rows}) "
        "SELECT count(*), sum((row_hash & 18446744073709551615::UHUGEINT)::UBIGINT), "
        "sum((row_hash >> 64)::UBIGINT) FROM hashed"
    ).fetchall()[0]
    return {"columns": columns, "rows": count, "sums": [int(lower or 0), int(upper or 0)]}


def _as_text(name: str, kind: str) -> str:
    """Return the expression of a column as text: empty for null, never containing a comma but in a text."""
    column = '"' + name.replace('"', '""') + '"'
    if kind in ("DOUBLE", "FLOAT"):
        # Adding zero makes a negative zero positive.
        written = f"format('{{:.9g}}', {column}::DOUBLE + 0.0)"
    elif kind == "TIMESTAMP":
        written = f"epoch_us({column})::VARCHAR"
    elif kind == "VARCHAR":
        # Null is in no list either, so it falls to the same branch as its tokens.
        known = f"strlen({column})::VARCHAR || ':' || {column}"
        return f"CASE WHEN {column} NOT IN ({_TOKENS}) THEN {known} ELSE '' END"
    else:
        written = f"{column}::VARCHAR"
    return f"coalesce({written}, '')"
