# SPDX-License-Identifier: MIT
"""Who may write and read a dataset's folder, and putting a finished folder in the place of an older one.

Knows no content of either. One import or deletion writes at a time, and none while the folder is read;
the system lets go of a lock when its process ends.
"""

import ctypes
import errno
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import partial_name, sync_directory

LOCK = ".import.lock"
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


def _silent(_text: str) -> None:
    pass


@contextmanager
def import_lock(root: Path, note: Callable[[str], None] = _silent) -> Iterator[None]:
    """Hold the right to write a dataset's folder; who reads it is waited for.

    Args:
        root: the dataset's folder, made when missing.
        note: told when there is somebody to wait for.

    Raises:
        InputError: another import or deletion holds it.
    """
    while True:
        root.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(root / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            _take_exclusive(descriptor, root, note)
            if _still_there(descriptor, root):
                yield
                return
        finally:
            os.close(descriptor)


def _take_exclusive(descriptor: int, root: Path, note: Callable[[str], None]) -> None:
    if _taken(descriptor, fcntl.LOCK_EX):
        return
    if not _taken(descriptor, fcntl.LOCK_SH):
        raise InputError(
            "another import or deletion of this dataset is running",
            file=root,
            remedy="wait until it has ended",
        )
    note(f"waiting for a build from {root.name} to finish")
    fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextmanager
def reading(root: Path, note: Callable[[str], None] = _silent) -> Iterator[None]:
    """Keep imports and deletions away from a dataset's folder while it is read; others may read too.

    A folder that is not there is not made, and nothing is held: there is nothing to read. Nor is anything
    held where the lock can neither be opened nor made, as in a store that is read-only for the user.

    Args:
        root: the dataset's folder.
        note: told when an import or a deletion has to be waited for.
    """
    while True:
        descriptor = _opened_to_read(root)
        if descriptor is None:
            yield
            return
        try:
            if not _taken(descriptor, fcntl.LOCK_SH):
                note(f"waiting for an import or a deletion of {root.name} to finish")
                fcntl.flock(descriptor, fcntl.LOCK_SH)
            if _still_there(descriptor, root):
                yield
                return
        finally:
            os.close(descriptor)


def _opened_to_read(root: Path) -> int | None:
    try:
        # Not opened for writing, so that a dataset of another user can be read.
        return os.open(root / LOCK, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EROFS):
            return None
        raise


def _taken(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _still_there(descriptor: int, root: Path) -> bool:
    """Tell whether a lock is that of the folder now there: a deletion takes the folder's lock along."""
    try:
        return os.path.samestat(os.fstat(descriptor), (root / LOCK).stat())
    except FileNotFoundError:
        return False
