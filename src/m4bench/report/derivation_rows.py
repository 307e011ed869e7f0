# SPDX-License-Identifier: MIT
"""Rows in which a derived table departs from its hidden reference, found by the scorer's own rules.

Knows a deliverable, a reference file and the rules of a task; whether a row may be shown to anyone is not
decided here. The scorer's readers of cells, its index of keys and its comparison are used, so that a row
found here is one that the score does not count.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.model.errors import InputError
from m4bench.model.task import ScoringRules
from m4bench.suites.derivation.scoring.agreement import matches
from m4bench.suites.derivation.scoring.cells import CellKind, Cells, from_texts
from m4bench.suites.derivation.scoring.keys import NOWHERE
from m4bench.suites.derivation.scoring.reference import Reference
from m4bench.suites.derivation.scoring.submission import LONGEST_LINE, RefusedError, open_submission

MOST_BYTES = 16 << 20
MOST_ROWS = 100_000
CHUNK_ROWS = 8192
LONGEST_SHOWN = 200

Kind = Literal[
    "value", "empty", "unexpected", "unreadable", "absent", "missing", "extra", "duplicate"
]
Fields = list[list[str]]


@dataclass(frozen=True)
class Pair:
    """A cell as expected and as answered; None is an empty cell."""

    column: str
    expected: str | None
    answered: str | None
    agrees: bool


@dataclass(frozen=True)
class Disagreement:
    """One row, or one cell of it, that does not count.

    `column` is None where the whole row is what disagrees; `pairs` are then empty. `apart` is by how much
    two numbers differ, or two times in seconds.
    """

    kind: Kind
    key: tuple[tuple[str, str], ...]
    column: str | None = None
    expected: str | None = None
    answered: str | None = None
    apart: float | None = None
    pairs: tuple[Pair, ...] = ()


@dataclass(frozen=True)
class Sought:
    """What to look for: columns that have a disagreement, and kinds of whole rows."""

    columns: frozenset[str]
    missing: bool
    extra: bool
    duplicate: bool


def first_disagreements(
    output: Path,
    reference: Path,
    rules: ScoringRules,
    honeytokens: Sequence[Sequence[str]],
    sought: Sought,
) -> list[Disagreement]:
    """Return the first disagreement of each column sought, in file order, then the first rows of each kind.

    At most the first `MOST_ROWS` rows or `MOST_BYTES` of the output are read; what lies beyond is not found.

    Raises:
        InputError: the reference or the output cannot be read.
    """
    truth = Reference(reference, rules.key, rules.scored)
    try:
        header, fields, whole = _opened(output)
        search = _Search(truth, reference, rules, header, sought)
        search.leave_out(honeytokens)
        bounded = islice(fields, MOST_ROWS)
        while not search.done and (rows := list(islice(bounded, CHUNK_ROWS))):
            search.look_at(rows)
        return search.found(to_the_end=whole and next(fields, None) is None)
    except (RefusedError, UnicodeError, csv.Error) as error:
        raise InputError("the output cannot be read row by row") from error
    finally:
        truth.close()


def _opened(output: Path) -> tuple[tuple[str, ...], Iterator[list[str]], bool]:
    """Return the header of an output, its rows with their bytes kept as they are, and whether that is all."""
    source = open_submission(output)
    try:
        space = bytearray(MOST_BYTES)
        filled = source.fill(memoryview(space))
    finally:
        source.close()
    whole = filled < MOST_BYTES
    body = bytes(space[: filled if whole else space.rfind(b"\n") + 1])
    csv.field_size_limit(LONGEST_LINE)
    text = io.StringIO(body.decode("utf-8", "surrogateescape"), newline="")
    return source.header, (row for row in csv.reader(text) if row), whole


class _Search:
    """The search through one output."""

    def __init__(
        self,
        truth: Reference,
        reference: Path,
        rules: ScoringRules,
        header: tuple[str, ...],
        sought: Sought,
    ) -> None:
        self._truth, self._rules, self._header, self._sought = truth, rules, header, sought
        self._file = pq.ParquetFile(reference)
        self._claimed = np.zeros(truth.rows, dtype=np.bool_)
        self._excluded = np.zeros(truth.rows, dtype=np.bool_)
        self._columns: dict[str, Disagreement] = {}
        self._rows: dict[str, Disagreement] = {}

    def leave_out(self, honeytokens: Sequence[Sequence[str]]) -> None:
        """Leave out rows that no honest output can answer."""
        self._excluded[self._truth.find(honeytokens)] = True

    @property
    def done(self) -> bool:
        """Whether nothing more can be found by reading on."""
        return (
            self._sought.columns <= self._columns.keys()
            and not self._sought.missing
            and (not self._sought.extra or "extra" in self._rows)
            and (not self._sought.duplicate or "duplicate" in self._rows)
        )

    def found(self, *, to_the_end: bool) -> list[Disagreement]:
        """Return what was found; a missing row only where the output was read to its end."""
        if self._sought.missing and to_the_end:
            left = np.flatnonzero(~self._claimed & ~self._excluded)
            if len(left):
                key = self._reference_row(int(left[0]), self._rules.key)
                self._rows["missing"] = Disagreement(
                    "missing", tuple((name, text or "") for name, text in key.items())
                )
        return [
            *(self._columns[name] for name in self._rules.scored if name in self._columns),
            *(self._rows[kind] for kind in ("missing", "extra", "duplicate") if kind in self._rows),
        ]

    def look_at(self, fields: Fields) -> None:
        """Look at the next rows of the output."""
        keys = [
            self._cells(fields, name, kind)
            for name, kind in zip(self._rules.key, self._truth.key_kinds, strict=True)
        ]
        rows = self._truth.index.locate(keys)
        secret = (rows != NOWHERE) & self._excluded[rows]  # a honeytoken is not shown to anyone
        extra = np.flatnonzero(rows == NOWHERE)
        rows[secret] = NOWHERE
        answering = np.flatnonzero(rows != NOWHERE)
        _, first = np.unique(rows[answering], return_index=True)
        claiming = answering[np.sort(first)]
        claiming = claiming[~self._claimed[rows[claiming]]]
        self._whole_row("extra", fields, extra, self._sought.extra)
        again = np.setdiff1d(answering, claiming, assume_unique=True)
        self._whole_row("duplicate", fields, again, self._sought.duplicate)
        self._claimed[rows[claiming]] = True
        if len(claiming):
            self._compare(fields, claiming, rows[claiming])

    def _whole_row(self, kind: Kind, fields: Fields, places: Any, sought: bool) -> None:
        if sought and kind not in self._rows and len(places):
            self._rows[kind] = Disagreement(kind, self._key(fields[int(places[0])]))

    def _compare(self, fields: Fields, claiming: Any, rows: Any) -> None:
        wanted = [name for name in self._sought.columns if name not in self._columns]
        for name in wanted:
            kind = self._truth.kinds[name]
            submitted = self._cells(fields, name, kind)
            first: tuple[int, int] | None = None
            for part in self._truth.parts(rows):
                places = claiming[part.rows]
                hit = matches(
                    submitted.take(places),
                    part.columns[name].take(part.places),
                    self._rules.tolerances.get(name, 0.0),
                )
                missed = np.flatnonzero(~np.asarray(hit))
                if len(missed):
                    at = missed[np.argmin(places[missed])]
                    candidate = (int(places[at]), int(rows[part.rows][at]))
                    first = candidate if first is None else min(first, candidate)
            if first is not None:
                self._columns[name] = self._disagreement(name, fields[first[0]], first[1])

    def _disagreement(self, column: str, fields: list[str], row: int) -> Disagreement:
        expected = self._reference_row(row, self._rules.scored)
        pairs = tuple(self._pair(name, fields, row, expected[name]) for name in self._rules.scored)
        pair = next(pair for pair in pairs if pair.column == column)
        cells = self._cells([fields], column, self._truth.kinds[column])
        if column not in self._header:
            kind: Kind = "absent"
        elif cells.unreadable is not None:
            kind = "unreadable"
        elif pair.answered is None:
            kind = "empty"
        elif pair.expected is None:
            kind = "unexpected"
        else:
            kind = "value"
        apart = self._apart(column, cells, row) if kind == "value" else None
        return Disagreement(
            kind, self._key(fields), column, pair.expected, pair.answered, apart, pairs
        )

    def _pair(self, name: str, fields: list[str], row: int, expected: str | None) -> Pair:
        cells = self._cells([fields], name, self._truth.kinds[name])
        hit = matches(cells, self._opposite(name, row), self._rules.tolerances.get(name, 0.0))
        return Pair(name, expected, self._field(fields, name), bool(hit[0]))

    def _apart(self, name: str, cells: Cells, row: int) -> float | None:
        if cells.kind == "text":
            return None
        difference = abs(float(cells.values[0]) - float(self._opposite(name, row).values[0]))
        return difference / 1e6 if cells.kind == "instant" else difference

    def _opposite(self, name: str, row: int) -> Cells:
        (part,) = self._truth.parts(np.array([row], dtype=np.int64))
        return part.columns[name].take(part.places)

    def _cells(self, fields: Fields, name: str, kind: CellKind) -> Cells:
        """Return a column of the output as the scorer reads it; a field that is not there is unreadable."""
        if name not in self._header:
            absent = np.ones(len(fields), dtype=np.bool_)
            return from_texts(kind, pa.array([None] * len(fields), pa.binary()), absent)
        place = self._header.index(name)
        texts = [_bytes(row[place]) if place < len(row) else None for row in fields]
        absent = np.array([place >= len(row) for row in fields], dtype=np.bool_)
        return from_texts(kind, pa.array(texts, pa.binary()), absent)

    def _field(self, fields: list[str], name: str) -> str | None:
        place = self._header.index(name) if name in self._header else len(fields)
        return (_shown(fields[place]) or None) if place < len(fields) else None

    def _key(self, fields: list[str]) -> tuple[tuple[str, str], ...]:
        return tuple((name, self._field(fields, name) or "") for name in self._rules.key)

    def _reference_row(self, row: int, names: Sequence[str]) -> dict[str, str | None]:
        for group in range(self._file.metadata.num_row_groups):
            rows = self._file.metadata.row_group(group).num_rows
            if row < rows:
                table = self._file.read_row_group(group, columns=list(names)).slice(row, 1)
                return {name: _text(table.column(name)[0].as_py()) for name in names}
            row -= rows
        raise IndexError(row)  # pragma: no cover - the index gives rows of the file


def _bytes(field: str) -> bytes | None:
    return field.encode("utf-8", "surrogateescape") or None


def _text(value: object) -> str | None:
    """Return a reference cell as it would be spelled in CSV, or None where it is empty."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return _shown(str(value))


def _shown(text: str) -> str:
    """Return a text as long as may be shown, saying where it is cut."""
    if len(text) <= LONGEST_SHOWN:
        return text
    return f"{text[:LONGEST_SHOWN]}… (cut, {len(text)} characters)"
