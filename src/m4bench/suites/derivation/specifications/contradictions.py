# SPDX-License-Identifier: MIT
"""What a statement says of a column that nothing known of that column bears out. Knows no file and no SQL.

A number is held only against the columns that its statement, or what it stands under, names.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.items import no_item, strange_items
from m4bench.suites.derivation.specifications.knowledge import (
    Knowledge,
    code_ends,
    direction_of,
    fact_minutes,
)
from m4bench.suites.derivation.specifications.matching import (
    code_written,
    codes_run_together,
    is_exact,
    is_factor,
    results_given,
    window_states,
)
from m4bench.suites.derivation.specifications.quantities import Quantity, canonical, is_time
from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.specifications.wording import (
    exact_words,
    folded,
    singular,
    unit_family,
    word_sequences,
    word_sequences_of,
)

_ITEM_DIGITS = re.compile(r"\d{5,6}")
# The years of MIMIC-IV are shifted into the next centuries.
_YEAR = re.compile(r"(?:19|2[012])\d\d")
_PLAIN = re.compile(r"-?\d+(\.\d+)?")
_FOR = re.compile(r"\s*\)?,?\s+for\s+(?P<what>[^.;:()\t]+)", re.IGNORECASE)
_LISTED = re.compile(r",|\band\b|\bor\b|/", re.IGNORECASE)
_FLAGS = frozenset({"0", "1"})
_PLACE = re.compile(r"\b(?:from|since|starting|to|until|hour|day|minute)\s+$", re.IGNORECASE)
_SHOWN = 6
_NEAREST = 4
Span = tuple[int, int]


class Problem(NamedTuple):
    """What contradicts, whether it does whatever else other derivations have, and of an item which one."""

    words: str
    firm: bool = False
    item: str | None = None


def problems(
    knowledge: Knowledge, statement: Statement, found: tuple[Quantity, ...]
) -> dict[int, Problem]:
    """Return what contradicts in a statement, by where it stands in the text.

    Args:
        knowledge: what is known of columns.
        statement: the statement.
        found: its quantities.
    """
    known = _Named(knowledge, statement, found)
    items = strange_items(statement, knowledge.values)
    told = {place: Problem(words) for place, words in items.items()} | dict(known.of_units())
    names = _names_of_data(knowledge, statement)
    for quantity in found:
        if quantity.role == "aside" or any(begin <= quantity.start < end for begin, end in names):
            continue
        problem = known.of_quantity(quantity)
        if problem:
            told[quantity.start] = problem
    for place, word, meant in knowledge.spelling.misspelt(statement):
        told[place] = Problem(f"{word} is no text of the data; {meant} is")
    return told


def _names_of_data(knowledge: Knowledge, statement: Statement) -> list[Span]:
    """Return where texts of the data are set as code: a number in one is part of its name."""
    return [
        (begin, end)
        for begin, end in statement.code
        if exact_words(statement.text[begin:end]) in knowledge.texts
    ]


class _Named:
    """What is known of the columns that one statement names."""

    def __init__(
        self, knowledge: Knowledge, statement: Statement, found: tuple[Quantity, ...]
    ) -> None:
        self.knowledge, self.statement, self.found = knowledge, statement, found
        self.columns = knowledge.named(word_sequences(statement))

    def of_quantity(self, quantity: Quantity) -> Problem | None:
        code = code_written(self.statement, quantity)
        if problem := self._of_item(quantity, code):
            return problem
        if not self.columns:
            return None
        if quantity.time is not None:
            # A minute, one minute: as often a way of speaking as a length.
            spoken = quantity.shape == "word" and quantity.value == "1"
            return None if spoken else self._of_duration(quantity)
        if quantity.shape == "code":
            return self._of_code(code)
        return self._of_number(quantity, code)

    def _of_item(self, quantity: Quantity, code: str) -> Problem | None:
        known = self.knowledge.values
        if not _ITEM_DIGITS.fullmatch(quantity.value) or {quantity.value, code} & known:
            return None
        parts = codes_run_together(self.statement, quantity)
        if parts and set(parts) <= known:
            return None
        return Problem(no_item(quantity.value), item=quantity.value)

    def of_units(self) -> Iterator[tuple[int, Problem]]:
        right: dict[int, set[str]] = {}
        for column in self.columns:
            for unit in self.knowledge.units.get(column, ()):
                family = unit_family(unit)
                if family is not None:
                    right.setdefault(family, set()).add(unit)
        if not right:
            return
        units = list(self.knowledge.unit_search.within(self.statement.text))
        for number, (unit, start, end) in enumerate(units):
            family = unit_family(unit)
            if family is None or family not in right or self._is_charted(unit):
                continue
            upto = units[number + 1][1] if number + 1 < len(units) else len(self.statement.text)
            told = self._units_named_after(self.statement.text[end:upto], family)
            told = told or [self._units_named_before(start, family) or right[family]]
            wrong = [near for near in told if unit not in near]
            if wrong:
                words = f"{unit} is not the unit of what is named: {_few(wrong[0])}"
                yield start, Problem(words)

    def _units_named_after(self, text: str, family: int) -> list[set[str]]:
        """Return the units of each column that a unit is said to be for: mg/dL for creatinine and bilirubin."""
        bound = _FOR.match(text)
        if not bound:
            return []
        told = []
        for part in _LISTED.split(bound["what"]):
            columns = self.knowledge.last_named(part)
            units = {unit for column in columns for unit in self.knowledge.units.get(column, ())}
            told.append({unit for unit in units if unit_family(unit) == family})
        return [units for units in told if units]

    def _is_charted(self, unit: str) -> bool:
        """Tell whether a unit is a text of the records that a derivation named in the statement reads."""
        sequences = word_sequences(self.statement)
        return any(
            singular(exact_words(derivation)) in sequences
            for derivation in self.knowledge.units_in_data.get(unit, ())
        )

    def _units_named_before(self, place: int, family: int) -> set[str]:
        """Return the units of the column that is named nearest before a place, in its cell or sentence."""
        begin = 0
        for cell in self.statement.cells:
            if begin + len(cell) >= place:
                break
            begin += len(cell) + 1
        columns = self.knowledge.last_named(self.statement.text[begin:place])
        units = {unit for column in columns for unit in self.knowledge.units.get(column, ())}
        return {unit for unit in units if unit_family(unit) == family}

    def _facts(self, value: str) -> list[Fact]:
        numbers = self.knowledge.numbers
        return [
            fact
            for column in self.columns
            if column in numbers
            for fact in numbers[column].get(value, ())
        ]

    def _durations(self, minutes: Decimal) -> list[Fact]:
        durations = self.knowledge.durations
        return [
            fact
            for column in self.columns
            if column in durations
            for fact in durations[column].get(minutes, ())
        ]

    def _about(self, facts: list[Fact]) -> list[Fact]:
        """Return the facts whose subject is named, or all where only what they bear on is."""
        return [fact for fact in facts if self.columns.intersection(fact.subjects)] or facts

    def _said(self, value: str) -> bool:
        return any(
            value in self.knowledge.said.get(column, ())
            or value in self.knowledge.points.get(column, ())
            for column in self.columns
        )

    def _of_duration(self, quantity: Quantity) -> Problem | None:
        minutes = abs(quantity.minutes or Decimal(0))
        if minutes == 0:
            return None
        same = self._about(self._durations(minutes))
        if same:
            return self._of_end(quantity, same)
        windows = {
            fact
            for column in self.columns
            for facts in self.knowledge.durations.get(column, {}).values()
            for fact in facts
            if fact.kind == "window"
        }
        known = {fact.value for fact in windows}
        told = f"{quantity.value} {quantity.time}"
        if any(canonical(value.partition(" ")[0]) == quantity.value for value in known):
            return Problem(f"{told} is no duration of what is named: {_few(known)}", firm=True)
        if any(
            fact_minutes(fact) is None and (fact.unit is None or is_time(fact.unit))
            for fact in self._facts(quantity.value)
        ) or self._said(quantity.value):
            return None
        if known:
            return Problem(f"{told} is no duration of what is named: {_few(known)}")
        if self._has_constants():
            words = f"{told} is no duration, and {quantity.value} no number, of what is named"
            return Problem(words)
        return None

    def _has_constants(self) -> bool:
        return any(
            fact.kind == "constant" and column in fact.subjects
            for column in self.columns
            for facts in self.knowledge.numbers.get(column, {}).values()
            for fact in facts
        )

    def _of_end(self, quantity: Quantity, same: list[Fact]) -> Problem | None:
        if quantity.side is None or quantity.timeline:
            if quantity.closed is None:
                return None
            # A duration told a second time, from its other side, is no second window.
            told = [one for one in self.found if one.minutes == quantity.minutes]
            if any(_denies(quantity, one) for one in told):
                return Problem(f"{quantity.value} {quantity.time} is both in and out", firm=True)
        else:
            told = [quantity]
        if any(
            fact.kind != "window" or fact.closed is None or window_states(fact, one)
            for fact in same
            for one in told
        ):
            return None
        place = f"{quantity.value} {quantity.time}"
        if quantity.side is not None and not quantity.timeline:
            return Problem(f"{place} belongs to the other side of the comparison", firm=True)
        said = "included" if quantity.closed else "excluded"
        return Problem(f"the end at {place} is said to be {said}, and is not", firm=True)

    def _of_code(self, code: str) -> Problem | None:
        codes = {
            code_ends(fact)
            for column in self.columns
            for facts in self.knowledge.numbers.get(column, {}).values()
            for fact in facts
            if fact.kind == "code"
        }
        if not codes or any(
            first <= code[: len(first)] <= last or code == last for first, last in codes
        ):
            return None
        return Problem(f"{code} is no code of what is named")

    def _of_number(self, quantity: Quantity, code: str) -> Problem | None:
        value = quantity.value
        same = self._facts(value) or self._facts(code)
        if not same and value.startswith("-") and not self._is_compared(quantity):
            same = self._facts(value.removeprefix("-"))
        if not same and quantity.percent:
            same = self._facts(canonical(str(Decimal(value) / 100)))
        parts = codes_run_together(self.statement, quantity)
        if not same and parts and all(self._facts(part) for part in parts):
            return None
        if same:
            same = self._about(same)
            return (
                _of_side(quantity, same)
                or self._of_result(quantity, same)
                or self._of_limit(quantity, same)
            )
        if value in _FLAGS and quantity.side is None:
            return self._of_one_point(quantity)
        if _YEAR.fullmatch(value):
            return None
        if self._said(value):
            return None
        known = {
            number
            for column in self.columns
            for number in self.knowledge.numbers.get(column, ())
            if _PLAIN.fullmatch(number)
        }
        if not known:
            return None
        near = sorted(known, key=lambda number: (abs(Decimal(number) - Decimal(value)), number))
        words = f"{value} is no number of what is named; near it are {', '.join(near[:_NEAREST])}"
        return Problem(words)

    def _is_compared(self, quantity: Quantity) -> bool:
        """Tell whether a value is compared with, and not the place something begins at: from hour -24."""
        before = self.statement.text[max(0, quantity.start - 20) : quantity.start]
        return quantity.side is not None and not _PLACE.search(before)

    def _of_one_point(self, quantity: Quantity) -> Problem | None:
        """Return a problem where a point is given and no test of what is named gives one; none give 0 always."""
        if quantity.role != "points" or quantity.value == "0":
            return None
        given = {one for column in self.columns for one in self.knowledge.points.get(column, ())}
        if not given or self._said(quantity.value):
            return None
        words = f"{quantity.value} is nothing that a test of what is named gives: {_few(given)}"
        return Problem(words, firm=True)

    def _of_limit(self, quantity: Quantity, same: list[Fact]) -> Problem | None:
        """Return a problem where a number that is no limit is compared with."""
        if quantity.side is None or quantity.ranged or quantity.role == "points":
            return None
        if any(fact.kind in ("cut", "window") for fact in same) or self._said(quantity.value):
            return None
        if is_factor(self.statement, quantity):
            return None
        return Problem(f"{quantity.value} is no limit of what is named")

    def _of_result(self, quantity: Quantity, same: list[Fact]) -> Problem | None:
        if quantity.ranged or quantity.role == "points":
            return None
        if quantity.direction is None and not is_exact(self.statement, quantity):
            cell = self.knowledge.named(word_sequences_of(self.statement.cells[quantity.cell]))
            same = [fact for fact in same if cell.intersection(fact.subjects)]
        meant = [
            fact
            for fact in same
            if (fact.kind == "constant" and fact.points is not None and quantity.side is not None)
            or (
                fact.kind == "cut"
                and fact.side in (quantity.side, None)
                and direction_of(fact) in (quantity.direction, None)
            )
        ]
        scored = [fact for fact in meant if fact.points is not None]
        if not scored or len(scored) < len(meant):
            return None
        given = results_given(quantity, self.statement, self.found, only=True)
        if not given or any(canonical(fact.points or "") in given for fact in scored):
            return None
        known = _few({fact.points or "" for fact in scored})
        return Problem(f"{quantity.value} gives {known}, not {_few(given)}", firm=True)


def _denies(quantity: Quantity, other: Quantity) -> bool:
    """Tell whether the end of a duration is said to be other than its comparison in the same statement has it."""
    if quantity.closed is None or other.side is None or other.timeline or other.ranged:
        return False
    included = (other.side, other.direction) in (("upper", "up"), ("lower", "down"))
    return quantity.closed != included


def _of_side(quantity: Quantity, same: list[Fact]) -> Problem | None:
    cuts = [fact for fact in same if fact.kind == "cut"]
    if (
        quantity.side is None
        or quantity.ranged
        or not cuts
        or any(fact.side is None for fact in cuts)
    ):
        return None
    if any(fact.side == quantity.side for fact in cuts):
        return None
    belongs = "above" if cuts[0].side == "upper" else "below"
    words = f"{quantity.value} itself belongs with the values {belongs} it; the comparison says otherwise"
    return Problem(words, firm=True)


def _few(values: Iterable[str]) -> str:
    ordered = sorted(values, key=lambda value: (len(value), folded(value)))
    told = ", ".join(ordered[:_SHOWN])
    return f"{told} …" if len(ordered) > _SHOWN else told
