# SPDX-License-Identifier: MIT
"""Room on disk: knows a full one when it sees it, and keeps some for a record. Knows no run."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from m4bench.model.errors import InputError

FULL = (errno.ENOSPC, errno.EDQUOT)
RESERVE = ".reserve"
RESERVED_BYTES = 4 << 20


def is_full(error: BaseException) -> bool:
    """Tell whether an error says that a disk, or a user's share of it, is full."""
    return isinstance(error, OSError) and error.errno in FULL


@contextmanager
def naming_full_disks(results: Path) -> Iterator[None]:
    """Turn a full disk in the block into an InputError that names it: the results', or the temporary folder's."""
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        places = [place for place in (results, Path(tempfile.gettempdir())) if place.exists()]
        raise InputError(
            "no space is left on the disk of this folder",
            file=min(places, key=lambda place: shutil.disk_usage(place).free, default=results),
            remedy="free some, choose another --results, or set TMPDIR; nothing of the run was kept",
        ) from error


def reserve(folder: Path) -> None:
    """Set room aside in a folder, so that what is written last never fails because of what came before.

    Raises:
        OSError: there is not so much room.
    """
    with (folder / RESERVE).open("wb") as stream:
        os.posix_fallocate(stream.fileno(), 0, RESERVED_BYTES)


def free_reserve(folder: Path) -> None:
    """Give the room back, to be used at once."""
    (folder / RESERVE).unlink(missing_ok=True)
