# SPDX-License-Identifier: MIT
"""The bytes of a CSV file, unpacked and checked while they pass. Knows quoting and encoding, no columns.

RFC 4180 is held to strictly, because a parser that is lenient about quotes joins or drops records
without a word: a quoted field is closed, what follows it is a comma or a line end, and a quote inside a
field is doubled.
"""

import codecs
import gzip
import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

from m4bench.model.errors import InputError

BLOCK = 8 << 20
_QUOTE, _COMMA, _NEWLINE, _RETURN = b'",\n\r'
_NONE = -1


@dataclass(eq=False)
class TextFaultError(Exception):
    """A byte that makes a file unreadable: what is wrong, and its offset in the unpacked bytes."""

    problem: str
    remedy: str
    offset: int
    whole_row: bool = False


def unpacked(path: Path, packed: bool) -> tuple[IO[bytes], IO[bytes]]:
    """Open a file; return the stream of its text and the stream of its bytes as on disk."""
    raw = path.open("rb")
    text = cast(IO[bytes], gzip.GzipFile(fileobj=raw, mode="rb")) if packed else raw
    return text, raw


def cannot_unpack(path: Path) -> InputError:
    """Return the error for a gzip file that is cut off or damaged."""
    return InputError(
        "is a truncated or corrupt gzip file",
        file=path,
        remedy="copy or download it again and compare its sha256 with SHA256SUMS.txt",
    )


class TextStream(io.RawIOBase):
    """A readable stream of UTF-8 CSV text; a byte order mark and blank lines at the end are left out.

    Args:
        path: the file.
        packed: whether it is gzip.
        single_column: whether a blank line is a record (it is the null of a table of one column).
        advanced: called with the number of bytes read from the disk since the last call.

    Raises (from `read`, and kept in `fault`):
        TextFaultError: a NUL byte, text that is not UTF-8, a blank line, a quote that breaks RFC 4180.
        InputError: a truncated or corrupt gzip file.
    """

    def __init__(
        self,
        path: Path,
        *,
        packed: bool,
        single_column: bool = False,
        advanced: Callable[[int], None] | None = None,
    ) -> None:
        self.fault: TextFaultError | InputError | OSError | None = None
        self._path, self._single, self._advanced = path, single_column, advanced
        self._text, self._raw = unpacked(path, packed)
        self._reported = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._offset = 0
        self._held = b""
        self._started = self._ended = False
        self._inside = False
        self._opened_at = 0
        self._before = _NEWLINE
        self._ready = bytearray()

    def readable(self) -> bool:
        """Tell that the stream can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes of checked text, empty at the end."""
        try:
            while not self._ended and (size < 0 or len(self._ready) < size):
                self._fill()
        except (TextFaultError, InputError, OSError) as fault:
            self.fault = fault
            raise
        taken = bytes(self._ready) if size < 0 else bytes(self._ready[:size])
        del self._ready[: len(taken)]
        return taken

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self._text.close()
            self._raw.close()
        super().close()

    def _fill(self) -> None:
        try:
            chunk = self._text.read(BLOCK)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise cannot_unpack(self._path) from error
        if self._advanced is not None:
            here = self._raw.tell()
            self._advanced(here - self._reported)
            self._reported = here
        if not self._started:
            self._started = True
            if chunk.startswith(codecs.BOM_UTF8):
                self._offset = len(codecs.BOM_UTF8)
                chunk = chunk[self._offset :]
        block = self._held + chunk
        if chunk:
            # The last bytes wait: whether a quote closes well, or blank lines end the file, shows later.
            body = block.rstrip(b'\r\n"')
            self._held = block[len(body) :]
            block = body
        else:
            self._ended = True
            self._held = b""
            block = block.rstrip(b"\r\n") if not self._closes_inside(block) else block
        self._check(block)
        self._offset += len(block)
        self._ready += block
        if self._ended:
            self._check_end()
            if self._offset:
                self._ready += b"\n"

    def _closes_inside(self, block: bytes) -> bool:
        return self._inside != bool(block.count(b'"') % 2)

    def _check(self, block: bytes) -> None:
        if not block:
            return
        nul = block.find(b"\0")
        if nul >= 0:
            raise TextFaultError("a NUL byte", "export it as plain UTF-8 text", self._offset + nul)
        try:
            self._decoder.decode(block)
        except UnicodeDecodeError as error:
            carried = len(error.object) - len(block)
            at = self._offset + error.start - carried
            raise TextFaultError("text that is not UTF-8", "convert it to UTF-8", at) from None
        codes = np.frombuffer(block, dtype=np.uint8)
        quotes = np.flatnonzero(codes == _QUOTE)
        faults = [self._quote_fault(codes, quotes), self._blank_fault(block, quotes)]
        known = [fault for fault in faults if fault is not None]
        if known:
            raise min(known, key=lambda fault: fault.offset)
        if quotes.size:
            self._inside ^= bool(quotes.size % 2)
            self._opened_at = self._offset + int(quotes[-1])
        self._before = int(codes[-1])

    def _quote_fault(
        self, codes: NDArray[np.uint8], quotes: NDArray[np.intp]
    ) -> TextFaultError | None:
        if not quotes.size:
            return None
        openers = quotes[int(self._inside) :: 2]
        closers = quotes[int(not self._inside) :: 2]
        before = np.where(openers > 0, codes[openers - 1], self._before)
        after = np.where(
            closers + 1 < codes.size, codes[np.minimum(closers + 1, codes.size - 1)], _NEWLINE
        )
        bad_open = openers[~np.isin(before, (_COMMA, _NEWLINE, _RETURN, _QUOTE))]
        bad_close = closers[~np.isin(after, (_COMMA, _NEWLINE, _RETURN, _QUOTE))]
        if not bad_open.size and not bad_close.size:
            return None
        first_open = int(bad_open[0]) if bad_open.size else _NONE
        first_close = int(bad_close[0]) if bad_close.size else _NONE
        if first_close == _NONE or _NONE < first_open < first_close:
            return TextFaultError(
                "a quote inside a field that is not quoted",
                "put the field in quotes and double the quote inside it",
                self._offset + first_open,
            )
        return TextFaultError(
            "a quoted field is not closed before its comma or line end",
            "close the quote, or double a quote inside the field",
            self._offset + first_close,
        )

    def _blank_fault(self, block: bytes, quotes: NDArray[np.intp]) -> TextFaultError | None:
        if self._single:
            return None
        starts = [0] if self._before == _NEWLINE and block[:1] in (b"\n", b"\r") else []
        for pattern in (b"\n\n", b"\n\r\n", b"\r\r"):
            at = block.find(pattern)
            while at >= 0:
                starts.append(at + 1)
                at = block.find(pattern, at + 1)
        for start in sorted(starts):
            quoted = self._inside != bool(int(np.searchsorted(quotes, start)) % 2)
            if not quoted:
                return TextFaultError(
                    "a row with too few fields (a blank line)",
                    "remove the blank line",
                    self._offset + start,
                    whole_row=True,
                )
        return None

    def _check_end(self) -> None:
        if self._inside:
            raise TextFaultError(
                "an unterminated quote: the file ends inside a quoted field",
                "close the quote, or copy the file again if it is cut off",
                self._opened_at,
            )
        try:
            self._decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            raise TextFaultError(
                "text that is not UTF-8", "convert it to UTF-8", max(self._offset - 1, 0)
            ) from None


def place_of(path: Path, packed: bool, offset: int) -> tuple[int, int]:
    """Return the line (from 1) where the record at `offset` begins, and the offset's field (from 0)."""
    text, raw = unpacked(path, packed)
    lines_before, record_line, field, position = 0, 1, 0, 0
    inside = False
    with raw, text:
        while position < offset:
            codes = np.frombuffer(text.read(min(BLOCK, offset - position)), dtype=np.uint8)
            if not codes.size:
                break
            quoted = (np.cumsum(codes == _QUOTE) + int(inside)) % 2 == 1
            newlines = np.flatnonzero(codes == _NEWLINE)
            ends = np.flatnonzero(~quoted[newlines])
            commas = np.flatnonzero((codes == _COMMA) & ~quoted)
            if ends.size:
                record_line = lines_before + int(ends[-1]) + 2
                field = int((commas > newlines[ends[-1]]).sum())
            else:
                field += commas.size
            lines_before += newlines.size
            inside = bool(quoted[-1])
            position += codes.size
    return record_line, field
