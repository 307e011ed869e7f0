# SPDX-License-Identifier: MIT
"""The seam of engines: what a build asks of a warehouse. Knows neither the store nor any engine."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Protocol

from m4bench.suites.derivation.library.dialects.translate import Dialect

ColumnType = tuple[str, str]
"""A column's name and its type, as DuckDB spells it."""

RowsLoaded = Callable[[int], None]
"""Called with the rows loaded so far."""


class Warehouse(Protocol):
    """An engine that holds relations, derives new ones and hands them out.

    Relations are named `schema.table`. A digest says what a relation was made from: a warehouse keeps it
    beside the relation, so that what has not changed is not redone, and so that it knows what it may
    replace. Whatever it did not make itself it never replaces.

    All methods raise `InputError`, one line without a value of data or a secret, where the engine fails.
    """

    @property
    def version(self) -> str:
        """The engine and its version, such as `postgresql 15.8`."""

    def made_by(self, sources: Collection[str]) -> str:
        """Return what manifests record as the maker of a derivation: `version`, and whose tables it read.

        Args:
            sources: the qualified source tables of the store that the derivation rests on.
        """

    @property
    def dialect(self) -> Dialect:
        """The SQL it is given."""

    @property
    def reads_files(self) -> bool:
        """Whether it reads Parquet files where they lie, so that a stored result need not be derived again."""

    def source(
        self,
        relation: str,
        file: Path | None,
        columns: Sequence[ColumnType],
        digest: str,
        report: RowsLoaded,
    ) -> None:
        """Make a source table readable under its name, with the declared types.

        Args:
            relation: its qualified name.
            file: the Parquet file of the store; None makes an empty table.
            columns: the columns in order.
            digest: what the rows are; nothing is done where they are there already.
            report: told how far a long load is.
        """

    def standing(self, relation: str) -> str | None:
        """Return the digest of a relation that an earlier build made, None where it is not there.

        Raises:
            InputError: something stands in its place that this program did not make.
        """

    def derive(self, relation: str, query: str, columns: Sequence[ColumnType], digest: str) -> None:
        """Keep the rows of a query of its dialect under a name, whole or not at all.

        Args:
            relation: the qualified name; what an earlier build made under it is replaced.
            query: the query; its columns have these names in this order.
            columns: names and declared types.
            digest: what the rows are made from.
        """

    def export(self, relation: str, columns: Sequence[ColumnType], folder: Path) -> Sequence[Path]:
        """Write a derived relation as Parquet files, in any order of rows, and return them.

        Args:
            relation: its qualified name.
            columns: names and declared types, which the files have too.
            folder: an empty folder on this machine.
        """
