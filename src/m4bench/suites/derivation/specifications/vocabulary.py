# SPDX-License-Identifier: MIT
"""The phrases by which a text may name a column. Knows no derivation and no text."""

import re
import tomllib
from functools import cache
from pathlib import Path

VOCABULARY = Path(__file__).with_name("vocabulary.toml")
_MEASURE = re.compile(
    r"_(min|max|avg|mean|score|term|points|item|value|num|calc|present|prob|flag|24hours)$"
)


@cache
def vocabulary() -> dict[str, tuple[str, ...]]:
    """Return the phrases of the vocabulary by column or stem, all in lower case."""
    tables = tomllib.loads(VOCABULARY.read_text(encoding="utf-8"))
    return {
        name.lower(): tuple(phrase.lower() for phrase in phrases)
        for table in tables.values()
        for name, phrases in table.items()
    }


def stem(column: str) -> str:
    """Return a column's name without what only says which value of it, or what is made of it, is meant."""
    shorter = _MEASURE.sub("", column)
    return column if shorter in (column, "") else stem(shorter)


@cache
def phrases(column: str) -> tuple[str, ...]:
    """Return the lower-case phrases by which a text may name a column, the vocabulary's before the plain ones.

    The plain ones are the column's name and its stem, underscores as blanks, and the name as it is
    written. What the vocabulary says of a stem holds for every column of that stem.
    """
    column = column.lower()
    known = vocabulary()
    bare = stem(column)
    found = [*known.get(column, ()), *known.get(bare, ())]
    found += [column.replace("_", " "), bare.replace("_", " "), column, bare]
    return tuple(dict.fromkeys(found))
