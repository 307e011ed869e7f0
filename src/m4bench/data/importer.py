# SPDX-License-Identifier: MIT
"""Importing a dataset: from a folder of files to a dataset in the store, whole or not at all.

Tables are written one by one into a folder beside the dataset's own; each that is finished leaves a
record, so that a run after a crash goes on where the last one stopped. The manifest is written last and
the folder then takes its place in one step.
"""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from m4bench.data.catalogue import DatasetDeclaration, declared_dataset
from m4bench.data.deletion import finish_deletions
from m4bench.data.discovery import Discovery, FoundTable, find_tables
from m4bench.data.disk_faults import disk_faults_told
from m4bench.data.engine import check_memory_limit, import_engine
from m4bench.data.manifest import DatasetManifest, Invention, SourceFile, TableEntry
from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.data.publication import LOCK, import_lock, publish
from m4bench.data.release_counts import absences, compared, release
from m4bench.data.standing import manifest_made_from, refuse_to_lose_a_seed
from m4bench.data.store import MANIFEST, StoredDataset
from m4bench.data.table_import import import_table
from m4bench.data.verification import table_findings
from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX, PRIVATE
from m4bench.model.hashing import sha256_file, sha256_record
from m4bench.model.record import Document

IMPORTER_VERSION = 1
PREPARED = f"{PARTIAL_PREFIX}source"
FINISHED = f"{PARTIAL_PREFIX}finished"
_SPILL = ".spill"
_GROWTH = {"csv": 0.5, "csv.gz": 1.2, "parquet": 1.5}
"""Bytes of Parquet a byte of source may become, on the safe side of what the demos need."""
_MARGIN = 32 << 20

Proof = Callable[[Path, Mapping[str, Path]], None]
"""Raises unless the imported tables in a folder, read from these files by `schema.table`, are invented."""


class FinishedTable(Document):
    """The record that a table has been written, and of what."""

    format_version: int = 1
    made_from: str
    entry: TableEntry


@dataclass(frozen=True)
class _Source:
    found: FoundTable
    file: SourceFile


@dataclass(frozen=True)
class _Terms:
    """What the caller allows and claims."""

    allow_modified: bool
    memory_limit: str | None
    invented: Invention | None
    proof: Proof | None


def import_dataset(
    dataset: StoredDataset,
    source: Path,
    *,
    allow_modified: bool = False,
    progress: WorkProgress | None = None,
    memory_limit: str | None = None,
    invented: Invention | None = None,
    proof: Proof | None = None,
) -> DatasetManifest:
    """Import the files in a folder as a dataset of the store and return its manifest.

    Args:
        dataset: where in the store; its name must be in the catalogue.
        source: the folder that holds the files, or its `hosp/` and `icu/`.
        allow_modified: take row counts that differ from the publisher's, and say so in the manifest.
        progress: told what happens.
        memory_limit: the engine's bound, e.g. `4GB`; DuckDB's default when None.
        invented: what the rows were made from, where they were invented and that is known.
        proof: asked before anything counts as invented; None where the caller has made the rows itself.

    Returns:
        The manifest; the one that stood already when the same files had been imported before.

    Raises:
        InputError: the folder, a file or a row is not what the catalogue declares, the memory limit is
            none, the disk is full, another import of the dataset runs, a sealed dataset would be
            replaced, or the proof fails. A dataset imported earlier stays as it was.
    """
    shown = progress or SilentProgress()
    declaration = declared_dataset(dataset.name)
    check_memory_limit(memory_limit)
    with disk_faults_told(dataset.store):
        discovery = find_tables(declaration, source)
        missing = _missing(declaration, discovery)
        for name in discovery.unknown:
            shown.note(f"{name} belongs to no table of {declaration.title} and is not read")
        if missing and declaration.access != "synthetic":
            shown.note(f"missing: {', '.join(missing)}")
        with import_lock(dataset.root, shown.note):
            return _under_lock(
                dataset,
                declaration,
                discovery,
                missing,
                _Terms(allow_modified, memory_limit, invented, proof),
                shown,
            )


def _missing(declaration: DatasetDeclaration, discovery: Discovery) -> tuple[str, ...]:
    present = {found.declaration.qualified for found in discovery.tables}
    return tuple(name for name in declaration.tables if name not in present)


def _hashed(discovery: Discovery, progress: WorkProgress) -> list[_Source]:
    progress.planned("hashing the files", sum(found.bytes for found in discovery.tables))
    sources = []
    for found in discovery.tables:
        digest = sha256_file(found.path)
        sources.append(
            _Source(found, SourceFile(name=found.name, bytes=found.bytes, sha256=digest))
        )
        progress.advanced(found.bytes)
    return sources


def _engine() -> str:
    return f"duckdb {duckdb.__version__}, importer {IMPORTER_VERSION}"


def _standing(
    dataset: StoredDataset,
    declaration: DatasetDeclaration,
    sources: list[_Source],
    allow_modified: bool,
    progress: WorkProgress,
) -> DatasetManifest | None:
    """Return the manifest in place when it was made of these very files, by this engine, and holds."""
    given = {s.found.declaration.qualified: s.file.sha256 for s in sources}
    manifest = manifest_made_from(dataset, declaration, given)
    if manifest is None or manifest.engine != _engine():
        return None
    if manifest.modified and not allow_modified:
        return None
    findings = table_findings(dataset, manifest, progress)
    for finding in findings:
        progress.note(f"imported again, because in the store {finding}")
    return None if findings else manifest


def _under_lock(
    dataset: StoredDataset,
    declaration: DatasetDeclaration,
    discovery: Discovery,
    missing: tuple[str, ...],
    terms: _Terms,
    progress: WorkProgress,
) -> DatasetManifest:
    mode = dataset.root.stat().st_mode & 0o777
    proven = terms.invented is not None and terms.proof is None
    if declaration.access != "open" and not proven:
        dataset.root.chmod(PRIVATE)
    finish_deletions(dataset, progress)
    sources = _hashed(discovery, progress)
    standing = _standing(dataset, declaration, sources, terms.allow_modified, progress)
    if standing is not None:
        _leave_nothing(dataset)
        if terms.invented is not None and standing.invented is None:
            _prove(dataset, dataset.root / "source", sources, terms)
            standing = standing.model_copy(update={"invented": terms.invented})
            standing.write(dataset.manifest_path)
        progress.note(f"{dataset.name} is unchanged: these files have been imported before")
    else:
        refuse_to_lose_a_seed(dataset, terms.invented.commitment if terms.invented else None)
        standing = _imported(dataset, declaration, sources, missing, terms, progress)
    if terms.invented is not None:
        dataset.root.chmod(mode)
    return standing


def _prove(dataset: StoredDataset, folder: Path, sources: list[_Source], terms: _Terms) -> None:
    """Have the claim proven that the imported rows are invented; rows that are not are not kept."""
    if terms.invented is None or terms.proof is None:
        return
    try:
        terms.proof(folder, {s.found.declaration.qualified: s.found.path for s in sources})
    except InputError:
        _leave_nothing(dataset)
        if {path.name for path in dataset.root.iterdir()} == {LOCK}:
            shutil.rmtree(dataset.root)
        raise


def _imported(
    dataset: StoredDataset,
    declaration: DatasetDeclaration,
    sources: list[_Source],
    missing: tuple[str, ...],
    terms: _Terms,
    progress: WorkProgress,
) -> DatasetManifest:
    prepared = dataset.root / PREPARED
    prepared.mkdir(parents=True, exist_ok=True)
    kept = _kept(dataset, declaration, sources)
    _clear(dataset, kept)
    waiting = [s for s in sources if s.found.declaration.qualified not in kept]
    _check_space(dataset, waiting, progress)
    progress.planned(f"importing {dataset.name}", sum(s.file.bytes for s in sources))
    modifications: list[str] = []
    entries: list[TableEntry] = []
    with import_engine(prepared / _SPILL, terms.memory_limit) as connection:
        for source in sources:
            entry = kept.get(source.found.declaration.qualified)
            if entry is None:
                entry = _table(connection, dataset, declaration, source, progress)
            else:
                progress.advanced(source.file.bytes)
            entries.append(entry)
            modifications += compared(declaration, source.found, entry, terms.allow_modified)
            reused = ", finished earlier" if entry.qualified in kept else ""
            progress.finished(f"{entry.qualified}: {entry.rows:,} rows{reused}")
    modifications += absences(declaration, missing)
    _prove(dataset, prepared, sources, terms)
    manifest = DatasetManifest(
        dataset=dataset.name,
        site=declaration.site,
        release=release(declaration, entries),
        access=declaration.access,
        modified=bool(modifications),
        modifications=tuple(modifications),
        missing_tables=missing,
        invented=terms.invented,
        tables=tuple(sorted(entries, key=lambda entry: entry.qualified)),
        engine=_engine(),
        imported=datetime.now(UTC),
    )
    _tell_notable(dataset, manifest, progress)
    manifest.write(prepared / MANIFEST)
    publish(prepared, dataset.root / "source")
    _leave_nothing(dataset)
    return manifest


def _table(
    connection: duckdb.DuckDBPyConnection,
    dataset: StoredDataset,
    declaration: DatasetDeclaration,
    source: _Source,
    progress: WorkProgress,
) -> TableEntry:
    table = source.found.declaration
    file = f"source/{table.schema_name}/{table.table}.parquet"
    before = source.found.path.stat()
    entry = import_table(
        connection,
        source.found,
        source.file,
        dataset.root / PREPARED / table.schema_name / f"{table.table}.parquet",
        file,
        progress.advanced,
    )
    after = source.found.path.stat()
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise InputError(
            "changed while it was being read", file=source.found.path, remedy="import it again"
        )
    for column in entry.columns:
        if not column.declared:
            progress.note(
                f"{source.found.name}: column {column.name} is not declared; it is kept as text"
            )
    if void := [c.name for c in entry.columns if c.declared and entry.rows == c.nulls > 0]:
        progress.note(f"{source.found.name}: null in every row: {', '.join(void)}")
    record = FinishedTable(made_from=_made_from(declaration, source.file), entry=entry)
    record.write(dataset.root / FINISHED / f"{entry.qualified}.json")
    return entry


def _made_from(declaration: DatasetDeclaration, file: SourceFile) -> str:
    return sha256_record([declaration.catalogue_hash(), _engine(), file.name, file.sha256])


def _kept(
    dataset: StoredDataset, declaration: DatasetDeclaration, sources: list[_Source]
) -> dict[str, TableEntry]:
    """Return the tables that an import cut short had finished, made of the same file and still whole."""
    kept = {}
    for source in sources:
        table = source.found.declaration
        record = dataset.root / FINISHED / f"{table.qualified}.json"
        written = dataset.root / PREPARED / table.schema_name / f"{table.table}.parquet"
        if not record.is_file() or not written.is_file():
            continue
        try:
            finished = FinishedTable.read(record)
        except InputError:
            continue
        same = finished.made_from == _made_from(declaration, source.file)
        if same and sha256_file(written) == finished.entry.sha256:
            kept[table.qualified] = finished.entry
    return kept


def _clear(dataset: StoredDataset, kept: dict[str, TableEntry]) -> None:
    """Remove what an import cut short left half done, and mend a publication cut short."""
    prepared = dataset.root / PREPARED
    wanted = {prepared / e.schema_name / f"{e.table}.parquet" for e in kept.values()}
    for path in sorted(prepared.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in wanted:
            path.unlink()
    for retired in dataset.root.glob(f"{PARTIAL_PREFIX}*-source"):
        if not dataset.exists() and (retired / MANIFEST).is_file():
            retired.rename(dataset.root / "source")
        else:
            shutil.rmtree(retired)


def _leave_nothing(dataset: StoredDataset) -> None:
    for folder in (PREPARED, FINISHED):
        shutil.rmtree(dataset.root / folder, ignore_errors=True)


def _check_space(dataset: StoredDataset, waiting: list[_Source], progress: WorkProgress) -> None:
    """Tell how much disk an import will take, at most, and refuse to begin where there is less."""
    needed = sum(s.file.bytes * _GROWTH[s.found.format] for s in waiting)
    needed += min(_MARGIN, needed)
    free = shutil.disk_usage(dataset.root).free
    if needed > free:
        raise InputError(
            f"the import needs about {needed / 1e6:,.0f} MB of disk, and {free / 1e6:,.0f} MB are free",
            file=dataset.store,
            remedy="free space, or choose a store on another disk with --store",
        )
    if waiting:
        progress.note(
            f"at most {needed / 1e6:,.0f} MB of disk are needed, {free / 1e6:,.0f} MB are free"
        )


def _tell_notable(
    dataset: StoredDataset, manifest: DatasetManifest, progress: WorkProgress
) -> None:
    for modification in manifest.modifications:
        progress.note(f"modified: {modification}")
    try:
        changed = dataset.exists() and dataset.manifest().content_hash() != manifest.content_hash()
    except InputError:
        changed = True
    if not changed:
        return
    stages = [dataset.root / name for name in ("derived", "presented", "databases")]
    stale = [stage.name for stage in stages if stage.is_dir()]
    hidden = dataset.references("published").parent
    # Beside the references of each convention, a seal may lie there as a file.
    stale += ["references"] if any(place.is_dir() for place in hidden.glob("*")) else []
    if stale:
        progress.note(
            f"the rows have changed: {', '.join(stale)} of {dataset.name} are stale until built again"
        )
