# SPDX-License-Identifier: MIT
"""The catalogue: which datasets, tables, columns, types and row counts are declared. Knows no file of a user."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import cast

from m4bench.data.manifest import Access
from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_record


@dataclass(frozen=True)
class ColumnDeclaration:
    """A declared column: lower-case name, DuckDB type, and whether an import must have it."""

    name: str
    type: str
    required: bool


@dataclass(frozen=True)
class TableDeclaration:
    """A declared table, its columns in the documented order."""

    schema_name: str
    table: str
    columns: tuple[ColumnDeclaration, ...]

    @property
    def qualified(self) -> str:
        """Return `schema.table`."""
        return f"{self.schema_name}.{self.table}"

    @property
    def column_types(self) -> dict[str, str]:
        """Return the DuckDB type of every declared column, by name."""
        return {column.name: column.type for column in self.columns}


@dataclass(frozen=True)
class DatasetDeclaration:
    """A dataset by name: its site (`mimic-iv` or `eicu`), who may have it, and where it comes from."""

    name: str
    site: str
    access: Access
    title: str
    download: str | None

    @property
    def tables(self) -> dict[str, TableDeclaration]:
        """Return the declared tables of the dataset's site, by `schema.table`."""
        return declared_tables(self.site)

    @property
    def releases(self) -> dict[str, dict[str, int]]:
        """Return the known row counts: release → `schema.table` → rows."""
        return known_counts(self.name)

    def catalogue_hash(self) -> str:
        """Return the identity of what is declared for the dataset."""
        tables = {
            name: [(c.name, c.type, c.required) for c in table.columns]
            for name, table in self.tables.items()
        }
        return sha256_record([self.name, tables, self.releases])


def site_word(site: str) -> str:
    """Return a site as the command line says it: `mimic` or `eicu`."""
    return site.removesuffix("-iv")


def _rows(name: str) -> list[dict[str, str]]:
    source = resources.files(__package__).joinpath(name)
    return list(csv.DictReader(source.read_text(encoding="utf-8").splitlines()))


@cache
def declared_datasets() -> dict[str, DatasetDeclaration]:
    """Return all datasets that can be imported, by name."""
    return {
        row["dataset"]: DatasetDeclaration(
            name=row["dataset"],
            site=row["site"],
            access=cast(Access, row["access"]),
            title=row["title"],
            download=row["download"] or None,
        )
        for row in _rows("datasets.csv")
    }


def declared_dataset(name: str) -> DatasetDeclaration:
    """Return what is declared of a dataset.

    Raises:
        InputError: there is no such dataset.
    """
    datasets = declared_datasets()
    if name not in datasets:
        raise InputError(
            f"there is no dataset called {name}", remedy=f"choose one of: {', '.join(datasets)}"
        )
    return datasets[name]


@cache
def declared_tables(site: str) -> dict[str, TableDeclaration]:
    """Return the tables of a site, by `schema.table`, in alphabetical order; none for a site not declared here."""
    if not resources.files(__package__).joinpath(f"{site}.csv").is_file():
        return {}
    columns: dict[tuple[str, str], list[ColumnDeclaration]] = {}
    for row in _rows(f"{site}.csv"):
        columns.setdefault((row["schema"], row["table"]), []).append(
            ColumnDeclaration(row["column"], row["type"], row["required"] == "yes")
        )
    tables = (TableDeclaration(schema, name, tuple(c)) for (schema, name), c in columns.items())
    return {table.qualified: table for table in tables}


@cache
def known_counts(dataset: str) -> dict[str, dict[str, int]]:
    """Return the row counts that the publishers declare for a dataset: release → table → rows."""
    counts: dict[str, dict[str, int]] = {}
    for row in _rows("releases.csv"):
        if row["dataset"] == dataset:
            counts.setdefault(row["release"], {})[row["table"]] = int(row["rows"])
    return counts
