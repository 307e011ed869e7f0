# SPDX-License-Identifier: MIT
"""Outer form of an answer: whether it is a CSV file, and its header. Knows no columns and no database."""

import codecs
import csv
import io
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

LONGEST_LINE = 4 << 20
MOST_BYTES = 8 << 30
MOST_COLUMNS = 10_000
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
WRITE_PLAINLY = "write it with pandas' to_csv(index=False) or DuckDB's COPY … (HEADER)"
TOO_LONG = f"longer than {LONGEST_LINE >> 20} MiB"
FEWER = "fewer fields than the header; it will still be read, a field that is not there is wrong"
MORE = "more fields than the header; it will still be read, but a comma may need quotes"
QUOTES = "a quote that is not closed, or not at the end of its field; it may be read otherwise"


class UnreadableError(Exception):
    """A file that cannot be read as an answer, and what to do about it."""

    def __init__(self, says: str, remedy: str) -> None:
        super().__init__(says)
        self.says, self.remedy = says, remedy


@dataclass
class Form:
    """A file's outer form.

    `skipped` are the lines through the header, `lines` all of them; `marked` tells of a byte-order mark.
    """

    path: Path
    header: list[str]
    skipped: int
    lines: int
    mixed_ends: bool
    marked: bool
    nuls: int


def open_answer(path: Path) -> Form:
    """Read a file's bytes once and its header; refuse what no one could read as CSV."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        raise UnreadableError("there is no such file", f"write the answer to {path.name}") from None
    if stat.S_ISLNK(found.st_mode):
        raise UnreadableError(
            "it is a symbolic link, which is not followed", "write the file itself"
        )
    if not stat.S_ISREG(found.st_mode):
        raise UnreadableError("it is not a regular file", "write the answer as a file")
    if found.st_size == 0:
        raise UnreadableError("the file is empty", "write a header and one line a row")
    if found.st_size > MOST_BYTES:
        raise UnreadableError(
            f"it is larger than {MOST_BYTES >> 30} GiB", "look for multiplied rows"
        )
    try:
        return scanned(path)
    except OSError as error:
        raise UnreadableError(f"it cannot be read ({error.strerror})", "look at its mode") from None


def scanned(path: Path) -> Form:
    """Return the outer form of a regular file that is not empty."""
    newlines = returns = pairs = nuls = 0
    last = b""
    with path.open("rb") as stream:
        window = stream.read(LONGEST_LINE)
        refuse_other_formats(window)
        start = window.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")
        text = start.split(b"\n", 1)[0].split(b"\r", 1)[0]
        skipped = window[: len(window) - len(start)].count(b"\n") + 1
        header = header_of(text)
        chunk = window
        while chunk:
            newlines += chunk.count(b"\n")
            returns += chunk.count(b"\r")
            pairs += chunk.count(b"\r\n") + (last == b"\r" and chunk[:1] == b"\n")
            nuls += chunk.count(b"\x00")
            last, chunk = chunk[-1:], stream.read(LONGEST_LINE)
    lone = returns - pairs
    return Form(
        path=path,
        header=header,
        skipped=skipped,
        lines=newlines + lone + (last not in (b"\n", b"\r")),
        mixed_ends=bool(lone and newlines) or 0 < pairs < newlines,
        marked=window.startswith(codecs.BOM_UTF8),
        nuls=nuls,
    )


def refuse_other_formats(window: bytes) -> None:
    """Refuse what begins like a format other than UTF-8 text."""
    if window.startswith(b"\x1f\x8b"):
        raise UnreadableError("it is gzip-compressed, not CSV", "write it without compression")
    if window.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableError("it is UTF-16 text, not UTF-8", "write it as UTF-8")
    if window.startswith(b"PAR1"):
        raise UnreadableError("it is a Parquet file, not CSV", WRITE_PLAINLY)


def header_of(line: bytes) -> list[str]:
    """Return the column names of a header line."""
    if not line.strip():
        raise UnreadableError("it has blank lines alone", "write a header and one line a row")
    if b"\x00" in line:
        raise UnreadableError("it is not text", WRITE_PLAINLY)
    if len(line) >= LONGEST_LINE:
        raise UnreadableError(
            f"its first line is longer than {LONGEST_LINE >> 20} MiB", WRITE_PLAINLY
        )
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableError("its header is not UTF-8 text", "write it as UTF-8") from None
    csv.field_size_limit(LONGEST_LINE)
    try:
        names = next(csv.reader(io.StringIO(text + "\n", newline=""), strict=True))
    except csv.Error:
        raise UnreadableError(
            "its header is not CSV: a quote is not closed", WRITE_PLAINLY
        ) from None
    if len(names) > MOST_COLUMNS:
        raise UnreadableError(f"it has more than {MOST_COLUMNS:,} columns", WRITE_PLAINLY)
    if len(names) == 1:
        for mark, called in SEPARATORS.items():
            if mark in text:
                raise UnreadableError(f"its fields are separated by {called}", "use commas")
    return names


def odd_lines(form: Form) -> dict[str, tuple[int, list[int]]]:
    """Return what is wrong with lines below the header: how many there are of each kind, and the first three."""
    found: dict[str, tuple[int, list[int]]] = {}

    def note(says: str, line: int) -> None:
        count, places = found.get(says, (0, []))
        found[says] = (count + 1, [*places, line] if count < 3 else places)

    def legible(stream: TextIO) -> Iterator[str]:
        pieces = iter(lambda: stream.readline(LONGEST_LINE + 1), "")
        for number, line in enumerate(pieces, start=1):
            if len(line) > LONGEST_LINE:
                note(TOO_LONG, number)
                return
            try:
                line.encode("utf-8")
            except UnicodeEncodeError:
                note("not UTF-8", number)
            yield line

    with form.path.open(encoding="utf-8-sig", errors="surrogateescape") as stream:
        rows = csv.reader(legible(stream), strict=True)
        width = len(form.header)
        try:
            for row in rows:
                if row and len(row) != width:
                    note(FEWER if len(row) < width else MORE, rows.line_num)
        except csv.Error:
            if TOO_LONG not in found:
                note(QUOTES, rows.line_num)
    return found
