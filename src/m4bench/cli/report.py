# SPDX-License-Identifier: MIT
"""`m4bench report`: a page and tables of finished runs. No logic."""

from pathlib import Path
from typing import Annotated

import typer

from m4bench.cli.options import JsonOption, print_json
from m4bench.report import TABLES, write_report


def report(
    results: Annotated[Path, typer.Argument(help="The folder of results.", metavar="RESULTS")],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder the report is written into.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Write a page and tables that show what was asked, what went wrong, and how each task was scored."""
    page = write_report(results, out)
    if as_json:
        print_json({"page": str(page), "tables": [str(out / name) for name in TABLES]})
    else:
        typer.echo(page)
