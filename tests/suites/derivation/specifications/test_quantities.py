# SPDX-License-Identifier: MIT
"""Numbers as clinicians write them."""

import pytest

from m4bench.suites.derivation.specifications.quantities import (
    Quantity,
    canonical,
    minutes_of,
    quantities,
)
from m4bench.suites.derivation.specifications.statements import Statement, statements


def read(text: str) -> list[Quantity]:
    """Return the quantities of a sentence."""
    return list(quantities(Statement(1, text)))


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("1.10", "1.1"),
        ("4.0", "4"),
        ("10,000", "10000"),
        ("10\u202f000", "10000"),
        (".5", "0.5"),
        ("042", "042"),
        ("−5", "-5"),
    ],
)
def test_numbers_are_compared_by_value(written: str, plain: str) -> None:
    """Trailing zeros and thousands separators do not count; leading zeros, which codes have, do."""
    assert canonical(written) == plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("below 40", [("40", "upper", "down")]),
        ("less than 40", [("40", "upper", "down")]),
        ("< 40", [("40", "upper", "down")]),
        ("at least 40", [("40", "upper", "up")]),
        ("≥40", [("40", "upper", "up")]),
        (">= 40", [("40", "upper", "up")]),
        ("40 or more", [("40", "upper", "up")]),
        ("40 mmHg or higher", [("40", "upper", "up")]),
        ("40/min or more", [("40", "upper", "up")]),
        ("not below 40", [("40", "upper", "up")]),
        ("above 40", [("40", "lower", "up")]),
        ("more than 40", [("40", "lower", "up")]),
        ("exceeds 40", [("40", "lower", "up")]),
        ("> 40", [("40", "lower", "up")]),
        ("at most 40", [("40", "lower", "down")]),
        ("40 or less", [("40", "lower", "down")]),
        ("no more than 40", [("40", "lower", "down")]),
        ("≤ 40", [("40", "lower", "down")]),
        ("through 40", [("40", "lower", "down")]),
        ("from 40 to 49", [("40", "upper", "up"), ("49", "lower", "down")]),
        ("40–49", [("40", "upper", "up"), ("49", "lower", "down")]),
        ("between 40 and 49", [("40", "upper", "up"), ("49", "lower", "down")]),
        ("70 to below 110", [("70", "upper", "up"), ("110", "upper", "down")]),
        ("above 15, or epinephrine above 0.1", [("15", "lower", "up"), ("0.1", "lower", "up")]),
        ("the value 40", [("40", None, None)]),
        ("one over 1.154", [("1.154", None, None)]),
        ("at most ten thousand", [("10000", "lower", "down")]),
    ],
)
def test_a_comparison_says_to_which_side_its_value_belongs(
    text: str, expected: list[tuple[str, str, str]]
) -> None:
    """Below 40 and at least 40 draw one line, above 40 and at most 40 the other."""
    assert [(q.value, q.side, q.direction) for q in read(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6 hours before admission, included", [(360, True)]),
        ("24 h after it (excluded)", [(1440, False)]),
        (
            "from 6 hours before (included) to 24 hours after (excluded)",
            [(360, True), (1440, False)],
        ),
        ("the 24-hour window, both ends included", [(1440, True)]),
        ("within 6, 12 and 24 hours", [(360, None), (720, None), (1440, None)]),
        ("strictly less than 14 hours", [(840, False)]),
        ("one day", [(1440, None)]),
        ("hour -24 included", [(-1440, True)]),
        ("more than 90 minutes", [(90, False)]),
        ("14 hours or more (14 hours included)", [(840, True), (840, True)]),
        ("a new one begins: the end is excluded from the old one, 14 hours", [(840, None)]),
        ("rows of 365.242 days", [(525948, None)]),
    ],
)
def test_a_duration_has_a_length_and_an_end(
    text: str, expected: list[tuple[int, bool | None]]
) -> None:
    """The unit of time is understood in words, letters and lists, and what is said of the end belongs to it."""
    assert [(int(q.minutes or 0), q.closed) for q in read(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "by rule 3",
        "4 decimals",
        "MIMIC-IV 3.1",
        "ICD-9",
        "SpO2 and T3",
        "2016-05-01 at 07:30",
        "the 16 components",
        "2 of 4 criteria",
        "the 3rd value",
        "10³/µL",
        "for example 36.6",
        "1 January",
    ],
)
def test_a_number_beside_the_matter_is_an_aside(text: str) -> None:
    """Numbers of rules, decimals, versions, dates, counts of things and examples claim nothing."""
    assert all(q.role == "aside" for q in read(text))


def test_a_table_tells_by_its_headers() -> None:
    """A bare number takes comparison and unit of time from its header; results and orders are told apart."""
    rows = statements(
        "| order | below (mmHg) | points | hours |\n|---|---|---|---|\n| 1 | 70 | 2 | 6 |\n"
    )
    order, cut, points, hours = quantities(rows[0])
    assert (order.role, cut.side, points.role, hours.time) == ("aside", "upper", "points", "hour")


def test_codes_are_quantities_without_their_dot() -> None:
    """Diagnosis codes are told as they are stored."""
    assert [q.value for q in read("I25.2, E10, 410, V43.4 and C00-C26")] == [
        "I252", "E10", "410", "V434", "C00", "C26",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "unit", "minutes"), [("6", "hour", 360), ("1", "day", 1440), ("5", "mL", None)]
)
def test_only_units_of_time_have_minutes(value: str, unit: str, minutes: int | None) -> None:
    """A unit of another kind has no length."""
    assert minutes_of(value, unit) == minutes
