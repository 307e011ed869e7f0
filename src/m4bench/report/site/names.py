# SPDX-License-Identifier: MIT
"""Names of systems, tasks and sources as file names and labels of a site. Knows no run and no file."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

LONGEST_SLUG = 60
DIGITS = 8
# Names no file can have on some systems, whatever its ending.
_DIGITS_AT_THE_END = re.compile(r"(?:^|-)[0-9a-f]{8}$")
_DEVICES = {
    "aux",
    "con",
    "nul",
    "prn",
    *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)),
}


def slugs(names: Iterable[str], otherwise: str) -> dict[str, str]:
    """Return a file name without ending for each name: of a-z, 0-9 and hyphens, unique and the same every time.

    A name that stands alone keeps its plain words; names that would share theirs, differ only in case or hold
    nothing but signs carry the beginning of their own hash, so that none depends on another's place.

    Args:
        names: any texts.
        otherwise: the word for a name without a letter or digit.
    """
    words = {name: _words(name) for name in names}
    several = Counter(words.values())
    return {
        name: word
        if several[word] == 1 and _stands_alone(word)
        else f"{word or otherwise}-{_digits(name)}"
        for name, word in words.items()
    }


def _stands_alone(word: str) -> bool:
    """Tell whether a word is one that no other name's word and hash can make, and a file can have."""
    return bool(word) and word not in _DEVICES and not _DIGITS_AT_THE_END.search(word)


def _words(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_SLUG].strip("-")


def _digits(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def source_labels(sources: Mapping[str, str]) -> dict[str, str]:
    """Return what a site calls each source: its own name without the folders it lies in.

    Sources of one name carry the beginning of their sha256.
    """
    last = {name: PurePosixPath(name.replace("\\", "/")).name or "runs" for name in sources}
    several = Counter(last.values())
    return {
        name: word if several[word] == 1 else f"{word} ({sources[name][:DIGITS]})"
        for name, word in last.items()
    }


def anchor(*parts: str) -> str:
    """Return the name of a place within a page for something that is told by several texts."""
    word = _words("-".join(parts)) or "setting"
    return f"{word}-{_digits(chr(0).join(parts))}"
