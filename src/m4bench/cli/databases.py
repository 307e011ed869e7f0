# SPDX-License-Identifier: MIT
"""`m4bench databases`: make the databases agents see, and prove that the target is not in them."""

from typing import Annotated

import typer
from rich.table import Table

from m4bench.cli.options import (
    SCHEMA_HELP,
    ConventionOption,
    JsonOption,
    StoreOption,
    counted,
    notes,
    open_store,
    output,
    print_json,
    require_convention_name,
    require_drops_name,
)
from m4bench.cli.progress import steps
from m4bench.model.errors import InputError, MeasurementFailedError
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.databases import (
    DatabaseManifest,
    build_database,
    built_tasks,
    require_all_concepts,
    tasks_of,
)
from m4bench.suites.derivation.schemas.remnants import Remnant, what_is_left
from m4bench.suites.derivation.schemas.verify import Finding, verify_database
from m4bench.suites.derivation.tasks.cards import select_tasks

app = typer.Typer(help="Task databases: build and verify.", no_args_is_help=True)

TasksArgument = Annotated[
    list[str] | None, typer.Argument(help="Tasks (default: all the dataset serves).")
]
SchemaOption = Annotated[str, typer.Option("--schema", help=SCHEMA_HELP)]
DropsOption = Annotated[str, typer.Option("--drops", help="strict or published.")]


@app.command()
def build(
    dataset: str,
    tasks: TasksArgument = None,
    schema: SchemaOption = "native",
    drops: DropsOption = "strict",
    convention: ConventionOption = "published",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the databases of tasks.

    Those that would come out the same are kept. Of named tasks those that can be are made; exit 2 when one cannot.
    """
    rule = require_drops_name(drops)
    derivations = library(require_convention_name(convention))
    stage = open_stage(open_store(store).dataset(dataset), derivations.convention)
    chosen = select_tasks(tasks) if tasks else tasks_of(derivations, stage, select_tasks(None))
    made: dict[str, tuple[DatabaseManifest, bool]] = {}
    refused: dict[str, InputError] = {}
    if not tasks:
        for task in chosen:
            require_all_concepts(derivations, stage, task, rule)
    with steps("databases") as progress:
        for done, task in enumerate(chosen):
            progress(task.name, done, len(chosen))
            try:
                made[task.name] = build_database(
                    derivations, stage, task, schema=schema, drops=rule
                )
            except InputError as error:
                if not tasks:
                    raise
                refused[task.name] = error
    if refused and not made:
        raise next(iter(refused.values()))
    _show_made(made, as_json=as_json)
    for name, why in refused.items():
        notes.print(f"not made: {name}: {why}", markup=False, highlight=False, soft_wrap=True)
    if refused:
        raise InputError(f"{counted(len(refused), 'database')} of {len(chosen)} were not made")


def _show_made(made: dict[str, tuple[DatabaseManifest, bool]], *, as_json: bool) -> None:
    if as_json:
        print_json({name: manifest.model_dump(mode="json") for name, (manifest, _) in made.items()})
        return
    table = Table("task", "shown", "kept out", "bytes", "state")
    for name, (manifest, new) in made.items():
        table.add_row(
            name,
            str(len(manifest.shown)),
            str(len(manifest.hidden)),
            f"{manifest.bytes:,}",
            "made" if new else "unchanged",
        )
    output.print(table)


@app.command()
def verify(
    dataset: str,
    tasks: TasksArgument = None,
    schema: SchemaOption = "native",
    drops: DropsOption = "strict",
    convention: ConventionOption = "published",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prove that nothing of a task's target is left.

    By lineage, by rows and by bytes; exit 1 when something is. With published drops, list what they leave.
    """
    rule = require_drops_name(drops)
    derivations = library(require_convention_name(convention))
    stage = open_stage(open_store(store).dataset(dataset), derivations.convention)
    chosen = (
        select_tasks(tasks) if tasks else built_tasks(derivations, stage, schema=schema, drops=rule)
    )
    findings: list[Finding] = []
    left: list[Remnant] = []
    with steps("verifying") as progress:
        for done, task in enumerate(chosen):
            progress(task.name, done, len(chosen))
            findings += verify_database(derivations, stage, task, schema=schema, drops=rule)
            if rule == "published":
                left += what_is_left(derivations, stage, task, rule)
    if as_json:
        print_json(
            {
                "tasks": [task.name for task in chosen],
                "findings": [finding.model_dump(mode="json") for finding in findings],
                "left": [remnant.model_dump(mode="json") for remnant in left],
            }
        )
    else:
        for remnant in left:
            output.print(
                f"{remnant.task}: {remnant.told()}", markup=False, highlight=False, soft_wrap=True
            )
        for finding in findings:
            column = f".{finding.column}" if finding.column else ""
            notes.print(
                f"{finding.task}: {finding.relation}{column} {finding.detail} (by {finding.by})",
                markup=False,
                highlight=False,
            )
        output.print(f"{counted(len(chosen), 'database')}, {counted(len(findings), 'finding')}")
    if findings:
        raise MeasurementFailedError(
            f"{counted(len(findings), 'finding')}: a target can be read from its database"
        )
