# SPDX-License-Identifier: MIT
"""`m4bench stats`: compare conditions and systems on finished runs. Knows only which analysis is asked for."""

import io
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, RenderableType
from rich.text import Text

from m4bench.analysis.analyse import analyse
from m4bench.analysis.paper import published_tables
from m4bench.analysis.plan import contrasts_only, default_plan, named_by, read_plan
from m4bench.analysis.progress import Progress
from m4bench.analysis.reading import named_source, read_run_table
from m4bench.analysis.runs import RunTable
from m4bench.cli.options import JsonOption, notes, output, print_json
from m4bench.cli.stats_screen import analysis_lines, published_texts
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.legible import legible

WIDEST = 20_000
"""Columns of a line that goes to a file or another program: more than any has."""
READING = "reading "
SECONDS_BETWEEN_LINES = 10.0
"""Of work that is soon over nothing is told but what was read."""


def stats(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUNS",
            parser=named_source,
            help="Runs CSV files, folders of runs, or folders of reports.",
        ),
    ],
    contrast: Annotated[
        list[str] | None,
        typer.Option(
            "--contrast",
            metavar="A:B",
            help="Compare A minus B, instead of what the plan compares; may be repeated.",
        ),
    ] = None,
    analysis: Annotated[
        Path | None,
        typer.Option(
            "--analysis", metavar="FILE", help="The declared analysis: a TOML file with [analysis]."
        ),
    ] = None,
    with_published: Annotated[
        bool,
        typer.Option("--published", help="Also print the tables of the M4Bench paper."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare conditions and systems on finished runs.

    Deltas with intervals clustered by family, exact tests, corrected p-values, and tie groups.
    """
    declared = None if analysis is None else read_plan(analysis)
    with _working() as told, named_by(None if contrast else analysis):
        read = read_run_table(
            runs, progress=lambda name, done, total: told(READING + name, done, total)
        )
        table = read.versions_apart()
        found = analyse(table, _plan(declared, contrast or (), table), told)
    tables = published_tables(read) if with_published else {}
    if as_json:
        whole = found.model_dump(mode="json")
        if with_published:
            whole["published"] = {name: one.as_json() for name, one in tables.items()}
        print_json(whole)
        return
    _print(analysis_lines(found))
    for text in published_texts(tables):
        output.print(text, markup=False, highlight=False, soft_wrap=True)
    for note in found.notes:
        notes.print(legible(note), markup=False, highlight=False, soft_wrap=True)


def _print(pieces: Iterable[RenderableType]) -> None:
    """Print on a terminal as wide as it is, and elsewhere every line whole, without blanks at its end."""
    if output.is_terminal:
        for piece in pieces:
            output.print(piece)
        return
    whole = Console(file=io.StringIO(), width=WIDEST, color_system=None)
    for piece in pieces:
        with whole.capture() as said:
            whole.print(piece)
        for line in said.get().splitlines():
            output.file.write(f"{line.rstrip()}\n")


def _plan(declared: AnalysisPlan | None, contrasts: Sequence[str], table: RunTable) -> AnalysisPlan:
    plan = default_plan(table) if declared is None else declared
    return contrasts_only(plan, contrasts) if contrasts else plan


@contextmanager
def _working() -> Iterator[Progress]:
    """Yield what is told how far the work is: a line that changes on a terminal, now and then a line elsewhere."""
    if notes.is_terminal:
        with notes.status("reading") as status:
            yield lambda name, done, total: status.update(
                Text(f"{legible(name)}: {done / max(total, 1):.0%}")
            )
        return
    said: set[str] = set()
    since = time.monotonic()

    def line(name: str, done: int, total: int) -> None:
        nonlocal since
        told = legible(name)
        if not name.startswith(READING):
            if time.monotonic() - since < SECONDS_BETWEEN_LINES:
                return
            told += f": {done} of {total}"
        elif name in said:
            return
        said.add(name)
        since = time.monotonic()
        notes.print(told, markup=False, highlight=False, soft_wrap=True)

    yield line
