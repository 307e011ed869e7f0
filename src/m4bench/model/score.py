# SPDX-License-Identifier: MIT
"""A score: what the comparer found, in the shape `m4bench score --json` prints."""

from typing import Literal

from m4bench.model.record import Record
from m4bench.model.task import Convention

ColumnKind = Literal["numeric", "temporal", "text"]


class ColumnScore(Record):
    """One scored column: `matched` of `total` rows, where total counts extra and duplicate keys too.

    `present` is false when the submission has no such column. `unreadable` counts submitted cells that
    could not be read as the column's kind; `missing_rows` reference rows no submitted row answers.
    """

    match_rate: float
    matched: int
    total: int
    kind: ColumnKind
    tolerance: float
    present: bool
    mismatched: int
    unreadable: int
    missing_rows: int


class KeyScore(Record):
    """How the submitted keys meet the reference's.

    `output` counts distinct submitted keys (each unreadable key is one of its own), `matched` those in
    the reference, `missing` reference keys without a submitted row, `extra` distinct submitted keys
    absent from the reference, `duplicate` further rows of a key already seen, `unreadable` rows whose key could not be
    read (they are among `extra`).
    """

    reference: int
    output: int
    matched: int
    missing: int
    extra: int
    duplicate: int
    unreadable: int
    precision: float
    recall: float
    f1: float


class Check(Record):
    """One strict diagnostic: a value against the threshold it must reach."""

    name: str
    passed: bool
    value: float | None
    threshold: float | None


class StrictResult(Record):
    """All strict diagnostics; passed when at least one ran, none failed and no error occurred."""

    passed: bool
    checks: tuple[Check, ...]


class Score(Record):
    """The comparison of one deliverable with the hidden reference.

    `error` says in one line why nothing could be scored (then `reward` is 0); `notes` name what was
    tolerated. Neither ever holds a cell of the reference or of the data.
    """

    task: str
    dataset: str | None
    convention: Convention
    reward: float
    columns: dict[str, ColumnScore]
    keys: KeyScore
    ordered_nmae: float | None
    strict: StrictResult
    error: str | None = None
    notes: tuple[str, ...] = ()
