# SPDX-License-Identifier: MIT
"""`m4bench published`: write the paper's released runs. Knows only how to print their paths."""

from pathlib import Path
from typing import Annotated

import typer

from m4bench.analysis.released_runs import hand_out
from m4bench.cli.options import JsonOption, print_json, require_folder


def published(
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="The folder the run tables are written into."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the runs the M4Bench paper released.

    Three tables with one row a run, for `m4bench stats` and `m4bench report`, and whose they are.
    """
    paths = hand_out(require_folder(to))
    if as_json:
        print_json({"tables": [str(path) for path in paths]})
    else:
        for path in paths:
            typer.echo(path)
