# SPDX-License-Identifier: MIT
"""Where outputs and references disagree, down to the row where that may be shown, and in words why it counts.

Rows are shown of invented patients only: the record has to say that the dataset is synthetic, the store has
to prove it, and the store's dataset and reference have to be those of the run. Of any other data, and of a
sealed hospital, nothing but counts is told, and neither output nor reference is opened. Knows no page.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from m4bench.data.store import Store, StoredDataset
from m4bench.model.errors import M4BenchError
from m4bench.model.hashing import sha256_file
from m4bench.model.run import RunRecord
from m4bench.model.score import ColumnScore
from m4bench.model.task import Task
from m4bench.report import wording
from m4bench.report.arms import Arm, ArmName
from m4bench.report.derivation_rows import Disagreement, Sought, first_disagreements
from m4bench.report.provenance import SYNTHETIC, Provenances
from m4bench.report.summary import ArmSummary, Cell, Question, Summary
from m4bench.suites.derivation.library.manifest import read_references

SUITE_WITH_ROWS = "derivation"
KIND_ORDER = (
    "value",
    "empty",
    "unexpected",
    "unreadable",
    "absent",
    "missing",
    "extra",
    "duplicate",
)
NOT_PREFERRED = ("naive",)
ENDS_OF_THE_SCALE = ("reference", "empty")


@dataclass(frozen=True)
class Counted:
    """A column of one run: how many of its rows do not count, and for what."""

    column: str
    score: ColumnScore
    values: int
    excess: int
    threshold: float | None

    @property
    def lost(self) -> int:
        """How many rows do not count."""
        return self.score.total - self.score.matched


@dataclass(frozen=True)
class Examined:
    """The first compared run of a cell: what is counted of it, and rows where they may be shown.

    `unshown` says why there are no rows, or None.
    """

    name: ArmName
    run: RunRecord
    counted: tuple[Counted, ...]
    rows: tuple[Disagreement, ...] = ()
    unshown: str | None = None

    def row_of(self, column: str) -> Disagreement | None:
        """Return the first row that disagrees in a column, if one was found."""
        return next((row for row in self.rows if row.column == column), None)

    @property
    def whole_rows(self) -> list[Disagreement]:
        """The rows that disagree as a whole: missing, extra, duplicate."""
        return [row for row in self.rows if row.column is None]


@dataclass(frozen=True)
class Worked:
    """One disagreement chosen to be explained."""

    question: Question
    examined: Examined
    counted: Counted | None
    row: Disagreement | None
    reasons: tuple[str, ...] = field(default=())


Examination = Mapping[tuple[Question, Arm], Examined]


def examine(
    summary: Summary,
    results: Path,
    tasks: Mapping[str, Task],
    store: Store | None,
    proven: Provenances,
) -> Examination:
    """Look at one run of every cell that has a comparison and lost anything in it."""
    sources = _Sources(results, tasks, store, proven)
    found = {}
    for arm in summary.arms:
        for cell in arm.cells:
            run = next((run for run in cell.compared if _lost_anything(run)), None)
            if run is not None:
                rows, unshown = sources.rows(run)
                found[cell.question, arm.arm] = Examined(
                    arm.name, run, _counted(run), rows, unshown
                )
    return found


def worked(summary: Summary, examination: Examination) -> Worked | None:
    """Choose one disagreement to explain: of a measured agent before a baseline, a value before a gap.

    Where no row may be shown, the column that lost most is described.
    """
    candidates: list[tuple[tuple[object, ...], Worked]] = []
    for arm in summary.arms:
        if arm.arm.agent in ENDS_OF_THE_SCALE:
            continue
        for cell in arm.cells:
            examined = examination.get((cell.question, arm.arm))
            if examined is not None:
                candidates += _candidates(arm, cell, examined)
    if not candidates:
        return None
    return min(candidates, key=lambda candidate: candidate[0])[1]


def _candidates(
    arm: ArmSummary, cell: Cell, examined: Examined
) -> list[tuple[tuple[object, ...], Worked]]:
    found: list[tuple[tuple[object, ...], Worked]] = []
    for counted in examined.counted:
        row = examined.row_of(counted.column)
        if not counted.lost:
            continue
        kind = KIND_ORDER.index(row.kind) if row else len(KIND_ORDER)
        rank = (
            arm.arm.agent in NOT_PREFERRED,
            kind,
            counted.score.match_rate,
            cell.question,
            counted.column,
            str(arm.name),
        )
        reasons = tuple(why(examined, counted, row))
        found.append((rank, Worked(cell.question, examined, counted, row, reasons)))
    return found


def why(examined: Examined, counted: Counted, row: Disagreement | None) -> list[str]:
    """Say why a disagreement counts and what it costs, a sentence each."""
    score = counted.score
    words = [reason(row, score)] if row else []
    columns = len(examined.counted)
    words.append(
        f"In this column {wording.count(score.matched)} of {wording.count(score.total)} rows match, "
        f"a rate of {wording.rate(score.match_rate)}: {losses_in_words(counted)}."
    )
    words.append(
        f"The reward is the mean of {wording.plural(columns, 'column')}, so each such row costs "
        f"1/{wording.count(score.total)} of one column and 1/{wording.count(score.total * columns)} of the "
        "reward."
    )
    if counted.threshold is not None:
        holds = score.match_rate >= counted.threshold
        words.append(
            f"The strict check asks for a match rate of {wording.at_least(counted.threshold)} and "
            + ("still holds." if holds else "does not hold, so the run does not pass strictly.")
        )
    return words


def reason(row: Disagreement, score: ColumnScore | None = None) -> str:
    """Say in one sentence why a row does not count."""
    tolerance = score.tolerance if score else 0.0
    unit = " s" if score and score.kind == "temporal" else ""
    if row.kind == "value" and row.apart is not None:
        apart = wording.amount(row.apart)
        if apart == wording.amount(tolerance):  # the last binary digits decide, so they are shown
            apart = repr(row.apart)
        allowed = (
            f"more than the ±{tolerance:g}{unit} allowed" if tolerance else "and has to be equal"
        )
        return f"The answer is {apart}{unit} away from the reference, {allowed}."
    return {
        "value": "The answer is another text than the reference’s, and has to be the same.",
        "empty": "The cell is empty where the reference has a value; an empty cell never matches one.",
        "unexpected": "There is a value where the reference is empty; only an empty cell matches that.",
        "unreadable": "The cell cannot be read as this column’s kind, so it matches nothing.",
        "absent": "The output has no such column, so no row of it can match.",
        "missing": "The reference has this key and the output does not, so the row is lost in every column.",
        "extra": "The output has this key and the reference does not; the row is one more to divide by.",
        "duplicate": "The key was answered before; only its first row is compared, this one is one more "
        "to divide by.",
    }[row.kind]


def losses_in_words(counted: Counted) -> str:
    """Say for what the rows of a column do not count."""
    score = counted.score
    parts = [
        (counted.values, "differs", "differ"),
        (score.unreadable, "cannot be read", "cannot be read"),
        (score.missing_rows, "is missing", "are missing"),
        (counted.excess, "is in excess", "are in excess"),
    ]
    return (
        ", ".join(
            f"{wording.count(number)} {one if number == 1 else many}"
            for number, one, many in parts
            if number
        )
        or "none is lost"
    )


def _lost_anything(run: RunRecord) -> bool:
    score = run.score
    return score is not None and any(
        column.matched < column.total for column in score.columns.values()
    )


def _counted(run: RunRecord) -> tuple[Counted, ...]:
    score = run.score
    if score is None:
        return ()
    thresholds = {check.name.rpartition(":")[2]: check.threshold for check in score.strict.checks}
    return tuple(
        Counted(
            name,
            column,
            values=column.mismatched - column.unreadable,
            excess=score.keys.extra + score.keys.duplicate,
            threshold=thresholds.get(name),
        )
        for name, column in score.columns.items()
    )


class _Sources:
    """Where rows come from, opened only for runs whose rows may be shown."""

    def __init__(
        self,
        results: Path,
        tasks: Mapping[str, Task],
        store: Store | None,
        proven: Provenances,
    ) -> None:
        self._results, self._tasks, self._store, self._proven = results, tasks, store, proven
        self._sound: dict[Path, bool] = {}

    def rows(self, run: RunRecord) -> tuple[tuple[Disagreement, ...], str | None]:
        """Return the first disagreements of a run, or why none can be shown."""
        if run.access != SYNTHETIC:
            what = wording.access(run.access)
            return (
                (),
                f"No row is shown: the dataset is {what}, and rows are shown of invented patients only.",
            )
        task = self._tasks.get(run.cell.task)
        if task is None or task.suite != SUITE_WITH_ROWS:
            return (), "No row is shown: the task is not one of the suites that are installed here."
        provenance = self._proven.get(run.dataset_hash)
        if provenance is None or provenance.invention is None or self._store is None:
            why = provenance.problem if provenance else "the dataset was not looked at"
            return (), f"No row is shown: {why}."
        if provenance.invention.sealed:
            return (
                (),
                "No row is shown: the hospital is sealed, and a row would tell a part of the answer.",
            )
        try:
            return self._found(run, task, self._store.dataset(run.cell.dataset))
        except (M4BenchError, OSError):
            return (), "No row is shown: the hidden reference or the output cannot be read."

    def _found(
        self, run: RunRecord, task: Task, dataset: StoredDataset
    ) -> tuple[tuple[Disagreement, ...], str | None]:
        folder = dataset.references(run.cell.convention)
        entries = read_references(folder, dataset.name, run.cell.convention).entries
        entry = entries.get(task.reference)
        if entry is None:
            return (), "No row is shown: the store does not hold the hidden reference."
        if entry.identity != run.reference_hash:
            return (), "No row is shown: the hidden reference has been built anew since the run."
        reference = folder / entry.file
        if not self._is_sound(reference, entry.sha256):
            return (), "No row is shown: the hidden reference is not the one that was stored."
        rows = first_disagreements(
            self._results / run.run_id / task.deliverable,
            reference,
            task.scoring,
            entry.honeytokens,
            _sought(run),
        )
        return tuple(rows), None

    def _is_sound(self, reference: Path, sha256: str) -> bool:
        if reference not in self._sound:
            self._sound[reference] = sha256_file(reference) == sha256
        return self._sound[reference]


def _sought(run: RunRecord) -> Sought:
    if run.score is None:  # pragma: no cover - only compared runs are examined
        return Sought(frozenset(), missing=False, extra=False, duplicate=False)
    keys = run.score.keys
    return Sought(
        frozenset(name for name, column in run.score.columns.items() if column.mismatched),
        missing=keys.missing > 0,
        extra=keys.extra > 0,
        duplicate=keys.duplicate > 0,
    )
