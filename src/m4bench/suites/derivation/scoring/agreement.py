# SPDX-License-Identifier: MIT
"""Whether submitted cells agree with the reference cells opposite them. Knows neither files nor keys."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from m4bench.suites.derivation.scoring.buffers import Bools, bools_of, compute
from m4bench.suites.derivation.scoring.cells import Cells

MICROSECONDS = 1_000_000

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Agreement:
    """Counts over some rows of one column: cells that match, and submitted cells no one could read."""

    matched: int = 0
    unreadable: int = 0
    distance: float = 0.0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(
            self.matched + other.matched,
            self.unreadable + other.unreadable,
            self.distance + other.distance,
        )


def agree(
    submitted: Cells,
    expected: Cells,
    tolerance: float,
    scale: float | None,
    passed_over: Places | None = None,
) -> Agreement:
    """Compare n submitted cells with the n expected ones.

    Args:
        submitted: cells read as the kind of the reference column.
        expected: the reference cells.
        tolerance: the greatest difference that still matches, inclusive, in units of the column or seconds.
        scale: what one unit of the ordered distance is, or None when the column has none.
        passed_over: places among the n that are not compared.

    Returns:
        The counts, and the sum over rows of min(|difference| / scale, 1), where a row in which one side
        holds no number counts 1 and a row in which neither does counts 0.
    """
    plain = expected.kind == "number" and submitted.finite and expected.finite
    if plain and submitted.unreadable is None:
        return _finite_numbers(submitted, expected, tolerance, scale, passed_over)
    if passed_over is not None:
        compared = np.delete(np.arange(len(submitted.values)), passed_over)
        submitted, expected = submitted.take(compared), expected.take(compared)
    unreadable = submitted.unreadable
    lost = 0 if unreadable is None else int(np.count_nonzero(unreadable))
    if expected.kind == "number":
        matched, distance = _numbers(submitted, expected, tolerance, scale)
    else:
        hit = matches(submitted, expected, tolerance)
        matched, distance = int(np.count_nonzero(hit)), 0.0
    return Agreement(matched, lost, distance)


def _finite_numbers(
    submitted: Cells,
    expected: Cells,
    tolerance: float,
    scale: float | None,
    passed_over: Places | None,
) -> Agreement:
    """Compare columns of which every cell is empty or a finite number, as nearly all are."""
    apart = submitted.values - expected.values  # 0 where both are empty
    np.abs(apart, out=apart)
    alone = _alone(submitted.empty, expected.empty)
    if alone is not None:
        apart[alone] = np.nan
    if passed_over is not None:
        apart[passed_over] = np.nan
    matched = int(np.count_nonzero(apart <= tolerance))
    if scale is None:
        return Agreement(matched)
    if alone is not None:
        apart[alone] = scale
    if passed_over is not None:
        apart[passed_over] = 0.0
    if not np.maximum.reduce(apart) <= scale:
        np.fmin(apart, scale, out=apart)
    distance = float(np.add.reduce(apart)) / scale
    if distance == float(
        "inf"
    ):  # the sum of large differences is no double, that of their shares is
        distance = float(np.add.reduce(apart / scale))
    return Agreement(matched, distance=distance)


def _alone(one: Bools | None, other: Bools | None) -> Places | None:
    """Return where just one of two masks is set."""
    if one is None or other is None:
        mask = other if one is None else one
        return None if mask is None else np.flatnonzero(mask)
    return np.flatnonzero(one ^ other)


def matches(submitted: Cells, expected: Cells, tolerance: float) -> Bools:
    """Return, row by row, whether a submitted cell matches the expected one.

    Two empty cells match; an empty cell never matches a value; an unreadable cell matches nothing.
    """
    if expected.kind == "text":
        hit = bools_of(compute().equal(submitted.values, expected.values))
    elif expected.kind == "instant":
        apart = np.abs(submitted.values - expected.values)
        hit = apart <= tolerance * MICROSECONDS
        for mask in (submitted.empty, submitted.unreadable, expected.empty):
            if mask is not None:
                hit &= ~mask
    else:
        submitted, expected = _with_nan(submitted), _with_nan(expected)
        hit = _near(submitted, expected, np.abs(submitted.values - expected.values), tolerance)
    if submitted.empty is not None and expected.empty is not None:
        hit |= submitted.empty & expected.empty
    return hit


def _numbers(
    submitted: Cells, expected: Cells, tolerance: float, scale: float | None
) -> tuple[int, float]:
    """Return matches and ordered distance of a numeric column, from one subtraction."""
    submitted, expected = _with_nan(submitted), _with_nan(expected)
    apart = submitted.values - expected.values
    np.abs(apart, out=apart)
    hit = _near(submitted, expected, apart, tolerance)
    matched = int(np.count_nonzero(hit))
    if submitted.empty is not None and expected.empty is not None:
        matched += int(np.count_nonzero(submitted.empty & expected.empty))
    if scale is None:
        return matched, 0.0
    return matched, _distance(submitted, expected, apart, scale)


def _with_nan(cells: Cells) -> Cells:
    """Return numbers with NaN where there is none."""
    values = cells.values.copy()
    for mask in (cells.empty, cells.unreadable):
        if mask is not None:
            values[mask] = np.nan
    return cells._replace(values=values)


def _near(submitted: Cells, expected: Cells, apart: np.ndarray, tolerance: float) -> Bools:
    """Return where two numbers are near enough; equal infinities are, and NaN meets NaN."""
    hit: Bools = apart <= tolerance
    if expected.finite:
        return hit
    odd = ~np.isfinite(expected.values)
    if expected.empty is not None:
        odd &= ~expected.empty
    told = submitted.values
    same = (told == expected.values) | (np.isnan(told) & np.isnan(expected.values))
    for mask in (submitted.empty, submitted.unreadable):
        if mask is not None:
            same &= ~mask
    hit |= same & odd
    return hit


def _distance(submitted: Cells, expected: Cells, apart: np.ndarray, scale: float) -> float:
    """Return the sum of min(difference / scale, 1) over rows; `apart` is used up."""
    total = 0.0
    masks = (submitted.empty, submitted.unreadable, expected.empty)
    if any(mask is not None for mask in masks) or not (submitted.finite and expected.finite):
        one_sided = np.isnan(submitted.values) != np.isnan(expected.values)
        total = float(np.count_nonzero(one_sided))
        apart[np.isnan(apart)] = 0.0
    apart /= scale
    return total + float(np.minimum(apart, 1.0, out=apart).sum())
