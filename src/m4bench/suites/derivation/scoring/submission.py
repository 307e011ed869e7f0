# SPDX-License-Identifier: MIT
"""Opening what an agent left and refusing what cannot be a table. Knows nothing of references."""

import codecs
import csv
import gzip
import io
import os
import stat
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LONGEST_LINE = 4 << 20
MOST_BYTES = 8 << 30
MOST_COLUMNS = 10_000

ReadInto = Callable[[memoryview], int]

_FIRST_READ = 1 << 16
_MARK_AND_LINE_ENDS = codecs.BOM_UTF8 + b"\r\n"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


class RefusedError(Exception):
    """A file that cannot be scored; the reason names no cell of it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Source:
    """An open table: its column names, and the bytes that follow its header.

    `fill(space)` writes the next of those bytes into a space and returns how many: fewer than it holds only
    at the end; `unchanged` tells whether the file is still the one that was opened.
    """

    header: tuple[str, ...]
    fill: Callable[[memoryview], int]
    close: Callable[[], None]
    unchanged: Callable[[], bool]
    notes: tuple[str, ...]


def open_submission(path: Path) -> Source:
    """Open a submitted CSV file without following links or waiting on anything.

    Raises:
        RefusedError: there is no such file, or it is no CSV file that can be scored.
    """
    descriptor = _open_regular(path)
    opened = os.fstat(descriptor)
    left = opened.st_size

    def read_into(space: memoryview) -> int:
        nonlocal left
        try:
            count = os.readv(descriptor, [space[:left]]) if left else 0
        except OSError as error:
            raise RefusedError(f"it cannot be read ({error.strerror})") from None
        left -= count
        return count

    def unchanged() -> bool:
        now = os.fstat(descriptor)
        return (now.st_size, now.st_mtime_ns) == (opened.st_size, opened.st_mtime_ns)

    try:
        if opened.st_size == 0:
            raise RefusedError("the file is empty")
        if opened.st_size > MOST_BYTES:
            raise RefusedError(f"the file is larger than {MOST_BYTES >> 30} GiB")
        return _begin(read_into, lambda: os.close(descriptor), unchanged)
    except BaseException:
        os.close(descriptor)
        raise


def open_trusted(path: Path) -> Source:
    """Open a CSV file of our own, gzip-compressed when its name says so.

    Raises:
        RefusedError: it is no CSV file.
        OSError: it cannot be read.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    stream = opener(path, "rb")
    try:
        return _begin(stream.readinto, stream.close, lambda: True)
    except BaseException:
        stream.close()
        raise


def _filling(read_into: ReadInto, first: bytes = b"") -> ReadInto:
    """Return a reader that fills what it is given, with some bytes already read and then the others."""
    left = memoryview(first)

    def fill(space: memoryview) -> int:
        nonlocal left
        filled = min(len(left), len(space))
        space[:filled], left = left[:filled], left[filled:]
        while filled < len(space) and (count := read_into(space[filled:])):
            filled += count
        return filled

    return fill


def _open_regular(path: Path) -> int:
    """Return a descriptor of a regular file, or refuse."""
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            raise RefusedError("it is a symbolic link, which is not followed")
        if stat.S_ISDIR(found.st_mode):
            raise RefusedError("it is a directory, not a file")
        if not stat.S_ISREG(found.st_mode):
            raise RefusedError("it is not a regular file")
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        raise RefusedError("there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its name is not valid"
        raise RefusedError(f"it cannot be opened ({reason})") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise RefusedError("it is not a regular file")
    return descriptor


def _begin(read_into: ReadInto, close: Callable[[], None], unchanged: Callable[[], bool]) -> Source:
    """Read the header line; what follows it is the table's body."""
    window = _first_lines(read_into)
    if window.startswith(b"\x1f\x8b"):
        raise RefusedError("it is gzip-compressed, not CSV")
    if window.startswith(_UTF16):
        raise RefusedError("it is UTF-16 text, not UTF-8")
    notes = []
    if window.startswith(codecs.BOM_UTF8):
        window = window.removeprefix(codecs.BOM_UTF8)
        notes.append("starts with a byte-order mark")
    window = window.lstrip(b"\r\n")
    ends = [place for mark in (b"\n", b"\r") if (place := window.find(mark)) >= 0]
    if not ends and len(window) >= LONGEST_LINE - len(codecs.BOM_UTF8):
        raise RefusedError(f"line 1 is longer than {LONGEST_LINE >> 20} MiB")
    end = min(ends, default=len(window))
    line, rest = window[:end], window[end:]
    rest = rest[2:] if rest.startswith(b"\r\n") else rest[1:]
    header = _header(line)
    repeated = sum(times > 1 for times in Counter(header).values())
    if repeated:
        notes.append(f"{repeated} column names are repeated; the first of each counts")
    return Source(header, _filling(read_into, rest), close, unchanged, tuple(notes))


def _first_lines(read_into: ReadInto) -> bytes:
    """Return the beginning of a file with its first line that is not blank, if that is not too long."""
    window, size = b"", _FIRST_READ
    fill = _filling(read_into)
    while len(window) < size <= LONGEST_LINE:
        space = bytearray(size - len(window))
        more = bytes(memoryview(space)[: fill(memoryview(space))])
        window += more
        if len(more) < len(space) or b"\n" in window.lstrip(_MARK_AND_LINE_ENDS):
            break
        size *= 4
    return window


def _header(line: bytes) -> tuple[str, ...]:
    """Return the column names of a header line."""
    if not line.strip():
        raise RefusedError("the file is empty")
    if b"\x00" in line:
        raise RefusedError("it is not text")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise RefusedError("it is not UTF-8 text") from None
    csv.field_size_limit(LONGEST_LINE)
    try:
        names = next(csv.reader(io.StringIO(text + "\n", newline=""), strict=True))
    except csv.Error:
        raise RefusedError("its header is not CSV: a quote is not closed") from None
    if len(names) > MOST_COLUMNS:
        raise RefusedError(f"it has more than {MOST_COLUMNS} columns")
    if len(names) == 1:
        for mark, called in _SEPARATORS.items():
            if mark in text:
                raise RefusedError(f"its fields are separated by {called}, not commas")
    return tuple(names)
