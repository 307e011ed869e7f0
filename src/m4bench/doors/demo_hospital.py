# SPDX-License-Identifier: MIT
"""The demo's hospital: made once, and known again. It knows what it was made from, not what it holds."""

import shutil
from pathlib import Path

import numpy as np

from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic.creation import store_hospital
from m4bench.data.synthetic.recipe import Recipe
from m4bench.data.synthetic.workers import cores
from m4bench.doors.demo_stages import HOSPITAL, Screen, StageOfWork
from m4bench.model.errors import InputError

DATASET = Recipe().dataset
PIECES = (0.6, 0.1, 0.3)
"""Shares of the stage's time: inventing, hashing, importing."""
ROOM, ROOM_A_STAY = 150 << 20, 300 << 10
"""Bytes the demo needs on its disk, beside and for each stay charted in full."""


def demo_hospital(store: Store, screen: Screen, recipe: Recipe) -> None:
    """Have the hospital in the store: the one that is there, or a new one when it is another.

    Raises:
        InputError: there is no room on the disk, or a sealed hospital stands there.
    """
    screen.begun(HOSPITAL)
    dataset = store.dataset(DATASET)
    standing = _stands(dataset, recipe)
    if not standing:
        _require_room(store.root.parent, recipe)
        store_hospital(
            store,
            stays=recipe.stays,
            seed=recipe.seed,
            density=recipe.density,
            workers=cores(),
            replace_standing=True,
            progress=StageOfWork(screen, HOSPITAL, PIECES),
        )
    rows = sum(table.rows for table in dataset.manifest().tables)
    screen.ended(HOSPITAL, f"{recipe.stays:,} ICU stays, {rows:,} rows", reused=standing)


def _stands(dataset: StoredDataset, recipe: Recipe) -> bool:
    """Tell whether the hospital of a recipe is in the store, with every file of its size."""
    try:
        manifest = dataset.manifest()
    except InputError:
        return False
    made = manifest.invented
    return (
        made is not None
        and (made.commitment, made.numpy) == (recipe.commitment(), np.__version__)
        and all(
            (dataset.root / table.file).is_file()
            and (dataset.root / table.file).stat().st_size == table.bytes
            for table in manifest.tables
        )
    )


def _require_room(out: Path, recipe: Recipe) -> None:
    needed = ROOM + int(ROOM_A_STAY * recipe.stays * recipe.density)
    free = shutil.disk_usage(out).free
    if free < needed:
        raise InputError(
            f"only {free >> 20:,} MiB are free on this disk, and the demo needs {needed >> 20:,} MiB",
            file=out,
            remedy="free some, or choose another --out",
        )
