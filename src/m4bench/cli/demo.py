# SPDX-License-Identifier: MIT
"""`m4bench demo`: the whole way on the embedded synthetic hospital."""

from pathlib import Path
from typing import Annotated

import typer

from m4bench.cli.options import notes, output
from m4bench.doors.demo import demo as whole_way


def demo(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for store, runs and report.")
    ] = Path("demo-output"),
) -> None:
    """Build a synthetic hospital, run the baseline agents over every task, end with a report."""
    page = whole_way(
        out.absolute(),
        lambda line: notes.print(line, markup=False, highlight=False, soft_wrap=True),
    )
    output.print(f"report: {page}", markup=False, highlight=False, soft_wrap=True)
