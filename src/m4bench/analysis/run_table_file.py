# SPDX-License-Identifier: MIT
"""Reading one runs CSV, row by row. Knows no other file, and fills nothing in."""

import codecs
import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from m4bench.analysis.csv_fields import Fields, Header
from m4bench.analysis.csv_rows import COUNTS, READ, REQUIRED, run_row
from m4bench.analysis.progress import Progress
from m4bench.analysis.run_csv import COLUMNS, TABLE_FORMAT
from m4bench.analysis.runs import RunRow
from m4bench.analysis.task_facts import TaskFacts
from m4bench.model.errors import InputError
from m4bench.model.near_names import near

DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}
TOLD_EVERY = 5_000
LONGEST_FIELD = 1 << 24
BLOCK = 1 << 16
MOST_COLUMNS = 1_000
NOT_CSV = "save it as CSV with commas, in UTF-8"


@dataclass(frozen=True)
class FileRows:
    """The runs of one file with the line each begins on, and the columns it has.

    `otherwise`: the tasks whose family or mode the file tells otherwise than the installed suite, each with the column.
    """

    runs: tuple[RunRow, ...]
    lines: tuple[int, ...]
    header: Header
    otherwise: tuple[tuple[str, str], ...] = ()

    @property
    def unknown(self) -> tuple[str, ...]:
        """Columns that nobody here reads or writes."""
        absent = KNOWN.difference(self.header.names)
        return tuple(_asked(name, absent) for name in self.header.names if name not in KNOWN)


SOURCE = "source"
"""Written by a report of several sources; whoever reads the table makes it a source of its own."""
KNOWN = frozenset({*READ, *COLUMNS, SOURCE})
LEAST = (
    f"a runs CSV has at least: {', '.join(REQUIRED)} and strict_pass (or passed, failed and errors), "
    "and agent where run ids do not tell it"
)


def _asked(name: str, absent: Iterable[str]) -> str:
    """Return a column's name, with the absent one that may have been meant."""
    meant = near(name, absent) if name else None
    return f"{name or '(no name)'}{f' (did you mean {meant}?)' if meant else ''}"


def read_run_csv(
    path: Path, facts: Mapping[str, TaskFacts], name: str, progress: Progress | None = None
) -> FileRows:
    """Read a runs CSV: ours, or one with the columns of the paper's release.

    Args:
        path: the file.
        facts: the facts of known tasks.
        name: what the file is called in the table.
        progress: told the name, the bytes read and the bytes there are.

    Raises:
        InputError: it cannot be read or is no such table; with file, row and column, never with a value.
    """
    try:
        with path.open("rb") as raw:
            size = path.stat().st_size
            stream = io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")

            def told() -> None:
                if progress is not None:
                    progress(name, raw.tell(), size)

            told()
            try:
                return _rows(path, stream, facts, name, told)
            except UnicodeDecodeError:
                raw.seek(0)
                raise InputError(
                    "is not UTF-8 text", file=path, row=_line_that_is_not_utf8(raw), remedy=NOT_CSV
                ) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error


def text_rows(text: str, facts: Mapping[str, TaskFacts], name: str, file: Path | str) -> FileRows:
    """Read a runs CSV made of records that hold, as `read_run_csv` does; `file` stands in errors.

    Rows are not held against themselves: their records were.
    """
    return _rows(file, io.StringIO(text, newline=""), facts, name, lambda: None, held=True)


def _rows(
    file: Path | str,
    stream: io.TextIOBase,
    facts: Mapping[str, TaskFacts],
    name: str,
    told: Callable[[], None],
    *,
    held: bool = False,
) -> FileRows:
    runs: list[RunRow] = []
    lines: list[int] = []
    otherwise: set[tuple[str, str]] = set()
    records = _records(file, stream)
    header = _header(file, next(records, (1, []))[1])
    for line, texts in records:
        if not texts:
            continue
        if len(texts) != len(header.names):
            raise InputError(
                f"has {len(texts)} fields, not {len(header.names)} as the header",
                file=file,
                row=line,
                remedy="quote fields that hold a comma, and fill up short rows",
            )
        row = Fields(header, texts, line)
        _require_format(row)
        run = run_row(row, facts, name, held=held)
        runs.append(run)
        lines.append(line)
        otherwise.update(
            (run.task, column)
            for column in ("family", "mode")
            if row.has(column) and row.text(column) != getattr(run, column)
        )
        if len(runs) % TOLD_EVERY == 0:
            told()
    told()
    return FileRows(tuple(runs), tuple(lines), header, tuple(sorted(otherwise)))


def _records(file: Path | str, stream: io.TextIOBase) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the line it begins on.

    Raises:
        InputError: quotes do not close.
    """
    # The limit is the process's; a table of ours is read whatever the length of a reason in it.
    csv.field_size_limit(LONGEST_FIELD)
    reader = csv.reader(stream, strict=True)
    line = 1
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"is not CSV ({error})", file=file, row=line, remedy=NOT_CSV) from None
        yield line, record
        line = reader.line_num + 1


def _line_that_is_not_utf8(raw: BinaryIO) -> int:
    """Return the line of the first byte that is not UTF-8; whoever decoded read on in blocks before it failed."""
    decoder, ends = (
        codecs.getincrementaldecoder("utf-8")(),
        io.IncrementalNewlineDecoder(None, True),
    )
    line = 1
    while block := raw.read(BLOCK):
        try:
            text = decoder.decode(block)
        except UnicodeDecodeError as error:
            return line + str(ends.decode(error.object[: error.start].decode(), True)).count("\n")
        line += str(ends.decode(text)).count("\n")
    return line


def _header(file: Path | str, names: list[str]) -> Header:
    """Return the header.

    Raises:
        InputError: there is none, it is split otherwise than by commas, or columns are missing or double.
    """
    if not names:
        raise InputError("is empty", file=file, remedy="name a table with one row a run")
    for mark, words in DELIMITERS.items():
        if mark in names[0] and "," not in names[0] and "run_id" in names[0].split(mark):
            raise InputError(f"has fields split by {words}", file=file, row=1, remedy=NOT_CSV)
    names = [name.strip() for name in names]
    if len(names) > MOST_COLUMNS:
        problem = f"has {len(names):,} columns"
        remedy = f"a runs CSV has at most {MOST_COLUMNS:,}"
        raise InputError(problem, file=file, row=1, remedy=remedy)
    double = next((name for name, times in Counter(names).items() if times > 1), None)
    if double is not None:
        raise InputError(
            "is there twice",
            file=file,
            row=1,
            column=double or "(no name)",
            remedy="name each once",
        )
    header = Header(file, names, ours="format_version" in names)
    counted = any(name in header for name in COUNTS) and "strict_pass" not in header
    needed = (*REQUIRED, *COUNTS) if counted else (*REQUIRED, "strict_pass")
    missing = next((name for name in needed if name not in header), None)
    if missing is not None:
        written = near(missing, [name for name in names if name not in KNOWN])
        meant = f"the header has {written}: did you mean {missing}?"
        raise InputError(
            "is missing", file=file, row=1, column=missing, remedy=meant if written else LEAST
        )
    return header


def _require_format(row: Fields) -> None:
    version = row.whole("format_version", 1)
    if version is not None and version > TABLE_FORMAT:
        raise row.wrong(
            "format_version",
            f"is of a later format than {TABLE_FORMAT}",
            "read it with a newer m4bench",
        )
