# SPDX-License-Identifier: MIT
"""The rows of one source file as Arrow batches, null tokens taken out and counted. Knows no declared type."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.conversion import is_text
from m4bench.model.errors import InputError

NULL_TOKENS = ("", "NULL", "NA", "N/A", "___")
_TOKENS = pa.array(NULL_TOKENS, pa.string())

Advanced = Callable[[int], None]


class TableRows(Protocol):
    """A source file that can be read more than once, batch by batch."""

    path: Path
    schema: pa.Schema

    def batches(self, advanced: Advanced | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows in the order of the file; `advanced` is told the bytes read since last time.

        Raises:
            InputError: the file breaks its own format; names the row, and the column where there is one.
        """

    def row_of(self, index: int) -> int:
        """Return the line (CSV) or the number (Parquet, from 1) of the row at an index from 0."""


@dataclass
class NullTally:
    """Counts rows, null cells and null tokens, by column, while batches pass."""

    columns: tuple[str, ...]
    rows: int = 0
    nulls: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, dict[str, int]] = field(default_factory=dict)

    def passed(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches with null tokens made null, counting them."""
        for batch in batches:
            yield self._cleaned(batch)

    def _cleaned(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        cleaned = []
        self.rows += batch.num_rows
        for name, column in zip(self.columns, batch.columns, strict=True):
            kept, counts = without_tokens(column) if is_text(column.type) else (column, {})
            known = self.tokens.setdefault(name, {})
            for token, count in counts.items():
                known[token] = known.get(token, 0) + count
            self.nulls[name] = self.nulls.get(name, 0) + kept.null_count
            cleaned.append(kept)
        return pa.RecordBatch.from_arrays(cleaned, names=list(self.columns))


def without_tokens(column: pa.Array) -> tuple[pa.Array, dict[str, int]]:
    """Return a text column with its null tokens made null, and how often each stood in it."""
    which = pc.index_in(column, value_set=_TOKENS.cast(column.type))
    if which.null_count == len(which):
        return column, {}
    counted = pc.value_counts(which.drop_null())
    counts = {NULL_TOKENS[entry["values"].as_py()]: entry["counts"].as_py() for entry in counted}
    return pc.if_else(pc.is_valid(which), pa.scalar(None, column.type), column), counts


def lower_names(names: list[str], path: Path) -> list[str]:
    """Return the names of a header in lower case.

    Raises:
        InputError: a column has no name, or two have the same.
    """
    lowered = [name.lower() for name in names]
    for position, name in enumerate(lowered):
        if not name or "\n" in name or "\r" in name:
            raise InputError(
                f"column {position + 1} of the header has no name",
                file=path,
                row=1,
                remedy="give it a name, or export the table without it",
            )
        if name in lowered[:position]:
            raise InputError(
                "the header names the column twice",
                file=path,
                row=1,
                column=name,
                remedy="keep one of the two columns",
            )
    return lowered
