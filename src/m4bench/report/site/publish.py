# SPDX-License-Identifier: MIT
"""Putting a site's files into its folder: all prepared before any takes its place, the front page last.

Knows no content.
"""

import fcntl
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX, PRIVATE, written_beside
from m4bench.model.hashing import sha256_file
from m4bench.report.contents import CONTENTS, listing, refuse_foreign

KIND = "leaderboard"
FOLDERS = ("systems", "tasks", "data")
PRIVATE_FILE = 0o600
_REPLACEABLE = re.compile(r"(?:systems|tasks)/[a-z0-9][a-z0-9-]{0,119}\.html")
_LEFT = re.compile(re.escape(PARTIAL_PREFIX) + r"[0-9a-f]{12}-[a-z0-9-]{1,120}\.(?:html|csv|json)")
ELSEWHERE = "move it away or name another folder with --site"


def refuse_place(out: Path, sources: Sequence[Path]) -> None:
    """Refuse a folder that is none, that holds something else, or that lies among the sources or over one.

    Raises:
        InputError: with the place.
    """
    if _kind(out) is not None and not out.is_dir():
        raise InputError("is not a folder", file=out, remedy="name a folder with --site")
    places = [Path(os.path.realpath(out / folder)) for folder in ("", *FOLDERS)]
    for source in sources:
        among = Path(os.path.realpath(source))
        if source.is_dir() and any(place.is_relative_to(among) for place in places):
            raise InputError(
                "lies in a folder of runs", file=out, remedy="name another folder with --site"
            )
        if among.parent in places[1:]:
            raise InputError(
                "holds a source where the site has files of its own", file=out, remedy=ELSEWHERE
            )
    if (out / CONTENTS).exists() and _former(out).get("kind") != KIND:
        raise InputError("holds a report or something else", file=out, remedy=ELSEWHERE)


def publish(out: Path, files: Mapping[str, bytes], front: str, *, private: bool) -> None:
    """Write the files of a site and remove those of the former one that are gone, unless somebody changed them.

    Args:
        out: the folder, made when missing.
        files: contents by name; `contents.json` is added.
        front: the name of the file that takes its place last.
        private: whether the files are for their owner alone.

    Raises:
        InputError: something else, or another's file, stands where the site has a file or folder.
    """
    mode = PRIVATE_FILE if private else None
    # What is begun first takes its place last; the list comes first, so that all files are known as a site's own.
    whole = {front: files[front], **files, CONTENTS: listing(files, KIND)}
    _refuse_occupied(out, whole)
    refuse_foreign(out, whole, KIND, "--site")
    old = _retired(out, whole)
    out.parent.mkdir(parents=True, exist_ok=True)
    for folder in sorted({(out / name).parent for name in whole}):
        folder.mkdir(mode=PRIVATE if private else 0o777, exist_ok=True)
        if private and folder != out:
            folder.chmod(PRIVATE)
    with _only_writer(out), ExitStack() as prepared:
        for name, content in whole.items():
            partial = prepared.enter_context(written_beside(out / name, mode=mode))
            # Private from its first byte: a process that is killed leaves it as it is.
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode or 0o666)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
    for path in old:
        path.unlink(missing_ok=True)


def _former(out: Path) -> dict[str, Any]:
    try:
        document = json.loads((out / CONTENTS).read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _retired(out: Path, names: Mapping[str, bytes]) -> list[Path]:
    """Return files of the former site that this one does not have, as long as nobody changed them."""
    entries = _former(out).get("files")
    found = []
    for name, entry in entries.items() if isinstance(entries, dict) else ():
        path = out / name
        if name in names or not _REPLACEABLE.fullmatch(name) or not isinstance(entry, dict):
            continue
        if _kind(path) == stat.S_IFREG and sha256_file(path) == entry.get("sha256"):
            found.append(path)
    return found


def _refuse_occupied(out: Path, names: Mapping[str, bytes]) -> None:
    for folder in FOLDERS:
        if _kind(out / folder) not in (None, stat.S_IFDIR):
            raise InputError("is not a folder of a site", file=out / folder, remedy=ELSEWHERE)
    for name in names:
        if _kind(out / name) not in (None, stat.S_IFREG, stat.S_IFLNK):
            raise InputError("is not a file", file=out / name, remedy=ELSEWHERE)


@contextmanager
def _only_writer(out: Path) -> Iterator[None]:
    """Hold the folder for one writer at a time, and sweep what an earlier one left that was killed."""
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
