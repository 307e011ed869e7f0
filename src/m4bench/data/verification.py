# SPDX-License-Identifier: MIT
"""Whether an imported dataset is still what its manifest says. Knows no source files."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.data.deletion import left_of_deletions
from m4bench.data.disk_faults import disk_faults_told
from m4bench.data.engine import interrupts_told
from m4bench.data.manifest import DatasetManifest, TableEntry
from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.data.store import StoredDataset
from m4bench.model.errors import InputError, MissingError
from m4bench.model.hashing import sha256_file


def verify_dataset(dataset: StoredDataset, progress: WorkProgress | None = None) -> tuple[str, ...]:
    """Hash every table again, count its rows, read its columns; return what differs from the manifest.

    Returns:
        One line a finding, empty when the dataset holds.

    Raises:
        MissingError: the dataset has not been imported, or a deletion of it was cut short.
        InputError: its manifest or a table cannot be opened, or it was imported again meanwhile.
    """
    shown = progress or SilentProgress()
    with disk_faults_told(dataset.store):
        if not dataset.exists() and dataset.name in left_of_deletions(dataset.store):
            raise MissingError(
                f"a deletion of dataset {dataset.name} was cut short",
                remedy=f"finish it with: m4bench data delete {dataset.name}",
            )
        manifest = dataset.manifest()
        findings = table_findings(dataset, manifest, shown)
        # An import does not wait for a verification, and takes the tables away beneath it.
        if findings and (not dataset.exists() or dataset.manifest() != manifest):
            raise InputError(
                f"dataset {dataset.name} was imported again or deleted while it was verified",
                remedy="verify it again",
            )
    return findings


def table_findings(
    dataset: StoredDataset, manifest: DatasetManifest, progress: WorkProgress
) -> tuple[str, ...]:
    """Return what of the tables in place differs from a manifest, one line a finding.

    Every byte is read: a disk that goes bad keeps the size of a file.
    """
    progress.planned(f"verifying {dataset.name}", sum(entry.bytes for entry in manifest.tables))
    findings: list[str] = []
    for entry in manifest.tables:
        found = _table_findings(dataset.root / entry.file, entry)
        findings += [f"{entry.qualified}: {finding}" for finding in found]
        progress.advanced(entry.bytes)
        if found:
            progress.finished(f"{entry.qualified}: differs")
    recorded = {dataset.root / entry.file for entry in manifest.tables}
    for path in sorted((dataset.root / "source").rglob("*.parquet")):
        if path not in recorded:
            findings.append(f"{path.relative_to(dataset.root)}: is not in the manifest")
    return tuple(findings)


def _table_findings(path: Path, entry: TableEntry) -> list[str]:
    if not path.is_file():
        return ["the file is missing"]
    findings = []
    try:
        if sha256_file(path) != entry.sha256:
            findings.append("the file's sha256 is not the one recorded")
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
    with interrupts_told(), duckdb.connect() as connection:
        described = connection.execute(f"DESCRIBE SELECT * FROM read_parquet('{place}')").fetchall()
    return [(name, "REAL" if type_ == "FLOAT" else type_) for name, type_, *_ in described]
