# SPDX-License-Identifier: MIT
"""The folder a report is written into: what may not stand there, and leavings of a writer that was killed.

Knows no content.
"""

import fcntl
import os
import re
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX

FOLDERS = ("tasks", "figures", "tables")
_LEFT = re.compile(
    re.escape(PARTIAL_PREFIX)
    + r"[0-9a-f]{12}-[a-z0-9-]{1,120}\.(?:html|svg|pdf|png|csv|md|tex|json)"
)


def named_folder(text: str) -> Path:
    """Return the folder that a text names; an empty one would name the current folder.

    Raises:
        InputError: the text is empty.
    """
    if not text.strip():
        raise InputError("no folder is named for the report", remedy="name one with --out DIR")
    return Path(text)


def refuse_within(out: Path, results: Path) -> None:
    """Refuse to write a report, or a folder of it, among the results it is on.

    Raises:
        InputError: it would be.
    """
    among = os.path.realpath(results)  # does not fail at a loop of links
    places = [Path(os.path.realpath(out / folder)) for folder in ("", *FOLDERS)]
    if any(place.is_relative_to(among) for place in places):
        raise InputError(
            "lies in the folder of results", file=out, remedy="name another folder with --out"
        )


def refuse_over(out: Path, source: Path) -> None:
    """Refuse to write a report over a file it is made from, as a table of the report that stands there.

    Raises:
        InputError: the file lies in a folder of the report.
    """
    place = Path(os.path.realpath(source))
    if any(place.is_relative_to(os.path.realpath(out / folder)) for folder in FOLDERS):
        raise InputError(
            "holds the table the report is made from",
            file=out,
            remedy="name another folder with --out",
        )


def refuse_occupied(out: Path, names: Collection[str]) -> None:
    """Refuse a folder in which something else stands where the report has its files and folders.

    Raises:
        InputError: with the place.
    """
    remedy = "move it away or name another folder with --out"
    for folder in FOLDERS:
        if _kind(out / folder) not in (None, stat.S_IFDIR):
            raise InputError("is not a folder of a report", file=out / folder, remedy=remedy)
    for name in names:
        if _kind(out / name) not in (None, stat.S_IFREG, stat.S_IFLNK):
            raise InputError("is not a file", file=out / name, remedy=remedy)


@contextmanager
def only_writer(out: Path) -> Iterator[None]:
    """Hold a folder for one writer at a time, and sweep what an earlier one left that was killed."""
    descriptor = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if _locked(descriptor):
            for folder in ("", *FOLDERS):
                for path in (out / folder).glob(f"{PARTIAL_PREFIX}*"):
                    if _LEFT.fullmatch(path.name) and _kind(path) == stat.S_IFREG:
                        path.unlink(missing_ok=True)
        yield
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    """Wait for the lock of a folder; without one, as on some network disks, nobody's files are swept."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


def _kind(path: Path) -> int | None:
    """Return what stands at a path, no link followed, or None where nothing does."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except FileNotFoundError:
        return None
