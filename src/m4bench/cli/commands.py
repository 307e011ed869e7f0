# SPDX-License-Identifier: MIT
"""Registers the command groups and turns errors into one line and an exit code."""

import logging
import os
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from m4bench.cli.ending import INTERRUPTED, end, unloadable
from m4bench.model.errors import InputError, M4BenchError

# In the order of the help; each is loaded when it is called for, since some need much that others do not.
COMMANDS = {
    "data": ("m4bench.cli.synth", "data_app"),
    "concepts": ("m4bench.cli.concepts", "app"),
    "references": ("m4bench.cli.references", "app"),
    "tasks": ("m4bench.cli.tasks", "app"),
    "skills": ("m4bench.cli.skills", "app"),
    "agents": ("m4bench.cli.agents", "app"),
    "databases": ("m4bench.cli.databases", "app"),
    "score": ("m4bench.cli.score", "score"),
    "run": ("m4bench.cli.run", "run_command"),
    "stats": ("m4bench.cli.stats", "stats"),
    "published": ("m4bench.cli.published", "published"),
    "report": ("m4bench.cli.report", "report"),
    "doctor": ("m4bench.cli.doctor", "doctor"),
    "demo": ("m4bench.cli.demo", "demo"),
}


STYLE: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
    "add_completion": False,
}


@cache
def loaded(name: str) -> Any:
    """Import a command or a group of them and return it in the style of the whole, None where there is none."""
    if name not in COMMANDS:
        return None
    module, attribute = COMMANDS[name]
    found = getattr(import_module(module), attribute)
    holder = typer.Typer(**STYLE)
    holder.callback()(lambda: None)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name)
    else:
        holder.command(name)(found)
    return typer.main.get_group(holder).commands[name]


class _Commands(TyperGroup):
    """The command groups, each imported when it is called for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(dict.fromkeys([*COMMANDS, *self.commands]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.commands[cmd_name] = loaded(cmd_name)
        return self.commands.get(cmd_name)


app = typer.Typer(
    name="m4bench",
    cls=_Commands,
    help="Measure whether AI coding agents can rebuild the derived variables of critical-care research.",
    no_args_is_help=True,
    **STYLE,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"m4bench {version('m4bench')} · duckdb {version('duckdb')}")
        raise typer.Exit


@app.callback()
def main(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show versions and exit."),
    ] = False,
) -> None:
    """Measure whether AI coding agents can rebuild the derived variables of critical-care research."""


def run_commands() -> None:
    """Run the command line; exit codes are 0 done, 1 the thing measured failed, 2 bad input, 130 interrupted."""
    logging.basicConfig(level=logging.WARNING, format="m4bench: %(message)s")
    printed = sys.stdout
    try:
        app()
    except M4BenchError as error:
        end(str(error), error.exit_code)
    except SystemExit as ending:
        if ending.code == INTERRUPTED:
            end("interrupted", INTERRUPTED)
        if (
            sys.stdout is not printed
        ):  # typer puts another in its place once nobody reads it any more
            sys.exit(0)
        _write_out()
        raise
    except BrokenPipeError:
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        end(f"{place}{error.strerror or 'cannot be read or written'}", InputError.exit_code)
    except ImportError as error:
        end(unloadable(error), InputError.exit_code)
    except Exception as error:
        _end_of_engine(error)
        raise


def _write_out() -> None:
    """Write what is still to be printed; where nobody reads it any more, it is for nobody."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end_of_engine(error: Exception) -> None:
    """End in one line when the engine failed or was interrupted; it need not have been loaded."""
    engine = sys.modules.get("duckdb")
    if engine is not None and isinstance(error, engine.Error):
        # The engine's own text can hold values of the data.
        end(f"the engine failed ({type(error).__name__})", InputError.exit_code)
    if isinstance(error, RuntimeError) and "interrupted" in str(error).lower():
        end("interrupted", INTERRUPTED)
