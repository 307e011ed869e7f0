# SPDX-License-Identifier: MIT
"""`m4bench report`: pages, figures and tables of finished runs, or a leaderboard. No logic."""

from pathlib import Path
from typing import Annotated

import typer

from m4bench.analysis.plan import named_by, read_plan
from m4bench.analysis.reading import named_source
from m4bench.cli.options import JsonOption, StoreOption, open_store, print_json
from m4bench.cli.progress import steps
from m4bench.model.errors import InputError
from m4bench.model.legible import as_meant, legible
from m4bench.report import listed, named_folder, named_site, write_report
from m4bench.report.site import write_site


def report(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="A folder of results, or runs CSVs and folders of results together.",
            metavar="RESULTS|RUNS.csv",
            parser=named_source,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            parser=named_folder,
            help="The folder the report is written into.",
        ),
    ] = None,
    site: Annotated[
        Path | None,
        typer.Option(
            "--site",
            metavar="DIR",
            parser=named_site,
            help="Write a leaderboard for a web server into this folder instead.",
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            "--title", metavar="TEXT", help="What the leaderboard is called; with --site."
        ),
    ] = None,
    analysis: Annotated[
        Path | None,
        typer.Option(
            "--analysis",
            metavar="FILE",
            help="TOML file whose [analysis] table declares what is compared.",
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write pages, figures and tables on finished runs.

    Of a folder of results they show what was asked, what went wrong, and how each task was scored; of any runs
    what was compared and how far that can be trusted.
    """
    if (out is None) == (site is None):
        raise InputError(
            "the report has no place" if out is None else "the report has two places",
            remedy="name one with --out DIR, or with --site DIR for a leaderboard",
        )
    if title is not None and site is None:
        raise InputError("a report has no title of its own", remedy="give --title with --site DIR")
    plan = None if analysis is None else read_plan(analysis)
    with steps("report", spoken=True) as told, named_by(analysis):
        if out is not None:
            page = write_report(sources, out, store=open_store(store), plan=plan, progress=told)
        elif site is not None:
            page = write_site(sources, site, plan=plan, title=title, progress=told)
    if as_json:
        files = listed(page.parent)
        print_json(
            {
                "page": str(page),
                **{
                    kind: [str(page.parent / name) for name in files.get(kind, [])]
                    for kind in (("tables", "figures") if site is None else ("data",))
                },
            }
        )
    else:
        typer.echo(legible(as_meant(str(page))))
