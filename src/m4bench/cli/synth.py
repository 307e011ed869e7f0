# SPDX-License-Identifier: MIT
"""`m4bench data synth`: a synthetic hospital, in the store or as files."""

from pathlib import Path
from typing import Annotated

import typer

from m4bench.cli.options import JsonOption, StoreOption, notes, open_store, output, print_json
from m4bench.data.progress import ConsoleProgress
from m4bench.data.synthetic.creation import SEED, STAYS, store_hospital, write_hospital
from m4bench.model.errors import InputError


def synth(
    stays: Annotated[
        int, typer.Option("--stays", metavar="N", help="Number of ICU stays.")
    ] = STAYS,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="The same seed gives the same hospital.")
    ] = SEED,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="Write Parquet files here instead of importing."),
    ] = None,
    store: StoreOption = None,
    json_: JsonOption = False,
) -> None:
    """Invent a hospital shaped like MIMIC-IV and import it as dataset `synthetic`."""
    if to is not None and store is not None:
        raise InputError("--to writes files and --store imports them", remedy="give one of the two")
    with ConsoleProgress(notes) as progress:
        if to is not None:
            folder = to.expanduser().absolute()
            write_hospital(folder, stays=stays, seed=seed, progress=progress)
        else:
            manifest = store_hospital(open_store(store), stays=stays, seed=seed, progress=progress)
    if to is not None:
        if json_:
            print_json({"folder": str(folder), "stays": stays, "seed": seed})
        else:
            output.print(
                f"{stays:,} ICU stays in {folder}; import them with: "
                f"m4bench data import synthetic --from {folder}",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
    elif json_:
        print_json(manifest.model_dump(mode="json"))
    else:
        rows = sum(table.rows for table in manifest.tables)
        output.print(
            f"synthetic: {stays:,} ICU stays, {len(manifest.tables)} tables, {rows:,} rows",
            highlight=False,
        )
