# SPDX-License-Identifier: MIT
"""In which order conditions, schemas and conventions are told, everywhere alike. Knows no run.

Unknown ones come last, by name.
"""

from collections.abc import Iterable, Sequence

CONDITIONS = (
    "no-skill",
    "with-skill-decoy",
    "operational-spec",
    "with-skill-rawsql",
    "with-skill",
    "with-skill-all",
    "with-checks",
    "with-skill+checks",
)
"""From the barest to the fullest help; what is checked comes after what is only told."""
SCHEMAS = ("native", "obfuscated", "restructured", "shifted")
CONVENTIONS = ("published", "current", "adjudicated")

Key = tuple[int, str]


def condition_key(name: str) -> Key:
    """Return what a condition is sorted by."""
    return _key(name, CONDITIONS)


def schema_key(name: str) -> Key:
    """Return what a schema is sorted by."""
    return _key(name, SCHEMAS)


def convention_key(name: str) -> Key:
    """Return what a convention is sorted by."""
    return _key(name, CONVENTIONS)


def conditions_in_order(names: Iterable[str]) -> list[str]:
    """Return each condition once, in order."""
    return sorted(set(names), key=condition_key)


def _key(name: str, known: Sequence[str]) -> Key:
    return (known.index(name) if name in known else len(known)), name
