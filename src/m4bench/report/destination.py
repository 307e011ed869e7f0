# SPDX-License-Identifier: MIT
"""The folder a report or a site is written into: what may not stand there, and what a killed writer left.

Knows no content.
"""

import fcntl
import os
import re
import stat
from collections.abc import Collection, Iterator, Sequence
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


def named_site(text: str) -> Path:
    """Return the folder of a site that a text names.

    Raises:
        InputError: the text is empty.
    """
    if not text.strip():
        raise InputError("no folder is named for the site", remedy="name one with --site DIR")
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


def refuse_occupied(
    out: Path, names: Collection[str], folders: Sequence[str], what: str, option: str
) -> None:
    """Refuse a folder in which something else stands where a report, or a site, has its files and folders.

    Args:
        out: the folder.
        names: the files that are to be written.
        folders: the folders they lie in.
        what: what is written, as `report`.
        option: the option that names the folder.

    Raises:
        InputError: with the place.
    """
    remedy = f"move it away or name another folder with {option}"
    for folder in folders:
        if kind_of(out / folder) not in (None, stat.S_IFDIR):
            raise InputError(f"is not a folder of a {what}", file=out / folder, remedy=remedy)
    for name in names:
        if kind_of(out / name) not in (None, stat.S_IFREG, stat.S_IFLNK):
            raise InputError("is not a file", file=out / name, remedy=remedy)


@contextmanager
def only_writer(out: Path) -> Iterator[bool]:
    """Hold a folder for one writer at a time; false where its disk, as some network disks, has no locks."""
    descriptor = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield _locked(descriptor)
    finally:
        os.close(descriptor)


def sweep(out: Path, folders: Sequence[str]) -> None:
    """Remove what an earlier writer prepared that was killed; whoever calls it is the only writer."""
    for folder in ("", *folders):
        for path in (out / folder).glob(f"{PARTIAL_PREFIX}*"):
            if _LEFT.fullmatch(path.name) and kind_of(path) == stat.S_IFREG:
                path.unlink(missing_ok=True)


def _locked(descriptor: int) -> bool:
    """Wait for the lock of a folder, and tell whether it has one."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


def kind_of(path: Path) -> int | None:
    """Return what stands at a path, no link followed, or None where nothing does."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except FileNotFoundError:
        return None
