# SPDX-License-Identifier: MIT
"""Picks what a finished agent left in its work folder: regular files only, bounded in number, depth and size.

Nothing is followed and nothing is trusted: a link, a pipe, a socket or a folder in the deliverable's place
counts as no deliverable. It does not know where the files go.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+@=, -]{0,119}")
TEXT_SUFFIXES = (
    ".csv", ".json", ".jsonl", ".log", ".md", ".py", ".r", ".sh", ".sql", ".toml", ".txt", ".yaml", ".yml",
)  # fmt: skip
MIB = 1 << 20
MOST_OF_A_STEM = 60


@dataclass(frozen=True)
class Rules:
    """What may leave a work folder: bytes unless said.

    `staged` are the names the harness itself put there, relative to the folder; they do not leave.
    `entries` bounds how many directory entries are looked at, `files` how many files leave beside the
    deliverable, `depth` how deep folders are entered.
    """

    deliverable: str
    largest_deliverable: int
    staged: tuple[str, ...] = ()
    largest_file: int = 50 * MIB
    largest_total: int = 200 * MIB
    files: int = 500
    entries: int = 20_000
    depth: int = 6

    def as_dict(self) -> dict[str, Any]:
        """Return the rules as JSON-able values."""
        return asdict(self)


@dataclass(frozen=True)
class Left:
    """A file that leaves: `name` is safe and relative; the open `stream` holds `size` bytes."""

    name: str
    size: int
    stream: BinaryIO


class Collection:
    """The files of one work folder, in a fixed order, and what was left behind and why."""

    def __init__(self, root: str, rules: Rules) -> None:
        self.root, self.rules = root, rules
        self.output = "missing"
        self.left_out: dict[str, int] = {}
        self._entries = self._files = self._bytes = 0

    def deliverable(self) -> Left | None:
        """Open the deliverable; `output` then says `present`, `missing`, `not a regular file`, …"""
        root = self._open_root()
        try:
            status = os.stat(self.rules.deliverable, dir_fd=root, follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):
                self.output = "not a regular file"
            elif status.st_size > self.rules.largest_deliverable:
                self.output = "too large"
            else:
                stream = open_regular(self.rules.deliverable, root)
                self.output = "present" if stream else "not a regular file"
                if stream:
                    return Left(self.rules.deliverable, os.fstat(stream.fileno()).st_size, stream)
        except FileNotFoundError:
            self.output = "missing"
        except OSError as error:
            self.output = f"unreadable ({error.strerror})"
        finally:
            os.close(root)
        return None

    def others(self) -> Iterator[Left]:
        """Yield the other text files, each closed by the caller before the next is asked for."""
        root = self._open_root()
        try:
            yield from self._folder(root, (), ())
        finally:
            os.close(root)

    def _open_root(self) -> int:
        Path(self.root).chmod(0o700)
        return os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)

    def _folder(self, folder: int, real: tuple[str, ...], safe: tuple[str, ...]) -> Iterator[Left]:
        taken: set[str] = set()
        for name in self._names(folder):
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except OSError:
                self._leave("unreadable")
                continue
            plain = unused_name(safe_name(name), taken)
            taken.add(plain)
            if stat.S_ISDIR(status.st_mode):
                yield from self._subfolder(folder, name, real, (*safe, plain))
            elif not stat.S_ISREG(status.st_mode):
                self._leave("not a regular file")
            elif not real and name == self.rules.deliverable:
                continue
            elif "/".join((*real, name)) not in self.rules.staged:
                yield from self._file(folder, name, status.st_size, (*safe, plain))

    def _names(self, folder: int) -> list[str]:
        names: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self._entries += 1
                    if self._entries > self.rules.entries:
                        self._leave("too many entries")
                        break
                    names.append(entry.name)
        except OSError:
            self._leave("unreadable")
        return sorted(names)

    def _subfolder(
        self, folder: int, name: str, real: tuple[str, ...], safe: tuple[str, ...]
    ) -> Iterator[Left]:
        if name.startswith("."):
            self._leave("hidden folder")
            return
        if len(real) >= self.rules.depth:
            self._leave("too deep")
            return
        try:
            os.chmod(name, 0o700, dir_fd=folder)
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
        except OSError:
            self._leave("unreadable")
            return
        try:
            yield from self._folder(inner, (*real, name), safe)
        finally:
            os.close(inner)

    def _file(self, folder: int, name: str, size: int, safe: tuple[str, ...]) -> Iterator[Left]:
        reason = self._refusal(name, size)
        if reason:
            self._leave(reason)
            return
        try:
            stream = open_regular(name, folder)
        except OSError:
            stream = None
        if stream is None:
            self._leave("unreadable")
            return
        self._files += 1
        self._bytes += size
        with stream:
            yield Left("/".join(safe), os.fstat(stream.fileno()).st_size, stream)

    def _refusal(self, name: str, size: int) -> str | None:
        if name.startswith("."):
            return "hidden file"
        if not name.lower().endswith(TEXT_SUFFIXES):
            return "not a text file"
        if size > self.rules.largest_file:
            return "too large"
        if self._files >= self.rules.files or self._bytes + size > self.rules.largest_total:
            return "too many files"
        return None

    def _leave(self, reason: str) -> None:
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


def open_regular(name: str, folder: int) -> BinaryIO | None:
    """Open a regular file inside an open folder for reading, whatever its permission bits; None if it is none.

    Raises:
        OSError: it cannot be opened.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags, dir_fd=folder)
    except PermissionError:
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return None
        os.chmod(name, 0o600, dir_fd=folder)
        descriptor = os.open(name, flags, dir_fd=folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return os.fdopen(descriptor, "rb")


def safe_name(name: str) -> str:
    """Return a name of plain characters; one that had others carries a hash, so that two seldom meet."""
    if SAFE_NAME.fullmatch(name):
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    stem, dot, suffix = name.rpartition(".")
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", stem if dot else name)[:60]
    ending = f".{re.sub(r'[^A-Za-z0-9]', '_', suffix)[:10]}" if dot else ""
    return f"_{plain}-{digest}{ending}"


def unused_name(name: str, taken: AbstractSet[str]) -> str:
    """Return the name, or, when a file of that name has left already, the name with a number."""
    stem, dot, suffix = name.rpartition(".") if "." in name[1:] else (name, "", "")
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{stem[:MOST_OF_A_STEM]}-{number}{dot}{suffix}"
    return free
