# SPDX-License-Identifier: MIT
"""How differences, intervals and p-values are written."""

from collections.abc import Callable
from typing import Any

import pytest

from m4bench.analysis.results import Equivalence, Interval
from m4bench.model.analysis import AnalysisPlan, Claim, DeclaredContrast
from m4bench.report.campaign import writing
from tests.report.campaign.samples import sample_analysis


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
        (writing.signed, 0.0004, "+0.0004"),
        (writing.signed, -0.00031, "−0.0003"),
        (writing.signed, None, "not determined"),
        (writing.p_value, 0.00043, "0.0004"),
        (writing.p_value, 5e-6, "<0.0001"),
        (writing.p_value, 0.0469, "0.047"),
        (writing.p_value, 1.0, "1.000"),
        (writing.p_value, None, "not determined"),
        (writing.interval, between(0.0541, 0.2172), "[0.054, 0.217]"),
        (writing.interval, between(-0.0649, -0.0001), "[−0.065, −0.0001]"),
        (writing.interval, None, "not determined"),
        (writing.percentile, between(-0.0649, 0.01), "[−0.065, 0.010]"),
        (writing.percentile, between(0.25, 0.25), "not determined: all deltas are equal"),
        (writing.percentile, None, "not determined"),
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
        (writing.difference, "with-skill:no-skill", "with-skill − no-skill"),
        (writing.difference, "a:b:c", "a:b:c"),
    ],
)
def test_a_figure_is_written_as_it_is(
    write: Callable[[Any], str], value: Any, written: str
) -> None:
    """Signs, digits and what does not exist."""
    assert write(value) == written


@pytest.mark.parametrize(
    ("claim", "shown", "adjusted", "written"),
    [
        (None, None, 0.002, "difference: shown at 0.05 (Holm p 0.0020)"),
        (None, None, 0.05, "difference: shown at 0.05 (Holm p 0.050)"),
        (None, None, 0.969, "difference: not shown at 0.05 (Holm p 0.969)"),
        (None, None, None, "difference: not determined"),
        ("equivalence", True, 0.01, "equal within ±0.05: shown at 0.05 (Holm p 0.010)"),
        (
            "equivalence",
            True,
            0.08,
            "equal within ±0.05: not shown at 0.05 (Holm p 0.080); uncorrected it would be",
        ),
        ("equivalence", False, 0.3, "equal within ±0.05: not shown at 0.05 (Holm p 0.300)"),
        ("equivalence", None, None, "equal within ±0.05: not determined"),
        ("non-inferiority", True, 0.01, "worse by less than 0.05: shown at 0.05 (Holm p 0.010)"),
    ],
)
def test_a_verdict_says_what_was_claimed_and_what_became_of_it(
    claim: Claim | None, shown: bool | None, adjusted: float | None, written: str
) -> None:
    """The claim, its margin, and whether it is shown after Holm's correction; a difference is a claim like another."""
    one = sample_analysis().contrasts[0]
    declared = DeclaredContrast(contrast=one.contrast)
    if claim is not None:
        declared = DeclaredContrast(contrast=one.contrast, claim=claim, margin=0.05)
    tested = None
    if claim is not None and shown is not None:
        tested = Equivalence(
            claim=claim, margin=0.05, interval=between(-0.01, 0.02), p_value=0.01, shown=shown
        )
    found = one.model_copy(update={"p_adjusted": adjusted, "equivalence": tested})
    assert writing.verdict(found, AnalysisPlan(contrasts=(declared,))) == written


def test_the_level_of_a_verdict_is_that_of_the_plan() -> None:
    """At a confidence of 90 % a Holm p of 0.08 shows a difference at 0.1."""
    one = sample_analysis().contrasts[0].model_copy(update={"p_adjusted": 0.08})
    plan = AnalysisPlan(contrasts=(DeclaredContrast(contrast=one.contrast),), confidence=0.9)
    assert writing.verdict(one, plan) == "difference: shown at 0.1 (Holm p 0.080)"


@pytest.mark.parametrize(
    ("contrast", "metric", "words"),
    [
        ("with-skill:no-skill", "reward", ("improved", "declined")),
        ("condition=a:condition=b", "reward", ("improved", "declined")),
        ("agent=beta,model=m:agent=alpha,model=m", "reward", ("higher", "lower")),
        ("model=large:model=small", "ordered_nmae", ("better", "worse")),
        ("a:b", "ordered_nmae", ("improved", "declined")),
    ],
)
def test_systems_do_not_improve(contrast: str, metric: str, words: tuple[str, str]) -> None:
    """What improves is a system under another condition; of two systems one is higher, or better where less is."""
    one = sample_analysis().contrasts[0].model_copy(update={"contrast": contrast, "metric": metric})
    assert writing.moved(one) == words


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        (None, ""),
        ((0.0007, 0.0021), "another seed moves their ends by about 0.002 or less"),
    ],
)
def test_the_largest_error_of_draws_is_told(errors: tuple[float, float] | None, told: str) -> None:
    """Where nothing is drawn nothing is said of draws."""
    one = sample_analysis().contrasts[0]
    drawn = Interval(low=0.1, high=0.2, method="family-bootstrap-t", level=0.95, draw_errors=errors)
    said = writing.drawn([one.model_copy(update={"bootstrap_t": drawn})])
    assert told in said
    assert bool(said) is bool(told)
