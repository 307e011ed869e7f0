# SPDX-License-Identifier: MIT
"""What a store holds: datasets, broken ones, and what commands cut short have left. Opens manifests, no table."""

from dataclasses import dataclass

from m4bench.data.deletion import left_of_deletions
from m4bench.data.disk_faults import disk_faults_told
from m4bench.data.manifest import DatasetManifest
from m4bench.data.store import REFERENCES, Store
from m4bench.model.errors import InputError


@dataclass(frozen=True)
class Holding:
    """An imported dataset: its manifest, or the problem for which that cannot be read."""

    name: str
    manifest: DatasetManifest | None
    problem: str | None = None


@dataclass(frozen=True)
class Inventory:
    """The datasets of a store by name, and a line for each that left rows without being one."""

    holdings: tuple[Holding, ...]
    remains: tuple[str, ...]


def take_inventory(store: Store) -> Inventory:
    """Look through a store.

    Raises:
        InputError: the store's folder cannot be read.
    """
    with disk_faults_told(store.root):
        if not store.root.is_dir():
            return Inventory((), ())
        left = left_of_deletions(store.root)
        holdings: list[Holding] = []
        remains = [
            f"a deletion of {name} was cut short and has left rows; finish it with: "
            f"m4bench data delete {name}"
            for name in sorted(left)
        ]
        for name in _names(store):
            holding = _holding(store, name)
            if holding is not None:
                holdings.append(holding)
            elif name not in left:
                remains.append(
                    f"{name} is not a whole dataset (an import or a deletion under way, or cut short); "
                    f"import it again, or remove what is there with: m4bench data delete {name}"
                )
    return Inventory(tuple(holdings), tuple(remains))


def _names(store: Store) -> list[str]:
    """Return the names under which the store has a dataset's folder, or references."""
    names = set()
    for parent in (store.root, store.root / REFERENCES):
        if parent.is_dir():
            names |= {p.name for p in parent.iterdir() if p.is_dir() and p.name[0] != "."}
    return sorted(name for name in names if _can_be_named(store, name))


def _can_be_named(store: Store, name: str) -> bool:
    try:
        store.dataset(name)
    except InputError:
        return False
    return True


def _holding(store: Store, name: str) -> Holding | None:
    dataset = store.dataset(name)
    try:
        return Holding(name, dataset.manifest()) if dataset.exists() else None
    except (InputError, OSError) as error:
        return Holding(name, None, str(error))
