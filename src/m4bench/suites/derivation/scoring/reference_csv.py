# SPDX-License-Identifier: MIT
"""Turning a reference given as CSV into Parquet, with the kind of each column declared or found.

A column is numeric when every cell that is not empty reads as a number, temporal when every one reads
as an ISO time, otherwise text. Knows nothing of submissions.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.model.errors import InputError
from m4bench.model.task import ScoringRules
from m4bench.suites.derivation.scoring.batches import batches
from m4bench.suites.derivation.scoring.buffers import ignore_overflow
from m4bench.suites.derivation.scoring.cells import ARROW_TYPES, CellKind, Cells
from m4bench.suites.derivation.scoring.pipeline import default_threads, in_order
from m4bench.suites.derivation.scoring.submission import RefusedError, open_trusted

_NEXT: dict[CellKind, CellKind] = {"integer": "number", "number": "instant", "instant": "text"}
_INTEGERS = ("TINYINT", "SMALLINT", "INT", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UBIGINT")
_NUMBERS = ("DOUBLE", "FLOAT", "REAL", "DECIMAL", "NUMERIC", "BOOL")
_INSTANTS = ("TIMESTAMP", "DATETIME", "DATE")


def is_csv(path: Path) -> bool:
    """Tell by its name whether a reference is CSV."""
    return path.name.endswith((".csv", ".csv.gz"))


def as_parquet(path: Path, place: Path, rules: ScoringRules, types: Mapping[str, str]) -> Path:
    """Write the key and scored columns of a CSV reference as Parquet and return its place.

    Raises:
        InputError: it cannot be read, lacks a column, or a cell is not of its declared type.
    """
    names = list(dict.fromkeys((*rules.key, *rules.scored)))
    declared = {name: _declared_kind(types[name]) for name in names if name in types}
    kinds: dict[str, CellKind] = {
        name: declared.get(name, "integer" if name in rules.key else "number") for name in names
    }
    try:
        while misfit := _write(path, place, kinds):
            if misfit in declared:
                raise InputError("a cell is not of the declared type", file=path, column=misfit)
            kinds[misfit] = _NEXT[kinds[misfit]]
    except RefusedError as refusal:
        raise InputError(f"the reference cannot be read: {refusal.reason}", file=path) from None
    except OSError as error:
        raise InputError(f"the reference cannot be read ({error.strerror})", file=path) from error
    return place


def _write(path: Path, place: Path, kinds: Mapping[str, CellKind]) -> str | None:
    """Write Parquet with columns of these kinds; return the first column that does not fit, if any."""
    source = open_trusted(path)
    try:
        for name in kinds:
            if name not in source.header:
                raise InputError("the reference lacks this column", file=path, column=name)
        wanted = {source.header.index(name): kind for name, kind in kinds.items()}
        schema = pa.schema([(name, ARROW_TYPES[kind]) for name, kind in kinds.items()])
        workers = default_threads()
        with (
            pq.ParquetWriter(place, schema, compression="none", use_dictionary=False) as writer,
            ThreadPoolExecutor(workers, initializer=ignore_overflow) as pool,
        ):
            read = in_order(
                pool,
                lambda batch: list(batch.parts(wanted)),
                batches(source, wanted, workers + 1),
                workers,
            )
            for _, found in (part for parts in read for part in parts):
                columns = [found[place] for place in wanted]
                for name, cells in zip(kinds, columns, strict=True):
                    if cells.unreadable is not None:
                        return name
                writer.write_table(pa.table([_arrow(cells) for cells in columns], schema=schema))
    finally:
        source.close()
    return None


def _arrow(cells: Cells) -> pa.Array:
    """Return cells as an Arrow column, null where empty."""
    if isinstance(cells.values, pa.Array):
        return cells.values
    empty = (
        None if cells.empty is None else pa.py_buffer(np.packbits(~cells.empty, bitorder="little"))
    )
    values = pa.py_buffer(np.ascontiguousarray(cells.values))
    return pa.Array.from_buffers(ARROW_TYPES[cells.kind], len(cells.values), [empty, values])


def _declared_kind(sql_type: str) -> CellKind:
    name = sql_type.upper()
    if name.startswith(_INTEGERS):
        return "integer"
    if name.startswith(_NUMBERS):
        return "number"
    if name.startswith(_INSTANTS):
        return "instant"
    return "text"
