# SPDX-License-Identifier: MIT
"""Adjusted p-values: statsmodels and a hand example as oracles."""

from collections.abc import Callable, Sequence
from math import isnan, nan

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from m4bench.stats.multiplicity import benjamini_hochberg, holm

Adjustment = Callable[[Sequence[float | None]], list[float | None]]


@pytest.mark.parametrize("count", [1, 2, 5, 28])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_adjustments_are_those_of_statsmodels(count: int, seed: int) -> None:
    """Random p-values with ties, in any order."""
    p = np.round(np.random.default_rng(seed).beta(0.4, 2, count), 2).tolist()
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-12)
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1], rel=1e-12)


def test_hand_example_in_the_order_given() -> None:
    """Four tests: 4, 3, 2 and 1 times for Holm; 4/1, 4/2, 4/3 and 4/4 times for the other."""
    p = [0.04, 0.01, 0.03, 0.02]
    assert holm(p) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert benjamini_hochberg(p) == pytest.approx([0.04, 0.04, 0.04, 0.04])


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_tests_that_were_not_possible_stay_and_do_not_count(adjust: Adjustment) -> None:
    """None and NaN keep their places; the others are adjusted as if alone."""
    found = adjust([0.01, None, 0.2, nan])
    assert found[0::2] == adjust([0.01, 0.2])
    assert found[1] is None
    assert isnan(found[3])
    assert adjust([]) == []
    assert adjust([None]) == [None]


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("p", [-0.1, 1.01])
def test_what_is_no_p_value_is_refused(adjust: Adjustment, p: float) -> None:
    """Below 0 and above 1 there are none."""
    with pytest.raises(ValueError, match="p-value"):
        adjust([0.5, p])
