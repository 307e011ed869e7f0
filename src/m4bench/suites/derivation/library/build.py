# SPDX-License-Identifier: MIT
"""Build concepts and references of a dataset: in dependency order, only what has changed, whole or not."""

import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from m4bench.data.catalogue import declared_tables
from m4bench.data.publication import reading
from m4bench.data.store import MANIFEST, Store, StoredDataset
from m4bench.model.errors import InputError
from m4bench.model.files import PRIVATE, same_bytes, written_beside
from m4bench.model.hashing import sha256_file
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import Derivation, Library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.exclusive import faults_told, locked
from m4bench.suites.derivation.library.execute import Written, execute
from m4bench.suites.derivation.library.honeytokens import plant
from m4bench.suites.derivation.library.large_tables import LargeTables
from m4bench.suites.derivation.library.manifest import (
    DerivedEntry,
    Made,
    ReferenceEntry,
    read_references,
)
from m4bench.suites.derivation.library.plan import (
    Stage,
    lacking,
    open_stage,
    require_own_site,
    require_sources,
    undeclared,
)
from m4bench.suites.derivation.library.sites import serves

Progress = Callable[[str, int, int], None]


def silent(name: str, done: int, total: int) -> None:
    """Report no progress."""


@dataclass
class BuildReport:
    """What a build did: `built` and `reused` by name, `left_out` by name with the missing tables.

    `absent` names, for each concept made from fewer tables than it asks for, those of which it had no rows.
    A reference stands under its name with `reference ` before it, since a concept may bear the same name.
    """

    built: dict[str, DerivedEntry] = field(default_factory=dict)
    reused: dict[str, DerivedEntry] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    absent: dict[str, list[str]] = field(default_factory=dict)

    def absorb(self, other: "BuildReport") -> None:
        """Add what another build did."""
        self.built |= other.built
        self.reused |= other.reused
        self.left_out |= other.left_out
        self.absent |= other.absent


def nothing_to_build(dataset: StoredDataset) -> InputError:
    """Return the error of a dataset from which nothing can be derived."""
    return InputError(
        f"{dataset.name} has the source tables of nothing that is derived in this version",
        remedy="see what they need: m4bench concepts show NAME --lineage",
    )


def no_concepts(dataset: StoredDataset, site: str) -> InputError:
    """Return the error of a dataset of a site for which references alone are specified."""
    return InputError(
        f"{dataset.name} is shaped like {site}, for which no concept is specified, only references",
        remedy=f"run: m4bench references build {dataset.name}",
    )


def chosen(
    library: Library, dataset: StoredDataset, names: Sequence[str] | None, convention: Convention
) -> list[str]:
    """Return the concepts to build, in order: those named and what they need, or all of the dataset's site.

    Args:
        library: the library under the convention.
        dataset: an imported dataset.
        names: the concepts wanted, all when None.
        convention: which definition they follow.

    Raises:
        InputError: an unknown concept, one of another site, or a dataset from which nothing can be derived.
    """
    stage = open_stage(dataset, convention)
    site = stage.source.site
    of_site = (name for name in library.concepts if serves(library, name, site))
    wanted = library.order(names if names is not None else of_site)
    if names is None and not wanted:
        raise no_concepts(dataset, site)
    for name in names or ():
        require_own_site(library, stage, name)
    if names is None and all(lacking(library, stage, name) for name in wanted):
        raise nothing_to_build(dataset)
    return wanted


def _make(
    connection: duckdb.DuckDBPyConnection,
    stage: Stage,
    derivation: Derivation,
    file: Path,
    queries: Mapping[str, str] | None = None,
) -> Written:
    absent = stage.absent(derivation)
    relations = {name: stage.file(name) for name in derivation.inputs if name not in absent}
    declared = declared_tables(stage.source.site)
    return execute(
        connection,
        derivation,
        relations,
        file,
        empty={name: declared[name].column_types for name in absent},
        queries=queries,
    )


def _entry(
    made: Made,
    written: Written,
    final: Path,
    partial: Path,
    seconds: float,
    absent: Iterable[str] = (),
) -> DerivedEntry:
    return DerivedEntry(
        name=made.name,
        made=made,
        identity=made.digest(),
        file=final.name,
        rows=written.rows,
        bytes=partial.stat().st_size,
        sha256=sha256_file(partial),
        repeated_keys=written.repeated_keys,
        seconds=round(seconds, 3),
        absent=tuple(absent),
    )


def _stands(stage: Stage, library: Library, name: str) -> bool:
    """Tell whether the rows of a concept are stored, as far as can be told before anything is built."""
    concept = library.concepts[name]
    made = stage.made(concept)
    folder = stage.dataset.derived(stage.convention)
    return made is not None and (
        stage.fresh(concept, stage.concepts.entries.get(name), folder)
        or stage.twin(made) is not None
    )


def build_concepts(
    library: Library,
    dataset: StoredDataset,
    names: Iterable[str] | None = None,
    *,
    convention: Convention = "published",
    limits: EngineLimits | None = None,
    progress: Progress = silent,
) -> BuildReport:
    """Build concepts and all they need; what is stored and unchanged is not redone.

    Args:
        library: where the SQL stands.
        dataset: an imported dataset.
        names: the concepts wanted, all when None.
        convention: which definition they follow.
        limits: bounds of the engine.
        progress: called with a name, the number done and the number in all.

    Raises:
        InputError: an unknown concept, or a dataset from which nothing can be derived. A source table the
            dataset lacks counts as one without rows, and the report says so; a table that no release
            declares makes a named concept refused and another one left out.
    """
    library = library.under(convention)
    limits = limits or EngineLimits()
    named = list(names) if names is not None else None
    folder = dataset.derived(convention)
    report = BuildReport()
    wanted = chosen(library, dataset, named, convention)
    with (
        faults_told(f"building concepts of {dataset.name}", folder),
        reading(dataset.root),
        locked(folder, 0o755),
        engine(limits, folder) as connection,
    ):
        stage = open_stage(dataset, convention)
        due = (library.concepts[name] for name in wanted if not _stands(stage, library, name))
        large = LargeTables(connection, stage, limits, due)
        for done, name in enumerate(wanted):
            progress(name, done, len(wanted))
            concept = library.concepts[name]
            missing = lacking(library, stage, name)
            if undeclared(stage, missing):
                if named is not None:
                    require_sources(library, stage, name)
                report.left_out[name] = missing
                continue
            if missing:
                report.absent[name] = missing
            stored = stage.concepts.entries.get(name)
            if stored is not None and stage.fresh(concept, stored, folder, hashed=True):
                report.reused[name] = stored
                continue
            if stage.concepts.entries.pop(name, None):
                # A file and its entry cannot change at one instant, so the entry goes first.
                stage.concepts.write(folder / MANIFEST)
            made = stage.made(concept)
            assert made is not None
            final = folder / f"{name}.parquet"
            if twin := stage.twin(made):
                with faults_told(f"building {name}", folder), written_beside(final) as partial:
                    same_bytes(twin[0], partial)
                entry = twin[1].model_copy(update={"made": made, "identity": made.digest()})
                stage.concepts.entries[name] = entry
                stage.concepts.write(folder / MANIFEST)
                report.reused[name] = entry
                continue
            for relation in large.due(concept):
                progress(relation, done, len(wanted))
                large.hold(relation)
                progress(name, done, len(wanted))
            started = time.perf_counter()
            with faults_told(f"building {name}", folder), written_beside(final) as partial:
                written = _make(connection, stage, concept, partial, large.queries(concept))
                entry = _entry(
                    made, written, final, partial, time.perf_counter() - started, missing
                )
            stage.concepts.entries[name] = entry
            stage.concepts.write(folder / MANIFEST)
            report.built[name] = entry
            large.leave(concept)
        progress("", len(wanted), len(wanted))
    return report


def build_references(
    library: Library,
    dataset: StoredDataset,
    names: Iterable[str] | None = None,
    *,
    convention: Convention = "published",
    limits: EngineLimits | None = None,
    progress: Progress = silent,
) -> BuildReport:
    """Build hidden references, and the concepts they rest on, into their private folder.

    Arguments, errors and what is redone are those of `build_concepts`.
    """
    library = library.under(convention)
    named = list(names) if names is not None else None
    for name in named or ():
        if name not in library.references:
            raise InputError(
                f"no reference is called {name}",
                remedy=f"known are: {', '.join(library.references)}",
            )
    stage = open_stage(dataset, convention)
    report = BuildReport()
    buildable = []
    of_site = (n for n in library.references if serves(library, n, stage.source.site))
    for name in named if named is not None else of_site:
        if named is not None:
            require_sources(library, stage, name)
        if missing := lacking(library, stage, name):
            report.left_out[name] = missing
        else:
            buildable.append(name)
    if report.left_out and not buildable:
        raise nothing_to_build(dataset)
    needed = set().union(*(library.references[name].concepts for name in buildable))
    if needed:
        built = build_concepts(
            library,
            dataset,
            sorted(needed),
            convention=convention,
            limits=limits,
            progress=lambda name, done, total: progress(name and f"concept {name}", done, total),
        )
        report.absorb(built)
    Store(dataset.store).private_references()
    folder = dataset.references(convention)
    folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
    for private in (folder, folder.parent):
        private.chmod(PRIVATE)
    with (
        faults_told(f"building references of {dataset.name}", folder),
        reading(dataset.root),
        locked(folder, PRIVATE),
        engine(limits or EngineLimits(), folder) as connection,
    ):
        stage = open_stage(dataset, convention)
        manifest = read_references(folder, dataset.name, convention)
        for done, name in enumerate(buildable):
            progress(f"reference {name}", done, len(buildable))
            reference = library.references[name]
            stored = manifest.entries.get(name)
            if stored is not None and stage.fresh(reference, stored, folder, hashed=True):
                report.reused[f"reference {name}"] = stored
                continue
            if manifest.entries.pop(name, None):
                manifest.write(folder / MANIFEST, mode=0o600)
            entry = _build_reference(library, stage, reference, folder, connection)
            manifest.entries[name] = entry
            manifest.write(folder / MANIFEST, mode=0o600)
            report.built[f"reference {name}"] = entry
    return report


def _build_reference(
    library: Library,
    stage: Stage,
    reference: Derivation,
    folder: Path,
    connection: duckdb.DuckDBPyConnection,
) -> ReferenceEntry:
    made = stage.made(reference)
    assert made is not None
    assert reference.header.key is not None
    started = time.perf_counter()
    final = folder / f"{reference.name}.parquet"
    watermark = secrets.token_hex(16)
    with (
        faults_told(f"building {reference.name}", folder),
        written_beside(final, mode=0o600) as partial,
    ):
        bare = partial.with_name(f"{partial.name}-bare")
        try:
            written = _make(connection, stage, reference, bare)
            if written.repeated_keys:
                raise InputError(
                    f"the reference {reference.name} repeats {written.repeated_keys} keys",
                    remedy="a reference must have one row a key",
                )
            tokens = plant(connection, bare, partial, reference.header.key, watermark)
        finally:
            bare.unlink(missing_ok=True)
        entry = _entry(made, written, final, partial, time.perf_counter() - started)
    lineage = dict.fromkeys(library.order(reference.concepts), stage.convention)
    return ReferenceEntry(
        **entry.model_dump(),
        key=reference.header.key,
        honeytokens=tokens,
        watermark=watermark,
        lineage=lineage,
    )
