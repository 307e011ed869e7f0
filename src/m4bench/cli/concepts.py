# SPDX-License-Identifier: MIT
"""`m4bench concepts`: list, show, build, export and print derived concepts."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from m4bench.cli.derivation_screen import show_derivation
from m4bench.cli.options import (
    ConventionOption,
    JsonOption,
    StoreOption,
    counted,
    notes,
    open_store,
    output,
    print_json,
    require_convention_name,
    require_folder,
)
from m4bench.cli.progress import steps
from m4bench.suites.derivation.library.build import BuildReport
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.dialects.script import query, script
from m4bench.suites.derivation.library.dialects.translate import require_dialect
from m4bench.suites.derivation.library.engine import EngineLimits
from m4bench.suites.derivation.library.engines.opening import EngineOptions, build_with
from m4bench.suites.derivation.library.export import export_concepts

app = typer.Typer(
    help="The derivation library: list, show, build, export, print SQL.", no_args_is_help=True
)

MemoryOption = Annotated[str, typer.Option("--memory-limit", metavar="SIZE", help="e.g. 4GB.")]


LineageOption = Annotated[
    bool, typer.Option("--lineage", help="Show what it is built from, and what from it.")
]
ByColumnOption = Annotated[
    bool, typer.Option("--columns", help="With --lineage: name the columns and how each is taken.")
]


def show_report(report: BuildReport, as_json: bool) -> None:
    """Print what a build did."""
    if as_json:
        print_json(
            {
                "built": {n: e.model_dump(mode="json") for n, e in report.built.items()},
                "reused": sorted(report.reused),
                "left_out": report.left_out,
                "absent": report.absent,
            }
        )
        return
    table = Table("name", "rows", "seconds")
    for name, entry in report.built.items():
        table.add_row(name, f"{entry.rows:,}", f"{entry.seconds:.2f}")
    if report.built:
        output.print(table)
    output.print(f"{len(report.built)} built, {len(report.reused)} unchanged")
    for name, missing in report.absent.items():
        notes.print(
            f"{name}: no rows from {', '.join(missing)}, which the dataset lacks", markup=False
        )
    for name, missing in report.left_out.items():
        notes.print(
            f"left out {name}: the dataset has no {', '.join(missing)}; import it again from a folder "
            "that has",
            markup=False,
        )


@app.command("list")
def list_concepts(as_json: JsonOption = False) -> None:
    """List the concepts with what one row is."""
    if as_json:
        print_json([d.header.model_dump(mode="json") for d in library().concepts.values()])
        return
    table = Table("concept", "grain", "its own SQL differs under")
    for name, derivation in library().concepts.items():
        header = derivation.header
        table.add_row(name, header.grain, " ".join(header.differing))
    output.print(table)


@app.command()
def show(
    name: str,
    lineage: LineageOption = False,
    by_column: ByColumnOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a derivation's columns and conventions, or its lineage."""
    show_derivation(
        library(), library().find(name), lineage=lineage, by_column=by_column, as_json=as_json
    )


@app.command()
def build(
    dataset: str,
    names: Annotated[list[str] | None, typer.Argument(help="Concepts (default: all).")] = None,
    convention: ConventionOption = "published",
    memory_limit: MemoryOption = "4GB",
    engine: Annotated[
        str, typer.Option("--engine", help="duckdb, postgres or spark: where the work is done.")
    ] = "duckdb",
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="postgres: postgresql://USER@HOST/DATABASE."),
    ] = None,
    source_schema: Annotated[
        list[str] | None,
        typer.Option(
            "--source-schema",
            metavar="SCHEMA[=NAME]",
            help="postgres: source tables that are in the database already (repeatable).",
        ),
    ] = None,
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="spark: default local[*].")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="DIR", help="spark: SCHEMA/TABLE.parquet to read."),
    ] = None,
    work: Annotated[
        Path | None,
        typer.Option("--work", metavar="DIR", help="spark: where derived tables lie meanwhile."),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build concepts of a dataset and all they need.

    What has not changed is not redone.
    """
    options = EngineOptions(
        engine=engine,
        url=url,
        source_schema=tuple(source_schema or ()),
        master=master,
        source=source,
        work=work,
    )
    with steps("concepts") as progress:
        report = build_with(
            options,
            library(),
            open_store(store).dataset(dataset),
            names or None,
            convention=require_convention_name(convention),
            limits=EngineLimits.of_memory(memory_limit),
            progress=progress,
        )
    show_report(report, as_json)


@app.command()
def sql(
    names: Annotated[list[str], typer.Argument(metavar="NAME…")],
    dialect: Annotated[
        str, typer.Option("--dialect", help="duckdb, postgres, bigquery or spark.")
    ] = "duckdb",
    lineage: Annotated[
        bool, typer.Option("--lineage", help="All that it needs too, as tables in order.")
    ] = False,
    convention: ConventionOption = "published",
) -> None:
    """Print concepts or references in the SQL of a warehouse."""
    said = library(require_convention_name(convention))
    chosen = require_dialect(dialect)
    text = (
        script(said, names, chosen)
        if lineage
        else "\n".join(query(said, name, chosen) for name in names)
    )
    output.file.write(text)


@app.command()
def export(
    dataset: str,
    names: Annotated[
        list[str] | None, typer.Argument(help="Concepts (default: all built).")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="Required.")] = None,
    file_format: Annotated[str, typer.Option("--format", help="csv or parquet.")] = "csv",
    convention: ConventionOption = "published",
    store: StoreOption = None,
) -> None:
    """Write built concepts as CSV or Parquet files.

    They stay under the data's licence.
    """
    folder = require_folder(to)
    written = export_concepts(
        library(),
        open_store(store).dataset(dataset),
        names or None,
        folder,
        file_format,
        require_convention_name(convention),
    )
    output.print(f"{counted(len(written), 'file')} in {folder}", markup=False)
