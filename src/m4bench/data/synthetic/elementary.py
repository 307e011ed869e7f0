# SPDX-License-Identifier: MIT
"""Exponential, logarithm, sine and power with the same bits on every machine. Knows nothing clinical.

NumPy picks one of several routines for these functions by what the processor can do, and they differ in
the last digit; a digit is enough to move a threshold or a rounding now and then, and with it a row. Here
they are made of +, -, ×, ÷ and rounding alone, whose results IEEE 754 fixes to the bit, so that a hospital
does not depend on where it is drawn. They are right to within 3 units of the last place (the sine for
angles up to a million).

The constants that split ln 2 and π/2 into parts whose multiples are exact are those of W. J. Cody and
W. Waite, Software Manual for the Elementary Functions, 1980, in the split that is usual for 53 bits; the
polynomials are the series of Taylor, cut where the rest is below 1e-17.
"""

from math import factorial
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_INVERSE_LN2 = 1.44269504088896338700
_HALF_PI = (1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624871116645580e-21)
_INVERSE_HALF_PI = 6.36619772367581382433e-01
_ROOT_HALF = 0.70710678118654752440
_EXP = [1 / factorial(i) for i in range(14)]
_ATANH = [1 / (2 * i + 1) for i in range(12)]
_SINE = [(-1) ** i / factorial(2 * i + 1) for i in range(10)]
_COSINE = [(-1) ** i / factorial(2 * i) for i in range(10)]
_LEAST, _MOST = -745.2, 709.79
"""Beyond these the exponential is zero or infinite."""


def _polynomial(x: FloatArray, coefficients: list[float]) -> FloatArray:
    """Return the sum of coefficients[i]·xⁱ by Horner's rule."""
    value = np.full_like(x, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value *= x
        value += coefficient
    return value


def exp(x: ArrayLike) -> FloatArray:
    """Return e to the power of x, elementwise."""
    given = np.asarray(x, dtype=np.float64)
    bounded = np.where(np.isnan(given), 0.0, np.clip(given, _LEAST, _MOST))
    twos = np.rint(bounded * _INVERSE_LN2)
    rest = (bounded - twos * _LN2_HIGH) - twos * _LN2_LOW
    # In two steps, because 2 to the power of 1024 is no number of its own.
    half = (twos * 0.5).astype(np.int32)
    with np.errstate(over="ignore", under="ignore"):
        value = np.ldexp(np.ldexp(_polynomial(rest, _EXP), half), twos.astype(np.int32) - half)
    return np.asarray(np.where(np.isnan(given), np.nan, value), dtype=np.float64)


def log(x: ArrayLike) -> FloatArray:
    """Return the natural logarithm of x, elementwise: -∞ of zero, NaN of what is negative."""
    given = np.asarray(x, dtype=np.float64)
    usual = (given > 0) & np.isfinite(given)
    fraction, twos = np.frexp(np.where(usual, given, 1.0))
    small = fraction < _ROOT_HALF
    fraction = np.where(small, fraction * 2, fraction)
    exponent = (twos - small).astype(np.float64)
    above = fraction - 1.0
    ratio = above / (fraction + 1.0)
    # 2·atanh(ratio), written so that `above`, which is exact, carries most of it.
    square = ratio * ratio
    half = 0.5 * above * above
    tail = ratio * (half + square * 2 * _polynomial(square, _ATANH[1:]))
    value = exponent * _LN2_HIGH + (above - (half - (tail + exponent * _LN2_LOW)))
    unusual = np.where(given == 0, -np.inf, np.where(given > 0, given, np.nan))
    return np.asarray(np.where(usual, value, unusual), dtype=np.float64)


def _turned(x: ArrayLike) -> tuple[FloatArray, NDArray[np.int64]]:
    """Return angles less the nearest multiple of π/2, at most π/4 from zero, and which multiple that is."""
    angle = np.asarray(x, dtype=np.float64)
    quarters = np.rint(angle * _INVERSE_HALF_PI)
    first, second, third = _HALF_PI
    rest = ((angle - quarters * first) - quarters * second) - quarters * third
    return np.asarray(rest, dtype=np.float64), quarters.astype(np.int64)


def sin(x: ArrayLike) -> FloatArray:
    """Return the sine of x radians, elementwise; |x| up to a million."""
    rest, quarters = _turned(x)
    square = rest * rest
    sine, cosine = rest * _polynomial(square, _SINE), _polynomial(square, _COSINE)
    turn = quarters % 4
    value = np.where(turn % 2 == 0, sine, cosine)
    return np.asarray(np.where(turn >= 2, -value, value), dtype=np.float64)


def power(base: ArrayLike, exponent: ArrayLike) -> FloatArray:
    """Return base to the power of exponent, elementwise, for a base above zero.

    Right to about as many units of the last place as exponent·ln(base) is large.
    """
    return exp(np.asarray(exponent, dtype=np.float64) * log(base))
