# SPDX-License-Identifier: MIT
"""Names that become file names and labels, whatever they are."""

import re

import pytest

from m4bench.report.site.names import LONGEST_SLUG, anchor, slugs, source_labels

SAFE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
HOSTILE = [
    "..",
    "../../etc/passwd",
    "a/b",
    "a\\b",
    "a b",
    "A B",
    "Agent",
    "agent",
    "AGENT",
    "Agént",
    "агент",
    "агент 2",
    "",
    "-",
    "con",
    "NUL",
    "lpt1",
    "\u202egnp.exe",
    "<script>alert(1)</script>",
    "x" * 300,
    "x" * 300 + "y",
    "system",
    "index.html",
    "\x00",
    "\ud800",
    "😀",
]


def test_file_names_are_safe_and_unique() -> None:
    """Every name has a file name of its own, of plain letters, that no system takes for a device or a folder."""
    found = slugs(HOSTILE, "system")
    assert list(found) == HOSTILE
    assert len({slug.casefold() for slug in found.values()}) == len(HOSTILE)
    assert all(SAFE.fullmatch(slug) for slug in found.values())
    assert max(len(slug) for slug in found.values()) <= LONGEST_SLUG + 9
    assert not {"con", "nul", "lpt1"} & set(found.values())


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("codex · gpt-5.5 · medium", "codex-gpt-5-5-medium"),
        ("pi · gpt-oss:20b", "pi-gpt-oss-20b"),
        ("Modèle", "modele"),
    ],
)
def test_a_plain_name_stays_readable(name: str, slug: str) -> None:
    """A name of its own is its words."""
    assert slugs([name, "another"], "system")[name] == slug


def test_a_file_name_does_not_depend_on_order_or_on_strangers() -> None:
    """The same names get the same file names in any order, and a stranger changes none of theirs."""
    names = ["Agent", "agent", "solver"]
    first = slugs(names, "system")
    assert slugs(reversed(names), "system") == first
    assert slugs([*names, "stranger", "AGENT"], "system").items() >= first.items()


def test_no_name_can_take_the_file_name_of_another() -> None:
    """A name that is written as another's words and hash does not get its page."""
    taken = slugs(["Agent", "agent"], "system")
    found = slugs(["Agent", "agent", taken["Agent"]], "system")
    assert len(set(found.values())) == 3


def test_labels_hold_no_folder() -> None:
    """A source is called by its own name; two of one name are told apart by their hash."""
    sources = {"/data/site-a/runs.csv": "1" * 64, "b\\runs.csv": "2" * 64, "c/other.csv": "3" * 64}
    assert list(source_labels(sources).values()) == [
        "runs.csv (11111111)",
        "runs.csv (22222222)",
        "other.csv",
    ]


def test_places_within_a_page_are_told_apart() -> None:
    """What would be the same words is another place."""
    found = {
        anchor("with-skill", "native"),
        anchor("with", "skill-native"),
        anchor("🙂"),
        anchor(""),
    }
    assert len(found) == 4
    assert all(SAFE.fullmatch(one) for one in found)
