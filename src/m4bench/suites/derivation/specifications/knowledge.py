# SPDX-License-Identifier: MIT
"""What is true of which column: facts and declarations looked up by value and by phrase. Knows no text."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.number_patterns import Direction
from m4bench.suites.derivation.specifications.quantities import canonical, minutes_of
from m4bench.suites.derivation.specifications.spelling import Spelling
from m4bench.suites.derivation.specifications.vocabulary import phrases
from m4bench.suites.derivation.specifications.wording import (
    LONGEST_PHRASE,
    Units,
    canonical_unit,
    exact_words,
    singular,
)

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_PLAIN_NUMBERS = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
_UPWARD = frozenset({">", ">="})


@dataclass(frozen=True)
class Declared:
    """What a derivation's header says of a column: its unit and the words that explain it."""

    column: str
    unit: str | None
    words: str


def fact_minutes(fact: Fact) -> Decimal | None:
    """Return the length of a window, or of a cut on a time, in minutes; None for any other fact."""
    if fact.kind not in ("window", "cut"):
        return None
    number, _, unit = fact.value.partition(" ")
    # Offsets of eICU are minutes, and its headers declare no unit of a source column.
    offset = "minute" if any(subject.endswith("offset") for subject in fact.subjects) else ""
    minutes = minutes_of(canonical(number), unit or fact.unit or offset)
    return abs(minutes) if minutes is not None else None


def fact_value(fact: Fact) -> str:
    """Return a fact's value as quantities of a text are compared with it."""
    if fact.kind == "code":
        return code_ends(fact)[0]
    value = fact.value.partition(" ")[0] if fact.kind == "window" else fact.value
    return canonical(value) if _NUMBER.fullmatch(value) else value


def code_ends(fact: Fact) -> tuple[str, str]:
    """Return the first and the last code of a range, and of a single code itself twice."""
    first, _, last = fact.value.replace(".", "").upper().partition("-")
    return first, last or first


@lru_cache(maxsize=16384)
def direction_of(fact: Fact) -> Direction | None:
    """Return whether a cut's condition holds above or below its value, None where its clause does not tell."""
    if fact.kind != "cut" or fact.side is None:
        return None
    clause = fact.clause.upper()
    if re.search(r"\bNOT\b", clause):
        return None
    number = rf"(?:CAST\(\s*)?{re.escape(fact.value)}(?:\.0*)?(?![\d.])"
    after = {match[1] for match in re.finditer(rf"(<=|>=|<>|<|>)\s*{number}", clause)}
    before = {match[1] for match in re.finditer(rf"(?<![\d.\w]){number}\s*(<=|>=|<|>)", clause)}
    operators = {*after, *({"<": ">", ">": "<", "<=": ">=", ">=": "<="}[one] for one in before)}
    operators &= {"<", ">="} if fact.side == "upper" else {">", "<="}
    directions: set[Direction] = {"up" if one in _UPWARD else "down" for one in operators}
    if re.search(rf"BETWEEN\s+{number}\s+AND", clause):
        directions.add("up")
    if re.search(rf"\bAND\s+{number}", clause) and "BETWEEN" in clause:
        directions.add("down")
    return directions.pop() if len(directions) == 1 else None


def _bounds(facts: tuple[Fact, ...]) -> Iterator[int]:
    """Yield the numbers of cuts beyond which a formula's value at the cut is given: 12 below 125, of 137 - value."""
    terms: dict[tuple[str, str], set[Decimal]] = defaultdict(set)
    for fact in facts:
        if fact.kind == "constant" and fact.points is None and _NUMBER.fullmatch(fact.value):
            for subject in fact.subjects:
                terms[(fact.derivation, subject)].add(Decimal(fact.value))
    for number, fact in enumerate(facts):
        if fact.kind != "cut" or fact.points is None or not fact.subjects:
            continue
        if not _NUMBER.fullmatch(fact.value) or not _NUMBER.fullmatch(fact.points):
            continue
        limit, given = Decimal(fact.value), Decimal(fact.points)
        constants = terms.get((fact.derivation, fact.subjects[0]), set())
        # The logarithm of 1 is 0, which leaves what is added to it.
        if any(given == abs(one - limit) or (limit == 1 and given == one) for one in constants):
            yield number


class FactIndex:
    """Facts by what a text would have to hold to state them."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.facts = tuple(facts)
        self.by_value: dict[str, list[int]] = defaultdict(list)
        self.by_minutes: dict[Decimal, list[int]] = defaultdict(list)
        self.by_words: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self.by_unit: dict[str, list[int]] = defaultdict(list)
        self.wordless: list[int] = []
        for number, fact in enumerate(self.facts):
            minutes = fact_minutes(fact)
            if minutes is not None:
                self.by_minutes[minutes].append(number)
            if fact.kind == "window":
                continue
            if fact.kind == "text":
                words = exact_words(fact.value)
                if words:
                    self.by_words[words].append(number)
                else:
                    self.wordless.append(number)
            elif fact.kind == "unit":
                self.by_unit[canonical_unit(fact.unit or fact.value)].append(number)
            else:
                self.by_value[fact_value(fact)].append(number)
        self.bounds = frozenset(_bounds(self.facts))
        self.longest_text = max((len(words) for words in self.by_words), default=0)

    @property
    def units(self) -> frozenset[str]:
        """The units of its facts of units."""
        return frozenset(f.unit or f.value for f in self.facts if f.kind == "unit")


class Knowledge:
    """All that the library says, by column: what a text may say of a column without contradicting it."""

    def __init__(
        self,
        library: Iterable[Fact],
        declared: Iterable[Declared],
        literals: Iterable[str] = (),
        words: Iterable[str] = (),
    ) -> None:
        """Take facts and what headers declare, and what queries hold for whatever reason.

        Args:
            library: the facts.
            declared: the columns as headers declare them.
            literals: long numbers of queries.
            words: words of texts of queries.
        """
        self.facts = tuple(library)
        self.numbers: dict[str, dict[str, list[Fact]]] = defaultdict(lambda: defaultdict(list))
        self.durations: dict[str, dict[Decimal, list[Fact]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.points: dict[str, set[str]] = defaultdict(set)
        self.said: dict[str, set[str]] = defaultdict(set)
        self.units: dict[str, set[str]] = defaultdict(set)
        self.texts: set[tuple[str, ...]] = set()
        self.units_in_data: dict[str, set[str]] = defaultdict(set)
        self.items: set[str] = set()
        self.values: set[str] = set(literals)
        columns: set[str] = set()
        for fact in self.facts:
            columns.update(self._note(fact))
        units: set[str] = {f.unit or f.value for f in self.facts if f.kind == "unit"}
        for each in declared:
            columns.add(each.column)
            self.said[each.column].update(map(canonical, _PLAIN_NUMBERS.findall(each.words)))
            if each.unit:
                units.add(each.unit)
                self.units[each.column].add(canonical_unit(each.unit))
        self.unit_search = Units(frozenset(units))
        self.columns_by_phrase = _by_phrase(columns)
        texts = [fact.value for fact in self.facts if fact.kind == "text"]
        known = (exact_words(word) for word in words)
        self.spelling = Spelling(texts, (*self.columns_by_phrase, *known))

    def _note(self, fact: Fact) -> tuple[str, ...]:
        about = (*fact.subjects, *fact.columns)
        minutes = fact_minutes(fact)
        value = fact_value(fact)
        if fact.kind == "text":
            self.texts.add(exact_words(fact.value))
            self.units_in_data[canonical_unit(fact.value)].add(fact.derivation)
            return about
        if fact.kind == "item":
            self.items.add(value)
        if fact.kind not in ("unit", "window"):
            self.values.update(code_ends(fact) if fact.kind == "code" else (value,))
        for column in about:
            if fact.kind == "unit":
                self.units[column].add(canonical_unit(fact.unit or fact.value))
            elif fact.kind == "code":
                for code in code_ends(fact):
                    self.numbers[column][code].append(fact)
            elif fact.kind != "window":
                self.numbers[column][value].append(fact)
            if minutes is not None:
                self.durations[column][minutes].append(fact)
            if fact.points is not None:
                self.points[column].add(canonical(fact.points))
        return about

    def last_named(self, text: str) -> frozenset[str]:
        """Return the columns of the last phrase of a text that names any, the longest such phrase."""
        words = singular(exact_words(text))
        for end in range(len(words), 0, -1):
            for begin in range(max(0, end - LONGEST_PHRASE), end):
                found = self.columns_by_phrase.get(words[begin:end])
                if found:
                    return frozenset(found)
        return frozenset()

    def named(self, sequences: frozenset[tuple[str, ...]]) -> frozenset[str]:
        """Return the columns that are named by runs of words."""
        found: set[str] = set()
        for phrase in sequences & self.columns_by_phrase.keys():
            found |= self.columns_by_phrase[phrase]
        return frozenset(found)


def _by_phrase(columns: Iterable[str]) -> Mapping[tuple[str, ...], set[str]]:
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for column in columns:
        for phrase in phrases(column):
            words = singular(exact_words(phrase))
            if words:
                found[words].add(column)
    return found
