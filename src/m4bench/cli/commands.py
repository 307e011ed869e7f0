# SPDX-License-Identifier: MIT
"""Registers the command groups and turns errors into one line and an exit code."""

import logging
import sys
from importlib.metadata import version
from typing import Annotated

import duckdb
import typer

from m4bench.cli import concepts, databases, references, tasks
from m4bench.cli import data as data_group
from m4bench.cli.demo import demo
from m4bench.cli.doctor import doctor
from m4bench.cli.ending import INTERRUPTED, end, unloadable
from m4bench.cli.options import output
from m4bench.cli.report import report
from m4bench.cli.run import run_command
from m4bench.cli.score import score
from m4bench.cli.synth import synth
from m4bench.model.errors import InputError, M4BenchError

app = typer.Typer(
    name="m4bench",
    help="Measure whether AI coding agents can rebuild the derived variables of critical-care research.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)
data_group.app.command("synth")(synth)
app.add_typer(data_group.app, name="data")
app.add_typer(concepts.app, name="concepts")
app.add_typer(references.app, name="references")
app.add_typer(tasks.app, name="tasks")
app.add_typer(databases.app, name="databases")
app.command("score")(score)
app.command("run")(run_command)
app.command("report")(report)
app.command("doctor")(doctor)
app.command("demo")(demo)


def _version(asked: bool) -> None:
    if asked:
        output.print(f"m4bench {version('m4bench')} · duckdb {version('duckdb')}", highlight=False)
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
    try:
        app()
    except M4BenchError as error:
        end(str(error), error.exit_code)
    except SystemExit as ending:
        if ending.code != INTERRUPTED:
            raise
        end("interrupted", INTERRUPTED)
    except BrokenPipeError:
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        end(f"{place}{error.strerror or 'cannot be read or written'}", InputError.exit_code)
    except ImportError as error:
        end(unloadable(error), InputError.exit_code)
    except duckdb.Error as error:
        # The engine's own text can hold values of the data.
        end(f"the engine failed ({type(error).__name__})", InputError.exit_code)
    except RuntimeError as error:
        if "interrupted" not in str(error).lower():
            raise
        end("interrupted", INTERRUPTED)
