# SPDX-License-Identifier: MIT
"""Reading what a run left without trusting it: its record, and that its files are those recorded.

Opens regular files only, follows no link and never waits. Knows no figure.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from pydantic import ValidationError

from m4bench.harness.run_folder import RECORD
from m4bench.model.errors import InputError
from m4bench.model.hashing import CHUNK
from m4bench.model.run import RUN_FORMAT, Artefact, RunRecord

LARGEST_RECORD = 16 * 2**20
_NEVER_WAIT = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = _NEVER_WAIT | os.O_DIRECTORY


def read_record(folder: Path) -> RunRecord:
    """Read the record of a run folder.

    Raises:
        InputError: it is missing, no regular file, too large, or not of the format.
    """
    try:
        with _folder(folder) as place, _regular_file(place, RECORD) as stream:
            content = stream.read(LARGEST_RECORD + 1)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})") from error
    if len(content) > LARGEST_RECORD:
        raise InputError("is larger than a record can be")
    try:
        record = RunRecord.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise InputError(
            first["msg"],
            column=".".join(str(part) for part in first["loc"]) or "document",
            remedy="it is not a record this version can read",
        ) from error
    if not 1 <= record.format_version <= RUN_FORMAT:
        raise InputError(
            f"is of format {record.format_version}, this version reads up to {RUN_FORMAT}",
            remedy="read it with the version of m4bench that wrote it",
        )
    return record


def departure(artefacts: tuple[Artefact, ...], folder: Path) -> str | None:
    """Return in a few words how the files in a folder depart from those recorded, or None.

    Files that are not recorded are left alone. Reads every recorded file of the recorded size.
    """
    names = [artefact.name for artefact in artefacts]
    if len(set(names)) < len(names):
        return "a file is recorded twice"
    try:
        with _folder(folder) as place:
            return next(
                (words for artefact in artefacts if (words := _departs(artefact, place))), None
            )
    except OSError as error:
        return f"the folder cannot be read ({error.strerror})"


def _departs(artefact: Artefact, place: int) -> str | None:
    if not _lies_within(artefact.name):
        return "a recorded file is not in the run's folder"
    try:
        with _regular_file(place, artefact.name) as stream:
            if os.fstat(stream.fileno()).st_size != artefact.bytes:
                return f"{artefact.name} is not of the recorded size"
            return (
                None
                if _digest(stream) == artefact.sha256
                else f"{artefact.name} is not what was recorded"
            )
    except OSError as error:
        return f"{artefact.name} cannot be read ({error.strerror})"
    except InputError as error:
        return f"{artefact.name} {error.problem}"


def _lies_within(name: str) -> bool:
    path = PurePosixPath(name)
    return (
        bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
    )


@contextmanager
def _folder(path: Path | str, within: int | None = None) -> Iterator[int]:
    """Yield a descriptor of a folder; of one within another no link is followed."""
    flags = _FOLDER if within is not None else _FOLDER & ~os.O_NOFOLLOW
    descriptor = os.open(path, flags, dir_fd=within)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _regular_file(place: int, name: str) -> Iterator[BinaryIO]:
    """Yield a regular file at a relative path below an open folder, no part of which is a link."""
    first, *rest = PurePosixPath(name).parts
    if rest:
        with (
            _folder(first, within=place) as inner,
            _regular_file(inner, str(PurePosixPath(*rest))) as stream,
        ):
            yield stream
        return
    descriptor = os.open(first, _NEVER_WAIT, dir_fd=place)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InputError("is not a regular file")
        yield stream


def _digest(stream: BinaryIO) -> str:
    digest = hashlib.sha256()
    while chunk := stream.read(CHUNK):
        digest.update(chunk)
    return digest.hexdigest()
