# SPDX-License-Identifier: MIT
"""Whether a run's record agrees with itself: bounds, counts, rates, use, identity. Knows no file and no mean.

A record is a text that anyone can change. What its figures say of one another follows from the
definitions in `model/score.py` and `model/run.py`; a record that breaks one was not left by a run.
"""

import math
from collections.abc import Iterator
from datetime import UTC, datetime

from m4bench.harness.finished.states import FAILURES, UNMEASURED, UNSCORED
from m4bench.model.record import Record
from m4bench.model.run import RunIdentity, RunRecord
from m4bench.model.score import Check, ColumnScore, KeyScore, Score

PRECISION = 1e-6
ROUNDING = 1e-10  # by which a mean of shares that are all 1 may lie above it
MOST = 2**63 - 1
LONGEST_SECONDS = 1e9
DEAREST = 1e9  # US dollars
EXIT_CODES = (-(2**31), 2**32 - 1)
LONGEST_NAME = 10_000
LEAST_IDENTITY = 12

# Something that has to hold, and the words for where it does not.
Claim = tuple[bool, str]


def contradiction(record: RunRecord, name: str) -> str | None:
    """Return in a few words the first thing in a record that cannot be so, or None.

    Args:
        record: the record.
        name: the run's name as its folder bears it.
    """
    return next((words for holds, words in _claims(record, name) if not holds), None)


def _claims(record: RunRecord, name: str) -> Iterator[Claim]:
    yield from _of_identity(record, name)
    yield from _of_the_course(record)
    yield from _of_publishability(record)
    yield from _of_usage(record)
    score = record.score
    if score is None:
        # A state of a suite's own may be without a score; the harness's own states but two have one.
        scored = record.outcome.state in {"completed", *FAILURES}
        yield not scored, f"the run is {record.outcome.state} and has no score"
        return
    cell = record.cell
    yield score.task == cell.task, "the score is of another task"
    yield score.dataset in (None, cell.dataset), "the score is of another dataset"
    yield score.convention == cell.convention, "the score is of another convention"
    yield from _of_score(score)
    if record.outcome.state in FAILURES:
        yield score.reward == 0, f"the run is {record.outcome.state} and has a reward"


def _of_identity(record: RunRecord, name: str) -> Iterator[Claim]:
    cell = record.cell
    for field, text in (
        ("task", cell.task),
        ("condition", cell.condition),
        ("schema", cell.schema_),
        ("agent", cell.agent),
        ("dataset", cell.dataset),
    ):
        yield bool(text.strip()), f"cell.{field} is empty"
        yield len(text) <= LONGEST_NAME, f"cell.{field} is too long for a name"
    for field, told in (
        ("cell.model", cell.model),
        ("cell.effort", cell.effort),
        ("outcome.state", record.outcome.state),
        ("task_version", record.task_version),
        ("dataset_hash", record.dataset_hash),
        ("access", record.access),
    ):
        yield len(told or "") <= LONGEST_NAME, f"{field} is too long for a name"
    yield record.run_id == name, "run_id is not the name of the folder"
    tail = record.run_id.rpartition("__")[2]
    yield (
        len(tail) >= LEAST_IDENTITY and record.identity.startswith(tail),
        "run_id does not end in the identity",
    )
    identity = RunIdentity(
        cell=record.cell,
        task_version=record.task_version,
        dataset_hash=record.dataset_hash,
        agent_version=record.agent_version,
        agent_options=record.agent_options,
        runtime=record.runtime,
        materials=record.materials,
    )
    yield (
        record.identity == identity.digest(),
        "identity is not that of the recorded cell, versions and options",
    )


def _of_the_course(record: RunRecord) -> Iterator[Claim]:
    yield 1 <= record.cell.trial <= MOST, "trial is out of bounds"
    for name, moment in (("started", record.started), ("finished", record.finished)):
        yield moment.tzinfo is not None, f"{name} has no time zone"
        yield _exists_in_utc(moment), f"{name} is out of bounds"
    for name, seconds in (
        ("setup_seconds", record.setup_seconds),
        ("outcome.seconds", record.outcome.seconds),
    ):
        yield 0 <= seconds <= LONGEST_SECONDS, f"{name} is out of bounds"
    yield _is_count(record.setup_bytes), "setup_bytes is out of bounds"
    code = record.outcome.exit_code
    least, most = EXIT_CODES
    yield code is None or least <= code <= most, "outcome.exit_code is out of bounds"


def _of_publishability(record: RunRecord) -> Iterator[Claim]:
    judged = record.publishability
    if not judged.publishable:
        return
    yield not judged.reasons, "it is publishable and has reasons against that"
    yield record.cell.sandbox != "none", "it is publishable without isolation"
    yield not record.modified, "it is publishable on modified data"
    unmeasured = record.outcome.state in UNMEASURED and record.outcome.state != UNSCORED
    yield not unmeasured, "it is publishable without a measurement"


def _of_usage(record: RunRecord) -> Iterator[Claim]:
    """Yield what holds of everything that was counted beside the score."""
    usage, model, activity = record.usage, record.model, record.activity
    if usage is not None:
        yield from _of_counts("usage", usage)
        yield from _of_counts("usage.tokens", usage.tokens)
        yield _is_price(usage.cost_usd), "usage.cost_usd is out of bounds"
        for place, one in enumerate(usage.models):
            yield from _of_counts(f"usage.models.{place}", one)
            yield from _of_counts(f"usage.models.{place}.tokens", one.tokens)
            yield _is_price(one.cost_usd), f"usage.models.{place}.cost_usd is out of bounds"
    if model is not None:
        yield from _of_counts("model", model)
        for name, counts in (("refusals", model.refusals), ("stop_reasons", model.stop_reasons)):
            yield all(map(_is_count, counts.values())), f"model.{name} is out of bounds"
    if activity is not None:
        yield from _of_counts("activity", activity)
        yield all(map(_is_count, activity.tools.values())), "activity.tools is out of bounds"
        for name in ("first_event_seconds", "first_output_seconds"):
            seconds = getattr(activity, name)
            within = seconds is None or 0 <= seconds <= LONGEST_SECONDS
            yield within, f"activity.{name} is out of bounds"


def _of_counts(name: str, record: Record) -> Iterator[Claim]:
    for field, value in record:
        if isinstance(value, int):
            yield _is_count(value), f"{name}.{field} is out of bounds"


def _of_score(score: Score) -> Iterator[Claim]:
    yield _is_rate(score.reward), "reward is not between 0 and 1"
    yield from _of_keys(score.keys)
    for name, column in score.columns.items():
        yield from _of_column(name, column, score.keys)
    nmae = score.ordered_nmae
    yield nmae is None or 0 <= nmae <= 1 + ROUNDING, "ordered_nmae is out of bounds"
    for check in score.strict.checks:
        yield from _of_check(check)
    holds = bool(score.strict.checks) and all(check.passed for check in score.strict.checks)
    yield (
        score.strict.passed == (holds and score.error is None),
        "strict.passed is not what its checks say",
    )
    if score.error is not None:
        yield score.reward == 0, "nothing could be scored and there is a reward"
        return
    rates = [column.match_rate for column in score.columns.values()]
    mean = math.fsum(rates) / len(rates) if rates else 0.0
    yield _close(score.reward, mean), "reward is not the mean of the columns' match rates"


def _of_keys(keys: KeyScore) -> Iterator[Claim]:
    for name in ("reference", "output", "matched", "missing", "extra", "duplicate", "unreadable"):
        yield _is_count(getattr(keys, name)), f"keys.{name} is out of bounds"
    yield keys.matched + keys.missing == keys.reference, "keys do not add up to the reference's"
    yield keys.matched + keys.extra == keys.output, "keys do not add up to the output's"
    yield keys.unreadable <= keys.extra, "there are more unreadable keys than extra ones"
    precision = keys.matched / keys.output if keys.output else 0.0
    recall = keys.matched / keys.reference if keys.reference else 0.0
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    for name, expected in (("precision", precision), ("recall", recall), ("f1", f1)):
        value = getattr(keys, name)
        yield _is_rate(value), f"keys.{name} is not between 0 and 1"
        yield _close(value, expected), f"keys.{name} is not what the counts of keys give"


def _of_column(name: str, column: ColumnScore, keys: KeyScore) -> Iterator[Claim]:
    for count in ("matched", "total", "mismatched", "unreadable", "missing_rows"):
        yield _is_count(getattr(column, count)), f"{name}: {count} is out of bounds"
    yield 0 <= column.tolerance < math.inf, f"{name}: tolerance is out of bounds"
    yield column.matched <= column.total, f"{name}: more rows match than there are"
    yield (
        column.total == keys.reference + keys.extra + keys.duplicate,
        f"{name}: total is not the reference's, extra and duplicate keys",
    )
    yield (
        column.matched + column.mismatched == keys.matched,
        f"{name}: rows do not add up to the matched keys",
    )
    yield column.missing_rows == keys.missing, f"{name}: missing_rows are not the missing keys"
    yield _is_rate(column.match_rate), f"{name}: match_rate is not between 0 and 1"
    rate = column.matched / column.total if column.total else 0.0
    yield _close(column.match_rate, rate), f"{name}: match_rate is not what its counts give"
    yield column.present or not column.matched, f"{name}: rows match of a column that is absent"


def _of_check(check: Check) -> Iterator[Claim]:
    for what, figure in (("value", check.value), ("threshold", check.threshold)):
        yield figure is None or _is_rate(figure), f"{check.name}: {what} is not between 0 and 1"
    if check.value is None or check.threshold is None:
        return
    short = check.threshold - check.value
    holds = short <= PRECISION if check.passed else short > -PRECISION
    yield holds, f"{check.name}: passed is not what value and threshold say"


def _is_rate(value: float) -> bool:
    return 0 <= value <= 1


def _is_count(value: int) -> bool:
    return 0 <= value <= MOST


def _is_price(dollars: float | None) -> bool:
    return dollars is None or 0 <= dollars <= DEAREST


def _close(value: float, expected: float) -> bool:
    return abs(value - expected) <= PRECISION


def _exists_in_utc(moment: datetime) -> bool:
    try:
        moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return False
    return True
