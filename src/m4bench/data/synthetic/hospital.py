# SPDX-License-Identifier: MIT
"""A synthetic hospital as a whole: blocks of stays, drawn by one process or several, appended in their order.

It knows the order of things and where rows go; what they mean is known to the sites.
"""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.data.publication import publish
from m4bench.data.synthetic.block import Block, Site
from m4bench.data.synthetic.eicu import EicuSite
from m4bench.data.synthetic.mimic import MimicSite
from m4bench.data.synthetic.recipe import Recipe
from m4bench.data.synthetic.recipe_file import RECIPE_FILE, read_recipe
from m4bench.data.synthetic.spool import unspooled
from m4bench.data.synthetic.tables import Writers, arrow_schemas, table_file, to_arrow
from m4bench.data.synthetic.workers import Workers, check_workers
from m4bench.data.synthetic.workplace import workplace
from m4bench.model.errors import InputError

BLOCK = 250
"""Stays drawn at a time: memory is bounded by a block, whatever the number of stays.

Measured for 2,000 stays of MIMIC-IV on one core, in processor seconds and MB: 60 at a time 8.4 and 339, 125 7.2 and
386, 250 6.7 and 534, 500 7.9 and 834, 1,000 9.4 and 1,399.
"""
BYTES_A_STAY = {"mimic": 95_000, "eicu": 15_000}
"""About what a stay takes on disk; only progress is measured by it."""
SITES: dict[str, type[Site]] = {"mimic": MimicSite, "eicu": EicuSite}


def generate(
    folder: Path,
    *,
    stays: int,
    seed: int,
    site: str = "mimic",
    density: float = 1.0,
    workers: int = 1,
    progress: WorkProgress | None = None,
) -> None:
    """Write a synthetic hospital: one Parquet file for every declared table of the site.

    The same number of stays, seed, site and density give the same rows in the same order, in files of the
    same bytes, whatever the number of workers, under one version of the generator and of NumPy. An existing
    synthetic folder that says by its recipe what it was made from is replaced whole.

    Args:
        folder: where to write; a folder with other files in it is refused.
        stays: number of ICU stays, 1 to MOST_STAYS.
        seed: seed of the generator, 0 or more, of any size.
        site: `mimic`, whose tables lie in `hosp/` and `icu/`, or `eicu`, whose tables lie in the folder.
        density: share of the rows of events to draw, above 0 and at most 1.
        workers: processes that draw blocks at the same time; with 1 it is this process alone.
        progress: told what happens.

    Raises:
        InputError: an argument out of range, a folder that holds something else, or a worker that was
            ended from outside.
    """
    recipe = Recipe(site, stays, seed, density)
    recipe.check()
    check_workers(workers)
    shape = SITES[site]()
    folder = folder.resolve()
    _refuse_foreign(folder, shape, recipe.dataset)
    shown = progress or SilentProgress()
    shown.planned(f"inventing {stays:,} ICU stays", _bytes(recipe))
    blocks = _blocks(recipe)
    with workplace(folder) as work:
        files, spooled = work / "files", work / "blocks"
        files.mkdir()
        spooled.mkdir()
        with Writers(files, shape.name) as writers:
            schemas = arrow_schemas(shape.name)
            for table, columns in shape.dictionaries():
                writers.append(table, to_arrow(schemas[table], columns))
            count = min(workers, len(blocks))
            with closing(_drawing(site, shape, blocks, count, spooled)) as drawing:
                for block, tables in zip(blocks, drawing, strict=True):
                    writers.append_all(tables)
                    shown.advanced(_bytes(replace(recipe, stays=block.stays)))
                    shown.finished(f"{block.first + block.stays:,} of {stays:,} stays")
        publish(files, folder)


def drawn(shape: Site, block: Block) -> Iterator[tuple[str, pa.Table]]:
    """Yield the rows of a block, table by table, by `schema.table`; no table is kept for longer."""
    schemas = arrow_schemas(shape.name)
    for table, columns in shape.rows(block):
        yield table, to_arrow(schemas[table], columns)
        del columns


def _drawing(
    site: str, shape: Site, blocks: list[Block], workers: int, spooled: Path
) -> Generator[Iterable[tuple[str, pa.Table]]]:
    """Yield the tables of each block, in the order of the blocks."""
    if workers == 1:
        for block in blocks:
            # A copy: a block keeps its patients for as long as it lives.
            yield drawn(shape, replace(block))
        return
    with Workers(workers, spooled) as processes:
        for folder in processes.drawn(site, blocks):
            yield unspooled(folder)


def _bytes(recipe: Recipe) -> int:
    return round(recipe.stays * BYTES_A_STAY[recipe.site] * recipe.density)


def _refuse_foreign(folder: Path, shape: Site, dataset: str) -> None:
    """Raise when replacing the folder would destroy what this module did not write.

    Names alone tell nothing: the tables of a real release have the same. Only a recipe beside them does.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    tables = {table_file(table) for table in arrow_schemas(shape.name)}
    own = tables | {file.parent for file in tables} | {Path(RECIPE_FILE)}
    if not folder.is_dir() or any(
        entry.relative_to(folder) not in own for entry in folder.rglob("*")
    ):
        raise InputError("holds other files", file=folder, remedy="give an empty or a new folder")
    try:
        read_recipe(folder, dataset)
    except InputError:
        raise InputError(
            f"holds tables, and no {RECIPE_FILE} of a hospital like this says that they are invented",
            file=folder,
            remedy="give an empty or a new folder",
        ) from None


def _blocks(recipe: Recipe) -> list[Block]:
    """Return the blocks; a remainder too small to stand alone is spread over all."""
    blocks, first = [], 0
    for number, size in enumerate(_sizes(recipe.stays)):
        blocks.append(Block(recipe.seed, number, size, first, recipe.density))
        first += size
    return blocks


def _sizes(stays: int) -> list[int]:
    blocks = max(1, round(stays / BLOCK))
    return [stays // blocks + (i < stays % blocks) for i in range(blocks)]
