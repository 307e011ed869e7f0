# SPDX-License-Identifier: MIT
"""How differences, intervals and p-values are written."""

from collections.abc import Callable
from typing import Any

import pytest

from m4bench.analysis.results import Equivalence, Interval
from m4bench.model.analysis import Claim
from m4bench.report.campaign import writing


def between(low: float, high: float) -> Interval:
    """Return an interval."""
    return Interval(low=low, high=high, method="family-t", level=0.95)


@pytest.mark.parametrize(
    ("write", "value", "written"),
    [
        (writing.signed, 0.1357, "+0.136"),
        (writing.signed, -0.0556, "−0.056"),
        (writing.signed, 0.0, "0.000"),
        (writing.signed, 8e-14, "0.000"),
        (writing.signed, 0.0004, "<+0.001"),
        (writing.signed, -0.0004, ">−0.001"),
        (writing.signed, None, "not determined"),
        (writing.p_value, 0.00043, "0.0004"),
        (writing.p_value, 5e-6, "<0.0001"),
        (writing.p_value, 0.0469, "0.047"),
        (writing.p_value, 1.0, "1.000"),
        (writing.p_value, None, "not determined"),
        (writing.interval, between(0.0541, 0.2172), "[0.054, 0.217]"),
        (writing.interval, between(-0.0649, -0.0001), "[−0.065, 0.000]"),
        (writing.interval, None, "not determined"),
        (writing.percent, 0.95, "95\u202f%"),
        (writing.percent, 0.999, "99.9\u202f%"),
        (writing.share, 0.824, "82\u202f%"),
        (writing.ratio, 0.8249, "0.82"),
        (writing.ratio, -0.5, "−0.50"),
        (writing.ratio, None, "not determined"),
        (writing.money, 0.1234, "$0.123"),
        (writing.money, 1234.5, "$1,234.50"),
        (writing.money, None, "not recorded"),
        (writing.mean, 0.9996, ">0.999"),
        (writing.mean, None, "not determined"),
        (writing.metric, "ordered_nmae", "nMAE of ordered columns"),
        (writing.metric, "another", "another"),
    ],
)
def test_a_figure_is_written_as_it_is(
    write: Callable[[Any], str], value: Any, written: str
) -> None:
    """Signs, digits and what does not exist."""
    assert write(value) == written


@pytest.mark.parametrize(
    ("claim", "shown", "written"),
    [
        ("equivalence", True, "shown: equal within ±0.05"),
        ("equivalence", False, "not shown: equal within ±0.05"),
        ("non-inferiority", True, "shown: worse by less than 0.05"),
    ],
)
def test_a_verdict_says_what_was_claimed(claim: Claim, shown: bool, written: str) -> None:
    """The claim, the margin and whether it is shown."""
    found = Equivalence(
        claim=claim, margin=0.05, interval=between(-0.01, 0.02), p_value=0.01, shown=shown
    )
    assert writing.verdict(found) == written
