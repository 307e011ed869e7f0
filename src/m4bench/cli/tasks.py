# SPDX-License-Identifier: MIT
"""`m4bench tasks`: list, show and lint the tasks. Knows only how to print them."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from m4bench.cli.options import (
    CONDITION_HELP,
    SCHEMA_HELP,
    ConventionOption,
    JsonOption,
    notes,
    output,
    print_json,
    require_convention_name,
)
from m4bench.cli.specification_screen import show_completeness
from m4bench.harness.agents.agent import SKILL_FOLDERS
from m4bench.harness.workspace.given import given_as_text, given_files
from m4bench.model.errors import MeasurementFailedError
from m4bench.suites.derivation.checks.script import outlined
from m4bench.suites.derivation.specifications.completeness import shortfalls, task_completeness
from m4bench.suites.derivation.tasks.cards import DATABASE, load_tasks, select_tasks
from m4bench.suites.derivation.tasks.lint import lint as lint_tasks
from m4bench.suites.derivation.tasks.materials import materials
from m4bench.suites.derivation.tasks.new import NewTask, begin_task
from m4bench.suites.derivation.tasks.roots import task_roots, writable_root

FullOption = Annotated[bool, typer.Option("--full", help="Print all of it, nothing folded.")]
app = typer.Typer(
    help="The tasks that are asked of agents: list, show, lint.", no_args_is_help=True
)


@app.command("list")
def list_tasks(as_json: JsonOption = False) -> None:
    """List the tasks with mode, difficulty and grain.

    With --json all their fields.
    """
    tasks = load_tasks().values()
    if as_json:
        print_json([task.model_dump(mode="json") for task in tasks])
        return
    table = Table("task", "mode", "difficulty", "one row a", "columns scored", box=None)
    table.columns[0].no_wrap = True
    for task in tasks:
        columns = str(len(task.scoring.scored))
        table.add_row(task.name, task.mode, task.difficulty, task.grain, columns)
    output.print(table)


@app.command()
def show(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A name that `tasks list` prints.")],
    condition: Annotated[
        str,
        typer.Option(help=CONDITION_HELP),
    ] = "no-skill",
    schema: Annotated[
        str,
        typer.Option(help=SCHEMA_HELP),
    ] = "native",
    convention: ConventionOption = "published",
    full: FullOption = False,
    as_json: JsonOption = False,
) -> None:
    """Print what an agent is given beside the database.

    First the instruction, then every skill, whole, and of a program its documentation and rules, each below a line
    with its paths in the work folder. With --full or --json programs are whole too. The convention matters to the
    condition with-skill-rawsql alone.
    """
    chosen = select_tasks([task])[0]
    shown = materials(chosen, condition, schema, require_convention_name(convention))
    given = given_files(shown.skills, shown.programs, SKILL_FOLDERS)
    if as_json:
        files = {name: one.text for name, one in given.items()}
        print_json({"instruction": shown.instruction, "files": files, "database": DATABASE})
    else:
        if not full:
            given = {
                name: replace(one, text=outlined(one.text)) if one.executable else one
                for name, one in given.items()
            }
        sys.stdout.write(given_as_text(shown.instruction, given))


@app.command()
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The task's name, as in a-score-24h.")
    ],
    family: Annotated[str, typer.Option(help="Its family; begun too where there is none.")],
    reference: Annotated[
        str, typer.Option(help="What it is scored against: a name that `references list` prints.")
    ],
    mode: Annotated[str, typer.Option(help="standard or raw.")] = "standard",
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of families; default: the first of M4BENCH_TASKS, or the source checkout.",
        ),
    ] = None,
) -> None:
    """Begin the folder of a task from its reference.

    What is still to be written says so, and `tasks lint` finds it.
    """
    root = to.absolute() if to is not None else writable_root()
    for file in begin_task(NewTask(name, family, reference, mode), root):
        output.print(str(file), markup=False, soft_wrap=True)
    if root not in task_roots():
        notes.print(f"m4bench finds it with M4BENCH_TASKS={root}", markup=False, soft_wrap=True)


@app.command()
def lint(
    tasks: Annotated[
        list[str] | None, typer.Argument(metavar="[TASK]...", help="Default: all tasks.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check that cards, definitions and naive queries agree.

    Exit 1 with findings.
    """
    findings = lint_tasks(tasks or ())
    if as_json:
        print_json([{"task": f.task, "file": f.file.name, "problem": f.problem} for f in findings])
    else:
        for finding in findings:
            output.print(
                f"{finding.task}: {finding.file.name}: {finding.problem}",
                markup=False,
                soft_wrap=True,
            )
    if findings:
        raise MeasurementFailedError(f"{len(findings)} findings in the tasks")


@app.command()
def completeness(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A name that `tasks list` prints.")],
    condition: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION",
            help="Only the texts a condition gives; with-skill-decoy tells what the decoy happens to state.",
        ),
    ] = None,
    full: FullOption = False,
    as_json: JsonOption = False,
) -> None:
    """Tell which elements and facts a task's texts state.

    Of a long list of facts the first few are printed, with --full or --json all.
    Exit 1 when the skill or the operational specification leaves something out or contradicts.
    """
    found = task_completeness(select_tasks([task])[0], condition)
    if as_json:
        print_json({name: one.record() for name, one in found.items()})
    else:
        show_completeness(found, full=full)
    if told := shortfalls(found):
        raise MeasurementFailedError(f"{task}: {'; '.join(told)}")
