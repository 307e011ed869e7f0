# SPDX-License-Identifier: MIT
"""Sealed seeds: kept beside the hidden references, where no agent reads, and told on demand. Knows no row.

A seal is named for its commitment and is written before the dataset it belongs to, so that no crash leaves
a dataset whose seed is lost. One that a crash leaves without a dataset goes with `data delete`.
"""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

from pydantic import Field

from m4bench.data.manifest import Invention
from m4bench.data.store import REFERENCES, Store, StoredDataset
from m4bench.data.synthetic.recipe import Recipe
from m4bench.data.synthetic.secrecy import leave_no_core
from m4bench.model.errors import InputError, MeasurementFailedError, MissingError
from m4bench.model.files import PRIVATE
from m4bench.model.record import Document

_PREFIX, _SUFFIX = "seal-", ".json"
_OWNER_ONLY = 0o600
_SEED = r"^(0|[1-9][0-9]{0,79})$"
"""A seed as it is written: decimal digits without blanks or leading zeros, so that one seed has one form."""


_TOLD = {"commitment", "site", "stays", "density", "generator", "numpy"}
"""What seal and manifest both say."""


class Seal(Document):
    """A recipe with its seed, in decimal digits, and the version of the generator it is meant for."""

    format_version: int = 1
    dataset: str
    site: str
    stays: int
    density: float
    seed: Annotated[str, Field(pattern=_SEED)]
    generator: int
    numpy: str
    commitment: str

    def recipe(self) -> Recipe:
        """Return the recipe that the seal holds."""
        return Recipe(self.site, self.stays, int(self.seed), self.density)


def keep_seal(dataset: StoredDataset, recipe: Recipe, invention: Invention) -> None:
    """Write the seal of a dataset that is about to be imported, readable by its owner alone."""
    Store(dataset.store).private_references()
    folder = _folder(dataset)
    folder.mkdir(exist_ok=True, mode=PRIVATE)
    folder.chmod(PRIVATE)
    seal = Seal(
        dataset=dataset.name,
        site=recipe.site,
        stays=recipe.stays,
        density=recipe.density,
        seed=str(recipe.seed),
        generator=invention.generator,
        numpy=invention.numpy,
        commitment=invention.commitment,
    )
    seal.write(_file(dataset, invention.commitment), mode=_OWNER_ONLY)


def drop_idle_seal(dataset: StoredDataset, commitment: str) -> None:
    """Remove a seal whose dataset did not come about; only whoever wrote it may say so."""
    try:
        invented = dataset.manifest().invented if dataset.exists() else None
    except InputError:
        return
    if invented is None or invented.commitment != commitment:
        _file(dataset, commitment).unlink(missing_ok=True)
        with suppress(OSError):
            _folder(dataset).rmdir()


def reveal(dataset: StoredDataset) -> Seal:
    """Return the seal of a sealed dataset, once it is found to fit the published commitment.

    Raises:
        MissingError: the dataset is not in the store, or its seal is gone.
        InputError: the dataset is not sealed, or the seal cannot be read or holds no possible recipe.
        MeasurementFailedError: the seal is another dataset's, or its seed, its commitment and the published
            one do not belong together.
    """
    invented = dataset.manifest().invented
    if invented is None or not invented.sealed:
        raise InputError(
            f"dataset {dataset.name} is not sealed",
            remedy="its seed stands in its manifest"
            if invented is not None
            else "no seed of it is known",
        )
    file = _file(dataset, invented.commitment)
    if not file.is_file():
        raise MissingError(
            "the seal of this dataset is not there, and its seed is nowhere else",
            file=file,
            remedy=f"bring the file back from a copy of the store, or make another dataset "
            f"after: m4bench data delete {dataset.name}",
        )
    leave_no_core()
    seal = Seal.read(file)
    try:
        seal.recipe().check()
    except InputError as error:
        raise InputError(
            error.problem, file=file, remedy="bring the seal back from a copy"
        ) from None
    told = {"dataset": dataset.name} | invented.model_dump(include=_TOLD)
    for name, value in told.items():
        if getattr(seal, name) != value:
            raise MeasurementFailedError(f"{file}: its {name} is not that of the manifest")
    if seal.recipe().commitment(seal.generator) != invented.commitment:
        raise MeasurementFailedError(
            f"{file}: the seed in it does not fit the commitment {invented.commitment} of the manifest"
        )
    return seal


def _folder(dataset: StoredDataset) -> Path:
    return dataset.store / REFERENCES / dataset.name


def _file(dataset: StoredDataset, commitment: str) -> Path:
    return _folder(dataset) / f"{_PREFIX}{commitment[:16]}{_SUFFIX}"
