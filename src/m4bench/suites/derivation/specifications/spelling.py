# SPDX-License-Identifier: MIT
"""Texts of the data that a statement misspells by one letter. Knows the texts, and nothing of what they mean."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.specifications.wording import exact_words, singular, unit_family

SHORTEST = 6
SHORTEST_WORD = 4
SHORTEST_CODE = 4
_SEPARATOR = re.compile(r"\s*(?:,|;|/|and|or|,\s*(?:and|or))\s*")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*_[a-z0-9_]*|[a-z_]+\.[a-z_.]+")
_WORD = re.compile(r"[^\W_]+")
Words = tuple[str, ...]


class Spelling:
    """Finds what is one letter away from a known text and is none itself.

    Texts under six letters, or under four where they are set as code, are left alone, but in a list: what is set
    as code between known texts has to be one too.
    """

    def __init__(self, texts: Iterable[str], also_known: Iterable[Words] = ()) -> None:
        """Take the texts, and words that are right though they resemble one; a text that is a unit is no word."""
        written = {exact_words(text): text for text in texts}
        self._texts = frozenset(written)
        self._written = {
            words: text
            for words, text in written.items()
            if words
            and sum(map(len, words)) >= SHORTEST_CODE
            and not all(w.isdigit() for w in words)
            and unit_family(text) is None
        }
        self._known = {singular(words) for words in (*written, *also_known)}
        self._words = {word for words in self._known for word in words}
        self._by_rest: dict[tuple[int, Words, Words], set[str]] = defaultdict(set)
        for words in self._written:
            for place, word in enumerate(words):
                self._by_rest[(len(words), words[:place], words[place + 1 :])].add(word)
        self._shorter: dict[str, set[str]] = defaultdict(set)
        for words in self._written:
            for word in words:
                for part in _deletions(word):
                    self._shorter[part].add(word)
        self._longest = max(map(len, self._written), default=0)

    def misspelt(self, statement: Statement) -> Iterator[tuple[int, str, str]]:
        """Yield where a misspelt text begins, what is written there, and what is meant."""
        begin = 0
        for cell in statement.cells:
            places = [match.span() for match in _WORD.finditer(cell)]
            words = exact_words(cell)
            if len(words) == len(places):
                for first, last, meant in self._within(words):
                    start, end = begin + places[first][0], begin + places[last][1]
                    whole = bool(statement.headers) and (first, last) == (0, len(words) - 1)
                    as_code = whole or any(b <= start and end <= e for b, e in statement.code)
                    if sum(map(len, meant)) >= (SHORTEST_CODE if as_code else SHORTEST):
                        yield start, statement.text[start:end], self._written[meant]
            begin += len(cell) + 1
        yield from self._strangers(statement)

    def _strangers(self, statement: Statement) -> Iterator[tuple[int, str, str]]:
        """Yield what is set as code in a list with known texts, and is none."""
        known = [
            exact_words(statement.text[begin:end]) in self._texts for begin, end in statement.code
        ]
        for place, (begin, end) in enumerate(statement.code):
            beside = [other for other in (place - 1, place + 1) if 0 <= other < len(known)]
            listed = [one for one in beside if _listed(statement, *sorted((place, one)))]
            written = statement.text[begin:end]
            if known[place] or not listed or not all(known[one] for one in listed):
                continue
            if exact_words(written) and not _IDENTIFIER.fullmatch(written):
                beside_it = statement.text[slice(*statement.code[min(listed)])]
                yield begin, written, f"{beside_it} beside it"

    def _within(self, words: Words) -> Iterator[tuple[int, int, Words]]:
        for place, word in enumerate(words):
            if word in self._words or word.isdigit() or singular((word,))[0] in self._words:
                continue
            near = self._near(word)
            if not near:
                continue
            for first in range(max(0, place - self._longest + 1), place + 1):
                for last in range(place, min(first + self._longest, len(words))):
                    before, after = words[first:place], words[place + 1 : last + 1]
                    there = self._by_rest.get((last - first + 1, before, after), set()) & near
                    alone = first == last
                    for meant in sorted(
                        one for one in there if not alone or not _ends_otherwise(one, word)
                    ):
                        yield first, last, (*before, meant, *after)

    def _near(self, word: str) -> set[str]:
        if len(word) < SHORTEST_WORD:
            return set()
        candidates = set(self._shorter.get(word, ()))
        for part in _deletions(word):
            candidates |= self._shorter.get(part, set())
            if part in self._words:
                candidates.add(part)
        return {one for one in candidates if _one_apart(one, word)}


def _listed(statement: Statement, first: int, second: int) -> bool:
    """Tell whether two pieces of code follow each other in a list."""
    between = statement.text[statement.code[first][1] : statement.code[second][0]]
    return _SEPARATOR.fullmatch(between) is not None


def _deletions(word: str) -> Iterator[str]:
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]


def _ends_otherwise(first: str, second: str) -> bool:
    """Tell whether words differ by their last letter, as forms of one word do."""
    return first[:-1] in (second, second[:-1]) or second[:-1] == first


def _one_apart(first: str, second: str) -> bool:
    """Tell whether words differ by one letter put in, left out or changed, and by no ending of a plural."""
    if singular((first,)) == singular((second,)):
        return False
    if len(first) == len(second):
        return sum(a != b for a, b in zip(first, second, strict=True)) == 1
    shorter, longer = sorted((first, second), key=len)
    return len(longer) == len(shorter) + 1 and shorter in set(_deletions(longer))
