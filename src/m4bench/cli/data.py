# SPDX-License-Identifier: MIT
"""`m4bench data`: what is in the store, and how it gets there."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from m4bench.cli.options import JsonOption, StoreOption, notes, open_store, output, print_json
from m4bench.data.catalogue import declared_dataset
from m4bench.data.fetching import fetch_dataset
from m4bench.data.importer import import_dataset
from m4bench.data.progress import ConsoleProgress
from m4bench.data.verification import delete_dataset, verify_dataset
from m4bench.model.errors import InputError, MeasurementFailedError

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
    """Import a dataset from a folder of files; run it again to go on after an interruption."""
    with ConsoleProgress(notes) as progress:
        manifest = import_dataset(
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
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


@app.command("list")
def list_(store: StoreOption = None, json_: JsonOption = False) -> None:
    """List the datasets in the store."""
    manifests = [dataset.manifest() for dataset in open_store(store).datasets()]
    rows = [
        {
            "dataset": manifest.dataset,
            "site": manifest.site,
            "release": manifest.release,
            "access": manifest.access,
            "tables": len(manifest.tables),
            "rows": sum(table.rows for table in manifest.tables),
            "bytes": sum(table.bytes for table in manifest.tables),
            "modified": manifest.modified,
        }
        for manifest in manifests
    ]
    if json_:
        print_json(rows)
        return
    if not rows:
        notes.print(
            "the store holds no dataset; import one with: m4bench data import DATASET --from DIR, "
            "or invent one with: m4bench data synth"
        )
        return
    table = Table(*rows[0], box=None)
    for row in rows:
        table.add_row(*(_shown(value) for value in row.values()))
    output.print(table)


@app.command()
def verify(dataset: DatasetArgument, store: StoreOption = None, json_: JsonOption = False) -> None:
    """Hash and count every table again and compare with the manifest; exit 1 when it does not hold."""
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


@app.command()
def delete(
    dataset: DatasetArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> None:
    """Remove a dataset, all that was made from it, and its references."""
    place = open_store(store).dataset(dataset)
    if not yes and not typer.confirm(f"Remove {place.root} and its references?", err=True):
        raise InputError("nothing was removed", remedy="answer y, or give --yes")
    for folder in delete_dataset(place):
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
    """Download an open demo from PhysioNet, checked against its sums; run it again to go on."""
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
