# SPDX-License-Identifier: MIT
"""Finding the files of declared tables in a folder. Knows names and sizes, opens no file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from m4bench.data.catalogue import DatasetDeclaration, TableDeclaration
from m4bench.model.errors import InputError

FileFormat = Literal["csv", "csv.gz", "parquet"]
_SUFFIXES: tuple[FileFormat, ...] = ("csv.gz", "csv", "parquet")
_FOLDERS = {
    "hosp": "mimiciv_hosp",
    "mimiciv_hosp": "mimiciv_hosp",
    "icu": "mimiciv_icu",
    "mimiciv_icu": "mimiciv_icu",
    "eicu_crd": "eicu_crd",
}
_COMPANIONS = ("license", "readme", "sha256sums", "changelog", "index.html", "hospital.json")


@dataclass(frozen=True)
class FoundTable:
    """A declared table and the file that holds it; `name` is the file relative to the folder searched."""

    declaration: TableDeclaration
    path: Path
    name: str
    format: FileFormat
    bytes: int


@dataclass(frozen=True)
class Discovery:
    """What a folder holds: tables, smallest file first, and entries that belong to no table."""

    tables: tuple[FoundTable, ...]
    unknown: tuple[str, ...]


def find_tables(dataset: DatasetDeclaration, folder: Path) -> Discovery:
    """Find the tables of a dataset in `folder` or in its `hosp/` and `icu/` subfolders.

    File names are matched without regard to case; `.csv`, `.csv.gz` and `.parquet` are read.

    Raises:
        InputError: the folder is missing, holds no known table, or holds a table twice.
    """
    if not folder.is_dir():
        raise InputError(
            "is not a folder" if folder.exists() else "does not exist",
            file=folder,
            remedy=f"give the folder that holds the files of {dataset.title} with --from",
        )
    found: dict[str, FoundTable] = {}
    unknown: list[str] = []
    for path, schema in _candidates(folder, dataset):
        name = str(path.relative_to(folder))
        table = _table_of(path, schema, dataset)
        if table is None:
            if not path.name.lower().startswith(_COMPANIONS):
                unknown.append(f"{name}/" if path.is_dir() else name)
            continue
        earlier = found.get(table.declaration.qualified)
        if earlier is not None:
            raise InputError(
                f"holds table {table.declaration.table}, which {earlier.name} holds too",
                file=path,
                remedy="keep one of the two files and move the other away",
            )
        found[table.declaration.qualified] = FoundTable(
            table.declaration, path, name, table.format, path.stat().st_size
        )
    if not found:
        raise InputError(
            f"holds no table of {dataset.title}",
            file=folder,
            remedy="give the folder that holds the files themselves"
            + (" or the folders hosp and icu" if dataset.site == "mimic-iv" else ""),
        )
    ordered = sorted(found.values(), key=lambda t: (t.bytes, t.declaration.qualified))
    return Discovery(tuple(ordered), tuple(sorted(unknown)))


@dataclass(frozen=True)
class _Match:
    declaration: TableDeclaration
    format: FileFormat


def _candidates(folder: Path, dataset: DatasetDeclaration) -> list[tuple[Path, str | None]]:
    schemas = {table.schema_name for table in dataset.tables.values()}
    entries: list[tuple[Path, str | None]] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        schema = _FOLDERS.get(path.name.lower())
        if path.is_dir() and schema in schemas:
            entries += [(p, schema) for p in sorted(path.iterdir()) if not p.name.startswith(".")]
        else:
            entries.append((path, None))
    return entries


def _table_of(path: Path, schema: str | None, dataset: DatasetDeclaration) -> _Match | None:
    if not path.is_file():
        return None
    name = path.name.lower()
    for suffix in _SUFFIXES:
        stem = name.removesuffix(f".{suffix}")
        if stem != name:
            break
    else:
        return None
    for declaration in dataset.tables.values():
        if declaration.table == stem and schema in (None, declaration.schema_name):
            return _Match(declaration, suffix)
    return None
