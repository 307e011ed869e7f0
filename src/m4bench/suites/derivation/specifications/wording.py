# SPDX-License-Identifier: MIT
"""Words, texts and units as they are compared in prose. Knows no derivation."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

from m4bench.suites.derivation.specifications.statements import Statement

LONGEST_PHRASE = 8
_WORD = re.compile(r"[^\W_]+")
_SHORT = 3
_UNITS_AS_WORDS = {
    "h": r"(?:hours?|hrs?|h)",
    "hour": r"(?:hours?|hrs?|h)",
    "days": r"(?:days?|d)",
    "day": r"(?:days?|d)",
    "years": r"(?:years?|yrs?|y)",
    "year": r"(?:years?|yrs?|y)",
    "points": "points?",
    "minutes": r"(?:minutes?|mins?)",
    "min": r"(?:minutes?|mins?)",
    "/min": r"(?:(?:beats?|breaths?|respirations?)\s{0,3})?(?:/|\bper )\s{0,3}min(?:ute)?|bpm",
    "/h": r"(?:/|\bper )\s{0,3}(?:hours?|hrs?|h)",
    "mmhg": r"mm\s?hg|millimet(?:er|re)s? of mercury",
    "°c": r"°\s?c|degrees? (?:celsius|centigrade)",
    "k/ul": r"(?:[x×]\s*)?(?:k|10\s*(?:\^\s*3|\*\s*3|³|3))\s*/\s*(?:u|µ|μ)l",
}
_PARTS_AS_WORDS = {
    "g": r"(?:g|grams?)",
    "mg": r"(?:mg|milligrams?)",
    "mcg": r"(?:mcg|µg|ug|micrograms?)",
    "kg": r"(?:kg|kilograms?)",
    "l": r"(?:l|lit(?:er|re)s?)",
    "dl": r"(?:dl|decilit(?:er|re)s?)",
    "ml": r"(?:ml|millilit(?:er|re)s?)",
    "mmol": r"(?:mmol|millimoles?)",
    "umol": r"(?:umol|micromoles?)",
    "meq": r"(?:meq|milliequivalents?)",
    "min": r"(?:min(?:utes?)?)",
    "h": r"(?:hours?|hrs?|h)",
}
_PER = r"\s?(?:/|\bper\b)\s?"
_SAME = {
    "beats/min": "/min",
    "breaths/min": "/min",
    "103/ul": "k/ul",
    "10^3/ul": "k/ul",
    "10*3/ul": "k/ul",
}
_FAMILIES = (
    re.compile(r"(?:[kmunp]|mc)?(?:g|mol|eq|iu|u|units?)/(?:d|m)?l"),
    re.compile(r"mmhg|kpa|cmh2o"),
    re.compile(r"(?:m|u|mc)?(?:g|units?|u)/(?:kg/)?(?:min|h|hour)"),
    re.compile(r"ml(?:/kg)?/(?:h|hour|min)"),
)
_OTHERS = ("mg/dL", "g/dL", "g/L", "mmol/L", "µmol/L", "mEq/L", "ng/mL", "mcg/mL", "mg/L", "U/L", "IU/L",
           "mmHg", "kPa", "cmH2O", "mcg/kg/min", "mcg/kg/h", "mg/kg/min", "mg/kg/h", "mcg/min", "mg/min",
           "units/min", "units/h", "mL/kg/h", "mL/kg/min", "mL/h", "mL/min")  # fmt: skip


def folded(text: str) -> str:
    """Return a text in small letters, subscripts and wide characters made plain."""
    return unicodedata.normalize("NFKC", text).lower()


def exact_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, numbers among them, as they stand."""
    return tuple(_WORD.findall(folded(text)))


def singular(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words without a plural's ending."""
    return tuple(word[:-1] if len(word) > _SHORT and word.endswith("s") else word for word in words)


@lru_cache(maxsize=4096)
def word_sequences_of(text: str) -> frozenset[tuple[str, ...]]:
    """Return every run of words of a text, without endings of the plural."""
    words = singular(exact_words(text))
    return frozenset(
        words[begin : begin + length]
        for begin in range(len(words))
        for length in range(1, LONGEST_PHRASE + 1)
        if begin + length <= len(words)
    )


def word_sequences(statement: Statement) -> frozenset[tuple[str, ...]]:
    """Return every run of words of a statement and of what it stands under, none across their borders."""
    found: set[tuple[str, ...]] = set()
    for text in (*statement.cells, *statement.context):
        found |= word_sequences_of(text)
    return frozenset(found)


def _as_written(plain: str) -> str:
    """Return the pattern of a unit's signs and words: `mg/dl` is also milligrams per decilitre."""
    if plain in _UNITS_AS_WORDS:
        return _UNITS_AS_WORDS[plain]
    if "/" not in plain:
        return re.escape(plain)
    return _PER.join(_PARTS_AS_WORDS.get(part, re.escape(part)) for part in plain.split("/"))


def plain_unit(unit: str) -> str:
    """Return a unit as units are compared: `µmol/L` as `umol/l`, `mL/kg/hour` as `ml/kg/h`."""
    plain = folded(unit).replace("μ", "u").replace("µ", "u").replace(" ", "")
    plain = re.sub(r"/(?:hours?|hrs?)\b", "/h", plain)
    return _SAME.get(plain, plain)


def unit_family(unit: str) -> int | None:
    """Return which family of exchangeable units one belongs to, such as concentrations; None for no such family."""
    plain = plain_unit(unit)
    return next((n for n, family in enumerate(_FAMILIES) if family.fullmatch(plain)), None)


class Units:
    """The units that texts are searched for: those given, and those that are mistaken for them."""

    def __init__(self, units: frozenset[str]) -> None:
        self._names: Mapping[str, str] = {
            plain_unit(unit): unit for unit in sorted({*units, *_OTHERS}) if unit
        }
        self._ordered = sorted(self._names, key=len, reverse=True)
        alternatives = [f"({_as_written(plain)})" for plain in self._ordered]
        self._pattern = re.compile(rf"(?<![^\W\d_])(?<!/)(?:{'|'.join(alternatives)})(?![\w/])")

    def within(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield the units of a text in their plain form, each with where it begins and ends."""
        # One character stays one character, so that places hold.
        small = text.lower()
        if len(small) != len(text):
            small = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
        small = small.replace("μ", "u").replace("µ", "u")
        for found in self._pattern.finditer(small):
            plain = self._ordered[(found.lastindex or 1) - 1]
            yield canonical_unit(plain), found.start(), found.end()


@lru_cache(maxsize=4096)
def canonical_unit(unit: str) -> str:
    """Return a unit as `Units.within` tells it."""
    plain = plain_unit(unit)
    for name, pattern in _UNITS_AS_WORDS.items():
        if re.fullmatch(pattern, plain):
            return name[:1] if name[0] in "hdy" else name
    return plain
