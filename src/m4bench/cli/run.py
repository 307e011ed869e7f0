# SPDX-License-Identifier: MIT
"""`m4bench run`: one run of one cell."""

from pathlib import Path
from typing import Annotated, cast

import typer

from m4bench.cli.options import (
    CONDITION_HELP,
    DEFAULT_DATASET,
    SCHEMA_HELP,
    ConventionOption,
    JsonOption,
    StoreOption,
    notes,
    open_store,
    output,
    print_json,
    require_convention_name,
    require_drops_name,
)
from m4bench.harness.interruption import EndedBySignal
from m4bench.harness.run import RunRequest, run
from m4bench.harness.sandbox.sizes import read_size
from m4bench.harness.summary import summary, where_to_look
from m4bench.model.errors import MeasurementFailedError
from m4bench.model.run import SandboxName


def run_command(
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task; see: m4bench tasks list.")],
    condition: Annotated[
        str,
        typer.Option(
            "--condition",
            help=CONDITION_HELP,
        ),
    ],
    agent: Annotated[
        str, typer.Option("--agent", help="reference, naive, empty, command, or an installed one.")
    ],
    results: Annotated[Path, typer.Option("--results", metavar="DIR", help="Folder of the runs.")],
    dataset: Annotated[str, typer.Option("--dataset", help="The data set.")] = DEFAULT_DATASET,
    model: Annotated[str | None, typer.Option("--model", help="The agent's model.")] = None,
    effort: Annotated[str | None, typer.Option("--effort", help="Its reasoning effort.")] = None,
    schema: Annotated[
        str | None,
        typer.Option(
            "--schema",
            help=SCHEMA_HELP,
        ),
    ] = None,
    trial: Annotated[int, typer.Option("--trial", help="Which trial of the cell, from 1.")] = 1,
    sandbox: Annotated[
        str, typer.Option("--sandbox", help="bwrap, or none for development.")
    ] = "bwrap",
    drops: Annotated[str, typer.Option("--drops", help="strict or published.")] = "strict",
    convention: ConventionOption = "published",
    program: Annotated[
        Path | None, typer.Option("--program", metavar="PATH", help="Program of the agent command.")
    ] = None,
    program_args: Annotated[
        str | None, typer.Option("--program-args", help="Its arguments, as one shell-quoted text.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", help="Seconds (default: the suite's, 1800).")
    ] = None,
    memory_limit: Annotated[
        str, typer.Option("--memory-limit", help="Memory of all the agent's processes.")
    ] = "8G",
    disk_limit: Annotated[
        str, typer.Option("--disk-limit", help="Size of the work folder.")
    ] = "2G",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run one agent on one task and score it.

    Exit 0 with a scored output, 1 without one.
    """
    request = RunRequest(
        results=results.expanduser(),
        store=open_store(store),
        dataset=dataset,
        task=task,
        condition=condition,
        agent=agent,
        sandbox=cast(SandboxName, sandbox),
        schema=schema,
        drops=require_drops_name(drops),
        convention=require_convention_name(convention),
        trial=trial,
        model=model,
        effort=effort,
        program=program,
        program_args=program_args,
        timeout=timeout,
        memory=read_size(memory_limit),
        disk=read_size(disk_limit),
    )
    try:
        record = run(
            request,
            note=lambda line: notes.print(line, markup=False, highlight=False, soft_wrap=True),
        )
    except EndedBySignal as ended:
        notes.print(f"m4bench: ended by {ended}", highlight=False)
        raise typer.Exit(ended.exit_code) from None
    if as_json:
        print_json(record.model_dump(mode="json", by_alias=True))
    elif record.outcome.state == "completed":
        output.print(summary(record), markup=False, highlight=False, soft_wrap=True)
    if record.outcome.state != "completed":
        raise MeasurementFailedError(f"{summary(record)}; {where_to_look(record, request.results)}")
