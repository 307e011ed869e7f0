# SPDX-License-Identifier: MIT
"""Cutting a CSV body into batches of rows, in file order, and reading columns of a batch.

A batch is either plain bytes, which Arrow converts at once, or fields from Python's CSV reader, for
whatever Arrow cannot be trusted with: unusual quoting, lone carriage returns. However a file is cut, no
batch takes more than a few megabytes. Knows nothing of references.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.csv

from m4bench.suites.derivation.scoring.buffers import only_chunk
from m4bench.suites.derivation.scoring.cells import (
    ARROW_TYPES,
    CellKind,
    Cells,
    from_texts,
    from_typed,
)
from m4bench.suites.derivation.scoring.ragged import ragged_rows
from m4bench.suites.derivation.scoring.submission import LONGEST_LINE, RefusedError, Source

CHUNK_BYTES = 4 << 20
_BYTES_UNDER_WAY = 16 << 20
TOO_LONG = f"a row is longer than {LONGEST_LINE >> 20} MiB"

_MOST_FIELD_BYTES = 4 << 20
_FIELD_BYTES = 64  # what a field of Python costs beside its characters
_QUOTE, _COMMA, _NEWLINE, _RETURN = b'",\n\r'
_LAST_LINE = "\x00the end"

Wanted = Mapping[int, CellKind]
Rows = tuple[int, dict[int, Cells]]


class Batch(Protocol):
    """Some consecutive rows of a file."""

    def parts(self, wanted: Wanted) -> Iterator[Rows]:
        """Yield, part by part, the number of rows and by column number the wanted columns."""


@dataclass(frozen=True)
class ByteBatch:
    """Whole lines, quoted plainly or not at all; `release` is called when the bytes have been read."""

    data: memoryview
    width: int
    quoted: bool = False
    release: Callable[[], None] = lambda: None

    def parts(self, wanted: Wanted) -> Iterator[Rows]:
        """Yield the wanted columns, at once unless rows are ragged; odd cells are read one by one."""
        try:
            rows = self._columns(wanted)
        except pa.ArrowInvalid:
            if self.quoted:
                yield from _parts_of_rows(io.BytesIO(self.data), wanted)
            else:
                yield from ragged_rows(self.data, wanted)
            self.release()
            return
        self.release()
        yield rows

    def _columns(self, wanted: Wanted) -> Rows:
        """Return the wanted columns; ArrowInvalid when rows are ragged."""
        careful = set()
        if "integer" in wanted.values() and self._has(b"xX"):  # Arrow reads 0x10 as an integer
            careful = {index for index, kind in wanted.items() if kind == "integer"}
        try:
            table = self._parse({i: "text" if i in careful else k for i, k in wanted.items()})
        except pa.ArrowInvalid:
            table = self._parse(dict.fromkeys(wanted, "text"))
            careful = set(wanted)
        found: dict[int, Cells] = {}
        again: list[int] = []
        for place, (index, kind) in enumerate(wanted.items()):
            column = only_chunk(table.column(place))
            cells = from_texts(kind, column) if index in careful else from_typed(kind, column)
            if cells is None:
                again.append(index)
            else:
                found[index] = cells
        if again:
            texts = self._parse(dict.fromkeys(again, "text"))
            for place, index in enumerate(again):
                found[index] = from_texts(wanted[index], only_chunk(texts.column(place)))
        return table.num_rows, found

    def _has(self, characters: bytes) -> bool:
        whole = self.data.obj
        assert isinstance(whole, bytes | bytearray)
        return any(whole.find(one, 0, len(self.data)) >= 0 for one in characters)

    def _parse(self, kinds: Wanted) -> pa.Table:
        """Convert the columns of these kinds; ArrowInvalid when any cell or row does not fit."""
        return pyarrow.csv.read_csv(
            pa.BufferReader(pa.py_buffer(self.data)),
            read_options=pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=len(self.data) + 1,
                column_names=[str(index) for index in range(self.width)],
            ),
            parse_options=pyarrow.csv.ParseOptions(
                quote_char='"' if self.quoted else False, newlines_in_values=self.quoted
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                check_utf8=False,
                column_types={str(index): ARROW_TYPES[kind] for index, kind in kinds.items()},
                include_columns=[str(index) for index in kinds],
                null_values=[""],
                strings_can_be_null=True,
            ),
        )


@dataclass(frozen=True)
class FieldBatch:
    """The fields of some rows by column number; None is one a short row lacks."""

    count: int
    fields: Mapping[int, list[str | None]]

    def parts(self, wanted: Wanted) -> Iterator[Rows]:
        """Yield the wanted columns; a field a short row lacks is unreadable."""
        yield self.count, {index: self._column(index, kind) for index, kind in wanted.items()}

    def _column(self, index: int, kind: CellKind) -> Cells:
        fields = self.fields[index]
        texts: list[bytes | None] = [
            field.encode("utf-8", "surrogateescape") if field else None for field in fields
        ]
        absent = np.array([field is None for field in fields], dtype=np.bool_)
        return from_texts(kind, pa.array(texts, pa.binary()), absent if absent.any() else None)


def batches(source: Source, wanted: Iterable[int], under_way: int) -> Iterator[Batch]:
    """Yield the rows of a source in order, a few megabytes at a time.

    Args:
        source: an open table.
        wanted: the column numbers that will be asked for.
        under_way: how many batches may be in use at a time; the more, the smaller they are.

    Raises:
        RefusedError: a row is too long, or a quote is never closed.
    """
    width = len(source.header)
    size = min(CHUNK_BYTES, LONGEST_LINE, _BYTES_UNDER_WAY // under_way)
    spare: list[bytearray] = []
    rest, ended = b"", False
    while not ended:
        block = _block(spare, size, len(rest))
        block[: len(rest)] = rest
        with memoryview(block) as space:
            filled = len(rest) + source.fill(space[len(rest) :])
        ended = filled < len(block)
        end, quoted = _record_end(block, filled, ended)
        endless = end == 0 and not ended and len(block) >= LONGEST_LINE
        if end is None or (endless and quoted):
            pending = bytes(memoryview(block)[:filled])
            yield from _carefully(pending, source, ended, wanted)
            return
        if endless:
            raise RefusedError(TOO_LONG)
        rest = bytes(memoryview(block)[end:filled])
        if end:
            data = memoryview(block)[:end]
            yield ByteBatch(data, width, quoted, _giver(spare, block))


def _block(spare: list[bytearray], size: int, pending: int) -> bytearray:
    """Return a block with room for more than what is pending, one used before where it can be."""
    while size <= pending:
        size = min(2 * size, LONGEST_LINE)
    if spare and len(spare[-1]) >= size:
        return spare.pop()
    return bytearray(size)


def _giver(spare: list[bytearray], block: bytearray) -> Callable[[], None]:
    return lambda: spare.append(block)


def _record_end(block: bytearray, filled: int, ended: bool) -> tuple[int | None, bool]:
    """Return where the last whole record of a block ends, 0 when none does, and whether any is quoted.

    None stands for bytes that only a real CSV reader can cut: odd quoting, lone carriage returns.
    """
    if block.find(b"\r", 0, filled) >= 0:
        returns = block.count(b"\r", 0, filled) - (block[filled - 1] == _RETURN)
        if returns != block.count(b"\r\n", 0, filled):
            return None, False
    if block.find(b'"', 0, filled) >= 0:
        return _quoted_record_end(np.frombuffer(block, np.uint8, filled), ended), True
    return filled if ended else block.rfind(b"\n", 0, filled) + 1, False


def _quoted_record_end(array: Any, ended: bool) -> int | None:
    quotes = np.flatnonzero(array == _QUOTE)
    if ended:
        end = len(array)
    else:
        newlines = np.flatnonzero(array == _NEWLINE)
        outside = newlines[np.searchsorted(quotes, newlines) % 2 == 0]
        end = int(outside[-1]) + 1 if len(outside) else 0
    quotes = quotes[quotes < end]
    if len(quotes) % 2:
        return None
    opening, closing = quotes[::2], quotes[1::2]
    before = np.where(opening == 0, _NEWLINE, array[opening - 1])
    after = np.where(closing == end - 1, _NEWLINE, array[np.minimum(closing + 1, end - 1)])
    plain = (
        np.isin(before, (_COMMA, _NEWLINE)).all()
        and np.isin(after, (_COMMA, _NEWLINE, _RETURN)).all()
    )
    return end if plain else None


class _Remainder(io.RawIOBase):
    """Bytes already read, then those still to come."""

    def __init__(self, pending: bytes, source: Source, ended: bool) -> None:
        self._pending, self._source, self._ended = io.BytesIO(pending), source, ended

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        count = self._pending.readinto(buffer)
        return count if count or self._ended else self._source.fill(memoryview(buffer))


def _carefully(
    pending: bytes, source: Source, ended: bool, wanted: Iterable[int]
) -> Iterator[FieldBatch]:
    """Yield what is left of a source through Python's CSV reader."""
    raw: io.RawIOBase = _Remainder(pending, source, ended)
    yield from _field_batches(io.BufferedReader(raw, CHUNK_BYTES), wanted)


def _parts_of_rows(stream: BinaryIO, wanted: Wanted) -> Iterator[Rows]:
    for batch in _field_batches(stream, wanted):
        yield from batch.parts(wanted)


def _field_batches(stream: BinaryIO, wanted: Iterable[int]) -> Iterator[FieldBatch]:
    """Yield the wanted fields of CSV bytes, as many rows at a time as take a bounded memory."""
    fields: dict[int, list[str | None]] = {index: [] for index in wanted}
    count = size = 0
    for row in _rows(stream):
        count += 1
        for index, column in fields.items():
            field = row[index] if index < len(row) else None
            column.append(field)
            size += _FIELD_BYTES + len(field or "")
        if size >= _MOST_FIELD_BYTES:
            yield FieldBatch(count, fields)
            fields = {index: [] for index in fields}
            count = size = 0
    if count:
        yield FieldBatch(count, fields)


def _rows(stream: BinaryIO) -> Iterator[list[str]]:
    """Yield the records of CSV bytes; blank lines are none.

    Raises:
        RefusedError: a record is too long, or a quote is never closed.
    """
    csv.field_size_limit(LONGEST_LINE)
    lines = _Lines(io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape", newline=""))
    last: list[str] = []
    try:
        for row in csv.reader(lines):
            if last:
                yield last
            last = row
            lines.taken = 0
    except csv.Error:
        raise RefusedError(
            f"a field is longer than {LONGEST_LINE >> 20} MiB: a quote may not be closed"
        ) from None
    if last != [_LAST_LINE]:
        raise RefusedError("a quote is opened and never closed")


class _Lines:
    """Lines of text whose records are bounded, then one of our own that an open quote would swallow.

    `taken` is the bytes given since it was last set to 0.
    """

    def __init__(self, text: io.TextIOBase) -> None:
        self._text, self._ended = text, False
        self.taken = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if self._ended:
            raise StopIteration
        line = self._text.readline(LONGEST_LINE + 1)
        if not line:
            self._ended = True
            return _LAST_LINE
        self.taken += len(line) if line.isascii() else len(line.encode("utf-8", "surrogateescape"))
        self.taken += line[-1] not in "\r\n"
        if self.taken > LONGEST_LINE:
            raise RefusedError(TOO_LONG)
        return line
