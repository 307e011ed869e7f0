# SPDX-License-Identifier: MIT
"""What the disk refuses, told in one line. Knows no table and no format."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from m4bench.model.errors import InputError


@contextmanager
def disk_faults_told(store: Path) -> Iterator[None]:
    """Turn an error of the disk into one line about its place.

    Args:
        store: the place named when the disk is full, or when the error names none.

    Raises:
        InputError: the disk is full, or a place is not there, is closed to the user or is read-only.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise InputError(
                "the disk is full",
                file=store,
                remedy="free space and run the import again (finished tables are kept), "
                "or choose another --store",
            ) from None
        raise InputError(
            f"cannot be read or written ({error.strerror or type(error).__name__})",
            file=error.filename or store,
            remedy="check that it is there and that you may use it",
        ) from error
