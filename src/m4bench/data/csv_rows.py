# SPDX-License-Identifier: MIT
"""The rows of a CSV file, plain or gzip, as batches of text. Knows no declared column or type."""

import csv
import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from m4bench.data.table_rows import Advanced, lower_names
from m4bench.data.text_stream import (
    BLOCK,
    TextFaultError,
    TextStream,
    cannot_unpack,
    place_of,
    unpacked,
)
from m4bench.model.errors import InputError


class CsvRows:
    """A CSV file, plain or gzip; every column is text."""

    def __init__(self, path: Path, *, packed: bool) -> None:
        self.path, self._packed = path, packed
        self._header = self._read_header()
        self.schema = pa.schema([(name, pa.string()) for name in lower_names(self._header, path)])

    def batches(self, advanced: Advanced | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows in the order of the file; see `TableRows`."""
        widths: list[int] = []

        def refuse(row: Any) -> str:
            widths.append(row.actual_columns)
            return "error"

        stream = self._stream(advanced)
        try:
            yield from self._parsed(stream, refuse, threads=True)
        except (pa.ArrowInvalid, TextFaultError, OSError) as error:
            if stream.fault is not None:
                self._refuse_fault(stream.fault)
            if widths:
                self._refuse_width()
            if isinstance(error, pa.ArrowInvalid):
                self._refuse_length()
            raise
        finally:
            stream.close()

    def row_of(self, index: int) -> int:
        """Return the line on which a record begins; the header is line 1."""
        lines, seen = 2, 0
        stream = self._stream()
        try:
            for batch in self._parsed(stream, lambda _row: "skip", threads=False):
                wanted = batch.slice(0, index - seen)
                lines += wanted.num_rows + sum(_newlines(column) for column in wanted.columns)
                seen += batch.num_rows
                if seen >= index:
                    break
        finally:
            stream.close()
        return lines

    def _stream(self, advanced: Advanced | None = None) -> TextStream:
        single = len(self._header) == 1
        return TextStream(self.path, packed=self._packed, single_column=single, advanced=advanced)

    def _parsed(
        self, stream: TextStream, bad_row: Callable[[Any], str], *, threads: bool
    ) -> Iterator[pa.RecordBatch]:
        reader = arrow_csv.open_csv(
            pa.PythonFile(stream, "r"),
            read_options=arrow_csv.ReadOptions(block_size=BLOCK, use_threads=threads),
            parse_options=arrow_csv.ParseOptions(
                newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=bad_row
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={name: pa.string() for name in self._header},
                null_values=[],
                strings_can_be_null=False,
            ),
        )
        for batch in reader:
            yield pa.RecordBatch.from_arrays(batch.columns, schema=self.schema)

    def _read_header(self) -> list[str]:
        # Only the header is read here: a fault further down is met, and named, when rows are read.
        text, raw = unpacked(self.path, self._packed)
        try:
            with raw, text:
                start = text.readline(BLOCK).decode("utf-8-sig")
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise cannot_unpack(self.path) from error
        except UnicodeDecodeError:
            raise InputError(
                "text that is not UTF-8", file=self.path, row=1, remedy="convert it to UTF-8"
            ) from None
        try:
            header = next(csv.reader([start], strict=True), [])
        except csv.Error:
            header = []
        if not header:
            raise InputError(
                "is empty or has no readable header",
                file=self.path,
                row=1,
                remedy="export the table again with its header line",
            )
        return header

    def _refuse_fault(self, fault: TextFaultError | InputError | OSError) -> NoReturn:
        if not isinstance(fault, TextFaultError):
            raise fault
        row, position = place_of(self.path, self._packed, fault.offset)
        names = [] if fault.whole_row else self.schema.names
        raise InputError(
            fault.problem,
            file=self.path,
            row=row,
            column=names[position] if position < len(names) else None,
            remedy=fault.remedy,
        ) from None

    def _refuse_width(self) -> NoReturn:
        found: list[tuple[int, int]] = []

        def note(row: Any) -> str:
            found.append((row.number, row.actual_columns))
            return "skip"

        stream = self._stream()
        try:
            for _batch in self._parsed(stream, note, threads=False):
                if found:
                    break
        finally:
            stream.close()
        number, width = found[0]
        expected = len(self._header)
        problem = "a row with too few fields" if width < expected else "a row with too many fields"
        raise InputError(
            f"{problem} ({width} where the header has {expected})",
            file=self.path,
            row=self.row_of(number - 2),
            remedy="export the table again; a field that holds a comma or a line end is put in quotes",
        ) from None

    def _refuse_length(self) -> NoReturn:
        raise InputError(
            f"a record is longer than {BLOCK >> 20} MiB",
            file=self.path,
            remedy="look for a quote that is closed far too late",
        ) from None


def _newlines(column: pa.Array) -> int:
    return int(pc.sum(pc.count_substring(column, "\n")).as_py() or 0)
