# SPDX-License-Identifier: MIT
"""`m4bench data synth` and `data reveal`: a synthetic hospital, and the seed of a sealed one."""

from pathlib import Path
from typing import Annotated

import typer

from m4bench.cli.data import app as data_app
from m4bench.cli.options import JsonOption, StoreOption, notes, open_store, output, print_json
from m4bench.data.manifest import Invention
from m4bench.data.progress import ConsoleProgress
from m4bench.data.synthetic.creation import store_hospital, write_hospital
from m4bench.data.synthetic.recipe import DATASETS, GENERATOR, SEED, STAYS
from m4bench.data.synthetic.seals import reveal as reveal_seal
from m4bench.data.synthetic.workers import cores
from m4bench.model.errors import InputError


@data_app.command()
def synth(
    site: Annotated[
        str, typer.Option("--site", metavar="SITE", help="mimic (MIMIC-IV) or eicu (eICU).")
    ] = "mimic",
    stays: Annotated[
        int, typer.Option("--stays", metavar="N", help="Number of ICU stays.")
    ] = STAYS,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="S", help=f"The same seed gives the same hospital (default: {SEED})."
        ),
    ] = None,
    density: Annotated[
        float,
        typer.Option("--density", metavar="D", help="Share of the charted rows, 0.001 to 1."),
    ] = 1.0,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", metavar="W", help="Processes that draw patients (default: one a core)."
        ),
    ] = None,
    sealed: Annotated[
        bool,
        typer.Option("--sealed", help="Draw a secret seed and tell only a commitment to it."),
    ] = False,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace another hospital that stands in the store."),
    ] = False,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="Write Parquet files here instead of importing."),
    ] = None,
    store: StoreOption = None,
    json_: JsonOption = False,
) -> None:
    """Invent a hospital and import it.

    It is shaped like MIMIC-IV and becomes dataset `synthetic`, or like eICU and becomes `synthetic-eicu`: its
    references can be built, and its tasks come later.
    """
    if to is not None and store is not None:
        raise InputError("--to writes files and --store imports them", remedy="give one of the two")
    if to is not None and sealed:
        raise InputError(
            "a sealed seed is kept in a store, and --to writes files", remedy="leave --to out"
        )
    drawing = cores() if workers is None else workers
    with ConsoleProgress(notes) as progress:
        if to is not None:
            folder = to.expanduser().absolute()
            invention = write_hospital(
                folder,
                stays=stays,
                seed=SEED if seed is None else seed,
                site=site,
                density=density,
                workers=drawing,
                progress=progress,
            )
        else:
            manifest = store_hospital(
                open_store(store),
                stays=stays,
                seed=seed,
                site=site,
                density=density,
                workers=drawing,
                sealed=sealed,
                replace_standing=replace,
                progress=progress,
            )
    if to is not None:
        _tell_files(folder, invention, json_)
    elif json_:
        print_json(manifest.model_dump(mode="json"))
    else:
        rows = sum(table.rows for table in manifest.tables)
        _say(
            f"{manifest.dataset}: {stays:,} ICU stays, {len(manifest.tables)} tables, {rows:,} rows"
        )
        if manifest.invented is not None:
            _tell(manifest.invented)
            if manifest.invented.sealed:
                _say(f"sealed; its seed is told by: m4bench data reveal {manifest.dataset}")


def _tell_files(folder: Path, invention: Invention, json_: bool) -> None:
    if json_:
        print_json({"folder": str(folder)} | invention.model_dump(mode="json"))
        return
    _say(
        f"{invention.stays:,} ICU stays in {folder}; import them with: "
        f"m4bench data import {DATASETS[invention.site]} --from {folder}"
    )
    _tell(invention)


def _tell(invention: Invention) -> None:
    _say(f"content {invention.content}")
    if invention.sealed:
        _say(f"commitment {invention.commitment}")


def _say(line: str) -> None:
    output.print(line, markup=False, highlight=False, soft_wrap=True)


@data_app.command()
def reveal(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="synthetic or synthetic-eicu.")],
    store: StoreOption = None,
    json_: JsonOption = False,
) -> None:
    """Tell the seed of a sealed hospital.

    It is checked against its commitment, and the command that makes the hospital again is printed.
    """
    seal = reveal_seal(open_store(store).dataset(dataset))
    if seal.generator != GENERATOR:
        notes.print(
            f"note: it was made by version {seal.generator} of the generator; this is version "
            f"{GENERATOR}, which draws other rows",
            soft_wrap=True,
        )
    command = seal.recipe().command()
    if json_:
        print_json(seal.model_dump(mode="json", exclude={"format_version"}) | {"command": command})
        return
    _say(f"seed {seal.seed}")
    _say(f"commitment {seal.commitment} fits")
    _say(f"make it again with: {command}")
