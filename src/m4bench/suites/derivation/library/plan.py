# SPDX-License-Identifier: MIT
"""What has to be built: the identity each derivation should have, and whether what is stored has it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from m4bench.data.catalogue import declared_tables
from m4bench.data.manifest import DatasetManifest
from m4bench.data.store import StoredDataset
from m4bench.model.errors import InputError, MissingError, StaleError
from m4bench.model.hashing import sha256_file, sha256_record
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import Derivation, Library
from m4bench.suites.derivation.library.engine import ENGINE, OWN
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA
from m4bench.suites.derivation.library.manifest import (
    DerivedEntry,
    DerivedManifest,
    Made,
    ReferenceEntry,
    read_concepts,
    read_references,
)
from m4bench.suites.derivation.library.sites import serves, site_of

ABSENT = "absent"


@dataclass(frozen=True)
class Stage:
    """A dataset under a convention, as far as it has been built."""

    dataset: StoredDataset
    convention: Convention
    source: DatasetManifest
    concepts: DerivedManifest

    def input_hashes(self, derivation: Derivation) -> dict[str, str] | None:
        """Return the sha256 of every relation a derivation reads, or None when one is not there."""
        hashes = {}
        for relation in sorted(derivation.inputs):
            schema, name = relation.split(".")
            if schema == DERIVED_SCHEMA:
                entry = self.concepts.entries.get(name)
                found = entry.sha256 if entry else None
            else:
                table = self.source.table(relation)
                found = table.sha256 if table else self._absence(relation)
            if found is None:
                return None
            hashes[relation] = found
        return hashes

    def _absence(self, relation: str) -> str | None:
        """Return what stands for the hash of an absent table that is declared, of which there are no rows."""
        declared = declared_tables(self.source.site).get(relation)
        return sha256_record([ABSENT, declared.column_types]) if declared else None

    def made(self, derivation: Derivation) -> Made | None:
        """Return what a derivation would be made from now, or None when an input is not there."""
        hashes = self.input_hashes(derivation)
        if hashes is None:
            return None
        return Made(
            name=derivation.name,
            convention=self.convention,
            sql=derivation.sql_hash,
            columns=tuple((column.name, column.type) for column in derivation.header.columns),
            inputs=hashes,
            engine=ENGINE,
        )

    def file(self, relation: str) -> Path:
        """Return the Parquet file of a source table or concept."""
        schema, name = relation.split(".")
        if schema == DERIVED_SCHEMA:
            return self.dataset.derived(self.convention) / f"{name}.parquet"
        return self.dataset.source(relation)

    def absent(self, derivation: Derivation) -> list[str]:
        """Return the source tables a derivation itself reads and the dataset does not have."""
        return sorted(r for r in derivation.sources if self.source.table(r) is None)

    def twin(self, made: Made) -> tuple[Path, DerivedEntry] | None:
        """Return the file and entry of the same rows under another convention, where they are stored whole."""
        for other in get_args(Convention):
            folder = self.dataset.derived(other)
            entry = read_concepts(folder, self.dataset.name, other).entries.get(made.name)
            if (
                other != self.convention
                and entry is not None
                and entry.made.same_rows(made)
                and intact(folder / entry.file, entry, hashed=True)
            ):
                return folder / entry.file, entry
        return None

    def fresh(
        self,
        derivation: Derivation,
        entry: DerivedEntry | None,
        folder: Path,
        *,
        hashed: bool = False,
    ) -> bool:
        """Tell whether a stored result is what would be made now.

        Args:
            derivation: what would be made.
            entry: what the manifest says of the stored result.
            folder: where it is stored.
            hashed: compare the file's bytes with the recorded hash, not only its size.
        """
        made = self.made(derivation)
        if made is not None and entry is not None and not entry.made.engine.startswith(OWN):
            # What a warehouse made stands for DuckDB's: the same rows, and the manifest says whose.
            made = made.model_copy(update={"engine": entry.made.engine})
        return (
            entry is not None
            and made is not None
            and entry.identity == made.digest()
            and intact(folder / entry.file, entry, hashed=hashed)
        )


def intact(file: Path, entry: DerivedEntry, *, hashed: bool) -> bool:
    """Tell whether a stored file is the one its entry describes: by its size, or by its bytes."""
    return (
        file.is_file()
        and file.stat().st_size == entry.bytes
        and (not hashed or sha256_file(file) == entry.sha256)
    )


def open_stage(dataset: StoredDataset, convention: Convention) -> Stage:
    """Return the stage of a dataset.

    Raises:
        MissingError: the dataset has not been imported.
    """
    source = dataset.manifest()
    concepts = read_concepts(dataset.derived(convention), dataset.name, convention)
    return Stage(dataset, convention, source, concepts)


def undeclared(stage: Stage, tables: Iterable[str]) -> list[str]:
    """Return the tables among `tables` that no release of the dataset's site declares."""
    return sorted(set(tables) - set(declared_tables(stage.source.site)))


def lacking(library: Library, stage: Stage, name: str) -> list[str]:
    """Return the source tables a derivation rests on and the dataset does not have."""
    return sorted(t for t in library.source_tables(name) if stage.source.table(t) is None)


def require_own_site(library: Library, stage: Stage, name: str) -> None:
    """Refuse a derivation that rests on the tables of another site than the dataset's.

    Raises:
        InputError: with both sites.
    """
    site = stage.source.site
    if not serves(library, name, site):
        raise InputError(
            f"{name} is derived from {site_of(library, name)}, and {stage.dataset.name} is shaped like {site}"
        )


def require_sources(library: Library, stage: Stage, name: str) -> None:
    """Refuse a derivation that a dataset cannot have.

    Raises:
        InputError: of another site, or with the source tables the dataset lacks.
    """
    require_own_site(library, stage, name)
    if missing := lacking(library, stage, name):
        raise InputError(
            f"{name} needs {', '.join(missing)}, which {stage.dataset.name} does not have",
            remedy=None
            if undeclared(stage, missing)
            else "import it again from a folder that has: m4bench data import "
            f"{stage.dataset.name} --from DIR",
        )


def current_concept(library: Library, stage: Stage, name: str) -> DerivedEntry:
    """Return a built concept after making sure that nothing it was made from has changed, and its bytes have not.

    Raises:
        MissingError: it has not been built.
        StaleError: its SQL, its lineage or the dataset has changed since, or its file.
    """
    library = library.under(stage.convention)
    command = f"run: m4bench concepts build {stage.dataset.name} {name}{said(stage.convention)}"
    entry = stage.concepts.entries.get(name)
    if entry is None:
        raise MissingError(
            f"the concept {name} has not been built for {stage.dataset.name}", remedy=command
        )
    folder = stage.dataset.derived(stage.convention)
    if _stale(library, stage, [name]) or not intact(folder / entry.file, entry, hashed=True):
        raise StaleError(
            f"the concept {name} of {stage.dataset.name} was damaged, or made from inputs that have changed since",
            remedy=command,
        )
    return entry


def said(convention: Convention) -> str:
    """Return a convention as a command has to say it: the default one not at all."""
    return "" if convention == "published" else f" --convention {convention}"


def _stale(library: Library, stage: Stage, names: Iterable[str]) -> list[str]:
    """Return the concepts among `names` and what they rest on that are not what would be made now."""
    folder = stage.dataset.derived(stage.convention)
    return [
        concept
        for concept in library.order(names)
        if not stage.fresh(library.concepts[concept], stage.concepts.entries.get(concept), folder)
    ]


def current_reference(
    library: Library,
    dataset: StoredDataset,
    convention: Convention,
    name: str,
    *,
    hashed: bool = False,
) -> ReferenceEntry:
    """Return a built reference after making sure that nothing it was made from has changed.

    Args:
        library: where the SQL stands.
        dataset: the dataset.
        convention: the reference's convention.
        name: the reference.
        hashed: compare the file's bytes with the recorded hash too, before it decides a score.

    Raises:
        InputError: no such convention, or a dataset that cannot have the reference.
        MissingError: it has not been built.
        StaleError: its SQL, its lineage, its file or the dataset has changed since.
    """
    library = library.under(convention)
    command = f"run: m4bench references build {dataset.name} {name}{said(convention)}"
    stage = open_stage(dataset, convention)
    reference = library.references[name]
    require_sources(library, stage, name)
    folder = dataset.references(convention)
    entry = read_references(folder, dataset.name, convention).entries.get(name)
    if entry is None:
        raise MissingError(
            f"the reference {name} has not been built for {dataset.name}", remedy=command
        )
    if _stale(library, stage, reference.concepts) or not stage.fresh(
        reference, entry, folder, hashed=hashed
    ):
        raise StaleError(
            f"the reference {name} of {dataset.name} is not what its inputs give now",
            remedy=command,
        )
    return entry
