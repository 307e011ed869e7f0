# SPDX-License-Identifier: MIT
"""`m4bench data`: what is in the store, and how it gets there."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.filesize import decimal
from rich.table import Table

from m4bench.cli.options import JsonOption, StoreOption, notes, open_store, output, print_json
from m4bench.data.catalogue import declared_dataset, site_word
from m4bench.data.deletion import delete_dataset
from m4bench.data.fetching import fetch_dataset
from m4bench.data.importer import import_dataset
from m4bench.data.inventory import Holding, take_inventory
from m4bench.data.manifest import Invention
from m4bench.data.progress import ConsoleProgress
from m4bench.data.synthetic.proof import import_invented
from m4bench.data.synthetic.recipe import DATASETS
from m4bench.data.verification import verify_dataset
from m4bench.model.errors import InputError, MeasurementFailedError

LISTED = ("dataset", "site", "release", "access", "rows", "size")
SHORT = 12
"""Digits of a content hash that tell hospitals apart."""

app = typer.Typer(help="Import, list, verify, delete and fetch datasets.", no_args_is_help=True)

DatasetArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATASET",
        help="mimic-iv, mimic-iv-demo, eicu, eicu-demo, synthetic or synthetic-eicu.",
    ),
]


@app.command("import")
def import_(
    dataset: DatasetArgument,
    source: Annotated[
        Path,
        typer.Option(
            "--from", metavar="DIR", help="The folder of .csv, .csv.gz or .parquet files."
        ),
    ],
    allow_modified: Annotated[
        bool,
        typer.Option(
            "--allow-modified", help="Take row counts that differ from the publisher's, and say so."
        ),
    ] = False,
    memory_limit: Annotated[
        str | None, typer.Option("--memory-limit", help="The engine's bound, e.g. 4GB.")
    ] = None,
    store: StoreOption = None,
    json_: JsonOption = False,
) -> None:
    """Import a dataset from a folder of files.

    Run it again to go on after an interruption.
    """
    with ConsoleProgress(notes) as progress:
        importing = import_invented if dataset in DATASETS.values() else import_dataset
        manifest = importing(
            open_store(store).dataset(dataset),
            source.expanduser(),
            allow_modified=allow_modified,
            progress=progress,
            memory_limit=memory_limit,
        )
    if json_:
        print_json(manifest.model_dump(mode="json"))
        return
    rows = sum(table.rows for table in manifest.tables)
    release = f"release {manifest.release}" if manifest.release else "no known release"
    state = ", modified" if manifest.modified else ""
    output.print(
        f"{dataset}: {len(manifest.tables)} tables, {rows:,} rows, {release}{state}",
        highlight=False,
    )


def _shown(value: object) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _size(count: int | None) -> str | None:
    return None if count is None else decimal(count)


def _origin(invented: Invention | None) -> str:
    """Return what an invented hospital was made from, in a few words."""
    if invented is None:
        return "nothing proves that its rows are invented; they are kept as if they were real"
    seed = "sealed" if invented.sealed else f"seed {invented.seed}"
    return (
        f"{invented.stays:,} ICU stays, {seed}, density {invented.density:g}, "
        f"content {invented.content[:SHORT]}"
    )


def _row(holding: Holding) -> dict[str, Any]:
    manifest = holding.manifest
    return {
        "dataset": holding.name,
        "site": manifest and site_word(manifest.site),
        "release": manifest and manifest.release,
        "access": manifest and manifest.access,
        "tables": manifest and len(manifest.tables),
        "rows": manifest and sum(table.rows for table in manifest.tables),
        "bytes": manifest and sum(table.bytes for table in manifest.tables),
        "modified": manifest and manifest.modified,
        "invented": manifest and manifest.invented and manifest.invented.model_dump(mode="json"),
        "problem": holding.problem,
    }


@app.command("list")
def list_(store: StoreOption = None, json_: JsonOption = False) -> None:
    """List the datasets in the store."""
    inventory = take_inventory(open_store(store))
    for line in inventory.remains:
        notes.print(f"note: {line}", markup=False, highlight=False, soft_wrap=True)
    rows = [_row(holding) for holding in inventory.holdings]
    if json_:
        print_json(rows)
        return
    if not rows and not inventory.remains:
        notes.print(
            "the store holds no dataset; import one with: m4bench data import DATASET --from DIR, "
            "or invent one with: m4bench data synth",
            soft_wrap=True,
        )
        return
    if not rows:
        return
    table = Table(*LISTED, box=None, pad_edge=False)
    for column in table.columns:
        column.no_wrap = True
    for row in rows:
        row |= {"size": _size(row["bytes"])}
        if row["modified"]:
            row |= {"release": f"{_shown(row['release'])}, modified"}
        cells = (_shown(row[name]) for name in LISTED)
        table.add_row(*cells, style="dim" if row["problem"] else None)
    output.print(table)
    for holding in inventory.holdings:
        if holding.manifest is not None and holding.manifest.access == "synthetic":
            output.print(
                f"{holding.name}: {_origin(holding.manifest.invented)}",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
    for row in rows:
        if row["problem"]:
            output.print(
                f"{row['dataset']} is broken: {row['problem']}; import it again",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )


@app.command()
def verify(dataset: DatasetArgument, store: StoreOption = None, json_: JsonOption = False) -> None:
    """Hash and count every table again.

    Exit 1 when they are not what the manifest says.
    """
    with ConsoleProgress(notes) as progress:
        findings = verify_dataset(open_store(store).dataset(dataset), progress)
    if json_:
        print_json({"dataset": dataset, "holds": not findings, "findings": findings})
    else:
        for finding in findings:
            output.print(finding, markup=False, highlight=False, soft_wrap=True)
    if findings:
        raise MeasurementFailedError(
            f"dataset {dataset} does not hold; import it again with: "
            f"m4bench data import {dataset} --from DIR"
        )
    if not json_:
        output.print(f"{dataset} holds", highlight=False)


def _ask(question: str) -> None:
    """Go on when the answer is yes.

    Raises:
        InputError: it is no, or there is no terminal to ask on.
    """
    if not sys.stdin.isatty():
        raise InputError(
            "nothing was removed: there is no terminal to ask on", remedy="give --yes to remove it"
        )
    try:
        agreed = typer.confirm(question, err=True)
    except typer.Abort:
        # Control-C or Control-D in place of an answer.
        raise KeyboardInterrupt from None
    if not agreed:
        raise InputError("nothing was removed", remedy="answer y, or give --yes")


@app.command()
def delete(
    dataset: DatasetArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> None:
    """Remove a dataset, all that was made from it, and its references."""
    place = open_store(store).dataset(dataset)
    if not yes:
        _ask(f"Remove {place.root} and its references?")
    with ConsoleProgress(notes) as progress:
        removed = delete_dataset(place, progress)
    for folder in removed:
        output.print(f"removed {folder}", markup=False, highlight=False, soft_wrap=True)


@app.command()
def fetch(
    dataset: DatasetArgument,
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Where the files go.")],
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="Another place that holds the same files.")
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Download an open demo from PhysioNet, checked by sums.

    Run it again to go on after an interruption.
    """
    with ConsoleProgress(notes) as progress:
        files = fetch_dataset(dataset, to.expanduser(), base_url=base_url, progress=progress)
    if json_:
        print_json({"downloaded": files.downloaded, "present": files.present})
        return
    output.print(
        f"{declared_dataset(dataset).title}: {len(files.downloaded)} files downloaded, "
        f"{len(files.present)} were there; import them with: "
        f"m4bench data import {dataset} --from {to}",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
