# SPDX-License-Identifier: MIT
"""Texts held against facts: what each statement states and what it contradicts. Knows no file and no SQL."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from m4bench.suites.derivation.specifications.contradictions import Span, problems
from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.items import is_item_of_another, strange_items
from m4bench.suites.derivation.specifications.knowledge import FactIndex, Knowledge
from m4bench.suites.derivation.specifications.matching import states, values_written
from m4bench.suites.derivation.specifications.quantities import Quantity, quantities
from m4bench.suites.derivation.specifications.statements import CELL, Statement
from m4bench.suites.derivation.specifications.wording import (
    exact_words,
    word_sequences,
    word_sequences_of,
)

UNREAD_SECTIONS = frozenset(
    {"purpose", "known limits", "limits", "sources", "references", "sources and references"}
)
_CITING = frozenset({"sources", "references", "sources and references"})
# A card's section Output tells how far each column of the answer reaches.
_ANSWER = "output"
_WORD_PLACE = re.compile(r"[^\W_]+")
_SHORT = 5
_QUOTES = frozenset("\"'“”‘’")
_ITEM = re.compile(r"\bitem", re.IGNORECASE)
_ANY_CASE = re.compile(r"\b(?:ILIKE|LOWER|UPPER)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Contradiction:
    """What a text says and no derivation has, with the line that says it."""

    line: int
    problem: str


@dataclass(frozen=True)
class Reading:
    """What one statement says: the numbers of the facts it states, each with where its value stands."""

    stated: Mapping[int, tuple[Span, ...]]
    contradictions: tuple[Contradiction, ...]


@dataclass(frozen=True)
class Result:
    """Facts held against a text: the lines that state each, and what contradicts."""

    stated: tuple[tuple[Fact, tuple[int, ...]], ...]
    absent: tuple[Fact, ...]
    contradictions: tuple[Contradiction, ...]


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
            return Reading({}, self._strange_items(statement))
        named = self.knowledge.named(word_sequences(statement))
        found = quantities(statement)
        stated: dict[int, list[Span]] = {}
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
    ) -> Iterator[tuple[int, Span]]:
        for quantity in found:
            if quantity.role == "aside":
                continue
            minutes = quantity.minutes
            numbers = [
                number
                for value in values_written(statement, quantity)
                for number in self.index.by_value.get(value, ())
            ]
            if minutes is not None:
                numbers += self.index.by_minutes.get(abs(minutes), ())
            for number in dict.fromkeys(numbers):
                fact = self.facts[number]
                if not self._about(number, named) or self._of_another(fact, quantity, statement):
                    continue
                if states(fact, quantity, statement, found, bound=number in self.index.bounds):
                    yield number, (quantity.start, quantity.end)

    def _of_another(self, fact: Fact, quantity: Quantity, statement: Statement) -> bool:
        """Tell whether a value met exactly stands in a cell that names other columns: `verbal 4 | motor 6`."""
        if not statement.headers or fact.kind != "cut" or fact.side is not None:
            return False
        named = self.knowledge.named(word_sequences_of(statement.cells[quantity.cell]))
        return bool(named) and not named.intersection(fact.subjects)

    def _texts(self, statement: Statement, named: frozenset[str]) -> Iterator[tuple[int, Span]]:
        if not self.index.by_words and not self.index.wordless:
            return
        for number, (begin, end) in enumerate(_cell_bounds(statement)):
            if _is_label_of_item(statement, number):
                continue
            part = statement.text[begin:end]
            places = [match.span() for match in _WORD_PLACE.finditer(part)]
            words = exact_words(part)
            if len(words) != len(places):
                continue
            for first in range(len(words)):
                for last in range(first, min(first + self.index.longest_text, len(words))):
                    for fact in self.index.by_words.get(words[first : last + 1], ()):
                        span = (begin + places[first][0], begin + places[last][1])
                        if (
                            self._about(fact, named)
                            and self._same_case(fact, statement, span)
                            and _whole(statement, span)
                        ):
                            yield fact, span
        for number in self.index.wordless:
            place = statement.text.find(self.facts[number].value)
            if place >= 0 and self._about(number, named):
                yield number, (place, place + len(self.facts[number].value))

    def _same_case(self, number: int, statement: Statement, span: Span) -> bool:
        fact = self.facts[number]
        if sum(map(len, exact_words(fact.value))) <= _SHORT and not _set_apart(statement, span):
            return False
        if _ANY_CASE.search(fact.clause):
            return True
        if fact.value.islower() and not _set_apart(statement, span):
            return True  # a sentence may begin with it
        written = _WORD_PLACE.findall(statement.text[span[0] : span[1]])
        return written == _WORD_PLACE.findall(fact.value)

    def _units(self, statement: Statement, named: frozenset[str]) -> Iterator[tuple[int, Span]]:
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

    def _strange_items(self, statement: Statement) -> tuple[Contradiction, ...]:
        """Return the items that no query has, where nothing else is read; where sources are cited, none."""
        if not self.facts or not _CITING.isdisjoint(map(_title, statement.sections)):
            return ()
        told = strange_items(statement, self.knowledge.values)
        if told and self._wider is not None:  # a limit may well name what another derivation reads
            told = strange_items(statement, self._wider().values)
        return tuple(Contradiction(statement.line_of(at), words) for at, words in told.items())

    def _contradictions(
        self, statement: Statement, found: tuple[Quantity, ...]
    ) -> tuple[Contradiction, ...]:
        if not self.facts or _ANSWER in map(_title, statement.sections):
            return ()
        told = problems(self.knowledge, statement, found)
        if self._wider is not None and not all(problem.firm for problem in told.values()):
            wider = problems(self._wider(), statement, found)
            told = {
                at: problem
                for at, problem in told.items()
                if problem.firm
                or at in wider
                or (problem.item and is_item_of_another(self._wider(), statement, problem.item))
            }
        return tuple(
            Contradiction(statement.line_of(place), problem.words)
            for place, problem in told.items()
        )


def _is_label_of_item(statement: Statement, cell: int) -> bool:
    """Tell whether a cell is a dictionary's label beside an item: a name and no text that a record holds."""
    headers = statement.headers
    return (
        bool(headers)
        and headers[cell].strip().lower() == "label"
        and any(map(_ITEM.search, headers))
    )


def _set_apart(statement: Statement, span: Span) -> bool:
    """Tell whether words are set as code, quoted, or the whole of a cell."""
    if any(begin <= span[0] and span[1] <= end for begin, end in statement.code):
        return True
    before, after = statement.text[: span[0]], statement.text[span[1] :]
    quoted = before[-1:] in _QUOTES and after.lstrip(".,;:%")[:1] in _QUOTES
    return quoted or (before.endswith(CELL) and (not after or after.startswith(CELL)))


def _whole(statement: Statement, span: Span) -> bool:
    """Tell whether words within code are all of it: `SIMV` is not stated by `SIMV/PSV`."""
    around = [one for one in statement.code if one[0] <= span[0] and span[1] <= one[1]]
    words = _WORD_PLACE.findall(statement.text[slice(*span)])
    return not around or any(
        _WORD_PLACE.findall(statement.text[slice(*one)]) == words for one in around
    )


def _cell_bounds(statement: Statement) -> Iterator[Span]:
    begin = 0
    for cell in statement.cells:
        yield begin, begin + len(cell)
        begin += len(cell) + 1
