# SPDX-License-Identifier: MIT
"""What the reference of each family is worth: what it keeps, what to beware of, who reviewed what.

Reads `validity.yaml`. It says nothing of the project's own texts; `provenance` does.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from pydantic import Field, ValidationError

from m4bench.model.errors import InputError
from m4bench.model.record import Record
from m4bench.suites.derivation.tasks.provenance import (
    Open,
    Text,
    invalid,
    pointer_problems,
    read_yaml,
)
from m4bench.suites.derivation.tasks.roots import OWN
from m4bench.suites.derivation.tasks.texts import read_regular, unwritten_places

VALIDITY = OWN / "validity.yaml"


class Figure(Record):
    """Counts that tell how large a caveat is, and the key of where they were counted."""

    says: Text
    source: Text


class Caveat(Record):
    """Something to beware of in a reference.

    `source` is the key of who said so. `adjudicated` and `unresolved` point to the conventions as in
    `provenance.Departure`.
    """

    says: Text
    effect: Text
    source: Text
    figures: tuple[Figure, ...] = ()
    adjudicated: tuple[Text, ...] = ()
    unresolved: tuple[Open, ...] = ()


class Validity(Record):
    """What is said of one family: what its reference keeps for agreement, and caveats, the weightiest first."""

    keeps: Text
    caveats: tuple[Caveat, ...]


class ReviewHeld(Record):
    """What the clinical review of the published benchmark was and was not."""

    was: Text
    was_not: Text
    retrospective: Text


class ReferenceValidity(Record):
    """All of `validity.yaml`; `sources` says what each key of a source means."""

    review: ReviewHeld
    sources: dict[str, Text] = Field(min_length=1)
    families: dict[str, Validity] = Field(min_length=1)


@lru_cache(maxsize=4)
def reference_validity(path: Path = VALIDITY) -> ReferenceValidity:
    """Return what is said of all families.

    Raises:
        InputError: the file cannot be read or does not fit; the error names the field.
    """
    try:
        return ReferenceValidity.model_validate(read_yaml(path))
    except ValidationError as error:
        raise invalid(error, path) from error


def validity(family: str, path: Path = VALIDITY) -> Validity:
    """Return what is said of a family.

    Raises:
        InputError: nothing is said of it.
    """
    families = reference_validity(path).families
    if family not in families:
        raise InputError(f"says nothing of the family {family}", file=path)
    return families[family]


def unwritten_entry(family: str, path: Path = VALIDITY) -> Iterator[tuple[int, str]]:
    """Yield the places of a family's entry that are still to be written, with their lines."""
    within = ""
    places = dict[int, list[str]]()
    text = read_regular(path)
    for line, belongs in unwritten_places(text):
        places.setdefault(line, []).append(belongs)
    for number, content in enumerate(text.splitlines() if places else (), start=1):
        if found := re.fullmatch(r"(?:  )?([a-z0-9-]+):", content):
            within = found[1]
        if within == family:
            yield from ((number, belongs) for belongs in places.get(number, ()))


def validity_problems(family: str, path: Path = VALIDITY) -> Iterator[str]:
    """Tell what is said of a family that is not so: sources nobody knows, pointers that lead nowhere.

    Raises:
        InputError: nothing is said of it, or the file does not fit.
    """
    sources = reference_validity(path).sources
    for caveat in validity(family, path).caveats:
        for source in (caveat.source, *(figure.source for figure in caveat.figures)):
            if source not in sources:
                yield f"{family}: no source is called {source}"
        for problem in pointer_problems(caveat.adjudicated, caveat.unresolved):
            yield f"{family}: {problem}"
