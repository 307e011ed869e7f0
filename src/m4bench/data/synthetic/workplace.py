# SPDX-License-Identifier: MIT
"""Where a hospital is prepared: a folder beside its place that goes away, also when its owner was killed.

The owner holds a lock, which the system takes back when the process ends in whatever way; the next one who
prepares something there removes the folders whose lock is free. Knows nothing of what is prepared.
"""

import fcntl
import glob
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX, PRIVATE, partial_name

_PREFIX = f"{PARTIAL_PREFIX}hospital-"
_LOCK = ".owner.lock"


@contextmanager
def workplace(place: Path) -> Iterator[Path]:
    """Yield an empty private folder on the disk of `place`, beside it; it is removed at the end.

    Args:
        place: where what is prepared will go; its parent is made when missing.

    Raises:
        InputError: its name is not UTF-8, in which alone Arrow writes files and a report tells of them.
    """
    _refuse_unspeakable(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    _sweep(place)
    unlocked = partial_name(place)
    unlocked.mkdir(mode=PRIVATE)
    lock = os.open(unlocked / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # It takes the name by which others look for leavings once its lock is held, not before.
        name = f"{_PREFIX}{unlocked.name.removeprefix(PARTIAL_PREFIX)}"
        folder = unlocked.rename(place.with_name(name))
        try:
            inside = folder / "work"
            inside.mkdir()
            yield inside
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def _refuse_unspeakable(place: Path) -> None:
    try:
        str(place).encode()
    except UnicodeEncodeError:
        raise InputError(
            "is not UTF-8 text",
            file=str(place).encode(errors="backslashreplace").decode(),
            remedy="choose a folder with another name",
        ) from None


def _sweep(place: Path) -> None:
    """Remove the workplaces of owners that were killed."""
    for folder in place.parent.glob(f"{_PREFIX}*-{glob.escape(place.name)}"):
        with suppress(OSError):
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
