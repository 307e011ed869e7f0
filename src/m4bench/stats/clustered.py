# SPDX-License-Identifier: MIT
"""Intervals of a mean whose values come in groups: cluster-robust t and cluster bootstrap-t. Knows no test.

The groups are a sample of those that could have been; values within one may be as alike as they please. Miller
2024, "Adding Error Bars to Evals" (arXiv 2411.00640); Cameron and Miller 2015, "A Practitioner's Guide to
Cluster-Robust Inference", J Human Resources 50(2); Cameron, Gelbach and Miller 2008, "Bootstrap-Based
Improvements for Inference with Clustered Errors", Rev Econ Stat 90(3).
"""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, factorial, prod, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from m4bench.stats.observations import Floats, GroupSums, Labels, group_sums, in_order

# A standard error this small beside the sample's is that of a draw whose groups all agree.
NO_SPREAD = 1e-9
# Groups that agree differ by this much for rounding alone.
ROUNDING = 1e-12
UNSTUDENTISED = 0.05
EXACT_BOOTSTRAP_GROUPS = 10
"""Up to so many groups every draw of them is counted instead of some made: 92,378 different ones of ten."""


class Interval(NamedTuple):
    """Ends in units of the values."""

    low: float
    high: float


class ClusteredMean(NamedTuple):
    """A mean, its cluster-robust standard error with so many degrees of freedom, and the interval's ends."""

    mean: float
    standard_error: float
    degrees_of_freedom: int
    low: float
    high: float

    @property
    def interval(self) -> Interval:
        """The interval alone."""
        return Interval(self.low, self.high)


def _checked(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError("the level of an interval lies between 0 and 1")
    return level


def _standard_error(sums: GroupSums) -> float:
    """Return the CR1 standard error of the weighted mean: residuals added within groups, times G / (G - 1)."""
    groups = sums.totals.size
    scores = sums.totals - sums.mean * sums.weights
    squares = float(in_order(scores**2)) * groups / (groups - 1)
    return float(np.sqrt(squares)) / float(in_order(sums.weights))


def clustered_t(
    values: ArrayLike, groups: Labels, *, level: float, weights: ArrayLike | None = None
) -> ClusteredMean | None:
    """Return the mean of `values`, shape (n,), with its CR1 standard error and interval by t with G - 1.

    With one value a group this is the usual t interval. `weights`, shape (n,), default to 1; those of
    `equal_group_weights` give the mean of group means and its plain t interval. None with fewer than two groups,
    whose spread nothing tells. Groups whose sums all agree give an interval of no width: the formula's, and no
    proof of precision.

    Raises:
        ValueError: for no values, lengths that differ, a value that is not finite, a weight that is not above
            zero, or a level outside 0..1.
    """
    sums = group_sums(values, groups, weights)
    freedom = sums.totals.size - 1
    quantile = float(special.stdtrit(max(freedom, 1), (1 + _checked(level)) / 2))
    if freedom < 1:
        return None
    error = _standard_error(sums)
    mean = sums.mean
    return ClusteredMean(mean, error, freedom, mean - quantile * error, mean + quantile * error)


class DrawnInterval(NamedTuple):
    """An interval, and how far another seed would typically move its ends: 0 where every draw is counted."""

    interval: Interval
    low_error: float
    high_error: float


class _Draws(NamedTuple):
    """How often each draw takes each group, shape (groups, draws), and how many draws each of them stands for."""

    times: Floats
    weights: NDArray[np.int64]


@lru_cache(maxsize=16)
def _random_draws(groups: int, draws: int, seed: int) -> _Draws:
    drawn = np.random.default_rng(seed).integers(0, groups, size=(groups, draws))
    counts = np.zeros((groups, draws))
    columns = np.arange(draws)
    for row in drawn:
        counts[row, columns] += 1
    counts.flags.writeable = False
    return _Draws(counts, np.ones(draws, dtype=np.int64))


@lru_cache(maxsize=EXACT_BOOTSTRAP_GROUPS)
def _all_draws(groups: int) -> _Draws:
    """Return every way to take G of G groups, with the number of ordered draws, of G to the power G, that are it."""
    compositions = list(_compositions(groups, groups))
    times = np.array(compositions, dtype=np.float64).T.copy()
    ways = [factorial(groups) // prod(map(factorial, one)) for one in compositions]
    times.flags.writeable = False
    return _Draws(times, np.array(ways, dtype=np.int64))


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every tuple of so many numbers, none negative, that add up to `total`."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _tail_of_all(ways: int, level: float) -> int:
    """Return how many of all draws lie up to and with an end: a tail's share, rounded up."""
    return ceil(ways * (1 - level) / 2 * (1 - ROUNDING))


def _studentised(sums: GroupSums, times: Floats, error: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Return each draw's t, shape (draws,), and whether its groups agree, so that t is infinite or, at 0 / 0, 0."""
    centred = sums.totals - sums.mean * sums.weights
    groups = list(zip(times, centred, sums.weights, strict=True))
    weight = in_order([n * w for n, _, w in groups])
    away = in_order([n * total for n, total, _ in groups]) / weight
    squares = in_order([n * (total - away * w) ** 2 for n, total, w in groups])
    errors = np.sqrt(squares * len(groups) / (len(groups) - 1)) / weight
    alike = errors <= NO_SPREAD * error
    infinite = np.where(away > 0, np.inf, np.where(away < 0, -np.inf, 0.0))
    return np.where(alike, infinite, away / np.where(alike, 1.0, errors)), alike


def cluster_bootstrap_t(
    values: ArrayLike,
    groups: Labels,
    *,
    level: float,
    draws: int,
    seed: int,
    weights: ArrayLike | None = None,
) -> Interval | None:
    """Return the bootstrap-t interval of the mean of `values`, shape (n,), whole `groups` drawn.

    Each draw takes G groups with replacement and gives t, its distance from the sample's mean in units of its own
    CR1 standard error; the interval's ends are the sample's mean less upper and lower t times the sample's
    standard error. Up to 10 groups every draw is counted with its chance and the ends are the quantiles of that
    exact distribution, so that neither `draws` nor `seed` matters; with more groups `draws` are made and t is taken
    at the positions (draws + 1) times the tail. A draw of groups that all agree has no standard
    error: it counts as infinitely far on its side. None where that happens in more than 5 % of draws (always with
    three groups or fewer), where an end would be infinite, or where the groups of the sample agree.

    Raises:
        ValueError: as `clustered_t`, or, with more than 10 groups, for too few draws to have the tails.
    """
    found = drawn_bootstrap_t(values, groups, level=level, draws=draws, seed=seed, weights=weights)
    return found.interval if found else None


def drawn_bootstrap_t(
    values: ArrayLike,
    groups: Labels,
    *,
    level: float,
    draws: int,
    seed: int,
    weights: ArrayLike | None = None,
) -> DrawnInterval | None:
    """Return `cluster_bootstrap_t` with the Monte Carlo standard error of either end.

    The error is half the distance between the t values one standard deviation of a binomial count below and above
    the position that was taken (the usual distribution-free error of a quantile), in units of the values.

    Raises:
        ValueError: as `cluster_bootstrap_t`.
    """
    sums = group_sums(values, groups, weights)
    count = sums.totals.size
    exact = count <= EXACT_BOOTSTRAP_GROUPS
    tail = int((draws + 1) * (1 - _checked(level)) / 2)
    if tail < 1 and not exact:
        raise ValueError("too few draws for the tails of this level")
    if count < 2:
        return None
    mean, error = sums.mean, _standard_error(sums)
    if error <= ROUNDING * float(np.abs(sums.totals).max() / sums.weights.max()):
        return None
    drawn = _all_draws(count) if exact else _random_draws(count, draws, seed)
    distances, alike = _studentised(sums, drawn.times, error)
    every = int(drawn.weights.sum())
    if int(drawn.weights[alike].sum()) > UNSTUDENTISED * every:
        return None
    if exact:
        tail = _tail_of_all(every, level)
    order = np.argsort(distances, kind="stable")
    reached = np.cumsum(drawn.weights[order])
    lower = distances[order][np.searchsorted(reached, tail)]
    upper = distances[order][np.searchsorted(reached, every - tail, side="right")]
    if not np.isfinite([lower, upper]).all():
        return None
    interval = Interval(mean - float(upper) * error, mean - float(lower) * error)
    if exact:
        return DrawnInterval(interval, 0.0, 0.0)
    ordered, top = distances[order], every - tail
    return DrawnInterval(
        interval, _quantile_error(ordered, top) * error, _quantile_error(ordered, tail - 1) * error
    )


def _quantile_error(ordered: Floats, place: int) -> float:
    """Return half the distance of the values one binomial standard deviation about a place; infinite ones end it."""
    away = round(sqrt(place * (ordered.size - place) / ordered.size))
    below, above = ordered[max(place - away, 0)], ordered[min(place + away, ordered.size - 1)]
    return float(above - below) / 2
