# SPDX-License-Identifier: MIT
"""Whether the dataset of a run is proven to be of invented patients, by the store it was made with. Knows no row.

A record's word is not enough, nor is a dataset's name: real data can be imported under any. The store's
manifest has to hold the recipe of our own generator, and the recipe's hash of the rows has to be that of the
rows now in the store.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from m4bench.data.manifest import Invention
from m4bench.data.store import Store
from m4bench.data.synthetic.content import content_hash
from m4bench.model.errors import M4BenchError
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
    named = {run.dataset_hash: run.cell.dataset for run in runs if run.access == SYNTHETIC}
    return {digest: _provenance(name, digest, store) for digest, name in named.items()}


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


def _provenance(name: str, digest: str, store: Store | None) -> Provenance:
    if store is None:
        return Provenance(None, "no store was named; name the one the runs were made with")
    try:
        dataset = store.dataset(name)
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
        if content_hash(dataset) != manifest.invented.content:
            return Provenance(
                None,
                "the rows in the store are not those of the hospital’s recipe",
                doubtful=True,
            )
    except (M4BenchError, OSError):
        return Provenance(None, "the store that was named cannot be read")
    return Provenance(manifest.invented)
