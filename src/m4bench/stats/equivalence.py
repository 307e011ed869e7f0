# SPDX-License-Identifier: MIT
"""Whether a mean difference is shown to lie within a margin. Knows no values, only their mean and its error.

Schuirmann 1987, "A comparison of the two one-sided tests procedure", J Pharmacokinet Biopharm 15(6). The margin is
fixed before the values are seen; not shown is no proof of a difference.
"""

from math import isfinite
from typing import NamedTuple

from scipy import special


class MarginTest(NamedTuple):
    """The p-value against a margin, whether it is below alpha, and the interval of level 1 - 2 alpha.

    `shown` says the same as the interval: within the margin, or for non-inferiority above minus the margin.
    """

    p_value: float
    shown: bool
    low: float
    high: float


def _checked(standard_error: float, df: float, margin: float, alpha: float) -> None:
    if not (isfinite(standard_error) and standard_error >= 0 and df > 0):
        raise ValueError("a standard error is not negative and has degrees of freedom")
    if not (isfinite(margin) and margin > 0):
        raise ValueError("a margin is above zero")
    if not 0 < alpha < 0.5:
        raise ValueError("alpha lies between 0 and 0.5")


def _upper_tail(distance: float, standard_error: float, df: float) -> float:
    """Return the chance of t at least `distance` / `standard_error`; without an error, the limit."""
    if standard_error == 0:
        return 0.0 if distance > 0 else 1.0
    return float(special.stdtr(df, -distance / standard_error))


def _test(
    p_value: float, mean: float, standard_error: float, df: float, alpha: float
) -> MarginTest:
    reach = float(special.stdtrit(df, 1 - alpha)) * standard_error
    return MarginTest(p_value, p_value < alpha, mean - reach, mean + reach)


def non_inferior(
    mean: float, standard_error: float, df: float, margin: float, alpha: float
) -> MarginTest:
    """Return the one-sided t test that a difference is above -`margin`, larger values being the better ones.

    `mean` and `standard_error` in the units of `margin`, t with `df` degrees of freedom. An error of zero gives
    the limit: 0 above minus the margin, otherwise 1.

    Raises:
        ValueError: for a mean that is not finite, a negative error, no degrees of freedom, a margin not above
            zero, or alpha outside 0..0.5.
    """
    _checked(standard_error, df, margin, alpha)
    if not isfinite(mean):
        raise ValueError("the mean must be finite")
    return _test(_upper_tail(mean + margin, standard_error, df), mean, standard_error, df, alpha)


def equivalent(
    mean: float, standard_error: float, df: float, margin: float, alpha: float
) -> MarginTest:
    """Return the two one-sided t tests that a difference lies between -`margin` and `margin`.

    The p-value is the larger of the two. Otherwise as `non_inferior`.

    Raises:
        ValueError: as `non_inferior`.
    """
    above = non_inferior(mean, standard_error, df, margin, alpha)
    below = _upper_tail(margin - mean, standard_error, df)
    return _test(max(above.p_value, below), mean, standard_error, df, alpha)
