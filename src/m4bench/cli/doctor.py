# SPDX-License-Identifier: MIT
"""`m4bench doctor`: what is ready on this machine, what is missing, how to get it."""

from itertools import groupby
from pathlib import Path

import typer
from rich.table import Table
from rich.text import Text

from m4bench.cli.options import JsonOption, StoreOption, open_store, output, print_json
from m4bench.doors.doctor import Diagnosis, Finding, examine

MARKS = {"ready": ("✓", "green"), "optional": ("○", "yellow"), "needed": ("✗", "bold red")}


def doctor(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Tell what is ready on this machine and what is missing; exit 1 when the main job cannot be done."""
    diagnosis = examine(open_store(store), Path.cwd())
    if as_json:
        print_json(diagnosis.as_json())
    else:
        for group, findings in groupby(diagnosis.findings, lambda finding: finding.group):
            output.print(_table(group, list(findings)))
        output.print(_verdict(diagnosis), markup=False, highlight=False, soft_wrap=True)
    if not diagnosis.ready:
        raise typer.Exit(1)


def _table(group: str, findings: list[Finding]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, title=group, title_justify="left")
    table.add_column(width=1)
    table.add_column(width=17)
    table.add_column(ratio=1, overflow="fold")
    for finding in findings:
        mark, style = MARKS[finding.state]
        text = Text(finding.found).append(f" · {finding.meaning}", style="dim")
        if finding.remedy:
            text.append(f"\n→ {finding.remedy}", style=style)
        table.add_row(Text(mark, style=style), Text(finding.name), text)
    return table


def _verdict(diagnosis: Diagnosis) -> str:
    if not diagnosis.ready:
        return "not ready: what is marked ✗ is needed"
    if not diagnosis.publishable:
        return "ready, but without isolation: runs made here cannot be published"
    return "ready; credentials of models are not looked at"
