# SPDX-License-Identifier: MIT
"""How small a true difference a design would find. Knows no design, only its standard error."""

from math import isfinite

from scipy import special


def detectable_difference(standard_error: float, df: float, *, alpha: float, power: float) -> float:
    """Return the smallest true difference that a two-sided test at `alpha` finds with `power`, in its own units.

    (t at 1 - alpha / 2, plus t at `power`) times `standard_error`, t with `df` degrees of freedom: the usual
    approximation of the noncentral t (Bloom 1995, Evaluation Review 19(5)). It takes the standard error as it
    would be in a repetition, and says nothing about a difference already seen.

    Raises:
        ValueError: unless standard_error >= 0, df > 0, 0 < alpha < 1 and 0.5 <= power < 1.
    """
    _check(standard_error, df, alpha, power)
    return _quantiles(df, 1 - alpha / 2, power) * standard_error


def detectable_margin(
    standard_error: float, df: float, *, alpha: float, power: float, two_sided: bool
) -> float:
    """Return the smallest margin that a test at `alpha` shows with `power` where the true difference is zero.

    Of non-inferiority, one one-sided t test: t at 1 - alpha, plus t at `power`, times `standard_error`. Of
    equivalence (`two_sided`), where both of two have to reject: t at 1 - alpha, plus t at (1 + power) / 2 (Julious
    2004, Statistics in Medicine 23(12), with t for the normal).

    Raises:
        ValueError: as `detectable_difference`.
    """
    _check(standard_error, df, alpha, power)
    reached = (1 + power) / 2 if two_sided else power
    return _quantiles(df, 1 - alpha, reached) * standard_error


def _check(standard_error: float, df: float, alpha: float, power: float) -> None:
    if not (isfinite(standard_error) and standard_error >= 0 and df > 0):
        raise ValueError("a standard error is not negative and has degrees of freedom")
    if not (0 < alpha < 1 and 0.5 <= power < 1):
        raise ValueError("alpha lies between 0 and 1, power between 0.5 and 1")


def _quantiles(df: float, *chances: float) -> float:
    return sum(float(special.stdtrit(df, chance)) for chance in chances)
