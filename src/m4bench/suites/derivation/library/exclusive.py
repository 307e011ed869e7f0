# SPDX-License-Identifier: MIT
"""One writer at a time in a folder of the store, and the faults of engine and disk told in one line."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX


@contextmanager
def locked(folder: Path, mode: int) -> Iterator[None]:
    """Hold a folder for one writer at a time, and clear what a killed one left in it."""
    folder.mkdir(parents=True, exist_ok=True, mode=mode)
    descriptor = os.open(folder / ".lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        for partial in folder.glob(f"{PARTIAL_PREFIX}*"):
            if partial.is_dir():
                shutil.rmtree(partial)
            else:
                partial.unlink()
        yield
    finally:
        os.close(descriptor)


@contextmanager
def faults_told(what: str, place: Path) -> Iterator[None]:
    """Turn a fault of the engine or the disk into one line; the engine's own text can hold values.

    Args:
        what: what is being done, such as `building age`.
        place: the folder that is written.

    Raises:
        InputError: whatever failed, with what to do.
    """
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise InputError(
            f"{what} needs more memory than it was given", remedy="raise --memory-limit"
        ) from error
    except duckdb.InterruptException as error:
        raise KeyboardInterrupt from error
    except duckdb.IOException as error:
        raise InputError(
            f"{what} could not read or write its files",
            file=place,
            remedy="check free disk space and permissions, and the source with: m4bench data verify",
        ) from error
    except duckdb.Error as error:
        raise InputError(
            f"{what} failed in the engine ({type(error).__name__}): a source value is outside what the "
            "definition can take, or a file is damaged",
            file=place,
            remedy="check the source with: m4bench data verify",
        ) from error
    except OSError as error:
        raise InputError(
            f"{what} failed: {error.strerror}",
            file=place,
            remedy="check free disk space and permissions; nothing half-written was kept",
        ) from error
    except RuntimeError as error:
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from error
        raise
