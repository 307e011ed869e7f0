# SPDX-License-Identifier: MIT
"""Scoring a file an agent left against a hidden reference: the one entry point of the comparer.

Batches of the submission are read, looked up and compared in parallel; in between, each claims its
reference rows when its turn in file order comes. Knows nothing of stores, runs or agents.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from m4bench.model.errors import InputError
from m4bench.model.score import Score
from m4bench.model.task import Convention, ScoringRules
from m4bench.suites.derivation.scoring.agreement import Agreement, agree
from m4bench.suites.derivation.scoring.batches import Batch, batches
from m4bench.suites.derivation.scoring.buffers import Bools, ignore_overflow
from m4bench.suites.derivation.scoring.cells import CellKind, Cells
from m4bench.suites.derivation.scoring.extras import key_hashes
from m4bench.suites.derivation.scoring.keys import NOWHERE, Codes
from m4bench.suites.derivation.scoring.pipeline import Turns, default_threads, in_order
from m4bench.suites.derivation.scoring.reference import Reference
from m4bench.suites.derivation.scoring.reference_csv import as_parquet, is_csv
from m4bench.suites.derivation.scoring.result import Subject, ordered_columns, refused, scored
from m4bench.suites.derivation.scoring.submission import RefusedError, Source, open_submission
from m4bench.suites.derivation.scoring.tally import Claims, Tally

_NEARLY_ALL = 0.9
_LARGEST_BLOCK = 31 << 20


def score_file(
    output: Path,
    reference: Path,
    rules: ScoringRules,
    *,
    task: str,
    dataset: str | None = None,
    convention: Convention = "published",
    exclude_keys: Sequence[Sequence[object]] = (),
    types: Mapping[str, str] | None = None,
    threads: int | None = None,
) -> Score:
    """Score a submitted CSV file, whatever its shape; its content never raises.

    Args:
        output: the submitted file.
        reference: a Parquet file, or a CSV file (`.csv`, `.csv.gz`), holding the key and scored columns.
        rules: how they are compared.
        task: the task's name, for the record.
        dataset: the dataset's name, for the record.
        convention: the convention of the reference, for the record.
        exclude_keys: keys of reference rows to leave out, as values or as they are spelled in CSV. A
            submitted row with such a key is extra and is noted.
        types: SQL types of a CSV reference's columns; those not named are found from the cells.
        threads: how many threads read and compare, default one a processor, up to eight.

    Raises:
        InputError: the reference cannot be read, has no rows, lacks a column or repeats a key.
    """
    _settle_allocator()
    with _opened(reference, rules, types or {}) as truth:
        excluded = truth.find(exclude_keys)
        subject = Subject(task, dataset, convention, rules, truth.kinds)
        tally = Tally(truth.rows - len(excluded))
        if not tally.reference:
            raise InputError("the reference has no rows, so nothing can be scored", file=reference)
        try:
            source = open_submission(output)
        except RefusedError as refusal:
            return refused(subject, tally.reference, refusal.reason, exists=_exists(output))
        try:
            return _score_source(source, truth, subject, tally, excluded, threads)
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an agent left is measured, never raised
            reason = (
                error.reason
                if isinstance(error, RefusedError)
                else f"it could not be scored ({type(error).__name__})"
            )
            return refused(subject, tally.reference, reason, exists=True, notes=source.notes)
        finally:
            source.close()


def _settle_allocator() -> None:
    """Make the C library keep freed memory for the next batch rather than hand it back page by page.

    It keeps as much as twice the largest block that was ever freed.
    """
    np.empty(_LARGEST_BLOCK, dtype=np.uint8)


@contextmanager
def _opened(path: Path, rules: ScoringRules, types: Mapping[str, str]) -> Iterator[Reference]:
    """Yield the reference; a CSV one becomes a private Parquet file for as long as it is needed."""
    with ExitStack() as stack:
        if is_csv(path):
            folder = stack.enter_context(TemporaryDirectory(prefix="m4bench-"))
            path = as_parquet(path, Path(folder) / "reference.parquet", rules, types)
        reference = Reference(path, rules.key, rules.scored)
        stack.callback(reference.close)
        yield reference


def _exists(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:
        return False


def _score_source(
    source: Source,
    truth: Reference,
    subject: Subject,
    tally: Tally,
    excluded: Codes,
    threads: int | None,
) -> Score:
    """Compare an open submission with the reference."""
    header, rules = source.header, subject.rules
    lacking = [name for name in rules.key if name not in header]
    if lacking:
        raise RefusedError(f"it has no key column {', '.join(lacking)}")
    spans = truth.ranges(
        [name for name in ordered_columns(rules) if truth.kinds[name] == "number"], excluded
    )
    claims = Claims(tally, truth.rows, excluded)
    comparison = _Comparison(header, truth, rules, spans, claims)
    workers = threads or default_threads()
    with ThreadPoolExecutor(workers, initializer=ignore_overflow) as pool:
        numbered = enumerate(batches(source, comparison.wanted, workers + 1))
        for agreements in in_order(pool, comparison.compare, numbered, workers):
            tally.add(agreements)
    claims.finish()
    if not source.unchanged():
        raise RefusedError("it changed while it was being scored")
    if not tally.rows:
        raise RefusedError("it has a header and no rows")
    notes = list(source.notes)
    if tally.honeytokens:
        notes.append(f"holds {tally.honeytokens} honeytoken rows")
    if tally.unreadable_keys:
        notes.append(f"{tally.unreadable_keys} rows have a key that cannot be read")
    return scored(subject, tally, header, spans, tuple(notes))


class _Claimed(NamedTuple):
    """Rows of a batch, of which `chosen` answer the reference: the row of each is in `answered`."""

    chosen: Codes
    answered: Codes
    columns: Mapping[str, Cells]


class _Comparison:
    """The comparison of a submission's batches with the reference."""

    def __init__(
        self,
        header: tuple[str, ...],
        truth: Reference,
        rules: ScoringRules,
        spans: Mapping[str, float],
        claims: Claims,
    ) -> None:
        self._truth, self._rules, self._claims = truth, rules, claims
        self._turns = Turns()
        self._key = [header.index(name) for name in rules.key]
        self._columns = {name: header.index(name) for name in rules.scored if name in header}
        self._scales = {name: span or 1.0 for name, span in spans.items()}
        self.wanted: dict[int, CellKind] = {
            place: truth.kinds[name] for name, place in self._columns.items()
        }
        self.wanted |= zip(self._key, truth.key_kinds, strict=True)

    def compare(self, numbered: tuple[int, Batch]) -> dict[str, Agreement]:
        """Compare the rows of a batch that are the first to answer a row of the reference."""
        number, batch = numbered
        totals: dict[str, Agreement] = {}
        claimed: _Claimed | None = None
        try:
            for _, cells in batch.parts(self.wanted):
                if claimed is not None:
                    self._compare(claimed, totals)
                keys = tuple(cells[place] for place in self._key)
                rows = self._truth.index.locate(keys)
                self._turns.wait(number)
                claimed = self._claim(rows, keys, cells)
        finally:
            self._turns.finish(number)
        if claimed is not None:
            self._compare(claimed, totals)
        return totals

    def _claim(self, rows: Codes, keys: Sequence[Cells], cells: Mapping[int, Cells]) -> _Claimed:
        """Let the next rows in file order claim their reference rows, and count what is left over."""
        rows = self._claims.withdraw(rows)
        chosen, answered = self._claims.claim(rows)
        outside = rows == NOWHERE
        if outside.any():
            others = int(np.count_nonzero(outside))
            lost = unreadable_keys(keys)
            if lost is not None:
                outside &= ~lost
            hashes = key_hashes(keys, np.flatnonzero(outside))
            self._claims.leave(hashes, others - len(hashes))
        return _Claimed(
            chosen, answered, {name: cells[place] for name, place in self._columns.items()}
        )

    def _compare(self, claimed: _Claimed, totals: dict[str, Agreement]) -> None:
        """Add the agreement of what was claimed to the totals."""
        for part in self._truth.parts(claimed.answered):
            rows, places, passed_over = claimed.chosen[part.rows], part.places, None
            if isinstance(part.rows, slice):
                rows, places, passed_over = _aligned(rows, places)
            for name, cells in claimed.columns.items():
                found = agree(
                    cells.take(rows),
                    part.columns[name].take(places),
                    self._rules.tolerances.get(name, 0.0),
                    self._scales.get(name),
                    passed_over,
                )
                totals[name] = totals.get(name, Agreement()) + found


def unreadable_keys(keys: Sequence[Cells]) -> Bools | None:
    """Return where a component of a key is empty or unreadable, or None where that is nowhere."""
    masks = [mask for key in keys for mask in (key.empty, key.unreadable) if mask is not None]
    return np.logical_or.reduce(masks) if masks else None


def _aligned(chosen: Codes, places: Any) -> tuple[Any, Any, Codes | None]:
    """Return rows of a batch, their places in the reference, and which of them are not compared.

    The rows come in ascending order.

    Where nearly all rows of a stretch are chosen it is cheaper to pass over the others than to gather.
    """
    first, count = int(chosen[0]), int(chosen[-1]) - int(chosen[0]) + 1
    if not count >= len(chosen) > count * _NEARLY_ALL:
        return chosen, places, None
    rows = slice(first, first + count)
    if count == len(chosen):
        return rows, places, None
    if isinstance(places, slice):
        places = np.arange(places.start, places.stop)
    within = chosen - first
    spread = np.zeros(count, dtype=np.int64)
    spread[within] = places
    others = np.ones(count, dtype=np.bool_)
    others[within] = False
    return rows, spread, np.flatnonzero(others)
