# SPDX-License-Identifier: MIT
"""What each sentence of our skills states, kept by hash, so that none loses a fact that another still states.

A fact that stands in several sentences is stated as long as one is right; agents read them all. Knows no task.
"""

import json
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_record
from m4bench.suites.derivation.specifications.comparison import Comparison
from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.quantities import Quantity, quantities
from m4bench.suites.derivation.specifications.statements import Statement

RECORD = "stated.json"
_DIGITS = 12
_SHOWN = 60

Stated = list[tuple[str, str]]
"""Of every sentence that states a fact, the hash of what it states and the words it begins with."""


def stated(statements: Iterable[Statement], comparison: Comparison) -> Stated:
    """Return what the sentences of a skill state, in their order; those that state no fact are left out."""
    return list(_stated(statements, comparison))


def _stated(statements: Iterable[Statement], comparison: Comparison) -> Iterator[tuple[str, str]]:
    for statement in statements:
        found = comparison.read(statement).stated
        if found:
            read = {(one.start, one.end): one for one in quantities(statement)}
            facts = sorted(
                [
                    *_identity(comparison.facts[number]),
                    *(_compared(read.get(span)) for span in spans),
                ]
                for number, spans in found.items()
            )
            units = [unit for unit, _, _ in comparison.knowledge.unit_search.within(statement.text)]
            words = " ".join(statement.text.split())[:_SHOWN]
            yield sha256_record([facts, sorted(units)])[:_DIGITS], words


def _compared(quantity: Quantity | None) -> str:
    """Return how a sentence compares with a number, which a fact without a side does not tell."""
    return "" if quantity is None else f"{quantity.side} {quantity.closed}"


def _identity(fact: Fact) -> list[str]:
    parts = (fact.kind, fact.derivation, fact.value, fact.side, fact.closed, fact.points, fact.unit)
    return [str(part) for part in (*parts, *fact.subjects)]


def lost(recorded: Stated, now: Stated) -> list[str]:
    """Return the beginnings of the recorded sentences that do not state the same now, in the recorded order.

    The order counts: rows that change places exchange what they state, and tests are tried in their order.
    """
    before, after = ([digest for digest, _ in side] for side in (recorded, now))
    kept: set[int] = set()
    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        kept.update(range(block.a, block.a + block.size))
    return [words for place, (_, words) in enumerate(recorded) if place not in kept]


def is_edition(recorded: Stated, now: Stated) -> bool:
    """Tell whether a text is the recorded one, edited: most of its sentences state what is recorded."""
    return len(lost(recorded, now)) * 2 < len(recorded)


def read_record(family: Path, skill: str) -> Stated:
    """Return what is recorded of a skill in its family's folder; nothing where there is no record.

    Raises:
        InputError: the record cannot be read.
    """
    path = family / RECORD
    if not path.is_file():
        return []
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return [(str(digest), str(words)) for digest, words in content.get(skill, [])]
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError("is no record of what skills state", file=path) from error
