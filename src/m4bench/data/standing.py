# SPDX-License-Identifier: MIT
"""What the dataset in place says it was made of. Reads no table and no source file."""

from collections.abc import Mapping

from m4bench.data.catalogue import DatasetDeclaration
from m4bench.data.manifest import DatasetManifest
from m4bench.data.store import StoredDataset
from m4bench.model.errors import InputError


def manifest_made_from(
    dataset: StoredDataset, declaration: DatasetDeclaration, given: Mapping[str, str]
) -> DatasetManifest | None:
    """Return the manifest in place when it says that it was made of these files under this catalogue.

    Args:
        dataset: the dataset in place, if there is one.
        declaration: what the catalogue declares now.
        given: the sha256 of the source file of each table `schema.table`.
    """
    if not dataset.exists():
        return None
    try:
        manifest = dataset.manifest()
    except InputError:
        return None
    recorded = {t.qualified: [file.sha256 for file in t.sources] for t in manifest.tables}
    if recorded != {name: [sha256] for name, sha256 in given.items()}:
        return None
    for entry in manifest.tables:
        types = declaration.tables[entry.qualified].column_types
        if any(types.get(c.name) != (c.type if c.declared else None) for c in entry.columns):
            return None
    return manifest


def refuse_to_lose_a_seed(dataset: StoredDataset, commitment: str | None) -> None:
    """Refuse to replace a sealed dataset by another, because its seed would go with it.

    Args:
        dataset: the dataset in place, if there is one.
        commitment: that of the hospital to come, None when it is not known what it is made from.

    Raises:
        InputError: the dataset in place is sealed and is not the same hospital.
    """
    try:
        standing = dataset.manifest().invented if dataset.exists() else None
    except InputError:
        return
    if standing is not None and standing.sealed and standing.commitment != commitment:
        raise InputError(
            f"dataset {dataset.name} is sealed, and its seed would be lost with it",
            file=dataset.root,
            remedy=f"note the seed that m4bench data reveal {dataset.name} prints, then make room with: "
            f"m4bench data delete {dataset.name}",
        )


def refuse_to_replace(dataset: StoredDataset, commitment: str) -> None:
    """Refuse to put another hospital in the place of the one that stands there, with all derived from it.

    Args:
        dataset: the dataset in place, if there is one.
        commitment: that of the hospital to come.

    Raises:
        InputError: another one stands there; its manifest, if it can be read, says which.
    """
    if not dataset.exists():
        return
    try:
        standing = dataset.manifest().invented
    except InputError:
        return
    if standing is not None and standing.commitment == commitment:
        return
    which = "rows of which no recipe is known"
    if standing is not None:
        seed = "sealed" if standing.sealed else f"seed {standing.seed}"
        which = f"another hospital ({standing.stays:,} stays, {seed}, density {standing.density:g})"
    raise InputError(
        f"dataset {dataset.name} is {which}, and what was derived from it would be stale",
        file=dataset.root,
        remedy="replace it with --replace, or write the new one elsewhere with --to DIR or --store DIR",
    )
