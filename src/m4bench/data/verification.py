# SPDX-License-Identifier: MIT
"""Whether an imported dataset is still what its manifest says, and its removal. Knows no source files."""

import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.data.manifest import TableEntry
from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.data.publication import import_lock
from m4bench.data.store import REFERENCES, StoredDataset
from m4bench.model.errors import MissingError
from m4bench.model.files import PARTIAL_PREFIX
from m4bench.model.hashing import sha256_file


def verify_dataset(dataset: StoredDataset, progress: WorkProgress | None = None) -> tuple[str, ...]:
    """Hash every table again, count its rows, read its columns; return what differs from the manifest.

    Returns:
        One line a finding, empty when the dataset holds.

    Raises:
        MissingError: the dataset has not been imported.
        InputError: its manifest cannot be read.
    """
    shown = progress or SilentProgress()
    manifest = dataset.manifest()
    shown.planned(f"verifying {dataset.name}", sum(entry.bytes for entry in manifest.tables))
    findings: list[str] = []
    for entry in manifest.tables:
        found = _table_findings(dataset.root / entry.file, entry)
        findings += [f"{entry.qualified}: {finding}" for finding in found]
        shown.advanced(entry.bytes)
        shown.finished(f"{entry.qualified}: {'differs' if found else 'holds'}")
    recorded = {dataset.root / entry.file for entry in manifest.tables}
    for path in sorted((dataset.root / "source").rglob("*.parquet")):
        if path not in recorded:
            findings.append(f"{path.relative_to(dataset.root)}: is not in the manifest")
    return tuple(findings)


def _table_findings(path: Path, entry: TableEntry) -> list[str]:
    if not path.is_file():
        return ["the file is missing"]
    findings = []
    if sha256_file(path) != entry.sha256:
        findings.append("the file's sha256 is not the one recorded")
    try:
        rows = pq.read_metadata(path).num_rows
        columns = _columns(path)
    except (pa.ArrowException, duckdb.Error, OSError):
        return [*findings, "the file is not readable Parquet"]
    if rows != entry.rows:
        findings.append(f"{entry.rows:,} rows are recorded, {rows:,} found")
    if columns != [(column.name, column.type) for column in entry.columns]:
        findings.append("the columns or their types are not those recorded")
    return findings


def _columns(path: Path) -> list[tuple[str, str]]:
    place = str(path).replace("'", "''")
    with duckdb.connect() as connection:
        described = connection.execute(f"DESCRIBE SELECT * FROM read_parquet('{place}')").fetchall()
    return [(name, "REAL" if type_ == "FLOAT" else type_) for name, type_, *_ in described]


def delete_dataset(dataset: StoredDataset) -> tuple[Path, ...]:
    """Remove a dataset, all that was made from it, and its references; return the folders removed.

    Raises:
        MissingError: there is nothing of that name in the store.
        InputError: an import of it is running.
    """
    name = dataset.name
    # A name that is no plain folder name would lead out of the dataset, or to the whole store.
    plain = bool(name) and Path(name).name == name and not name.startswith(".")
    places = [dataset.root, dataset.store / REFERENCES / name] if plain else []
    found = [place for place in places if place.is_dir()]
    if not found:
        raise MissingError(
            f"dataset {name} is not in the store {dataset.store}",
            remedy="see what is there with: m4bench data list",
        )
    with import_lock(dataset.root):
        # Renamed first, so that a deletion cut short leaves no half dataset under its name.
        for place in (p for p in places if p.is_dir()):
            doomed = place.with_name(f"{PARTIAL_PREFIX}deleted-{place.name}")
            shutil.rmtree(doomed, ignore_errors=True)
            place.rename(doomed)
            shutil.rmtree(doomed)
    return tuple(found)
