# SPDX-License-Identifier: MIT
"""What the store says of an imported dataset: one manifest, made of one entry a table."""

from datetime import datetime
from typing import Literal

from m4bench.model.hashing import sha256_record
from m4bench.model.record import Document, Record

DATASET_FORMAT = 1
Access = Literal["open", "credentialed", "synthetic"]


class SourceFile(Record):
    """A file a table was read from."""

    name: str
    bytes: int
    sha256: str


class ColumnEntry(Record):
    """A column as stored: its name, its DuckDB type, and how often each null token stood in it.

    `nulls` counts all null cells; `null_tokens` those written as one of the tokens, by token (the empty
    field is the key ""). `declared` is false for a column the catalogue does not know.
    """

    name: str
    type: str
    nulls: int
    null_tokens: dict[str, int]
    declared: bool = True


class TableEntry(Record):
    """A table as stored; `file` is relative to the dataset's folder."""

    schema_name: str
    table: str
    file: str
    rows: int
    bytes: int
    sha256: str
    columns: tuple[ColumnEntry, ...]
    sources: tuple[SourceFile, ...]

    @property
    def qualified(self) -> str:
        """Return `schema.table`."""
        return f"{self.schema_name}.{self.table}"


class Invention(Record):
    """How the rows of a synthetic dataset were invented.

    `seed` is left out of a `sealed` one; `commitment` binds to seed, stays, site, density and version of
    the `generator`; `content` is the hash of the rows, which a hospital made again must have too, under
    the same version of the generator and of NumPy.
    """

    site: str
    stays: int
    density: float
    seed: int | None
    sealed: bool
    commitment: str
    generator: int
    numpy: str
    content: str


class DatasetManifest(Document):
    """All that is known of an imported dataset.

    `invented` is set where it was proven that the rows are invented, by having made them or by their recipe;
    the name `synthetic` alone proves nothing.
    """

    format_version: int = DATASET_FORMAT
    dataset: str
    site: str
    release: str | None
    access: Access
    modified: bool
    modifications: tuple[str, ...] = ()
    missing_tables: tuple[str, ...] = ()
    invented: Invention | None = None
    tables: tuple[TableEntry, ...]
    engine: str
    imported: datetime

    @property
    def kept_as(self) -> Access:
        """Return how the rows are to be kept: as credentialed, where nothing proves that they are invented."""
        unproven = self.access == "synthetic" and self.invented is None
        return "credentialed" if unproven else self.access

    def content_hash(self) -> str:
        """Return the identity of the content: names, types and sha256 of every table, no dates."""
        return sha256_record(
            [
                self.dataset,
                sorted(
                    (t.qualified, t.sha256, [(c.name, c.type) for c in t.columns])
                    for t in self.tables
                ),
            ]
        )

    def table(self, qualified: str) -> TableEntry | None:
        """Return the entry of `schema.table`, or None when the dataset lacks it."""
        return next((t for t in self.tables if t.qualified == qualified), None)
