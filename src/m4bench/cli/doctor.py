# SPDX-License-Identifier: MIT
"""`m4bench doctor`: what is ready on this machine, what is missing, how to get it."""

import sys
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from m4bench.cli.doctor_lines import MARKS, has_marks, plain_lines, verdict
from m4bench.cli.options import JsonOption, StoreOption, output, print_json
from m4bench.doors.doctor import Finding, examine
from m4bench.model.legible import legible

STYLES = {"ready": "green", "optional": "yellow", "needed": "bold red"}
LEAST_WIDTH = 60


def doctor(
    store: StoreOption = None,
    reach: Annotated[
        bool,
        typer.Option("--reach", help="Try a connection to each endpoint with a key; send nothing."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell what is ready on this machine and what is missing.

    Exit 1 when the main job cannot be done.
    """
    diagnosis = examine(store, Path.cwd(), reach=reach)
    if as_json:
        print_json(diagnosis.as_json())
    elif output.width < LEAST_WIDTH or not has_marks(output.encoding):
        sys.stdout.write(plain_lines(diagnosis, output.encoding))
    else:
        for group, findings in groupby(diagnosis.findings, lambda finding: finding.group):
            output.print(_table(group, list(findings)))
        output.print(verdict(diagnosis), markup=False, highlight=False, soft_wrap=True)
    if not diagnosis.ready:
        raise typer.Exit(1)


def _table(group: str, findings: list[Finding]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, title=group, title_justify="left")
    table.add_column(width=1)
    table.add_column(width=17, overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    for finding in findings:
        style = STYLES[finding.state]
        text = Text(legible(finding.found)).append(f" · {legible(finding.meaning)}", style="dim")
        if finding.remedy:
            text.append(f"\n→ {legible(finding.remedy)}", style=style)
        table.add_row(Text(MARKS[finding.state], style=style), Text(legible(finding.name)), text)
    return table
