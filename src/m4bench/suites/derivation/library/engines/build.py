# SPDX-License-Identifier: MIT
"""Build the concepts of a dataset in a warehouse and bring them back to the store. Knows no engine by name."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from m4bench.data.catalogue import declared_tables
from m4bench.data.publication import reading
from m4bench.data.store import MANIFEST, StoredDataset
from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX, written_beside
from m4bench.model.hashing import sha256_file, sha256_record
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.build import BuildReport, Progress, chosen, silent
from m4bench.suites.derivation.library.catalogue import Derivation, Library
from m4bench.suites.derivation.library.dialects.translate import translate
from m4bench.suites.derivation.library.dialects.typing import Columns, declared_columns
from m4bench.suites.derivation.library.engine import EngineLimits, engine, quoted
from m4bench.suites.derivation.library.engines.engine import ColumnType, RowsLoaded, Warehouse
from m4bench.suites.derivation.library.exclusive import faults_told, locked
from m4bench.suites.derivation.library.execute import Written, write_sorted
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA
from m4bench.suites.derivation.library.manifest import DerivedEntry, Made
from m4bench.suites.derivation.library.plan import (
    Stage,
    intact,
    lacking,
    open_stage,
    require_sources,
    undeclared,
)


def warehouse_schema(convention: Convention) -> str:
    """Return the schema of a warehouse that holds the concepts of a convention."""
    return DERIVED_SCHEMA if convention == "published" else f"{DERIVED_SCHEMA}_{convention}"


def target_names(library: Library, convention: Convention) -> dict[str, str]:
    """Return the names of concepts in a warehouse where these are not their own: own → there."""
    schema = warehouse_schema(convention)
    if schema == DERIVED_SCHEMA:
        return {}
    return {concept.relation: f"{schema}.{name}" for name, concept in library.concepts.items()}


def columns_of(derivation: Derivation) -> list[ColumnType]:
    """Return the names and declared types of a derivation's columns."""
    return [(column.name, column.type) for column in derivation.header.columns]


def _columns(library: Library, stage: Stage) -> Columns:
    """Return the columns of all that can be read: a dataset may have tables of its own."""
    stored = {
        table.qualified: {column.name: column.type for column in table.columns}
        for table in stage.source.tables
    }
    return {**declared_columns(library), **stored}


def bring_back(
    connection: duckdb.DuckDBPyConnection,
    warehouse: Warehouse,
    relation: str,
    derivation: Derivation,
    file: Path,
) -> Written:
    """Write a relation of a warehouse to a Parquet file, in the order and the types of the store.

    Args:
        connection: a DuckDB connection, which sorts.
        warehouse: where the relation is.
        relation: its name there.
        derivation: what it holds.
        file: what is written; beside it stands a folder while this lasts.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{PARTIAL_PREFIX}export-", dir=file.parent))
    try:
        files = warehouse.export(relation, columns_of(derivation), folder)
        listed = ", ".join(quoted(path) for path in files)
        casts = ", ".join(f'CAST("{n}" AS {t}) AS "{n}"' for n, t in columns_of(derivation))
        query = f"SELECT {casts} FROM read_parquet([{listed}])"
        return write_sorted(connection, derivation, query, file)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class _Building:
    """One build: what it reads, where it writes, and what it has done so far."""

    library: Library
    warehouse: Warehouse
    stage: Stage
    folder: Path
    connection: duckdb.DuckDBPyConnection
    columns: Columns
    names: dict[str, str]
    tell: Callable[[str], None]

    def load(self, relations: Iterable[str]) -> None:
        """Make source tables readable in the warehouse, absent ones as tables without rows."""
        declared = declared_tables(self.stage.source.site)
        for relation in sorted(relations):
            table = self.stage.source.table(relation)
            if table is None:
                columns = list(declared[relation].column_types.items())
                content = "absent"
            else:
                columns = [(column.name, column.type) for column in table.columns]
                content = table.sha256
            self.tell(f"table {relation}")
            self.warehouse.source(
                relation,
                self.stage.file(relation) if table else None,
                columns,
                sha256_record([content, columns]),
                self._loading(relation, table.rows if table else 0),
            )

    def _loading(self, relation: str, rows: int) -> RowsLoaded:
        return lambda done: self.tell(f"table {relation}:{100 * done // max(rows, 1)}%")

    def made(self, concept: Derivation) -> Made:
        """Return what a concept would be made from now."""
        made = self.stage.made(concept)
        assert made is not None
        rests_on = self.library.sources_of(concept)
        of_store = {name for name in rests_on if self.stage.source.table(name) is not None}
        return made.model_copy(update={"engine": self.warehouse.made_by(of_store)})

    def derive(self, concept: Derivation, made: Made, stored: DerivedEntry | None) -> None:
        """Build a concept in the warehouse, unless it stands there, or can be read, as it would be made now."""
        relation = self.names.get(concept.relation, concept.relation)
        if self.warehouse.standing(relation) == made.digest():
            return
        if stored is not None and self.warehouse.reads_files:
            file, columns = self.folder / stored.file, columns_of(concept)
            self.warehouse.source(relation, file, columns, made.digest(), lambda rows: None)
            return
        self.load(concept.sources)
        self.tell(f"concept {concept.name}")
        try:
            query = translate(concept.sql, self.warehouse.dialect, self.names, self.columns)
        except InputError as error:
            raise InputError(f"{concept.name} {error.problem}", remedy=error.remedy) from error
        self.warehouse.derive(relation, query, columns_of(concept), made.digest())

    def export(
        self, concept: Derivation, made: Made, absent: Sequence[str], started: float
    ) -> DerivedEntry:
        """Bring a concept back to the store and record it in the manifest."""
        relation = self.names.get(concept.relation, concept.relation)
        final = self.folder / f"{concept.name}.parquet"
        entries = self.stage.concepts.entries
        if entries.pop(concept.name, None):
            self.stage.concepts.write(self.folder / MANIFEST)
        with faults_told(f"exporting {concept.name}", self.folder), written_beside(final) as file:
            written = bring_back(self.connection, self.warehouse, relation, concept, file)
            entry = DerivedEntry(
                name=concept.name,
                made=made,
                identity=made.digest(),
                file=final.name,
                rows=written.rows,
                bytes=file.stat().st_size,
                sha256=sha256_file(file),
                repeated_keys=written.repeated_keys,
                seconds=round(time.perf_counter() - started, 3),
                absent=tuple(absent),
            )
        entries[concept.name] = entry
        self.stage.concepts.write(self.folder / MANIFEST)
        return entry

    def stored(self, name: str, made: Made) -> DerivedEntry | None:
        """Return a concept's entry where the store holds what would be made now."""
        entry = self.stage.concepts.entries.get(name)
        whole = (
            entry is not None
            and entry.identity == made.digest()
            and intact(self.folder / entry.file, entry, hashed=True)
        )
        return entry if whole else None


def build_in(
    warehouse: Warehouse,
    library: Library,
    dataset: StoredDataset,
    names: Iterable[str] | None = None,
    *,
    convention: Convention = "published",
    limits: EngineLimits | None = None,
    progress: Progress = silent,
) -> BuildReport:
    """Build concepts and all they need in a warehouse, and bring them back to the store.

    A concept stands in the warehouse as `mimiciv_derived.NAME`, under another convention in
    `mimiciv_derived_CONVENTION`. What stands there and in the store as it would be made now is not redone.

    Args:
        warehouse: an open session with an engine.
        library: where the SQL stands.
        dataset: an imported dataset.
        names: the concepts wanted, all when None.
        convention: which definition they follow.
        limits: bounds of the DuckDB that sorts what comes back.
        progress: called with a name, the number done and the number in all.

    Raises:
        InputError: an unknown concept, a dataset it cannot be derived from, or a fault of the warehouse.
    """
    library = library.under(convention)
    named = list(names) if names is not None else None
    folder = dataset.derived(convention)
    report = BuildReport()
    wanted = chosen(library, dataset, named, convention)
    with (
        faults_told(f"building concepts of {dataset.name}", folder),
        reading(dataset.root),
        locked(folder, 0o755),
        engine(limits or EngineLimits(), folder) as connection,
    ):
        stage = open_stage(dataset, convention)
        place = 0
        building = _Building(
            library,
            warehouse,
            stage,
            folder,
            connection,
            _columns(library, stage),
            target_names(library, convention),
            lambda text: progress(text, place, len(wanted)),
        )
        for place, name in enumerate(wanted):  # noqa: B007 # progress tells it
            concept = library.concepts[name]
            missing = lacking(library, stage, name)
            if undeclared(stage, missing):
                if named is not None:
                    require_sources(library, stage, name)
                report.left_out[name] = missing
                continue
            if missing:
                report.absent[name] = missing
            made = building.made(concept)
            entry = building.stored(name, made)
            started = time.perf_counter()
            building.derive(concept, made, entry)
            if entry is not None:
                report.reused[name] = entry
                continue
            report.built[name] = building.export(concept, made, missing, started)
        progress("", len(wanted), len(wanted))
    return report
