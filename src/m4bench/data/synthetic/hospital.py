# SPDX-License-Identifier: MIT
"""A synthetic hospital as a whole: blocks of stays, drawn one after another and appended to the tables.

It knows the order of things and where rows go; what they mean is known to the sites.
"""

from pathlib import Path

from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.data.synthetic.block import Block, Site
from m4bench.data.synthetic.mimic import MimicSite
from m4bench.data.synthetic.tables import Writers, arrow_schemas, to_arrow
from m4bench.model.errors import InputError
from m4bench.model.files import folder_beside

BLOCK = 500
"""Stays drawn at a time: memory is bounded by a block, whatever the number of stays."""
MOST_STAYS = 200_000
"""More stays would number their results beyond the INTEGER of the release, or near planted keys."""
BYTES_A_STAY = 18_000
"""About what a stay takes on disk; only progress is measured by it."""
SITES: dict[str, type[Site]] = {"mimic": MimicSite}


def generate(
    folder: Path,
    *,
    stays: int,
    seed: int,
    site: str = "mimic",
    density: float = 1.0,
    progress: WorkProgress | None = None,
) -> None:
    """Write a synthetic hospital: one Parquet file for every declared table of the site.

    The same number of stays, seed and density give the same rows in the same order under one version of
    NumPy. An existing synthetic folder is replaced whole.

    Args:
        folder: where to write; a folder with other files in it is refused.
        stays: number of ICU stays, 1 to MOST_STAYS.
        seed: seed of the generator, 0 or more.
        site: `mimic`, whose tables lie in `hosp/` and `icu/`.
        density: share of the rows of events to draw, above 0 and at most 1.
        progress: told what happens.

    Raises:
        InputError: an argument out of range, or a folder that holds something else.
    """
    if stays < 1:
        raise InputError("a hospital needs at least one stay", remedy="give --stays 1 or more")
    if stays > MOST_STAYS:
        raise InputError(
            f"identifiers suffice for {MOST_STAYS:,} stays", remedy="make several hospitals instead"
        )
    if seed < 0:
        raise InputError("a seed cannot be negative", remedy="give --seed 0 or more")
    _refuse_foreign(folder)
    shown = progress or SilentProgress()
    shown.planned(f"inventing {stays:,} ICU stays", stays * BYTES_A_STAY)
    shape = SITES[site]()
    schemas = arrow_schemas(shape.name)
    with folder_beside(folder) as partial, Writers(partial, shape.name) as writers:
        for table, columns in shape.dictionaries():
            writers.append(table, to_arrow(schemas[table], columns))
        first = 0
        for number, size in enumerate(_sizes(stays)):
            for table, columns in shape.rows(Block(seed, number, size, first, density)):
                writers.append(table, to_arrow(schemas[table], columns))
            first += size
            shown.advanced(size * BYTES_A_STAY)
            shown.finished(f"{first:,} of {stays:,} stays")


def _refuse_foreign(folder: Path) -> None:
    """Raise when replacing the folder would destroy what this module did not write."""
    if not folder.exists():
        return
    held = {entry.name for entry in folder.iterdir()} if folder.is_dir() else {folder.name}
    if held - {"hosp", "icu"}:
        raise InputError("holds other files", file=folder, remedy="give an empty or a new folder")


def _sizes(stays: int) -> list[int]:
    """Return the sizes of the blocks; a remainder too small to stand alone is spread over all."""
    blocks = max(1, round(stays / BLOCK))
    return [stays // blocks + (i < stays % blocks) for i in range(blocks)]
