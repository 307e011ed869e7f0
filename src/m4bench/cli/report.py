# SPDX-License-Identifier: MIT
"""`m4bench report`: a page and tables of finished runs. No logic."""

from pathlib import Path
from typing import Annotated

import typer

from m4bench.cli.options import JsonOption, StoreOption, open_store, print_json
from m4bench.report import TABLES, named_folder, write_report


def report(
    results: Annotated[Path, typer.Argument(help="The folder of results.", metavar="RESULTS")],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="DIR",
            parser=named_folder,
            help="The folder the report is written into.",
        ),
    ],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write pages, figures and tables on finished runs.

    They show what was asked, what went wrong, and how each task was scored.
    """
    page = write_report(results, out, store=open_store(store))
    if as_json:
        print_json({"page": str(page), "tables": [str(out / name) for name in TABLES]})
    else:
        typer.echo(page)
