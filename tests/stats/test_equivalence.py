# SPDX-License-Identifier: MIT
"""Tests against a margin: statsmodels' two one-sided tests and the interval itself as oracles."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from m4bench.stats.equivalence import equivalent, non_inferior


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.2])
@pytest.mark.parametrize("shift", [-0.08, 0.0, 0.03])
def test_equivalence_is_that_of_statsmodels(margin: float, shift: float) -> None:
    """One-sample two one-sided t tests of 12 values."""
    values = np.random.default_rng(6).normal(shift, 0.06, 12)
    oracle = DescrStatsW(values).ttost_mean(-margin, margin)
    found = equivalent(values.mean(), stats.sem(values), 11, margin, 0.05)
    assert found.p_value == pytest.approx(oracle[0], rel=1e-10)
    below = non_inferior(values.mean(), stats.sem(values), 11, margin, 0.05)
    assert below.p_value == pytest.approx(oracle[1][1], rel=1e-10)
    expected = stats.t.interval(0.9, 11, values.mean(), stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-10)
    assert found.shown == (-margin < expected[0] and expected[1] < margin)
    assert below.shown == (-margin < expected[0])


@pytest.mark.parametrize(
    ("mean", "better", "same"),
    [(0.2, True, False), (0.0, True, True), (-0.2, False, False)],
)
def test_better_is_not_inferior_but_not_equivalent(mean: float, better: bool, same: bool) -> None:
    """A large gain is above the lower margin, and outside the upper one."""
    assert non_inferior(mean, 0.02, 14, 0.05, 0.05).shown is better
    assert equivalent(mean, 0.02, 14, 0.05, 0.05).shown is same


@pytest.mark.parametrize(
    ("mean", "p"), [(0.0, 0.0), (0.04, 0.0), (0.05, 1.0), (-0.05, 1.0), (0.3, 1.0)]
)
def test_without_error_the_limit_is_taken(mean: float, p: float) -> None:
    """An error of zero leaves only whether the mean is within the margin."""
    found = equivalent(mean, 0.0, 14, 0.05, 0.05)
    assert (found.p_value, found.shown, found.low, found.high) == (p, p == 0, mean, mean)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((float("nan"), 0.1, 14, 0.05, 0.05), "mean"),
        ((0.0, -0.1, 14, 0.05, 0.05), "standard error"),
        ((0.0, float("nan"), 14, 0.05, 0.05), "standard error"),
        ((0.0, 0.1, 0, 0.05, 0.05), "degrees"),
        ((0.0, 0.1, 14, 0.0, 0.05), "margin"),
        ((0.0, 0.1, 14, 0.05, 0.5), "alpha"),
    ],
)
def test_what_has_no_meaning_is_refused(given: tuple[float, ...], said: str) -> None:
    """Both tests refuse the same input."""
    for test in (equivalent, non_inferior):
        with pytest.raises(ValueError, match=said):
            test(*given)
