# SPDX-License-Identifier: MIT
"""Making a synthetic hospital for a user: as files in a folder, or as a dataset of a store, sealed or not.

It knows the importer and the disk's faults; what a hospital holds is known to `hospital`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from m4bench.data.importer import import_dataset
from m4bench.data.manifest import DatasetManifest, Invention
from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.data.standing import refuse_to_lose_a_seed, refuse_to_replace
from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.hospital import generate
from m4bench.data.synthetic.recipe import DATASETS, SEED, STAYS, Recipe, private_seed
from m4bench.data.synthetic.recipe_file import write_recipe
from m4bench.data.synthetic.seals import drop_idle_seal, keep_seal
from m4bench.data.synthetic.workers import check_workers
from m4bench.data.synthetic.workplace import workplace
from m4bench.model.errors import InputError

__all__ = ["DATASET", "SEED", "STAYS", "store_hospital", "write_hospital"]

DATASET = DATASETS["mimic"]
IMPORT_MEMORY = "768MB"
"""The importer's bound, so that a hospital of any size is made within the memory of a laptop."""


@contextmanager
def _disk_faults_told(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        # Arrow's own text repeats the number and the bytes.
        why = os.strerror(error.errno) if error.errno else error.strerror or type(error).__name__
        raise InputError(
            f"cannot be written ({why})",
            file=place,
            remedy="free space there, or choose another folder",
        ) from error


def write_hospital(
    folder: Path,
    *,
    stays: int = STAYS,
    seed: int = SEED,
    site: str = "mimic",
    density: float = 1.0,
    workers: int = 1,
    progress: WorkProgress | None = None,
) -> Invention:
    """Write a synthetic hospital as Parquet files with their recipe into a folder and return what it was made from.

    Args:
        folder: where to write; a folder with other files in it is refused.
        stays: number of ICU stays.
        seed: the same seed gives the same hospital.
        site: `mimic` or `eicu`.
        density: share of the rows of events to draw, 0.001 to 1.
        workers: processes that draw at the same time.
        progress: told what happens.

    Raises:
        InputError: an argument out of range, a folder with other files in it, a worker that was ended from
            outside, or a disk that is full.
    """
    recipe = Recipe(site, stays, seed, density)
    with _disk_faults_told(folder):
        invention = recipe.invention(_drawn(folder, recipe, workers, progress), sealed=False)
        write_recipe(folder, invention)
        return invention


def store_hospital(
    store: Store,
    *,
    stays: int = STAYS,
    seed: int | None = None,
    site: str = "mimic",
    density: float = 1.0,
    workers: int = 1,
    sealed: bool = False,
    replace_standing: bool = False,
    progress: WorkProgress | None = None,
) -> DatasetManifest:
    """Invent a hospital and import it as the dataset of its site.

    The same recipe makes the same files, so a dataset that is already theirs is left as it is.

    Args:
        store: the store; what is prepared lies on its disk too.
        stays, site, density, workers, progress: as for `write_hospital`.
        seed: default SEED; none may be given for a sealed hospital.
        sealed: draw a seed nobody can guess, keep it beside the hidden references, and tell only a
            commitment to it.
        replace_standing: put it in the place of another hospital that stands there.

    Raises:
        InputError: as for `write_hospital`; or another hospital stands there and is not to be replaced, or
            a sealed one, whose seed would be lost.
    """
    if sealed and seed is not None:
        raise InputError(
            "a sealed hospital draws its own seed", remedy="leave --seed or --sealed out"
        )
    recipe = Recipe(site, stays, SEED if seed is None else seed, density)
    recipe.check()
    check_workers(workers)
    if sealed:
        recipe = replace(recipe, seed=private_seed())
    dataset = store.dataset(recipe.dataset)
    refuse_to_lose_a_seed(dataset, recipe.commitment())
    if not replace_standing:
        refuse_to_replace(dataset, recipe.commitment())
    with _disk_faults_told(store.root), workplace(store.root / recipe.dataset) as work:
        folder = work / "hospital"
        content = _drawn(folder, recipe, workers, progress)
        invention = recipe.invention(content, sealed=sealed)
        if not sealed:
            return _imported(dataset, folder, invention, progress)
        try:
            keep_seal(dataset, recipe, invention)
            return _imported(dataset, folder, invention, progress)
        finally:
            drop_idle_seal(dataset, invention.commitment)


def _drawn(folder: Path, recipe: Recipe, workers: int, progress: WorkProgress | None) -> str:
    """Write the files and return the hash of what they hold."""
    shown = progress or SilentProgress()
    generate(
        folder,
        stays=recipe.stays,
        seed=recipe.seed,
        site=recipe.site,
        density=recipe.density,
        workers=workers,
        progress=shown,
    )
    shown.planned("hashing the rows", None)
    return content_hash(folder)


def _imported(
    dataset: StoredDataset, folder: Path, invention: Invention, progress: WorkProgress | None
) -> DatasetManifest:
    return import_dataset(
        dataset, folder, progress=progress, memory_limit=IMPORT_MEMORY, invented=invention
    )
