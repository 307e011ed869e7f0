# SPDX-License-Identifier: MIT
"""`m4bench references`: list, show, build, compare and export the hidden expected outputs."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from m4bench.cli.concepts import ByColumnOption, LineageOption, MemoryOption, show_report
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
from m4bench.data.catalogue import site_word
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.build import build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.effects import CONVENTIONS, effects
from m4bench.suites.derivation.library.engine import EngineLimits
from m4bench.suites.derivation.library.export import export_references
from m4bench.suites.derivation.library.sites import site_of

app = typer.Typer(
    help="The hidden expected outputs: list, show, build, compare.", no_args_is_help=True
)


@app.command("list")
def list_references(as_json: JsonOption = False) -> None:
    """List the references with the site they rest on and their key."""
    sites = {name: site_of(library(), name) for name in library().references}
    if as_json:
        print_json(
            [
                {**d.header.model_dump(mode="json"), "site": sites[name]}
                for name, d in library().references.items()
            ]
        )
        return
    table = Table("reference", "site", "grain", "key", "its own SQL differs under")
    for name, derivation in library().references.items():
        header = derivation.header
        table.add_row(
            name,
            site_word(sites[name] or ""),
            header.grain,
            " ".join(header.key or ()),
            " ".join(header.differing),
        )
    output.print(table)


@app.command()
def show(
    name: str,
    lineage: LineageOption = False,
    by_column: ByColumnOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a reference's columns and conventions, or its lineage."""
    known = library()
    if name not in known.references:
        raise InputError(
            f"no reference is called {name}", remedy=f"known are: {', '.join(known.references)}"
        )
    show_derivation(
        known, known.references[name], lineage=lineage, by_column=by_column, as_json=as_json
    )


@app.command()
def build(
    dataset: str,
    names: Annotated[list[str] | None, typer.Argument(help="References (default: all).")] = None,
    convention: ConventionOption = "published",
    memory_limit: MemoryOption = "4GB",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build references of a dataset, and the concepts they rest on."""
    with steps("references") as progress:
        report = build_references(
            library(),
            open_store(store).dataset(dataset),
            names or None,
            convention=require_convention_name(convention),
            limits=EngineLimits.of_memory(memory_limit),
            progress=progress,
        )
    show_report(report, as_json)


@app.command()
def export(
    dataset: str,
    names: Annotated[list[str] | None, typer.Argument(help="References (default: all)")] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="Required.")] = None,
    file_format: Annotated[str, typer.Option("--format", help="csv or parquet.")] = "csv",
    convention: ConventionOption = "published",
    store: StoreOption = None,
) -> None:
    """Write references as files without their honeytokens.

    Never place them where an agent can read.
    """
    folder = require_folder(to)
    written = export_references(
        library(),
        open_store(store).dataset(dataset),
        names or None,
        folder,
        file_format,
        require_convention_name(convention),
    )
    output.print(f"{counted(len(written), 'file')} in {folder}", markup=False)


@app.command()
def compare(
    dataset: str,
    names: Annotated[
        list[str] | None, typer.Argument(help="References (default: all of the dataset's site).")
    ] = None,
    memory_limit: MemoryOption = "4GB",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count what the conventions move in a dataset.

    Rows and patients of each reference, cohorts, and deaths by score. What is not built yet is built.
    """
    place = open_store(store).dataset(dataset)
    limits = EngineLimits.of_memory(memory_limit)
    with steps("references") as progress:
        for convention in CONVENTIONS:
            report = build_references(
                library(),
                place,
                names or None,
                convention=convention,
                limits=limits,
                progress=progress,
            )
            wanted = [
                name.removeprefix("reference ")
                for name in {**report.built, **report.reused}
                if name.startswith("reference ")
            ]
    found = effects(library(), place, names or sorted(wanted), title=dataset)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    moved = Table(title=f"rows moved in {dataset} (of patients)", title_justify="left", box=None)
    moved.add_column("reference", no_wrap=True)
    for convention in ("published", "current", "adjudicated"):
        moved.add_column(convention if convention != "published" else "rows", justify="right")
    moved.add_column("most in", overflow="fold")
    for name, effect in found.references.items():
        counts = [(effect.rows, effect.patients)]
        counts += [(m.rows, m.patients) for m in effect.moved.values()]
        most = ", ".join(effect.moved["adjudicated"].most(2))
        moved.add_row(name, *(f"{rows:,} ({patients:,})" for rows, patients in counts), most)
    output.print(moved)
    notes.print(
        "moved: any value differs from published, a further digit included, or the row is there on one side only"
    )
    for table in found.tables:
        shown = Table(*table.columns, title=f"\n{table.title}", title_justify="left", box=None)
        for row in table.rows:
            shown.add_row(*row)
        output.print(shown)
