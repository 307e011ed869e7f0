# SPDX-License-Identifier: MIT
"""The detectable difference: tabled quantiles and the power it promises as oracles."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from m4bench.stats.power import detectable_difference, detectable_margin


def test_tabled_quantiles() -> None:
    """t(14): 2.145 for 5 % two-sided and 0.868 for a power of 80 %."""
    assert detectable_difference(0.1, 14, alpha=0.05, power=0.8) == pytest.approx(
        0.1 * (2.1448 + 0.8681), abs=1e-5
    )


@pytest.mark.parametrize(
    ("two_sided", "quantiles"), [(False, 1.7613 + 0.8681), (True, 1.7613 + 1.3450)]
)
def test_margins_have_the_quantiles_of_their_own_test(two_sided: bool, quantiles: float) -> None:
    """t(14): 1.761 for 5 % one-sided; 0.868 for 80 %, and 1.345 for 90 %, half of what two tests may miss."""
    found = detectable_margin(0.1, 14, alpha=0.05, power=0.8, two_sided=two_sided)
    assert found == pytest.approx(0.1 * quantiles, abs=1e-5)


@pytest.mark.parametrize("two_sided", [False, True])
def test_a_margin_is_shown_as_often_as_promised(two_sided: bool) -> None:
    """Normal means and chi-square errors drawn 200,000 times: the tests reject in about four of five."""
    df = 14
    margin = detectable_margin(1.0, df, alpha=0.05, power=0.8, two_sided=two_sided)
    random = np.random.default_rng(1)
    means = random.normal(size=200_000)
    reach = stats.t.ppf(0.95, df) * np.sqrt(random.chisquare(df, size=200_000) / df)
    shown = means - reach > -margin
    if two_sided:
        shown &= means + reach < margin
    assert shown.mean() == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("groups", [8, 15, 60])
@pytest.mark.parametrize("power", [0.8, 0.9])
def test_the_difference_has_about_the_power_it_promises(groups: int, power: float) -> None:
    """The noncentral t of statsmodels agrees within the approximation's few hundredths."""
    found = detectable_difference(1 / groups**0.5, groups - 1, alpha=0.05, power=power)
    assert TTestPower().power(found, groups, 0.05) == pytest.approx(power, abs=0.03)


def test_infinitely_many_degrees_are_the_normal() -> None:
    """Without uncertainty of the error the quantiles are the normal's."""
    expected = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert detectable_difference(1, 1e9, alpha=0.05, power=0.8) == pytest.approx(expected)
    assert detectable_difference(0.0, 14, alpha=0.05, power=0.8) == 0


@pytest.mark.parametrize(
    ("error", "df", "alpha", "power"),
    [
        (-0.1, 14, 0.05, 0.8),
        (float("nan"), 14, 0.05, 0.8),
        (0.1, 0, 0.05, 0.8),
        (0.1, 14, 0.0, 0.8),
        (0.1, 14, 0.05, 1.0),
        (0.1, 14, 0.05, 0.3),
    ],
)
def test_what_has_no_meaning_is_refused(
    error: float, df: float, alpha: float, power: float
) -> None:
    """Negative errors, no degrees of freedom and impossible chances are errors."""
    with pytest.raises(ValueError):
        detectable_difference(error, df, alpha=alpha, power=power)
    with pytest.raises(ValueError):
        detectable_margin(error, df, alpha=alpha, power=power, two_sided=True)
