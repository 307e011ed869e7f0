# SPDX-License-Identifier: MIT
"""What each sentence of our skills states and says, kept by hash, so that none changes unseen. Knows no task.

Two hashes are kept of a sentence. That of the facts it states tells a sentence that states another fact, or none; a
fact that stands in several sentences is stated as long as one is right. That of its words is a seal: it tells that a
sentence is not the one that was read against the derivation, and nothing of its truth.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_record
from m4bench.suites.derivation.specifications.comparison import Comparison
from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.quantities import Quantity, quantities
from m4bench.suites.derivation.specifications.skill import Finding, Skill
from m4bench.suites.derivation.specifications.statements import Statement

RECORD = "stated.json"
READ_ANEW = "since it was read against the derivation"
_DIGITS = 12
_SHOWN = 60


class Sentence(NamedTuple):
    """A sentence, a bullet or a table row as it is recorded.

    Attributes:
        facts: the hash of what it states; empty where it states no fact.
        seal: the hash of its words, the header above each of its cells and its nearest heading.
        words: what it begins with.
    """

    facts: str
    seal: str
    words: str


@dataclass(frozen=True)
class RecordedText:
    """A text of a skill as it is recorded.

    Attributes:
        seal: the hash of the whole text, front matter and marks included, white space folded.
        sentences: its sentences in their order.
    """

    seal: str
    sentences: tuple[Sentence, ...]


Recorded = Mapping[str, RecordedText]
"""The texts of a skill by the name of the file, SKILL.md first."""


def recorded(skill: Skill, comparison: Comparison) -> Recorded:
    """Return what is recorded of a skill as it is now."""
    told = skill.statements()
    return {
        name: RecordedText(_seal(_folded(text)), tuple(stated(told[name], comparison)))
        for name, text in skill.texts.items()
    }


def stated(statements: Iterable[Statement], comparison: Comparison) -> list[Sentence]:
    """Return what sentences state and say, in their order."""
    return [
        Sentence(
            _facts(statement, comparison), _sealed(statement), _folded(statement.text)[:_SHOWN]
        )
        for statement in statements
    ]


def _facts(statement: Statement, comparison: Comparison) -> str:
    found = comparison.read(statement).stated
    if not found:
        return ""
    read = {(one.start, one.end): one for one in quantities(statement)}
    facts = sorted(
        [*_identity(comparison.facts[number]), *(_compared(read.get(span)) for span in spans)]
        for number, spans in found.items()
    )
    units = [unit for unit, _, _ in comparison.knowledge.unit_search.within(statement.text)]
    return _seal([facts, sorted(units)])


def _sealed(statement: Statement) -> str:
    cells = [_folded(cell) for cell in statement.cells]
    headers = [_folded(header) for header in statement.headers]
    heading = _folded(statement.sections[-1]) if statement.sections else ""
    code = [_folded(statement.text[begin:end]) for begin, end in statement.code]
    return _seal([cells, headers, heading, code])


def _seal(content: Any) -> str:
    return sha256_record(content)[:_DIGITS]


def _folded(text: str) -> str:
    return " ".join(text.split())


def _compared(quantity: Quantity | None) -> str:
    """Return how a sentence compares with a number, which a fact without a side does not tell."""
    return "" if quantity is None else f"{quantity.side} {quantity.closed}"


def _identity(fact: Fact) -> list[str]:
    parts = (fact.kind, fact.derivation, fact.value, fact.side, fact.closed, fact.points, fact.unit)
    return [str(part) for part in (*parts, *fact.subjects)]


def lost(before: Sequence[Sentence], now: Sequence[Sentence]) -> list[str]:
    """Return the beginnings of the recorded sentences that do not state the same now, in the recorded order.

    Sentences that state no fact are passed over. The order counts: rows that change places exchange what they
    state, and tests are tried in their order.
    """
    told = [one for one in before if one.facts]
    blocks = _matching([one.facts for one in told], [one.facts for one in now if one.facts])
    return [one.words for place, one in enumerate(told) if place not in blocks]


def _matching(before: list[str], after: list[str]) -> set[int]:
    kept: set[int] = set()
    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        kept.update(range(block.a, block.a + block.size))
    return kept


def sentences(texts: Recorded) -> list[Sentence]:
    """Return the sentences of all texts of a skill."""
    return [one for text in texts.values() for one in text.sentences]


def is_edition(before: Recorded, now: Recorded, *, same_family: bool) -> bool:
    """Tell whether a text of the name of one of our skills is that skill, edited.

    It is where it claims our family too, unless it states nothing; else where most of its sentences that state a
    fact state what is recorded.

    Args:
        before: what is recorded of our skill.
        now: the text as it is.
        same_family: whether its front matter names the family of our skill.
    """
    told = [one for one in sentences(before) if one.facts]
    read = sentences(now)
    if same_family:
        return any(one.facts for one in read)
    return len(lost(told, read)) * 2 < len(told)


def changed(before: Recorded, now: Recorded, skill: Skill) -> list[Finding]:
    """Return where a skill is not the one that is recorded, each sentence once."""
    found: list[Finding] = []
    for name, text in before.items():
        if name not in now:
            found.append(Finding(name, None, f"is gone {READ_ANEW}"))
            continue
        lines = [statement.line for statement in skill.statements()[name]]
        differing = [
            Finding(name, line, problem)
            for line, problem in _differing(text.sentences, now[name].sentences, lines)
        ]
        if not differing and text.seal != now[name].seal:
            beside = "in its front matter, its headings or its marks"
            differing = [Finding(name, None, f"changed {beside} {READ_ANEW}")]
        found += differing
    found += [Finding(name, None, f"is new {READ_ANEW}") for name in now if name not in before]
    return found


class _Placed(NamedTuple):
    """A sentence with its line and, where one took the place of another, that place."""

    place: int | None
    line: int | None
    sentence: Sentence


def _differing(
    before: Sequence[Sentence], now: Sequence[Sentence], lines: Sequence[int]
) -> Iterator[tuple[int | None, str]]:
    """Yield the line, and what is wrong, of every sentence that changed, moved, is new or is gone."""
    gone: list[_Placed] = []
    new: list[_Placed] = []
    seals = ([one.seal for one in before], [one.seal for one in now])
    for how, a, b, c, d in SequenceMatcher(None, *seals, autojunk=False).get_opcodes():
        if how == "equal":
            for one, other, line in zip(before[a:b], now[c:d], lines[c:d], strict=True):
                if one.facts != other.facts:
                    yield line, f"states other facts {READ_ANEW}, in the same words: {one.words} …"
            continue
        last = min(max(c, d - 1), len(lines) - 1)
        for place, one in enumerate(before[a:b], start=c):
            near = lines[min(place, last)] if lines else None
            gone.append(_Placed(place if place < d else None, near, one))
        new += map(_Placed, range(c, d), lines[c:d], now[c:d])
    yield from _told(gone, new)


def _told(gone: Sequence[_Placed], new: Sequence[_Placed]) -> Iterator[tuple[int | None, str]]:
    moved = Counter(one.sentence.seal for one in gone) & Counter(one.sentence.seal for one in new)
    gone, _ = _parted(gone, moved)
    new, elsewhere = _parted(new, moved)
    for one in elsewhere:
        yield one.line, f"moved {READ_ANEW}: {one.sentence.words} …"
    was = {one.place: one.sentence for one in gone if one.place is not None}
    for one in new:
        before = was.pop(one.place, None) if one.place is not None else None
        if before is None:
            yield one.line, f"is new {READ_ANEW}: {one.sentence.words} …"
        else:
            also = "" if before.facts == one.sentence.facts else ", and states other facts"
            yield one.line, f"changed {READ_ANEW}{also}: {one.sentence.words} …"
    for one in gone:
        if one.place is None or one.place in was:
            yield one.line, f"a sentence is gone {READ_ANEW}: {one.sentence.words} …"


def _parted(placed: Sequence[_Placed], moved: Counter[str]) -> tuple[list[_Placed], list[_Placed]]:
    """Return the sentences but those that moved, and those that moved."""
    left = Counter(moved)
    stay: list[_Placed] = []
    elsewhere: list[_Placed] = []
    for one in placed:
        found = left[one.sentence.seal] > 0
        left[one.sentence.seal] -= found
        (elsewhere if found else stay).append(one)
    return stay, elsewhere


def read_record(family: Path, skill: str) -> Recorded:
    """Return what is recorded of a skill in its family's folder; nothing where there is no record.

    Raises:
        InputError: the record cannot be read.
    """
    path = family / RECORD
    if not path.is_file():
        return {}
    try:
        texts = json.loads(path.read_text(encoding="utf-8")).get(skill, {})
        return {
            str(name): RecordedText(
                str(text["seal"]), tuple(Sentence(*map(str, one)) for one in text["sentences"])
            )
            for name, text in texts.items()
        }
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise InputError(
            "is no record of what skills state",
            file=path,
            remedy="write it anew with `make stated`",
        ) from error


def record_text(skills: Mapping[str, Recorded]) -> str:
    """Return the record of a family's skills as it is kept, a line a sentence."""
    told = []
    for name, texts in skills.items():
        rows = ",\n".join(
            f"{json.dumps(file)}: {{\n"
            f'"seal": {json.dumps(text.seal)},\n"sentences": [\n'
            + ",\n".join(json.dumps(list(one), ensure_ascii=False) for one in text.sentences)
            + "\n]}"
            for file, text in texts.items()
        )
        told.append(f"{json.dumps(name)}: {{\n{rows}\n}}")
    return "{\n" + ",\n".join(told) + "\n}\n"
