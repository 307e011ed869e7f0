# SPDX-License-Identifier: MIT
"""The detectable difference: tabled quantiles and the power it promises as oracles."""

import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from m4bench.stats.power import detectable_difference


def test_tabled_quantiles() -> None:
    """t(14): 2.145 for 5 % two-sided and 0.868 for a power of 80 %."""
    assert detectable_difference(0.1, 14, alpha=0.05, power=0.8) == pytest.approx(
        0.1 * (2.1448 + 0.8681), abs=1e-5
    )


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
