# SPDX-License-Identifier: MIT
"""Task databases: made once a task, schema and drop rule, and refused when what they show has changed."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from m4bench.data.store import MANIFEST
from m4bench.model.errors import InputError, MissingError, StaleError
from m4bench.model.files import folder_beside
from m4bench.model.hashing import sha256_file, sha256_record
from m4bench.model.record import Document
from m4bench.model.task import Convention, Drops, Task
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.exclusive import faults_told, locked
from m4bench.suites.derivation.library.plan import Stage, lacking, require_sources, said
from m4bench.suites.derivation.schemas.view_database import (
    write_with_fixed_paths,
    write_with_host_paths,
)
from m4bench.suites.derivation.schemas.visibility import (
    derived_relation,
    hidden_concepts,
    visibility,
)
from m4bench.suites.derivation.tasks.cards import DATABASE, require_schema, select_tasks

DATABASE_FORMAT = 1


class DatabaseManifest(Document):
    """What a task database shows, by hash of each file behind a view, and what it hides."""

    format_version: int = DATABASE_FORMAT
    dataset: str
    task: str
    task_version: str
    schema_variant: str
    drops: Drops
    convention: Convention
    shown: dict[str, str]
    hidden: tuple[str, ...]
    identity: str
    bytes: int
    sha256: str


def shown_files(
    library: Library, stage: Stage, task: Task, drops: Drops
) -> tuple[dict[str, Path], dict[str, str]]:
    """Return the files and hashes of all relations a task shows: source tables, then derived ones.

    Raises:
        StaleError: a visible concept was made from inputs that have changed since.
    """
    files = {t.qualified: stage.file(t.qualified) for t in stage.source.tables}
    hashes = {t.qualified: t.sha256 for t in stage.source.tables}
    known = {name for name in stage.concepts.entries if name in library.concepts}
    shown = visibility(library, task, drops, known).shown
    folder = stage.dataset.derived(stage.convention)
    for name in sorted(shown):
        entry = stage.concepts.entries[name]
        if not stage.fresh(library.concepts[name], entry, folder):
            raise StaleError(
                f"the concept {name} of {stage.dataset.name} was made from inputs that have changed since",
                remedy=f"run: m4bench concepts build {stage.dataset.name}{said(stage.convention)}",
            )
        files[derived_relation(name)] = stage.file(derived_relation(name))
        hashes[derived_relation(name)] = entry.sha256
    return files, hashes


def identity_of(task: Task, schema: str, drops: Drops, hashes: Mapping[str, str]) -> str:
    """Return what a task database is made from."""
    return sha256_record(
        [task.name, str(task.version), schema, drops, dict(hashes), DATABASE_FORMAT]
    )


def build_database(
    library: Library, stage: Stage, task: Task, *, schema: str, drops: Drops
) -> tuple[DatabaseManifest, bool]:
    """Make a task's database unless it is there and current; return its manifest and whether it was made.

    Raises:
        InputError: no such schema, a dataset that cannot serve the task, or no bubblewrap.
        StaleError: a visible concept is out of date.
    """
    require_schema(schema)
    require_site(task, stage)
    require_sources(library, stage, task.reference)
    require_all_concepts(library, stage, task, drops)
    files, hashes = shown_files(library, stage, task, drops)
    identity = identity_of(task, schema, drops, hashes)
    place = stage.dataset.databases(schema, drops, stage.convention)
    folder = place / task.name
    with locked(place, 0o755):
        stored = _stored(folder)
        if stored is not None and stored.identity == identity:
            return stored, False
        return _make(folder, files, hashes, library, stage, task, schema, drops), True


def _stored(folder: Path) -> DatabaseManifest | None:
    """Return the manifest of a stored database whose file is the one it describes, else None."""
    try:
        manifest = DatabaseManifest.read(folder / MANIFEST)
        return manifest if sha256_file(folder / DATABASE) == manifest.sha256 else None
    except (InputError, OSError):
        return None


def _make(
    folder: Path,
    files: Mapping[str, Path],
    hashes: dict[str, str],
    library: Library,
    stage: Stage,
    task: Task,
    schema: str,
    drops: Drops,
) -> DatabaseManifest:
    with (
        faults_told(f"making the database of {task.name}", folder),
        folder_beside(folder) as partial,
    ):
        write_with_fixed_paths(files, partial / DATABASE)
        manifest = DatabaseManifest(
            dataset=stage.dataset.name,
            task=task.name,
            task_version=str(task.version),
            schema_variant=schema,
            drops=drops,
            convention=stage.convention,
            shown=hashes,
            hidden=tuple(sorted(hidden_concepts(library, task, drops))),
            identity=identity_of(task, schema, drops, hashes),
            bytes=(partial / DATABASE).stat().st_size,
            sha256=sha256_file(partial / DATABASE),
        )
        manifest.write(partial / MANIFEST)
    return manifest


def require_site(task: Task, stage: Stage) -> None:
    """Refuse a dataset of another site than the task's.

    Raises:
        InputError: with both sites.
    """
    if task.site != stage.source.site:
        raise InputError(
            f"{task.name} is a task on {task.site}, and {stage.dataset.name} is shaped like "
            f"{stage.source.site}"
        )


def tasks_of(library: Library, stage: Stage, tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks that a dataset can serve: of its site, with the tables their references need.

    Raises:
        InputError: there is none.
    """
    served = [
        task
        for task in tasks
        if task.site == stage.source.site and not lacking(library, stage, task.reference)
    ]
    if not served:
        own = [task for task in tasks if task.site == stage.source.site]
        lack = sorted({t for task in own for t in lacking(library, stage, task.reference)})
        raise InputError(
            f"{stage.dataset.name} has the tables of no task in this version",
            remedy=f"it lacks {', '.join(lack)}" if own else "the tasks are on MIMIC-IV and eICU",
        )
    return served


def require_all_concepts(library: Library, stage: Stage, task: Task, drops: Drops) -> None:
    """Make sure that every concept a standard task shows and the dataset can have has been built.

    Raises:
        MissingError: with the command that builds them.
    """
    if task.mode == "raw":
        return
    hidden = hidden_concepts(library, task, drops)
    have = {table.qualified for table in stage.source.tables}
    absent = [
        name
        for name in sorted(set(library.concepts) - hidden - set(stage.concepts.entries))
        if library.source_tables(name) <= have
    ]
    if absent:
        raise MissingError(
            f"concepts that {task.name} shows have not been built: {', '.join(absent)}",
            remedy=f"run: m4bench concepts build {stage.dataset.name}{said(stage.convention)}",
        )


def built_tasks(library: Library, stage: Stage, *, schema: str, drops: Drops) -> list[Task]:
    """Return the tasks whose database has been made.

    Raises:
        MissingError: none has.
        InputError: none can, for the dataset has the tables of no task.
    """
    folder = stage.dataset.databases(schema, drops, stage.convention)
    tasks = [task for task in select_tasks(None) if (folder / task.name / MANIFEST).is_file()]
    if not tasks:
        tasks_of(library, stage, select_tasks(None))
        raise MissingError(
            f"no database of {stage.dataset.name} has been made with {drops} drops",
            remedy=f"run: m4bench databases build {stage.dataset.name} --drops {drops}{said(stage.convention)}",
        )
    return tasks


def current_database(
    library: Library, stage: Stage, task: Task, *, schema: str, drops: Drops
) -> tuple[Path, DatabaseManifest, dict[str, Path]]:
    """Return a task's database, its manifest and the files behind its views.

    Raises:
        MissingError: it has not been made.
        StaleError: what it shows has changed since.
    """
    require_schema(schema)
    command = f"run: m4bench databases build {stage.dataset.name} {task.name} --drops {drops}{said(stage.convention)}"
    folder = stage.dataset.databases(schema, drops, stage.convention) / task.name
    if not (folder / MANIFEST).is_file():
        raise MissingError(
            f"the database of {task.name} for {stage.dataset.name} has not been made",
            remedy=command,
        )
    manifest = DatabaseManifest.read(folder / MANIFEST)
    files, hashes = shown_files(library, stage, task, drops)
    if manifest.identity != identity_of(task, schema, drops, hashes):
        raise StaleError(
            f"the database of {task.name} for {stage.dataset.name} shows tables that have changed since",
            remedy=command,
        )
    if _stored(folder) is None:
        raise StaleError(
            f"the database of {task.name} is not the one that was made", remedy=command
        )
    return folder / DATABASE, manifest, files


def host_database(
    stage: Stage, task: Task, files: Mapping[str, Path], identity: str, *, schema: str, drops: Drops
) -> Path:
    """Return a database of the same views with host paths, made when missing or out of date."""
    folder = (
        stage.dataset.databases(schema, drops, stage.convention)
        / f"{task.name}.host"
        / identity[:16]
    )
    if not (folder / DATABASE).is_file():
        with (
            faults_told(f"making the database of {task.name}", folder),
            folder_beside(folder) as partial,
        ):
            write_with_host_paths(files, partial / DATABASE)
    return folder / DATABASE
