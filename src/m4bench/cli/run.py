# SPDX-License-Identifier: MIT
"""`m4bench run`: one run of one cell."""

from math import isfinite
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
from m4bench.harness.gateway.lane import LaneLimits
from m4bench.harness.interruption import EndedBySignal
from m4bench.harness.model_choice import ModelSettings
from m4bench.harness.run import RunRequest, run
from m4bench.harness.sandbox.sizes import read_size
from m4bench.harness.summary import summary, where_to_look
from m4bench.model.errors import MeasurementFailedError
from m4bench.model.run import SandboxName


def _finite(amount: float | None) -> float | None:
    if amount is not None and not isfinite(amount):
        raise typer.BadParameter("it has to be an amount; leave it out for no limit")
    return amount


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
        str, typer.Option("--agent", help="An installed agent; see: m4bench agents list.")
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
    endpoint: Annotated[
        str | None,
        typer.Option(
            "--endpoint",
            metavar="NAME|URL",
            help="Where its model is: openai, anthropic, google, one of yours, or an address.",
        ),
    ] = None,
    also_model: Annotated[
        list[str] | None,
        typer.Option("--also-model", help="Another model it may ask for; may be repeated."),
    ] = None,
    max_requests: Annotated[
        int | None, typer.Option("--max-requests", min=1, help="Model requests of the run.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=1, help="Tokens of the run, in and out.")
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", min=0, callback=_finite, help="US dollars of the run."),
    ] = None,
    prices: Annotated[
        Path | None, typer.Option("--prices", metavar="FILE", help="A table of prices of your own.")
    ] = None,
    recorded: Annotated[
        bool, typer.Option("--record", help="Keep all requests and answers, to be replayed.")
    ] = False,
    replay: Annotated[
        Path | None,
        typer.Option("--replay", metavar="FILE", help="Answer from a recording; nothing is sent."),
    ] = None,
    log_bodies: Annotated[
        bool, typer.Option("--log-bodies", help="Log what is sent and received, not only that.")
    ] = False,
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
        access=ModelSettings(
            endpoint=endpoint,
            limits=LaneLimits(requests=max_requests, tokens=max_tokens, cost_usd=max_cost),
            also_models=tuple(also_model or ()),
            record=recorded,
            replay=replay,
            bodies=log_bodies,
            prices=prices,
        ),
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
