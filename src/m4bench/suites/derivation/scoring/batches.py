# SPDX-License-Identifier: MIT
"""Cutting a CSV body into batches of rows, in file order, and reading columns of a batch.

A batch is either plain bytes, which Arrow converts at once, or rows from Python's CSV reader, for
whatever Arrow cannot be trusted with: unusual quoting, lone carriage returns, rows of the wrong width.
Knows nothing of references.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.csv

from m4bench.suites.derivation.scoring.cells import (
    ARROW_TYPES,
    CellKind,
    Cells,
    from_texts,
    from_typed,
)
from m4bench.suites.derivation.scoring.submission import (
    LONGEST_LINE,
    RefusedError,
    Source,
    read_fully,
)

CHUNK_BYTES = 4 << 20
TOO_LONG = f"a line is longer than {LONGEST_LINE >> 20} MiB"

_ROWS = 20_000
_QUOTE, _COMMA, _NEWLINE, _RETURN = b'",\n\r'
_LAST_LINE = "\x00the end"


class Batch(Protocol):
    """Some consecutive rows of a file."""

    def cells(self, wanted: Mapping[int, CellKind]) -> tuple[int, dict[int, Cells]]:
        """Return the number of rows and, by column number, the wanted columns."""


@dataclass(frozen=True)
class ByteBatch:
    """Whole lines, quoted plainly or not at all."""

    data: bytes
    width: int
    quoted: bool = False

    def cells(self, wanted: Mapping[int, CellKind]) -> tuple[int, dict[int, Cells]]:
        """Return the wanted columns; ragged rows are read one by one, odd cells column by column."""
        hexadecimal = b"x" in self.data or b"X" in self.data  # Arrow reads 0x10 as an integer
        careful = {i for i, kind in wanted.items() if kind == "integer" and hexadecimal}
        try:
            table = self._parse({i: "text" if i in careful else k for i, k in wanted.items()})
        except pa.ArrowInvalid:
            try:
                table = self._parse(dict.fromkeys(wanted, "text"))
            except pa.ArrowInvalid:
                return _row_batch(self.data, self.width, wanted)
            careful = set(wanted)
        found: dict[int, Cells] = {}
        again: list[int] = []
        for index, kind in wanted.items():
            column = table.column(str(index)).combine_chunks()
            cells = from_texts(kind, column) if index in careful else from_typed(kind, column)
            if cells is None:
                again.append(index)
            else:
                found[index] = cells
        if again:
            texts = self._parse(dict.fromkeys(again, "text"))
            for index in again:
                found[index] = from_texts(wanted[index], texts.column(str(index)).combine_chunks())
        return table.num_rows, found

    def _parse(self, kinds: Mapping[int, CellKind]) -> pa.Table:
        """Convert the columns of these kinds; ArrowInvalid when any cell or row does not fit."""
        return pyarrow.csv.read_csv(
            pa.BufferReader(self.data),
            read_options=pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=len(self.data) + 1,
                column_names=[str(index) for index in range(self.width)],
            ),
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=self.quoted),
            convert_options=pyarrow.csv.ConvertOptions(
                check_utf8=False,
                column_types={str(index): ARROW_TYPES[kind] for index, kind in kinds.items()},
                include_columns=[str(index) for index in kinds],
                null_values=[""],
                strings_can_be_null=True,
            ),
        )


@dataclass(frozen=True)
class RowBatch:
    """Rows as Python's CSV reader gives them."""

    rows: Sequence[Sequence[str]]

    def cells(self, wanted: Mapping[int, CellKind]) -> tuple[int, dict[int, Cells]]:
        """Return the wanted columns; a field a short row lacks is unreadable."""
        return len(self.rows), {index: self._column(index, kind) for index, kind in wanted.items()}

    def _column(self, index: int, kind: CellKind) -> Cells:
        texts: list[bytes | None] = [
            row[index].encode("utf-8", "surrogateescape") or None if index < len(row) else None
            for row in self.rows
        ]
        absent = np.array([len(row) <= index for row in self.rows], dtype=np.bool_)
        return from_texts(kind, pa.array(texts, pa.binary()), absent if absent.any() else None)


def batches(source: Source, last_wanted: int) -> Iterator[Batch]:
    """Yield the rows of a source in order, a few megabytes at a time.

    Args:
        source: an open table.
        last_wanted: the highest column number anyone will ask for.

    Raises:
        RefusedError: a line is too long, or a quote is never closed.
    """
    width = len(source.header)
    pending = b""
    ended = False
    while pending or not ended:
        if not ended:
            more = read_fully(source.read, CHUNK_BYTES)
            ended = len(more) < CHUNK_BYTES
            pending += more
        if b"\r" in pending and pending.count(b"\r") != pending.count(b"\r\n") + pending.endswith(
            b"\r"
        ):
            yield from _carefully(pending, source, ended, last_wanted)
            return
        quoted = b'"' in pending
        data, rest = _cut_quoted(pending, ended) if quoted else _cut(pending, ended)
        if data is None:
            yield from _carefully(pending, source, ended, last_wanted)
            return
        pending = rest
        if data:
            yield ByteBatch(data, width, quoted)
        elif not ended and len(pending) > LONGEST_LINE:
            raise RefusedError(TOO_LONG)


def _cut(pending: bytes, ended: bool) -> tuple[bytes, bytes]:
    """Split bytes without quotes after their last whole record."""
    end = len(pending) if ended else pending.rfind(b"\n") + 1
    return pending[:end], pending[end:]


def _cut_quoted(pending: bytes, ended: bool) -> tuple[bytes | None, bytes]:
    """Split bytes after their last whole record; (None, b"") when the quoting is not plain."""
    array = np.frombuffer(pending, dtype=np.uint8)
    quotes = np.flatnonzero(array == _QUOTE)
    if ended:
        end = len(pending)
    else:
        newlines = np.flatnonzero(array == _NEWLINE)
        outside = newlines[np.searchsorted(quotes, newlines) % 2 == 0]
        end = int(outside[-1]) + 1 if len(outside) else 0
    quotes = quotes[quotes < end]
    if len(quotes) % 2 or (end == 0 and not ended):
        return None, b""
    opening, closing = quotes[::2], quotes[1::2]
    before = np.where(opening == 0, _NEWLINE, array[opening - 1])
    after = np.where(closing == end - 1, _NEWLINE, array[np.minimum(closing + 1, end - 1)])
    plain = (
        np.isin(before, (_COMMA, _NEWLINE)).all()
        and np.isin(after, (_COMMA, _NEWLINE, _RETURN)).all()
    )
    return (pending[:end], pending[end:]) if plain else (None, b"")


class _Remainder(io.RawIOBase):
    """Bytes already read, then those still to come."""

    def __init__(self, pending: bytes, source: Source, ended: bool) -> None:
        self._pending, self._source, self._ended = io.BytesIO(pending), source, ended

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._pending.read(len(buffer))
        if not data and not self._ended:
            data = self._source.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _carefully(pending: bytes, source: Source, ended: bool, last_wanted: int) -> Iterator[Batch]:
    """Yield what is left of a source through Python's CSV reader."""
    raw: io.RawIOBase = _Remainder(pending, source, ended)
    stream = io.BufferedReader(raw, LONGEST_LINE)
    rows: list[Sequence[str]] = []
    size = 0
    for row in _rows(stream):
        kept = row[: last_wanted + 1]
        rows.append(kept)
        size += sum(map(len, kept))
        if len(rows) >= _ROWS or size >= LONGEST_LINE:
            yield RowBatch(rows)
            rows, size = [], 0
    if rows:
        yield RowBatch(rows)


def _row_batch(
    data: bytes, width: int, wanted: Mapping[int, CellKind]
) -> tuple[int, dict[int, Cells]]:
    """Return the wanted columns of whole lines that hold rows of the wrong width."""
    keep = max(wanted, default=0) + 1
    return RowBatch([row[:keep] for row in _rows(io.BytesIO(data))]).cells(wanted)


def _rows(stream: BinaryIO) -> Iterator[list[str]]:
    """Yield the records of CSV bytes; blank lines are none.

    Raises:
        RefusedError: a line or a field is too long, or a quote is never closed.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape", newline="")
    csv.field_size_limit(LONGEST_LINE)
    last: list[str] = []
    try:
        for row in csv.reader(_lines(text)):
            if last:
                yield last
            last = row
    except csv.Error:
        raise RefusedError(
            f"a field is longer than {LONGEST_LINE >> 20} MiB: a quote may not be closed"
        ) from None
    if last != [_LAST_LINE]:
        raise RefusedError("a quote is opened and never closed")


def _lines(text: io.TextIOBase) -> Iterable[str]:
    """Yield lines of bounded length, then one of our own that an open quote would swallow."""
    while line := text.readline(LONGEST_LINE):
        if len(line) >= LONGEST_LINE:
            raise RefusedError(TOO_LONG)
        yield line
    yield _LAST_LINE
