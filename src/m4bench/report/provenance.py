# SPDX-License-Identifier: MIT
"""Whether the dataset of a run is proven to be of invented patients, by the store it was made with. Knows no row.

A record's word is not enough, nor is a dataset's name: real data can be imported under any. The name has to
be one of our own generator, the store's manifest has to hold its recipe, with a seed that fits the commitment
unless it is sealed, and the rows now in the store have to be those of the recipe's hash and bear no identifier
that a real release could hold.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from m4bench.data.manifest import Invention
from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.proof import require_own_identifiers
from m4bench.data.synthetic.recipe import DATASETS, Recipe
from m4bench.model.errors import InputError, M4BenchError
from m4bench.model.run import RunRecord

SYNTHETIC = "synthetic"
HASH_SHOWN = 8


@dataclass(frozen=True)
class Provenance:
    """Where the rows of a dataset come from.

    `invention` is the recipe of a dataset that is proven to be invented, else None and `problem` says why.
    `doubtful` is true where the store holds the dataset and its proof does not hold.
    """

    invention: Invention | None
    problem: str | None = None
    doubtful: bool = False


Provenances = Mapping[str, Provenance]
"""Provenances by the dataset's hash."""


def provenances(runs: Iterable[RunRecord], store: Store | None) -> dict[str, Provenance]:
    """Return the provenance of every dataset that a record calls synthetic; the rows of each are hashed once."""
    named: dict[str, set[str]] = {}
    for run in runs:
        if run.access == SYNTHETIC:
            named.setdefault(run.dataset_hash, set()).add(run.cell.dataset)
    return {digest: _provenance(names, digest, store) for digest, names in named.items()}


def is_proven(run: RunRecord, proven: Provenances) -> bool:
    """Tell whether the patients of a run's dataset are proven to be invented."""
    return run.dataset_hash in proven and proven[run.dataset_hash].invention is not None


def in_words(invention: Invention) -> str:
    """Return what a hospital was made from: its size, and its seed or what binds to one."""
    seed = (
        f"sealed, commitment {invention.commitment[:HASH_SHOWN]}"
        if invention.sealed or invention.seed is None
        else f"seed {invention.seed}"
    )
    return (
        f"{invention.stays} stays, {seed}, density {invention.density:g}, "
        f"content {invention.content[:HASH_SHOWN]}"
    )


def _provenance(names: set[str], digest: str, store: Store | None) -> Provenance:
    if not names <= set(DATASETS.values()) or len(names) > 1:
        return Provenance(
            None, "the record calls a dataset synthetic that is none of m4bench", doubtful=True
        )
    if store is None:
        return Provenance(None, "no store was named; name the one the runs were made with")
    try:
        dataset = store.dataset(min(names))
        if not dataset.exists():
            return Provenance(None, "the store that was named does not hold the dataset")
        manifest = dataset.manifest()
        if manifest.access != SYNTHETIC or manifest.content_hash() != digest:
            return Provenance(None, "the store holds another dataset under this name")
        if manifest.invented is None:
            return Provenance(
                None,
                "nothing in the store proves that the patients are invented; only a hospital of "
                "m4bench data synth is",
                doubtful=True,
            )
        problem = _against(manifest.invented, dataset)
        if problem is not None:
            return Provenance(None, problem, doubtful=True)
    except (M4BenchError, OSError):
        return Provenance(None, "the store that was named cannot be read")
    return Provenance(manifest.invented)


def _against(invention: Invention, dataset: StoredDataset) -> str | None:
    """Return what speaks against a recipe of the rows in a store, or None."""
    if DATASETS.get(invention.site) != dataset.name:
        return "the hospital’s recipe is of another dataset"
    if not invention.sealed and not _fits(invention):
        return "the seed in the store does not fit its commitment"
    if content_hash(dataset) != invention.content:
        return "the rows in the store are not those of the hospital’s recipe"
    source = dataset.root / "source"
    files = {f"{file.parent.name}.{file.stem}": file for file in sorted(source.glob("*/*.parquet"))}
    try:
        require_own_identifiers(source, files, dataset.name)
    except InputError:
        return "the store holds identifiers that no invented hospital has"
    return None


def _fits(invention: Invention) -> bool:
    """Tell whether a recipe that is not sealed tells its seed, and its commitment is that seed's."""
    if invention.seed is None:
        return False
    recipe = Recipe(invention.site, invention.stays, invention.seed, invention.density)
    return recipe.commitment(invention.generator) == invention.commitment
