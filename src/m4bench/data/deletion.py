# SPDX-License-Identifier: MIT
"""Removing a dataset with all that was made from it, also when an earlier removal was cut short.

What is to be removed is renamed first, so that a deletion cut short leaves no half dataset under its
name; what it leaves under the other name is found again here. Knows no table.
"""

import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from m4bench.data.disk_faults import disk_faults_told
from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.data.publication import import_lock
from m4bench.data.store import REFERENCES, StoredDataset
from m4bench.model.errors import InputError, MissingError
from m4bench.model.files import PARTIAL_PREFIX

_DOOMED_PREFIX = f"{PARTIAL_PREFIX}deleted-"
_DOOMED = re.compile(rf"{re.escape(_DOOMED_PREFIX)}(?:[0-9a-f]{{12}}-)?(?P<name>.+)")


def delete_dataset(
    dataset: StoredDataset, progress: WorkProgress | None = None
) -> tuple[Path, ...]:
    """Remove a dataset, all that was made from it, and its references; return the folders removed.

    What an earlier deletion of it, cut short, has left is removed too.

    Raises:
        MissingError: there is nothing of that name in the store.
        InputError: an import of it is running, it is a symbolic link, or the store cannot be written.
    """
    shown, name = progress or SilentProgress(), dataset.name
    # A name that is no plain folder name would lead out of the dataset, or to the whole store.
    plain = bool(name) and Path(name).name == name and not name.startswith(".")
    places = (dataset.root, dataset.store / REFERENCES / name) if plain else ()
    with disk_faults_told(dataset.store):
        found = [place for place in places if place.is_dir()]
        found += left_of_deletions(dataset.store).get(name, [])
        if not found:
            raise MissingError(
                f"dataset {name} is not in the store {dataset.store}",
                remedy="see what is there with: m4bench data list",
            )
        _refuse_links(found)
        with import_lock(dataset.root, shown.note):
            # All are renamed before the first is emptied, which takes long.
            for place in (p for p in places if p.is_dir()):
                place.rename(place.with_name(f"{_DOOMED_PREFIX}{uuid.uuid4().hex[:12]}-{name}"))
            for folder in left_of_deletions(dataset.store).get(name, []):
                _removed(folder)
    return tuple(found)


def finish_deletions(dataset: StoredDataset, progress: WorkProgress) -> None:
    """Remove what a deletion of the dataset, cut short, has left; called with its import lock held."""
    for folder in left_of_deletions(dataset.store).get(dataset.name, []):
        progress.note(f"removing {folder}, which a deletion cut short has left")
        _removed(folder)


def left_of_deletions(store: Path) -> dict[str, list[Path]]:
    """Return the folders that deletions cut short (or still under way) have left, by dataset."""
    left: dict[str, list[Path]] = {}
    for folder in _folders(store):
        doomed = _DOOMED.fullmatch(folder.name)
        if doomed:
            left.setdefault(doomed["name"], []).append(folder)
    return left


def _folders(store: Path) -> Iterator[Path]:
    for parent in (store, store / REFERENCES):
        if parent.is_dir():
            yield from sorted(parent.iterdir())


def _refuse_links(places: list[Path]) -> None:
    for place in places:
        if place.is_symlink():
            raise InputError(
                f"is a symbolic link to {place.resolve()}",
                file=place,
                remedy="remove that folder yourself, then the link",
            )


def _removed(folder: Path) -> None:
    # Another deletion may be emptying the same folder.
    while folder.is_dir():
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)
