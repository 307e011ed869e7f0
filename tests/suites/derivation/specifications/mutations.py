# SPDX-License-Identifier: MIT
"""Small falsifications of a statement that states a fact, and what a lint would say of the text that holds them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from m4bench.suites.derivation.specifications.comparison import Comparison
from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.knowledge import Knowledge
from m4bench.suites.derivation.specifications.matching import window_states
from m4bench.suites.derivation.specifications.quantities import Quantity, canonical, quantities
from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.specifications.wording import word_sequences

FLIPPED = {
    "below": "above",
    "above": "below",
    "less than": "more than",
    "more than": "less than",
    "at least": "at most",
    "at most": "at least",
    "or more": "or less",
    "or less": "or more",
    "or above": "or below",
    "or below": "or above",
    "through": "to below",
    "up to": "from",
    "<": ">",
    ">": "<",
    "≤": "≥",
    "≥": "≤",
}
OPENED = {"included": "excluded", "excluded": "included", "inclusive": "exclusive"}
OTHER_UNITS = {
    "hour": "day",
    "day": "hour",
    "minute": "hour",
    "month": "day",
    "year": "month",
    "h": "day",
}
WRONG_UNITS = {
    "mg/dL": "mmol/L",
    "g/dL": "g/L",
    "mEq/L": "mg/dL",
    "mmol/L": "mg/dL",
    "mmHg": "kPa",
    "mcg/kg/min": "mg/kg/h",
    "mL/kg/h": "mL/h",
}


class Mutation(NamedTuple):
    """A statement made false, what was done to it, and the fact it stated."""

    statement: Statement
    deed: str
    fact: Fact


def near_numbers(written: str) -> Iterator[str]:
    """Yield a number with one digit changed, the last digit first, as it would be mistyped."""
    for place in reversed([m.start() for m in re.finditer(r"\d", written)]):
        digit = int(written[place])
        for other in ((digit + 1) % 10, (digit - 1) % 10):
            if not (place == 0 and other == 0 and len(written) > 1):
                yield written[:place] + str(other) + written[place + 1 :]


class Truth:
    """What is true of the columns that a statement names: a mutation must not land on it.

    Numbers and durations are true by any derivation of the library, sides and ends by the family's own.
    """

    def __init__(self, knowledge: Knowledge, own: Knowledge, statement: Statement) -> None:
        self._columns = knowledge.named(word_sequences(statement))
        self._knowledge, self._own = knowledge, own

    def has_side(self, value: str, side: str) -> bool:
        return any(
            fact.kind == "cut" and fact.side in (side, None)
            for column in self._columns
            for fact in self._own.numbers.get(column, {}).get(value, ())
        )

    def has_result(self, value: str, points: str) -> bool:
        return any(
            fact.points is not None and canonical(fact.points) == points
            for column in self._columns
            for fact in self._own.numbers.get(column, {}).get(canonical(value), ())
        )

    def has_end(self, quantity: Quantity) -> bool:
        return any(
            fact.kind != "window" or window_states(fact, quantity)
            for column in self._columns
            for fact in self._own.durations.get(column, {}).get(abs(quantity.minutes or 0), ())
        )

    def has_number(self, written: str) -> bool:
        value = canonical(written).removeprefix("-")
        code = written.replace(".", "")
        return any(
            value in self._knowledge.numbers.get(column, ())
            or code in self._knowledge.numbers.get(column, ())
            or value in self._knowledge.points.get(column, ())
            or value in self._knowledge.said.get(column, ())
            for column in self._columns
        ) or value in ("0", "1")

    def durations(self) -> set[object]:
        return {
            minutes
            for column in self._columns
            for minutes in self._knowledge.durations.get(column, ())
        }


def _changed_number(
    statement: Statement, fact: Fact, span: tuple[int, int], truth: Truth
) -> Iterator[Mutation]:
    start, end = span
    written = statement.text[start:end]
    for near in near_numbers(written):
        edited = statement.edited(start, end, near)
        if truth.has_number(near):
            continue
        moved = [q for q in quantities(edited) if q.start == start]
        if moved and moved[0].minutes is not None and abs(moved[0].minutes) in truth.durations():
            continue
        yield Mutation(edited, f"{written} to {near}", fact)
        return


def mutations(
    statement: Statement,
    fact: Fact,
    span: tuple[int, int],
    knowledge: Knowledge,
    own: Knowledge,
) -> Iterator[Mutation]:
    """Yield falsifications of a statement of one fact whose value stands at `span`."""
    start, end = span
    text = statement.text
    truth = Truth(knowledge, own, statement)
    match fact.kind:
        case "unit":
            wrong = WRONG_UNITS.get(fact.value)
            if end and wrong:
                yield Mutation(
                    statement.edited(start, end, wrong), f"{text[start:end]} to {wrong}", fact
                )
            return
        case "text":
            yield from _misspelt(statement, fact, span)
            return
    if re.search(r"\d", text[start:end]):
        yield from _changed_number(statement, fact, span, truth)
    if fact.kind in ("cut", "window"):
        yield from _flipped(statement, fact, span, truth)
    if fact.kind == "window":
        yield from _other_window(statement, fact, span, truth)
    if fact.points is not None:
        yield from _other_points(statement, fact, span, truth)


def _misspelt(statement: Statement, fact: Fact, span: tuple[int, int]) -> Iterator[Mutation]:
    start, end = span
    letters = [m.start() for m in re.finditer(r"[A-Za-z]", statement.text[start:end])]
    if letters:
        place = start + letters[len(letters) // 2]
        other = "q" if statement.text[place].lower() != "q" else "x"
        yield Mutation(statement.edited(place, place + 1, other), f"misspelt {fact.value}", fact)


def _flipped(
    statement: Statement, fact: Fact, span: tuple[int, int], truth: Truth
) -> Iterator[Mutation]:
    quantity = next((q for q in quantities(statement) if (q.start, q.end) == span), None)
    if quantity is None or quantity.side is None or quantity.timeline:
        return
    for word, other in FLIPPED.items():
        for match in re.finditer(rf"(?<![\w]){re.escape(word)}(?![\w])", statement.text):
            if not (span[0] - 25 <= match.start() <= span[1] + 25):
                continue
            edited = statement.edited(match.start(), match.end(), other)
            moved = span[0] + (len(other) - len(word) if match.start() < span[0] else 0)
            now = next((q for q in quantities(edited) if q.start == moved), None)
            if now is None or now.side is None or now.side == quantity.side:
                continue
            true = (
                truth.has_end(now) if fact.kind == "window" else truth.has_side(now.value, now.side)
            )
            if not true:
                yield Mutation(edited, f"{word} to {other}", fact)


def _other_window(
    statement: Statement, fact: Fact, span: tuple[int, int], truth: Truth
) -> Iterator[Mutation]:
    text = statement.text
    unit = re.compile(r"[\s-]*(hour|day|minute|month|year|h)(s?)\b").match(text, span[1])
    if unit:
        edited = statement.edited(unit.start(1), unit.end(1), OTHER_UNITS[unit[1]])
        now = next((q for q in quantities(edited) if q.start == span[0]), None)
        if (
            now is not None
            and now.minutes is not None
            and abs(now.minutes) not in truth.durations()
        ):
            yield Mutation(edited, f"{unit[1]} to {OTHER_UNITS[unit[1]]}", fact)
    before = next((q for q in quantities(statement) if (q.start, q.end) == span), None)
    for match in re.finditer(r"\b(?:included|excluded|inclusive)\b", text):
        edited = statement.edited(match.start(), match.end(), OPENED[match.group()])
        now = next((q for q in quantities(edited) if q.start == span[0]), None)
        if before is None or now is None or before.side is not None:
            continue
        opened = None not in (now.closed, before.closed) and now.closed != before.closed
        if opened and not truth.has_end(now):
            yield Mutation(edited, f"end {OPENED[match.group()]}", fact)


def _other_points(
    statement: Statement, fact: Fact, span: tuple[int, int], truth: Truth
) -> Iterator[Mutation]:
    points = canonical(fact.points or "")
    same = [q for q in quantities(statement) if q.value == points and q.role == "points"]
    for quantity in same:
        written = statement.text[quantity.start : quantity.end]
        for near in near_numbers(written):
            if not truth.has_result(fact.value, near):
                edited = statement.edited(quantity.start, quantity.end, near)
                yield Mutation(edited, f"points {written} to {near}", fact)
                break


class Text:
    """A text that states facts, read once, so that one edited statement is judged without reading the rest."""

    def __init__(self, comparison: Comparison, statements: Sequence[Statement]) -> None:
        self.comparison = comparison
        self.statements = tuple(statements)
        self.readings = [comparison.read(one) for one in self.statements]
        self._stated_in: dict[int, int] = {}
        for reading in self.readings:
            for number in reading.stated:
                self._stated_in[number] = self._stated_in.get(number, 0) + 1

    def fails_with(self, place: int, edited: Statement) -> bool:
        """Tell whether the text would fail with one of its statements edited."""
        old, new = self.readings[place], self.comparison.read(edited)
        gone = set(old.stated) - set(new.stated)
        more = {one.problem for one in new.contradictions} - {
            one.problem for one in old.contradictions
        }
        return bool(more) or any(self._stated_in[number] == 1 for number in gone)

    def occurrences(self) -> Iterator[tuple[int, Statement, Fact, tuple[int, int]]]:
        """Yield each place where a fact is stated: its statement's number, the statement, the fact, the span."""
        for place, (statement, reading) in enumerate(
            zip(self.statements, self.readings, strict=True)
        ):
            for number, spans in reading.stated.items():
                for span in dict.fromkeys(spans):
                    yield place, statement, self.comparison.facts[number], span
