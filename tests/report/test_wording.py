# SPDX-License-Identifier: MIT
"""How figures are written."""

import re

import pytest
from markupsafe import Markup

from m4bench.report import wording
from m4bench.report.templating import kept_whole


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (0.0, "0.000"),
        (0.0001, "<0.001"),
        (0.0005, "0.001"),
        (0.12345, "0.123"),
        (0.9994, "0.999"),
        (0.99999999, ">0.999"),
        (1.0, "1.000"),
    ],
)
def test_only_exactly_one_is_written_as_one(value: float | None, text: str) -> None:
    """A rate just below 1 or just above 0 is never rounded into it."""
    assert wording.rate(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (999, "999"), (1000, "1\u202f000"), (4126485, "4\u202f126\u202f485"), (None, "–")],
)
def test_counts_have_thin_spaces(value: int | None, text: str) -> None:
    """Thousands are set apart by thin spaces."""
    assert wording.count(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.04, "0.0 s"),
        (9.96, "10.0 s"),
        (61.2, "61 s"),
        (231, "3 min 51 s"),
        (1800, "30 min"),
        (9000, "2 h 30 min"),
    ],
)
def test_durations_are_as_long_as_they_need(value: float, text: str) -> None:
    """A duration is written in the unit a reader would choose."""
    assert wording.seconds(value).replace("\u202f", " ") == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain µ × – 名", "plain µ × – 名"),
        ("a\x00b\nc\x1b[31m", "a\\u0000b\\u000ac\\u001b[31m"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
    ],
)
def test_foreign_text_shows_what_it_hides(text: str, shown: str) -> None:
    """Control, reordering and zero-width characters are spelled out."""
    assert wording.foreign(text) == shown


def test_foreign_text_is_bounded() -> None:
    """A megabyte of text becomes one line."""
    assert len(wording.foreign("x" * 1_000_000)) == wording.LONGEST_TEXT


@pytest.mark.parametrize(
    ("coverage", "accuracy", "words"),
    [
        (1.0, 1.0, "all keys, and a match rate of 100\u202f% in every scored column"),
        (
            0.95,
            0.9,
            "at least 95\u202f% of the keys, and a match rate of at least 90\u202f% in every scored column",
        ),
        (
            1.0,
            0.57,
            "all keys, and a match rate of at least 57\u202f% in every scored column",
        ),
    ],
)
def test_a_strict_pass_is_said_in_shares(coverage: float, accuracy: float, words: str) -> None:
    """A threshold of 1 is all; any other is a per cent that has to be reached."""
    assert wording.strict_pass(coverage, accuracy) == words


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("2150-01-01 12:00:00", ["2150-01-01 12:00:00"]),
        ("2026-11-29 09:00 to 12:00 UTC", ["2026-11-29 09:00", "12:00"]),
        ("-0.125", ["-0.125"]),
        ("1.5e-07", ["1.5e-07"]),
        ("uo_tm_6hr", []),
        ("9" * 40, []),
        ("<b>7</b>", ["7"]),
    ],
)
def test_numbers_and_dates_are_kept_whole(text: str, kept: list[str]) -> None:
    """They are marked so that no line breaks within them, and everything else stays escaped text."""
    shown = str(kept_whole(text))
    assert re.findall(r'<span class="whole">(.*?)</span>', shown) == kept
    assert "<b>" not in shown
    assert Markup(shown).striptags() == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("scoring failed: /home/me/a b/s/x.parquet: is gone", "scoring failed: (a path): is gone"),
        (
            "scoring failed: /home/someone/x.csv, row 3: torn",
            "scoring failed: (a path), row 3: torn",
        ),
        ("cannot open '/srv/x' (denied)", "cannot open '(a path)' (denied)"),
        ("--dir=~/x:/y z", "--dir=(a path):(a path) z"),
        ("file:///home/me/x", "(a path)"),
        ("see https://example.org/a/b", "see https://example.org/a/b"),
        ("3/4 of mL/kg/h", "3/4 of mL/kg/h"),
        ("1 / 2", "1 / 2"),
    ],
)
def test_a_path_of_the_machine_is_taken_out(text: str, left: str) -> None:
    """Whole paths go, blanks and all; units, shares and addresses stay."""
    assert wording.without_paths(text) == left
