# SPDX-License-Identifier: MIT
"""Putting a finished folder in the place of an older one, one import at a time. Knows no content of either."""

import ctypes
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import partial_name, sync_directory

_AT_CURRENT = -100
_EXCHANGE = 2


def publish(prepared: Path, place: Path) -> None:
    """Make the folder `prepared` appear at `place`; what was there stays whole until that instant.

    Where the file system can exchange two names (Linux), no instant exists at which neither is there.
    """
    if not place.exists():
        prepared.rename(place)
    elif _exchanged(prepared, place):
        shutil.rmtree(prepared)
    else:
        retired = partial_name(place)
        place.rename(retired)
        prepared.rename(place)
        shutil.rmtree(retired)
    sync_directory(place.parent)


def _exchanged(first: Path, second: Path) -> bool:
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    arguments = (_AT_CURRENT, os.fsencode(first), _AT_CURRENT, os.fsencode(second), _EXCHANGE)
    return bool(rename(*arguments) == 0)


@contextmanager
def import_lock(root: Path) -> Iterator[None]:
    """Hold the right to write a dataset's folder; the system lets go of it when the process ends.

    Raises:
        InputError: another process holds it.
    """
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".import.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(
                "another import or deletion of this dataset is running",
                file=root,
                remedy="wait until it has ended",
            ) from error
        yield
