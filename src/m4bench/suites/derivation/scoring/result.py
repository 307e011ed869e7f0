# SPDX-License-Identifier: MIT
"""From counts to a score: rates, reward, key metrics, strict diagnostics, ordered distance.

Source: the M4Bench definitions of metrics and strict diagnostics. Knows neither files nor rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from m4bench.model.score import Check, ColumnScore, KeyScore, Score, StrictResult
from m4bench.model.task import Convention, ScoringRules
from m4bench.suites.derivation.scoring.agreement import Agreement
from m4bench.suites.derivation.scoring.cells import CellKind
from m4bench.suites.derivation.scoring.reference import COLUMN_KINDS
from m4bench.suites.derivation.scoring.tally import Tally

DECIMALS = 8


@dataclass(frozen=True)
class Subject:
    """What is being scored, by which rules, against columns of which kinds."""

    task: str
    dataset: str | None
    convention: Convention
    rules: ScoringRules
    kinds: Mapping[str, CellKind]


def scored(
    subject: Subject,
    tally: Tally,
    header: tuple[str, ...],
    spans: Mapping[str, float],
    notes: tuple[str, ...],
) -> Score:
    """Return the score of a submission that could be read.

    Args:
        subject: what is being scored.
        tally: the counts.
        header: the submitted column names.
        spans: range of each numeric column with a reference value.
        notes: what was tolerated.
    """
    columns = {
        name: _column(subject, name, tally, present=name in header) for name in subject.rules.scored
    }
    rates = [column.matched / column.total for column in columns.values()]
    reward = sum(round(rate, DECIMALS) for rate in rates) / len(rates) if rates else 0.0
    strict = _strict(subject.rules, tally, columns, header)
    return Score(
        task=subject.task,
        dataset=subject.dataset,
        convention=subject.convention,
        reward=round(reward, DECIMALS),
        columns=columns,
        keys=_keys(tally),
        ordered_nmae=_ordered_nmae(subject.rules, tally, header, spans),
        strict=strict,
        notes=notes,
    )


def refused(
    subject: Subject, reference_rows: int, reason: str, *, exists: bool, notes: tuple[str, ...] = ()
) -> Score:
    """Return the score of a submission nothing of which counts: reward 0 and the reason."""
    tally = Tally(reference_rows)
    columns = {name: _column(subject, name, tally, present=False) for name in subject.rules.scored}
    checks = (
        _flag("output_exists", exists),
        _flag("parses", False),
        _flag("required_columns", False),
        Check(name="row_coverage", passed=False, value=None, threshold=subject.rules.row_coverage),
        *(
            Check(
                name=f"accuracy:{name}",
                passed=False,
                value=None,
                threshold=subject.rules.accuracy,
            )
            for name in columns
        ),
    )
    return Score(
        task=subject.task,
        dataset=subject.dataset,
        convention=subject.convention,
        reward=0.0,
        columns=columns,
        keys=_keys(tally),
        ordered_nmae=None,
        strict=StrictResult(passed=False, checks=checks),
        error=reason,
        notes=notes,
    )


def _column(subject: Subject, name: str, tally: Tally, *, present: bool) -> ColumnScore:
    found = tally.columns.get(name, Agreement())
    return ColumnScore(
        match_rate=round(found.matched / tally.total, DECIMALS),
        matched=found.matched,
        total=tally.total,
        kind=COLUMN_KINDS[subject.kinds[name]],
        tolerance=subject.rules.tolerances.get(name, 0.0),
        present=present,
        mismatched=tally.matched - found.matched,
        unreadable=found.unreadable,
        missing_rows=tally.reference - tally.matched,
    )


def _keys(tally: Tally) -> KeyScore:
    output = tally.matched + tally.extra
    precision = tally.matched / output if output else 0.0
    recall = tally.matched / tally.reference
    both = precision + recall
    return KeyScore(
        reference=tally.reference,
        output=output,
        matched=tally.matched,
        missing=tally.reference - tally.matched,
        extra=tally.extra,
        duplicate=tally.duplicate,
        unreadable=tally.unreadable_keys,
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / both if both else 0.0,
    )


def _strict(
    rules: ScoringRules,
    tally: Tally,
    columns: Mapping[str, ColumnScore],
    header: tuple[str, ...],
) -> StrictResult:
    coverage = tally.matched / tally.reference
    checks = [
        _flag("output_exists", True),
        _flag("parses", tally.rows > 0),
        _flag("required_columns", set(rules.required) <= set(header)),
        Check(
            name="row_coverage",
            passed=coverage >= rules.row_coverage,
            value=coverage,
            threshold=rules.row_coverage,
        ),
    ]
    for name, column in columns.items():
        rate = column.matched / column.total
        checks.append(
            Check(
                name=f"accuracy:{name}",
                passed=rate >= rules.accuracy,
                value=column.match_rate,
                threshold=rules.accuracy,
            )
        )
    return StrictResult(passed=all(check.passed for check in checks), checks=tuple(checks))


def _flag(name: str, passed: bool) -> Check:
    return Check(name=name, passed=passed, value=float(passed), threshold=1.0)


def _ordered_nmae(
    rules: ScoringRules, tally: Tally, header: tuple[str, ...], spans: Mapping[str, float]
) -> float | None:
    """Return the mean normalised absolute error over ordered value columns, None when undefined."""
    ordered = [name for name in ordered_columns(rules) if name in spans]
    if not ordered or not tally.matched:
        return None
    means = [
        tally.columns.get(name, Agreement()).distance / tally.matched if name in header else 1.0
        for name in ordered
    ]
    return sum(means) / len(means)


def ordered_columns(rules: ScoringRules) -> tuple[str, ...]:
    """Return the value columns whose values have an order."""
    return tuple(
        name for name in rules.values if name in rules.scored and name not in rules.unordered
    )
