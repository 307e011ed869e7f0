# SPDX-License-Identifier: MIT
"""A slow scorer written from the definitions alone, to hold the fast one against; small tables only."""

import csv
import io
import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from m4bench.model.task import ScoringRules


@dataclass
class Expected:
    """What the definitions say of one submission."""

    reward: float
    matched: dict[str, int]
    unreadable: dict[str, int]
    total: int
    found: int
    missing: int
    extra: int
    duplicate: int
    nmae: float | None
    strict: bool


LOST = object()


def number(text: str) -> Any:
    """Read a cell as a number, or say that it is lost."""
    bare = text.strip(" \t")
    if re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", bare, re.ASCII):
        return LOST if math.isinf(float(bare)) else float(bare)
    if bare.lower() in ("true", "false"):
        return float(bare.lower() == "true")
    if bare.lower().lstrip("+-") in ("inf", "infinity", "nan") and not re.match("[+-]{2}", bare):
        return float(bare)
    return LOST


def whole(text: str) -> Any:
    """Read a cell as an exact integer, or say that it is lost."""
    bare = text.strip(" \t")
    found = re.fullmatch(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:[eE]([+-]?\d+))?", bare, re.ASCII)
    if not found:
        return LOST
    digits, power = Fraction(found[1]), int(found[2] or 0)
    if digits == 0:
        return 0
    if abs(power) > 1_000:  # beyond what the digits of any cell here can make good
        return LOST
    exact = digits * Fraction(10) ** power
    return int(exact) if exact.denominator == 1 and -(2**63) <= exact < 2**63 else LOST


def moment(text: str) -> Any:
    """Read a cell as a wall-clock time, or say that it is lost."""
    found = re.fullmatch(
        r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(?:Z|[+-]00:?00)?)?",
        text.strip(" \t"),
        re.ASCII,
    )
    if not found or int((found[5] or "0").ljust(9, "0")) % 1000:
        return LOST
    try:
        time = datetime.fromisoformat(found[1])
        hour, minute, second = (int(found[place] or 0) for place in (2, 3, 4))
        time = time.replace(hour=hour, minute=minute, second=second)
    except ValueError:
        return LOST
    return time + timedelta(microseconds=int((found[5] or "").ljust(9, "0")) // 1000)


READERS = {"number": number, "moment": moment, "text": str, "whole": whole}


def fits(told: Any, truth: Any, kind: str, tolerance: float) -> bool:
    """Say whether a submitted cell matches; None is the empty cell."""
    if told is LOST:
        return False
    if told is None or truth is None:
        return told is None and truth is None
    if kind == "number":
        if not math.isfinite(truth):
            return told == truth or (math.isnan(told) and math.isnan(truth))
        return abs(told - truth) <= tolerance
    if kind == "moment":
        return abs((told - truth).total_seconds()) <= tolerance
    return bool(told == truth)


def rows_of(text: str) -> tuple[list[str], list[list[str]]]:
    """Return header and records, blank lines left out."""
    records = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    return records[0], records[1:]


def expect(
    text: str, reference: list[dict[str, Any]], kinds: dict[str, str], rules: ScoringRules
) -> Expected:
    """Score a CSV text row by row, cell by cell."""
    header, records = rows_of(text)

    def told(record: list[str], column: str, kind: str) -> Any:
        place = header.index(column)
        if place >= len(record):
            return LOST
        return None if record[place] == "" else READERS[kind](record[place])

    truth = {tuple(row[column] for column in rules.key): row for row in reference}
    answers: dict[tuple[Any, ...], list[str]] = {}
    extra: set[Any] = set()
    duplicate = 0
    for position, record in enumerate(records):
        key = tuple(
            told(record, c, "whole" if kinds[c] == "number" else kinds[c]) for c in rules.key
        )
        if any(part is None or part is LOST for part in key):
            extra.add(("unreadable", position))
        elif key not in truth:
            duplicate += key in extra
            extra.add(key)
        elif key in answers:
            duplicate += 1
        else:
            answers[key] = record
    total = len(reference) + len(extra) + duplicate
    matched = dict.fromkeys(rules.scored, 0)
    unreadable = dict.fromkeys(rules.scored, 0)
    for column in rules.scored:
        for key, record in answers.items():
            if column in header:
                cell = told(record, column, kinds[column])
                unreadable[column] += cell is LOST
                matched[column] += fits(
                    cell, truth[key][column], kinds[column], rules.tolerances.get(column, 0.0)
                )
    rates = {column: count / total for column, count in matched.items()}
    strict = (
        bool(records)
        and set(rules.required) <= set(header)
        and len(answers) / len(reference) >= rules.row_coverage
        and all(rate >= rules.accuracy for rate in rates.values())
    )
    return Expected(
        reward=round(sum(round(rate, 8) for rate in rates.values()) / len(rates), 8),
        matched=matched,
        unreadable=unreadable,
        total=total,
        found=len(answers),
        missing=len(reference) - len(answers),
        extra=len(extra),
        duplicate=duplicate,
        nmae=_nmae(answers, truth, header, told, kinds, rules),
        strict=strict,
    )


def _nmae(
    answers: Any, truth: Any, header: list[str], told: Any, kinds: Any, rules: ScoringRules
) -> float | None:
    means = []
    for column in rules.values:
        if column in rules.unordered or kinds[column] != "number":
            continue
        numbers = [row[column] for row in truth.values()]
        numbers = [value for value in numbers if value is not None and math.isfinite(value)]
        if not numbers:
            continue
        scale = max(numbers) - min(numbers) or 1.0
        terms = []
        for key, record in answers.items():
            value = told(record, column, "number") if column in header else None
            missing = value is None or value is LOST or math.isnan(value)
            expected = truth[key][column]
            lacking = expected is None or math.isnan(expected)
            if missing or lacking:
                terms.append(0.0 if missing and lacking else 1.0)
            else:
                terms.append(0.0 if value == expected else min(abs(value - expected) / scale, 1.0))
        if not terms:
            return None
        means.append(sum(terms) / len(terms) if column in header else 1.0)
    return sum(means) / len(means) if means else None
