# SPDX-License-Identifier: MIT
"""Numbers that a statement gives for items and that no query, or no query of a family, holds. Knows no file."""

import re
from collections.abc import Collection

from m4bench.suites.derivation.specifications.knowledge import Knowledge
from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.specifications.wording import word_sequences_of

_LONG_NUMBER = re.compile(r"(?<![\w.,/:;–-])\d{5,6}(?![\w/–-]|[.,]\d)")
_SPOKEN_OF_AS_ITEM = re.compile(
    r"\bitems?(?:[ _]?ids?)?\b(?:[^\w.;]|\d"
    r"|\b(?:number|identifier|id|and|or|nor|of|is|are|no|not|with|the|such as)s?\b){0,80}$",
    re.IGNORECASE,
)
_CITED = re.compile(
    r"\b(?:doi|pmc?id|pages?|pp?|vol(?:ume)?|no|nct|isbn|issn)\b[^\w]*$", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\s+(?:\w+\s+){0,2}(?:stays|patients|admissions|rows|records|measurements|people|subjects|values)\b",
    re.IGNORECASE,
)
# The items of charts, of inputs and outputs are numbered so in MIMIC-IV.
_CHARTED = re.compile(r"22[0-9]{4}")
_LOOKED_BACK = 120
_SET_ASIDE = re.compile(
    r"\b(?:not|no|nor|never|neither|other than|but for|except|instead of|rather than|unlike|without|ignored?"
    r"|excluded?|left out|unused|dropped|omitted)\b",
    re.IGNORECASE,
)


def strange_items(statement: Statement, known: Collection[str]) -> dict[int, str]:
    """Return what is wrong with the items that a statement speaks of and no query holds, by where they stand.

    Of the numbers as long as an item's those are meant that the text calls items, that are set as code, or that are
    numbered as charted items are; not what is cited, such as a page, or counted.

    Args:
        statement: the statement.
        known: the numbers that queries hold.
    """
    told: dict[int, str] = {}
    for match in _LONG_NUMBER.finditer(statement.text):
        start, end = match.span()
        if match.group() in known or _COUNTED.match(statement.text, end):
            continue
        before = statement.text[max(0, start - _LOOKED_BACK) : start]
        if _CITED.search(before):
            continue
        if (
            _CHARTED.fullmatch(match.group())
            or (start, end) in statement.code
            or _SPOKEN_OF_AS_ITEM.search(before)
        ):
            told[start] = no_item(match.group())
    return told


def is_item_of_another(knowledge: Knowledge, statement: Statement, item: str) -> bool:
    """Tell whether a text would have an item used that only other derivations read.

    It would not where it sets the item aside, or says itself, beyond the dictionary's label, what the item is of.

    Args:
        knowledge: what is known of all derivations.
        statement: the statement that holds the item.
        item: an item that no derivation reads that the text is held against.
    """
    if item not in knowledge.items or _SET_ASIDE.search(statement.text):
        return False
    headers = statement.headers or ("",)
    own = [
        cell
        for cell, header in zip(statement.cells, headers, strict=True)
        if header.strip().lower() != "label"
    ]
    named = frozenset(column for cell in own for column in knowledge.named(word_sequences_of(cell)))
    facts = (fact for column in named for fact in knowledge.numbers.get(column, {}).get(item, ()))
    return not any(fact.kind == "item" for fact in facts)


def no_item(number: str) -> str:
    """Return the words for a number that no query holds."""
    return f"{number} is no item, code or limit that any derivation reads"
