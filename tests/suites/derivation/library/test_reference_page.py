# SPDX-License-Identifier: MIT
"""The page of concepts and references tells what the library holds."""

import re
from pathlib import Path

from m4bench.suites.derivation.library.catalogue import library

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "concepts.md"


def test_the_page_lists_every_derivation_with_its_grain_and_key() -> None:
    """Each row of the page is a derivation of the library, and none is missing."""
    rows = {
        name: (grain, key)
        for name, grain, key in re.findall(
            r"^\| \[`([^`]+)`\]\([a-z]+/[^)]+\.md\) \| (.*?) \| (.*?) \|",
            PAGE.read_text(),
            re.MULTILINE,
        )
    }
    derivations = {**library().concepts, **library().references}
    references = {n: d for n, d in library().references.items() if n in library().concepts}
    assert set(rows) == set(derivations)
    for name, (grain, key) in rows.items():
        header = (references.get(name) or derivations[name]).header
        assert header.grain.removeprefix("one row per ") == grain
        assert re.findall(r"`([^`]+)`", key) == list(header.key or ())
