# SPDX-License-Identifier: MIT
"""Means, intervals and tests of task deltas, against computation by hand."""

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from m4bench.analysis.estimate import (
    UNBOUNDED,
    counts,
    detectable,
    equivalence,
    estimate,
    family_deltas,
)
from m4bench.analysis.pairing import BlockEffect, TaskEffect
from m4bench.model.analysis import AnalysisPlan, Claim, DeclaredContrast
from tests.analysis.made_runs import plan_of

NOTHING = np.zeros(1)


def effects(*deltas: tuple[str, float], control: float = 0.5) -> tuple[TaskEffect, ...]:
    """Return tasks of families with a delta each, over one control."""
    return tuple(
        TaskEffect(
            f"t{number}",
            family,
            "raw",
            {"s": BlockEffect(control + delta, control, NOTHING, NOTHING)},
        )
        for number, (family, delta) in enumerate(deltas)
    )


TWO_AND_ONE = effects(("f", 0.1), ("f", 0.3), ("g", 0.6))
PLAN = plan_of()
BY_FAMILY = plan_of(weighting="family")


def test_each_task_equal_or_each_family_equal() -> None:
    """(.1 + .3 + .6) / 3 and (.2 + .6) / 2, and so treatment and control."""
    assert estimate(TWO_AND_ONE, PLAN).delta == pytest.approx(1 / 3)
    assert estimate(TWO_AND_ONE, BY_FAMILY).delta == pytest.approx(0.4)
    assert estimate(TWO_AND_ONE, BY_FAMILY).treatment == pytest.approx(0.9)
    assert estimate(TWO_AND_ONE, BY_FAMILY).control == pytest.approx(0.5)
    assert [one.delta for one in family_deltas(TWO_AND_ONE)] == pytest.approx([0.2, 0.6])


def test_the_interval_of_equal_families_is_the_plain_t_interval() -> None:
    """.4 with a standard error of .2 and one degree of freedom: t is 12.7062; a difference ends at -1 and 1."""
    found = estimate(TWO_AND_ONE, BY_FAMILY, bounds=UNBOUNDED)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((-2.14124, 2.94124), abs=1e-5)
    assert found.interval.method == "family-t"
    cut = estimate(TWO_AND_ONE, BY_FAMILY).interval
    assert cut is not None
    assert (cut.low, cut.high) == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("claim", "most", "expected"),
    [
        ("difference", inf, None),
        ("non-inferiority", inf, 0.2 * (6.31375 + 1.37638)),
        ("non-inferiority", 1.0, None),
        ("equivalence", inf, 0.2 * (6.31375 + 3.07768)),
    ],
)
def test_what_two_families_detect(claim: Claim, most: float, expected: float | None) -> None:
    """Never a difference, whose exact p-value is .5 or more; margins by t(1), where they are not above the most."""
    found = detectable(
        estimate(TWO_AND_ONE, BY_FAMILY).clustered, BY_FAMILY, claim=claim, most=most
    )
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-4))


@pytest.mark.parametrize(("count", "drawn"), [(10, False), (11, True)])
def test_a_drawn_bootstrap_tells_how_far_a_seed_moves_it(count: int, drawn: bool) -> None:
    """Up to ten families every draw is counted; with more the ends have errors, less than their distance."""
    deltas = effects(*((chr(97 + at), 0.01 * at * at) for at in range(count)))
    found = estimate(deltas, PLAN)
    assert found.bootstrap_t is not None
    assert (found.bootstrap_t.draw_errors is not None) is drawn
    if found.bootstrap_t.draw_errors is not None:
        width = found.bootstrap_t.high - found.bootstrap_t.low
        assert all(0 < error < width / 5 for error in found.bootstrap_t.draw_errors)
    assert found.family_t is not None
    assert found.family_t.draw_errors is None


def test_the_interval_of_equal_tasks_adds_residuals_within_families() -> None:
    """CR1: sums of residuals -4/15 and 4/15, so that the variance is 2 (2 (4/15)^2) / 9."""
    found = estimate(TWO_AND_ONE, PLAN)
    assert found.clustered is not None
    assert found.clustered.standard_error == pytest.approx((4 * (4 / 15) ** 2 / 9) ** 0.5)


def test_whole_families_flip_their_signs() -> None:
    """Of the four sign vectors of two families, two are as extreme: p is one half."""
    assert estimate(TWO_AND_ONE, PLAN).p_value == 0.5


@pytest.mark.parametrize("weighting", ["task", "family"])
def test_one_family_has_neither_interval_nor_test(weighting: str) -> None:
    """Nothing tells how families differ."""
    found = estimate(effects(("f", 0.1), ("f", 0.3)), plan_of(weighting=weighting))
    assert (found.families, found.interval, found.bootstrap_t, found.p_value) == (
        1,
        None,
        None,
        None,
    )
    assert found.delta == pytest.approx(0.2)


@pytest.mark.parametrize("deltas", [(0.0, 0.0, 0.0), (1e-17, 2e-17, 1e-16), (0.1, 0.1, 0.1)])
@pytest.mark.parametrize("interval", ["family-t", "family-bootstrap-t"])
def test_deltas_that_do_not_differ_feign_no_precision(
    deltas: Sequence[float], interval: str
) -> None:
    """No interval of no width."""
    found = estimate(
        effects(*(("fgh"[at], delta) for at, delta in enumerate(deltas))),
        plan_of(interval=interval),
    )
    assert (found.interval, found.bootstrap_t) == (None, None)


def test_rounding_is_no_difference() -> None:
    """Deltas of the order of 1e-17, all above zero, do not flip to a small p."""
    tiny = effects(*((family, 1e-17) for family in "abcdefgh"), control=0.0)
    assert all(one.delta > 0 for one in tiny)
    assert estimate(tiny, PLAN).p_value == 1.0


def test_the_headline_may_be_the_bootstrap() -> None:
    """The plan's interval is then the bootstrap-t one, whichever weighting."""
    deltas = effects(*((family, 0.05 * at) for at, family in enumerate("abcdefgh")))
    found = estimate(deltas, plan_of(interval="family-bootstrap-t"), headline=False)
    assert found.interval is not None
    assert found.interval == found.bootstrap_t
    assert found.interval.method == "family-bootstrap-t"


@pytest.mark.parametrize(
    ("claim", "deltas", "margin", "shown"),
    [
        ("equivalence", (0.01, -0.01, 0.005, -0.005), 0.05, True),
        ("equivalence", (0.09, 0.11, 0.1, 0.1), 0.05, False),
        ("non-inferiority", (0.09, 0.11, 0.1, 0.1), 0.05, True),
        ("non-inferiority", (-0.2, 0.1, -0.1, 0.05), 0.05, False),
    ],
)
def test_claims_of_matching(
    claim: str, deltas: Sequence[float], margin: float, shown: bool
) -> None:
    """Shown where the interval of level .9 lies within the margin; for non-inferiority, above minus the margin."""
    contrast = DeclaredContrast.model_validate(
        {"contrast": "a:b", "claim": claim, "margin": margin}
    )
    found = estimate(effects(*zip("fghi", deltas, strict=True)), PLAN)
    test = equivalence(found.clustered, contrast, PLAN)
    assert test is not None
    assert test.shown is shown
    assert test.interval.level == 0.9
    within = test.interval.low > -margin and (
        claim == "non-inferiority" or test.interval.high < margin
    )
    assert within is shown


def test_a_difference_claims_no_match() -> None:
    """No test of a margin where none is claimed."""
    found = estimate(TWO_AND_ONE, PLAN)
    assert equivalence(found.clustered, DeclaredContrast(contrast="a:b"), PLAN) is None


@pytest.mark.parametrize(("better", "expected"), [(1, (2, 1, 2)), (-1, (1, 2, 2))])
def test_counts_have_a_threshold_and_know_what_is_better(
    better: int, expected: tuple[int, int, int]
) -> None:
    """8e-14 improves nothing; of nMAE, less is the better."""
    assert counts([0.2, 0.1, -0.3, 8e-14, 0.0], better) == expected


def test_plans_with_too_few_draws_for_their_tails_have_no_bootstrap() -> None:
    """A thousand draws hold no tails of one in twenty thousand."""
    plan = AnalysisPlan(confidence=0.9999, draws=1000)
    deltas = effects(*((family, 0.05 * at) for at, family in enumerate("abcdefgh")))
    assert estimate(deltas, plan).bootstrap_t is None
    assert estimate(deltas, plan).interval is not None
