# SPDX-License-Identifier: MIT
"""`m4bench agents`: list the agents and install their tools. Knows only how to print it."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from m4bench.cli.options import JsonOption, notes, output, print_json
from m4bench.harness.agents.listing import AgentListing, install, installable, listed
from m4bench.model.errors import InputError

app = typer.Typer(
    help="Agents: list them and install their command-line tools.", no_args_is_help=True
)


@app.callback()
def agents() -> None:
    """Agents: list them and install their command-line tools."""


@app.command("list")
def list_agents(as_json: JsonOption = False) -> None:
    """List the agents, what each needs, and which version of its tool is here."""
    found = listed()
    if as_json:
        print_json([asdict(one) for one in found])
        return
    table = Table()
    for column in ("agent", "tool here", "pinned", "protocols", "endpoint", "needs"):
        table.add_column(
            column, no_wrap=column in ("agent", "protocols", "endpoint"), overflow="fold"
        )
    for one in found:
        table.add_row(
            one.agent,
            _here(one),
            one.pinned or "",
            "\n".join(one.protocols) or "no model",
            one.endpoint or "",
            one.needs or "",
        )
    output.print(table)
    for one in found:
        if one.place is not None:
            notes.print(f"{one.agent}: {one.place}", markup=False, soft_wrap=True)
        elif one.missing is not None:
            notes.print(one.missing, markup=False, soft_wrap=True)


def _here(one: AgentListing) -> str:
    if one.missing is not None:
        return "missing"
    return one.version or "needs none"


@app.command("install")
def install_agents(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME…", help="Agents whose tools to install.", show_default=False),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Install the tools of all agents.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Install the pinned version of agents' command-line tools into m4bench's own folder.

    The folder is M4BENCH_AGENTS, or one in the platform's cache. Needs a package registry.
    """
    if bool(names) == everything:
        raise InputError("no agent was named", remedy="name some, or give --all alone")
    wanted = list(installable()) if everything else list(names or ())
    made = install(wanted, lambda line: notes.print(line, markup=False))
    if as_json:
        print_json(
            {name: {"version": one.version, "place": str(one.place)} for name, one in made.items()}
        )
        return
    for name, one in made.items():
        output.print(f"{name} {one.version}: {one.place}", markup=False, soft_wrap=True)
