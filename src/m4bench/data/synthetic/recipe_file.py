# SPDX-License-Identifier: MIT
"""The file in which a hospital written to a folder says what it was made from. Knows no row.

Without it nobody could tell the files of an invented hospital from those of a real one.
"""

from pathlib import Path

from m4bench.data.manifest import Invention
from m4bench.data.synthetic.recipe import DATASETS, Recipe
from m4bench.model.errors import InputError
from m4bench.model.record import Document

RECIPE_FILE = "hospital.json"


class HospitalFile(Document):
    """What a hospital was made from, as its manifest would say it once it is imported."""

    format_version: int = 1
    site: str
    stays: int
    density: float
    seed: int | None
    sealed: bool
    commitment: str
    generator: int
    numpy: str
    content: str


def write_recipe(folder: Path, invention: Invention) -> None:
    """Put the recipe beside the tables in a folder."""
    HospitalFile(**invention.model_dump()).write(folder / RECIPE_FILE)


def read_recipe(folder: Path, dataset: str) -> Invention:
    """Return what the tables in a folder claim to be made from.

    Args:
        folder: the folder of the files.
        dataset: the name under which they are to be imported.

    Raises:
        InputError: there is no recipe, it cannot be read, it is not of that dataset, or its parts do not
            fit each other.
    """
    place = folder / RECIPE_FILE
    if not place.is_file():
        raise InputError(
            f"no {RECIPE_FILE} says that these rows are invented, and {dataset} takes invented rows only",
            file=folder,
            remedy=f"import real data as {real_names(dataset)}, or make the hospital again with: "
            "m4bench data synth --to DIR",
        )
    invention = Invention(**HospitalFile.read(place).model_dump(exclude={"format_version"}))
    if DATASETS.get(invention.site) != dataset:
        raise InputError(
            f"is of a hospital of site {invention.site}, which is no {dataset}",
            file=place,
            remedy=f"datasets by site: {', '.join(f'{s} {d}' for s, d in DATASETS.items())}",
        )
    if invention.seed is not None:
        recipe = Recipe(invention.site, invention.stays, invention.seed, invention.density)
        if recipe.commitment(invention.generator) != invention.commitment:
            raise InputError(
                "the commitment is not that of the recipe",
                file=place,
                remedy="make the hospital again with: m4bench data synth --to DIR",
            )
    return invention


def real_names(dataset: str) -> str:
    """Return the names under which data of the shape of a synthetic dataset are imported when they are real."""
    return "eicu or eicu-demo" if dataset == DATASETS["eicu"] else "mimic-iv or mimic-iv-demo"
