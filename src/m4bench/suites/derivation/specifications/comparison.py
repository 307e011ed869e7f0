# SPDX-License-Identifier: MIT
"""Texts held against facts: what each statement states and what it contradicts. Knows no file and no SQL."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.knowledge import (
    FactIndex,
    Knowledge,
    code_ends,
    direction_of,
)
from m4bench.suites.derivation.specifications.quantities import (
    Quantity,
    canonical,
    header_numbers,
    quantities,
)
from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.specifications.wording import (
    exact_words,
    folded,
    unit_family,
    word_sequences,
)

UNREAD_SECTIONS = frozenset(
    {"purpose", "known limits", "limits", "sources", "references", "sources and references"}
)
# A card's section Output tells how far each column of the answer reaches.
_ANSWER = "output"
_ITEM_DIGITS = re.compile(r"\d{5,6}")
_WORD_PLACE = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_FLAGS = frozenset({"0", "1"})
_KNOWN_SHOWN = 6
_CASED = 2
_Span = tuple[int, int]


@dataclass(frozen=True)
class Contradiction:
    """What a text says and no derivation has, with the line that says it."""

    line: int
    problem: str


@dataclass(frozen=True)
class Reading:
    """What one statement says: the numbers of the facts it states, each with where its value stands."""

    stated: Mapping[int, tuple[_Span, ...]]
    contradictions: tuple[Contradiction, ...]


@dataclass(frozen=True)
class Result:
    """Facts held against a text: the lines that state each, and what contradicts."""

    stated: tuple[tuple[Fact, tuple[int, ...]], ...]
    absent: tuple[Fact, ...]
    contradictions: tuple[Contradiction, ...]
    kinds: frozenset[str] = field(default=frozenset())


def is_read(statement: Statement) -> bool:
    """Tell whether a statement stands where facts are stated, and not under Purpose, Known limits or Sources."""
    return UNREAD_SECTIONS.isdisjoint(map(_title, statement.sections))


def _title(heading: str) -> str:
    return heading.strip().lower().rstrip(":")


class Comparison:
    """Holds statements against the facts of a derivation and against what the library knows.

    Each statement is read on its own, so that an edited one can be read anew alone.
    """

    def __init__(
        self,
        facts: Iterable[Fact],
        knowledge: Knowledge,
        wider: Callable[[], Knowledge] | None = None,
    ) -> None:
        """Take the facts a text has to state, and what contradicts is told by.

        Args:
            facts: the facts.
            knowledge: what is known of the columns of these facts.
            wider: gives what is known of more derivations; a text contradicts only what it contradicts by both.
                It is asked for only where something contradicts by the first.
        """
        self.index = FactIndex(facts)
        self.knowledge = knowledge
        self._wider = wider

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that a text has to state."""
        return self.index.facts

    def read(self, statement: Statement) -> Reading:
        """Return what one statement states and contradicts."""
        if not is_read(statement):
            return Reading({}, ())
        named = self.knowledge.named(word_sequences(statement))
        found = quantities(statement)
        stated: dict[int, list[_Span]] = {}
        places = (*self._numbers(statement, found, named), *self._texts(statement, named))
        for number, span in (*places, *self._units(statement, named)):
            stated.setdefault(number, []).append(span)
        return Reading(
            {number: tuple(spans) for number, spans in stated.items()},
            self._contradictions(statement, found),
        )

    def compare(self, statements: Iterable[Statement]) -> Result:
        """Return what a whole text states, leaves out and contradicts."""
        lines: dict[int, list[int]] = {}
        contradictions: list[Contradiction] = []
        for statement in statements:
            reading = self.read(statement)
            for number, spans in reading.stated.items():
                lines.setdefault(number, []).append(statement.line_of(spans[0][0]))
            contradictions.extend(reading.contradictions)
        return Result(
            tuple((self.facts[number], tuple(lines[number])) for number in sorted(lines)),
            tuple(fact for number, fact in enumerate(self.facts) if number not in lines),
            tuple(dict.fromkeys(contradictions)),
        )

    def _about(self, number: int, named: frozenset[str]) -> bool:
        fact = self.facts[number]
        return any(subject in named for subject in fact.subjects or fact.columns)

    def _numbers(
        self, statement: Statement, found: tuple[Quantity, ...], named: frozenset[str]
    ) -> Iterator[tuple[int, _Span]]:
        for quantity in found:
            if quantity.role == "aside":
                continue
            span = (quantity.start, quantity.end)
            written = {quantity.value, _code(statement, quantity), *_parts(statement, quantity)}
            if quantity.value.startswith("-"):
                written.add(quantity.value.removeprefix("-"))
            for value in written:
                for number in self.index.by_value.get(value, ()):
                    fact = self.facts[number]
                    if self._about(number, named) and _fits(fact, quantity, statement, found):
                        yield number, span
            minutes = quantity.minutes
            if minutes is None:
                continue
            for number in self.index.by_minutes.get(abs(minutes), ()):
                fact = self.facts[number]
                fits = (
                    _window_fits(fact, quantity)
                    if fact.kind == "window"
                    else _fits(fact, quantity, statement, found)
                )
                if fits and self._about(number, named):
                    yield number, span

    def _texts(self, statement: Statement, named: frozenset[str]) -> Iterator[tuple[int, _Span]]:
        if not self.index.by_words and not self.index.wordless:
            return
        for begin, end in _cell_bounds(statement):
            part = statement.text[begin:end]
            places = [match.span() for match in _WORD_PLACE.finditer(part)]
            words = exact_words(part)
            if len(words) != len(places):
                continue
            for first in range(len(words)):
                for last in range(first, min(first + self.index.longest_text, len(words))):
                    for number in self.index.by_words.get(words[first : last + 1], ()):
                        span = (begin + places[first][0], begin + places[last][1])
                        if self._about(number, named) and self._same_case(number, statement, span):
                            yield number, span
        for number in self.index.wordless:
            place = statement.text.find(self.facts[number].value)
            if place >= 0 and self._about(number, named):
                yield number, (place, place + len(self.facts[number].value))

    def _same_case(self, number: int, statement: Statement, span: _Span) -> bool:
        value = self.facts[number].value
        return len(value) > _CASED or statement.text[span[0] : span[1]] == value

    def _units(self, statement: Statement, named: frozenset[str]) -> Iterator[tuple[int, _Span]]:
        if not self.index.by_unit:
            return
        found = list(self.knowledge.unit_search.within(statement.text))
        above = [
            (unit, 0, 0)
            for text in statement.context
            for unit, _, _ in self.knowledge.unit_search.within(text)
        ]
        for unit, start, end in (*found, *above):
            for number in self.index.by_unit.get(unit, ()):
                if self._about(number, named):
                    yield number, (start, end)

    def _contradictions(
        self, statement: Statement, found: tuple[Quantity, ...]
    ) -> tuple[Contradiction, ...]:
        if not self.facts or _ANSWER in map(_title, statement.sections):
            return ()
        problems = _problems(self.knowledge, statement, found)
        if problems and self._wider is not None:
            wider = _problems(self._wider(), statement, found)
            problems = {place: problem for place, problem in problems.items() if place in wider}
        return tuple(
            Contradiction(statement.line_of(place), problem) for place, problem in problems.items()
        )


def _problems(
    knowledge: Knowledge, statement: Statement, found: tuple[Quantity, ...]
) -> dict[int, str]:
    """Return what contradicts in a statement by where it stands in the text."""
    known = _Known(knowledge, knowledge.named(word_sequences(statement)))
    problems = dict(known.unit_problems(statement))
    names = _named_texts(knowledge, statement)
    for quantity in found:
        if any(begin <= quantity.start < end for begin, end in names):
            continue
        problem = known.problem(quantity, statement, found)
        if problem:
            problems[quantity.start] = problem
    return problems


def _named_texts(knowledge: Knowledge, statement: Statement) -> list[_Span]:
    """Return where texts of the data are set as code: a number in one is part of its name."""
    found = []
    for span in statement.spans:
        begin = statement.text.find(span)
        if begin >= 0 and exact_words(span) in knowledge.texts:
            found.append((begin, begin + len(span)))
    return found


class _Known:
    """What the library has for the columns that one statement names."""

    def __init__(self, knowledge: Knowledge, columns: frozenset[str]) -> None:
        self.knowledge, self.columns = knowledge, columns

    def problem(
        self, quantity: Quantity, statement: Statement, found: tuple[Quantity, ...]
    ) -> str | None:
        if quantity.role == "aside":
            return None
        code = _code(statement, quantity)
        if (
            _ITEM_DIGITS.fullmatch(quantity.value)
            and not {quantity.value, code} & self.knowledge.values
        ):
            parts = _parts(statement, quantity)
            if not parts or not set(parts) <= self.knowledge.values:
                return f"{quantity.value} is no item, code or limit that any derivation reads"
        if not self.columns:
            return None
        if quantity.time is not None:
            return self.duration_problem(quantity, found)
        if quantity.shape == "code":
            return self.code_problem(code)
        return self.number_problem(quantity, statement, found)

    def unit_problems(self, statement: Statement) -> Iterator[tuple[int, str]]:
        right: dict[int, set[str]] = {}
        for column in self.columns:
            for unit in self.knowledge.units.get(column, ()):
                family = unit_family(unit)
                if family is not None:
                    right.setdefault(family, set()).add(unit)
        if not right:
            return
        units = list(self.knowledge.unit_search.within(statement.text))
        told = {unit for unit, _, _ in units}
        for unit, start, _ in units:
            family = unit_family(unit)
            known = unit in self.knowledge.units_in_data
            if family is not None and family in right and not known and not told & right[family]:
                yield start, f"{unit} is not the unit of what is named: {_few(right[family])}"

    def facts(self, value: str) -> list[Fact]:
        numbers = self.knowledge.numbers
        return [
            fact
            for column in self.columns
            if column in numbers
            for fact in numbers[column].get(value, ())
        ]

    def durations(self, minutes: Decimal) -> list[Fact]:
        durations = self.knowledge.durations
        return [
            fact
            for column in self.columns
            if column in durations
            for fact in durations[column].get(minutes, ())
        ]

    def _said(self, value: str) -> bool:
        return any(
            value in self.knowledge.said.get(column, ())
            or value in self.knowledge.points.get(column, ())
            for column in self.columns
        )

    def _has_numbers(self) -> bool:
        return any(self.knowledge.numbers.get(column) for column in self.columns)

    def duration_problem(self, quantity: Quantity, found: tuple[Quantity, ...]) -> str | None:
        minutes = abs(quantity.minutes or Decimal(0))
        if minutes == 0:
            return None
        same = self.durations(minutes)
        if same:
            # The same duration told a second time in a statement, from its other side, is no second window.
            told = [one for one in found if one.minutes == quantity.minutes]
            if self.facts(quantity.value) or any(
                fact.kind != "window" or fact.closed is None or _window_fits(fact, one)
                for fact in same
                for one in told
            ):
                return None
            if quantity.closed is None and (quantity.side is None or quantity.timeline):
                return None
            said = "included" if quantity.closed else "excluded"
            if quantity.side is not None and not quantity.timeline:
                return f"no end at {quantity.value} {quantity.time} is as the comparison has it"
            return f"the end at {quantity.value} {quantity.time} is said to be {said}, and is not"
        if self.facts(quantity.value) or self._said(quantity.value):
            return None
        known = {
            f"{fact.value}"
            for column in self.columns
            for facts in self.knowledge.durations.get(column, {}).values()
            for fact in facts
        }
        if not known:
            return None
        return f"{quantity.value} {quantity.time} is no duration of what is named: {_few(known)}"

    def code_problem(self, code: str) -> str | None:
        codes = {
            code_ends(fact)
            for column in self.columns
            for facts in self.knowledge.numbers.get(column, {}).values()
            for fact in facts
            if fact.kind == "code"
        }
        if not codes or any(
            first <= code[: len(first)] <= last or code == first for first, last in codes
        ):
            return None
        return f"{code} is no code of what is named"

    def number_problem(
        self, quantity: Quantity, statement: Statement, found: tuple[Quantity, ...]
    ) -> str | None:
        value = quantity.value
        same = self.facts(value) or self.facts(_code(statement, quantity))
        if not same and value.startswith("-"):
            same = self.facts(value.removeprefix("-"))
        if not same and quantity.percent:
            same = self.facts(str(canonical(str(Decimal(value) / 100))))
        parts = _parts(statement, quantity)
        if not same and parts and all(self.facts(part) for part in parts):
            return None
        if same:
            return _side_problem(quantity, same) or _points_problem(
                quantity, same, statement, found
            )
        if value in _FLAGS and quantity.side is None:
            return None
        if quantity.time is None and _YEAR.fullmatch(value):
            return None
        if self._said(value) or (quantity.carried and self.durations(Decimal(value))):
            return None
        if not self._has_numbers():
            return None
        near = sorted(self._near(value), key=lambda known: abs(Decimal(known) - Decimal(value)))
        return f"{value} is no number of what is named; near it are {', '.join(near[:4])}"

    def _near(self, value: str) -> set[str]:
        return {
            known
            for column in self.columns
            for known in self.knowledge.numbers.get(column, ())
            if re.fullmatch(r"-?\d+(\.\d+)?", known)
        }


def _side_problem(quantity: Quantity, same: list[Fact]) -> str | None:
    if quantity.side is None or any(fact.kind != "cut" or fact.side is None for fact in same):
        return None
    if any(fact.side == quantity.side for fact in same):
        return None
    belongs = "values above" if same[0].side == "upper" else "values below"
    return f"{quantity.value} itself belongs with the {belongs} it; the comparison says otherwise"


def _points_problem(
    quantity: Quantity, same: list[Fact], statement: Statement, found: tuple[Quantity, ...]
) -> str | None:
    if quantity.direction is None:
        return None
    meant = [
        fact
        for fact in same
        if fact.kind == "cut"
        and fact.side in (quantity.side, None)
        and direction_of(fact) in (quantity.direction, None)
    ]
    scored = [fact for fact in meant if fact.points is not None]
    if not scored or len(scored) < len(meant):
        return None
    header = statement.headers[quantity.cell] if statement.headers else ""
    given = {one.value for one in found if one.role == "points"} | header_numbers(header)
    if not given or any(canonical(fact.points or "") in given for fact in scored):
        return None
    known = _few({fact.points or "" for fact in scored})
    return f"{quantity.value} gives {known}, not {_few(given)}"


def _fits(
    fact: Fact, quantity: Quantity, statement: Statement, found: tuple[Quantity, ...]
) -> bool:
    if fact.kind == "code":
        return _range_fits(fact, quantity, statement, found)
    if fact.kind != "cut":
        return True
    if fact.side is not None and fact.side not in (quantity.side, quantity.loose):
        return False
    if fact.points is None:
        return True
    direction = direction_of(fact)
    if direction and quantity.direction and direction != quantity.direction:
        return False
    points = canonical(fact.points)
    header = statement.headers[quantity.cell] if statement.headers else ""
    return points in header_numbers(header) or any(
        other.value == points and other is not quantity and other.role != "aside" for other in found
    )


def _range_fits(
    fact: Fact, quantity: Quantity, statement: Statement, found: tuple[Quantity, ...]
) -> bool:
    """Tell whether a range of codes is written with its last code after its first."""
    first, last = code_ends(fact)
    if first == last:
        return True
    following = found.index(quantity) + 1
    return following < len(found) and _code(statement, found[following]) == last


def _window_fits(fact: Fact, quantity: Quantity) -> bool:
    if fact.closed is None:
        return True
    if quantity.side is None or quantity.timeline or fact.side is None:
        return quantity.closed == fact.closed
    # A condition and its complement say the same: less than 14 hours goes on, 14 hours or more begins anew.
    included = (quantity.side, quantity.direction) in (("upper", "up"), ("lower", "down"))
    consistent = quantity.closed in (None, included) or quantity.direction is None
    return quantity.side == fact.side and consistent


def _code(statement: Statement, quantity: Quantity) -> str:
    """Return a number as a diagnosis code would be written: no dot, zeros kept."""
    return statement.text[quantity.start : quantity.end].replace(".", "").upper()


def _parts(statement: Statement, quantity: Quantity) -> tuple[str, ...]:
    """Return the codes of a list that was written without blanks, such as 410,412."""
    written = statement.text[quantity.start : quantity.end]
    parts = tuple(written.split(","))
    return parts if len(parts) > 1 and all(re.fullmatch(r"\d{3}", part) for part in parts) else ()


def _cell_bounds(statement: Statement) -> Iterator[_Span]:
    begin = 0
    for cell in statement.cells:
        yield begin, begin + len(cell)
        begin += len(cell) + 1


def _few(values: Iterable[str]) -> str:
    ordered = sorted(values, key=lambda value: (len(value), folded(value)))
    told = ", ".join(ordered[:_KNOWN_SHOWN])
    return f"{told} …" if len(ordered) > _KNOWN_SHOWN else told
