# SPDX-License-Identifier: MIT
"""Scoring a file an agent left against a hidden reference: the one entry point of the comparer.

Batches of the submission are read and looked up in parallel, claim their reference rows in file order,
and are then compared in parallel. Knows nothing of stores, runs or agents.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from m4bench.model.errors import InputError
from m4bench.model.score import Score
from m4bench.model.task import Convention, ScoringRules
from m4bench.suites.derivation.scoring.agreement import Agreement, agree
from m4bench.suites.derivation.scoring.batches import Batch, batches
from m4bench.suites.derivation.scoring.buffers import Bools
from m4bench.suites.derivation.scoring.cells import CellKind, Cells
from m4bench.suites.derivation.scoring.keys import NOWHERE, Codes, key_hashes
from m4bench.suites.derivation.scoring.pipeline import default_threads, in_order
from m4bench.suites.derivation.scoring.reference import Reference
from m4bench.suites.derivation.scoring.reference_csv import as_parquet, is_csv
from m4bench.suites.derivation.scoring.result import Subject, ordered_columns, refused, scored
from m4bench.suites.derivation.scoring.submission import RefusedError, Source, open_submission
from m4bench.suites.derivation.scoring.tally import Claims, Tally


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
        threads: how many threads read and compare, default one more than processors, up to eight.

    Raises:
        InputError: the reference cannot be read, has no rows, lacks a column or repeats a key.
    """
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
        except RefusedError as refusal:
            return refused(
                subject, tally.reference, refusal.reason, exists=True, notes=source.notes
            )
        finally:
            source.close()


@contextmanager
def _opened(path: Path, rules: ScoringRules, types: Mapping[str, str]) -> Iterator[Reference]:
    """Yield the reference; a CSV one becomes a private Parquet file for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="m4bench-") as folder:
        if is_csv(path):
            path = as_parquet(path, Path(folder) / "reference.parquet", rules, types)
        reference = Reference(path, rules.key, rules.scored)
        try:
            yield reference
        finally:
            reference.close()


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
    comparison = _Comparison(header, truth, rules, spans)
    claims = Claims(tally, truth.rows, excluded)
    workers = threads or default_threads()
    with ThreadPoolExecutor(workers) as pool:
        located = in_order(
            pool, comparison.locate, batches(source, comparison.last_wanted), workers + 1
        )
        claimed = (_claimed(batch, claims) for batch in located)
        for agreements in in_order(pool, comparison.compare, claimed, workers + 1):
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


@dataclass(frozen=True)
class _Located:
    """A batch whose keys have been looked up: n rows."""

    rows: Codes
    keys: tuple[Cells, ...]
    unreadable: Bools | None
    columns: Mapping[str, Cells]
    chosen: NDArray[np.int64] | None = None


class _Comparison:
    """The two parallel steps of a comparison."""

    def __init__(
        self,
        header: tuple[str, ...],
        truth: Reference,
        rules: ScoringRules,
        spans: Mapping[str, float],
    ) -> None:
        self._truth, self._rules = truth, rules
        self._key = [header.index(name) for name in rules.key]
        self._columns = {name: header.index(name) for name in rules.scored if name in header}
        self._scales = {name: span or 1.0 for name, span in spans.items()}
        self._wanted: dict[int, CellKind] = {
            place: truth.kinds[name] for name, place in self._columns.items()
        }
        self._wanted |= zip(self._key, truth.key_kinds, strict=True)
        self.last_wanted = max(self._wanted)

    def locate(self, batch: Batch) -> _Located:
        """Read a batch and find the reference row of each of its rows."""
        _, cells = batch.cells(self._wanted)
        keys = tuple(cells[place] for place in self._key)
        unreadable: Bools | None = None
        for mask in (mask for key in keys for mask in (key.empty, key.unreadable)):
            if mask is not None:
                unreadable = mask if unreadable is None else unreadable | mask
        columns = {name: cells[place] for name, place in self._columns.items()}
        return _Located(self._truth.index.locate(keys), keys, unreadable, columns)

    def compare(self, batch: _Located) -> dict[str, Agreement]:
        """Compare the rows of a batch that were chosen to answer the reference."""
        chosen = batch.chosen
        totals: dict[str, Agreement] = {}
        if chosen is None or not len(chosen):
            return totals
        everything = len(chosen) == len(batch.rows)
        for part in self._truth.parts(batch.rows[chosen]):
            rows = part.rows if everything else chosen[part.rows]
            for name, cells in batch.columns.items():
                found = agree(
                    cells.take(rows),
                    part.columns[name].take(part.places),
                    self._rules.tolerances.get(name, 0.0),
                    self._scales.get(name),
                )
                totals[name] = totals.get(name, Agreement()) + found
        return totals


def _claimed(batch: _Located, claims: Claims) -> _Located:
    """Let the next batch in file order claim its reference rows, and count what is left over."""
    rows = claims.withdraw(batch.rows)
    found = rows != NOWHERE
    chosen = claims.claim(rows, found)
    if not found.all():
        outside = ~found
        unreadable = 0
        if batch.unreadable is not None:
            unreadable = int(np.count_nonzero(batch.unreadable))
            outside &= ~batch.unreadable
        claims.leave(key_hashes(batch.keys, np.flatnonzero(outside)), unreadable)
    return _Located(rows, batch.keys, batch.unreadable, batch.columns, chosen)
