# SPDX-License-Identifier: MIT
"""What a run of a derivation task is given: instruction, database, data files, and the scripts of baselines."""

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.library.catalogue import Library, library
from m4bench.suites.derivation.library.plan import current_reference, open_stage
from m4bench.suites.derivation.rebuild import query_script, rebuild_script
from m4bench.suites.derivation.schemas.databases import (
    current_database,
    host_database,
    identity_of,
    require_all_concepts,
    require_site,
    shown_files,
)
from m4bench.suites.derivation.schemas.view_database import sandbox_path
from m4bench.suites.derivation.schemas.visibility import visibility
from m4bench.suites.derivation.tasks.cards import DATABASE
from m4bench.suites.derivation.tasks.materials import materials
from m4bench.suites.derivation.tasks.naive import naive_sql
from m4bench.suites.suite import StageRequest, Staging


def staged(task: Task, request: StageRequest) -> Staging:
    """Return instruction, skills, programs, database and data files of a run.

    Raises:
        InputError: a condition or schema that is not available, or that has nothing to give for the task.
        MissingError, StaleError: the dataset, a concept, the reference or the database is absent or out of
            date; the remedy is the command that makes it.
    """
    given = materials(task, request.condition, request.schema, request.convention)
    dataset = request.store.dataset(request.dataset)
    stage = open_stage(dataset, request.convention)
    require_site(task, stage)
    derivations = library(request.convention)
    reference = current_reference(derivations, dataset, request.convention, task.reference)
    if request.host_paths:
        require_all_concepts(derivations, stage, task, request.drops)
        files, hashes = shown_files(derivations, stage, task, request.drops)
        identity = identity_of(task, request.schema, request.drops, hashes)
        database = host_database(
            stage, task, files, identity, schema=request.schema, drops=request.drops
        )
    else:
        database, manifest, files = current_database(
            derivations, stage, task, schema=request.schema, drops=request.drops
        )
        identity = manifest.identity
    binds = {} if request.host_paths else {sandbox_path(n): file for n, file in files.items()}
    return Staging(
        instruction=given.instruction,
        files={DATABASE: database},
        binds=binds,
        dataset_hash=stage.source.content_hash(),
        reference_hash=reference.identity,
        access=stage.source.kept_as,
        release=stage.source.release,
        modified=stage.source.modified,
        inputs={"database": identity, "reference": reference.identity},
        skills=given.skills,
        programs=given.programs,
    )


def baseline(kind: str, task: Task, request: StageRequest) -> str:
    """Return the script of a baseline agent.

    Raises:
        InputError: no such baseline.
    """
    if kind == "naive":
        return query_script(naive_sql(task), task)
    if kind == "reference":
        derivations = library(request.convention)
        return rebuild_script(derivations, task, _shown(derivations, task, request))
    raise InputError(f"no baseline is called {kind}", remedy="choose reference or naive")


def _shown(derivations: Library, task: Task, request: StageRequest) -> set[str]:
    stage = open_stage(request.store.dataset(request.dataset), request.convention)
    built = set(stage.concepts.entries) & set(derivations.concepts)
    return set(visibility(derivations, task, request.drops, built).shown)
