# SPDX-License-Identifier: MIT
"""`m4bench tasks`: list, show and lint the tasks. Knows only how to print them."""

import sys
from typing import Annotated

import typer
from rich.table import Table

from m4bench.cli.options import CONDITION_HELP, SCHEMA_HELP, JsonOption, output, print_json
from m4bench.model.errors import InputError, MeasurementFailedError
from m4bench.suites.derivation.tasks.cards import instruction, load_tasks
from m4bench.suites.derivation.tasks.lint import lint as lint_tasks

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
) -> None:
    """Print exactly the instruction an agent is given, and nothing else."""
    tasks = load_tasks()
    if task not in tasks:
        raise InputError(f"no task is called {task}", remedy=f"choose one of: {', '.join(tasks)}")
    sys.stdout.write(instruction(tasks[task], condition, schema))


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
