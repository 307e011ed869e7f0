# SPDX-License-Identifier: MIT
"""How often intervals cover and tests reject by mistake when tasks come in few families; knows no benchmark.

Tasks' differences are simulated as family effect + task effect around a true mean of 0, families of given sizes, each
task equal; each interval is asked whether it holds 0, each test whether it rejects at 1 - level. The methods are those
of this package in a form that handles many data sets at once. Resamples are shared by the data sets of a batch, which
leaves every data set's interval what it would be alone.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from scipy import special

from m4bench.stats.observations import Floats as Array

Effects = Literal["normal", "skewed"]

INTERVALS = ("task-percentile", "family-percentile", "family-bca", "family-t", "family-bootstrap-t")
TESTS = ("task-sign-flip", "family-sign-flip")
BATCH = 100
MOST_EXACT_FAMILIES = 20
MOST_AT_ONCE = 4_000_000
MOST_ALONE = 0.05
ROUNDING = 1e-12


class Shape(NamedTuple):
    """A benchmark's shape: tasks in each family, standard deviations of family and task effects, their distribution.

    `skewed` effects are exponential less their mean, scaled to the standard deviation (skewness 2): a few families
    profit much, most little.
    """

    sizes: tuple[int, ...]
    family_deviation: float
    task_deviation: float
    effects: Effects = "normal"


class Rate(NamedTuple):
    """A share of simulated data sets with its Monte Carlo standard error, sqrt(p (1 - p) / decided).

    `decided` counts the data sets for which the method gave an answer; `share` and `error` are None where it gave
    none. `width` is the median width of the intervals and `wide` what one in twenty of them exceeds, in units of the
    values (None for tests).
    """

    share: float | None
    error: float | None
    decided: int
    width: float | None = None
    wide: float | None = None


class Coverage(NamedTuple):
    """By interval the share that holds the true mean, by test the share that rejects the true mean of 0."""

    shape: Shape
    level: float
    runs: int
    draws: int
    seed: int
    covered: dict[str, Rate]
    rejected: dict[str, Rate]


class Sums(NamedTuple):
    """Data sets (rows) by family (columns): the sum of its values; the families' sizes."""

    totals: Array
    sizes: Array

    @property
    def means(self) -> Array:
        """Return each data set's mean over tasks."""
        return np.asarray(self.totals.sum(axis=1) / self.sizes.sum())


class Bounds(NamedTuple):
    """Lower and upper ends, one a data set; NaN where the method gives none."""

    low: Array
    high: Array


def coverage(
    shape: Shape, *, runs: int = 2_000, draws: int = 2_000, level: float = 0.95, seed: int
) -> Coverage:
    """Return how often each interval covers and each test rejects over `runs` simulated data sets.

    `draws` resamples a bootstrap and random flips a sign-flip test that is not exact (tasks always; families above
    20). The same arguments give the same figures.

    Raises ValueError for fewer than two families, an empty family, effects that do not vary, and numbers out of
    range.
    """
    _check(shape, runs, draws, level)
    covers: dict[str, list[Array]] = {name: [] for name in INTERVALS}
    widths: dict[str, list[Array]] = {name: [] for name in INTERVALS}
    rejects: dict[str, list[Array]] = {name: [] for name in TESTS}
    edges = [*range(0, runs, BATCH), runs]
    sources = np.random.SeedSequence(seed).spawn(len(edges) - 1)
    for (first, last), source in zip(pairwise(edges), sources, strict=True):
        rng = np.random.default_rng(source)
        values = simulate(shape, last - first, rng)
        for name, bounds in _intervals(values, shape, draws, level, rng):
            determined = np.isfinite(bounds.low) & np.isfinite(bounds.high)
            inside = ((bounds.low <= 0) & (bounds.high >= 0)).astype(np.float64)
            covers[name].append(inside[determined])
            widths[name].append((bounds.high - bounds.low)[determined])
        for name, p_values in _tests(values, shape, draws, rng):
            rejects[name].append((p_values <= 1 - level).astype(np.float64))
    covered = {
        name: _rate(np.concatenate(covers[name]), np.concatenate(widths[name]))
        for name in INTERVALS
    }
    rejected = {name: _rate(np.concatenate(rejects[name]), None) for name in TESTS}
    return Coverage(shape, level, runs, draws, seed, covered, rejected)


def simulate(shape: Shape, runs: int, rng: np.random.Generator) -> Array:
    """Return `runs` data sets (rows) of tasks' differences (columns, family after family) whose true mean is 0."""

    def effects(count: int) -> Array:
        if shape.effects == "normal":
            return rng.standard_normal((runs, count))
        return rng.exponential(size=(runs, count)) - 1.0

    family = np.repeat(np.arange(len(shape.sizes)), shape.sizes)
    of_families = shape.family_deviation * effects(len(shape.sizes))
    return np.asarray(of_families[:, family] + shape.task_deviation * effects(family.size))


def family_sums(values: Array, sizes: tuple[int, ...]) -> Sums:
    """Return data sets' sums by family; the columns of a family stand side by side."""
    starts = np.cumsum((0, *sizes[:-1]))
    return Sums(np.add.reduceat(values, starts, axis=1), np.asarray(sizes, dtype=np.float64))


def resamples(units: int, draws: int, rng: np.random.Generator) -> Array:
    """Return how often each unit (column) is drawn in each resample (row) with replacement."""
    drawn = rng.multinomial(units, np.full(units, 1.0 / units), size=draws)
    return np.asarray(drawn, dtype=np.float64)


def percentile(sums: Sums, drawn: Array, level: float) -> Bounds:
    """Return percentile intervals of the mean, units drawn with all their tasks, as the published ones take them.

    The ends stand at (1 - level) / 2 and (1 + level) / 2 of the number of sorted draws, counted from 0. With every
    task a family of its own this is the bootstrap over tasks.
    """
    means = np.sort(_resampled_means(sums, drawn), axis=1)
    tail = round((1 - level) / 2 * len(drawn))
    return Bounds(means[:, tail], means[:, len(drawn) - tail])


def bias_corrected(sums: Sums, drawn: Array, level: float) -> Bounds:
    """Return bias-corrected and accelerated intervals (Efron 1987), the jackknife over families."""
    means = np.sort(_resampled_means(sums, drawn), axis=1)
    observed = sums.means[:, None]
    below = (np.mean(means < observed, axis=1) + np.mean(means <= observed, axis=1)) / 2
    without = (sums.totals.sum(axis=1, keepdims=True) - sums.totals) / (
        sums.sizes.sum() - sums.sizes
    )
    apart = without.mean(axis=1, keepdims=True) - without
    acceleration = np.sum(apart**3, axis=1) / (6 * np.sum(apart**2, axis=1) ** 1.5)
    bias = special.ndtri(below)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        moved = bias + special.ndtri(tail)
        place = special.ndtr(bias + moved / (1 - acceleration * moved))
        ends.append(_quantile_of_sorted(means, place))
    return Bounds(*ends)


def clustered_t(sums: Sums, level: float) -> Bounds:
    """Return intervals of the CR1 standard error clustered by family and Student's t with G - 1 degrees."""
    reach = special.stdtrit(sums.sizes.size - 1, (1 + level) / 2) * _standard_error(sums)
    return Bounds(sums.means - reach, sums.means + reach)


def bootstrap_t(sums: Sums, drawn: Array, level: float) -> Bounds:
    """Return studentised bootstrap intervals: families drawn, each draw measured by its own CR1 standard error.

    A draw of one family alone has no standard error and counts as infinitely far on its side; NaN where more than
    one draw in twenty is such, or an end is infinite.
    """
    alone = np.count_nonzero(drawn, axis=1) == 1
    if float(np.mean(alone)) > MOST_ALONE:
        nothing = np.full(len(sums.totals), np.nan)
        return Bounds(nothing, nothing)
    families, weights = sums.sizes.size, drawn @ sums.sizes
    scores = sums.totals - sums.means[:, None] * sums.sizes
    away = (scores @ drawn.T) / weights
    # The sum of w (score - away n)^2, multiplied out so that no array has draws times families.
    squares = (
        (scores**2) @ drawn.T
        - 2 * away * ((scores * sums.sizes) @ drawn.T)
        + away**2 * (drawn @ sums.sizes**2)
    )
    squares[:, alone] = 0.0
    with np.errstate(divide="ignore"):
        ratios = away / np.sqrt(families / (families - 1) * np.maximum(squares, 0.0)) * weights
    ratios.sort(axis=1)
    tail = int((len(drawn) + 1) * (1 - level) / 2)
    lower, upper = ratios[:, tail - 1], ratios[:, len(drawn) - tail]
    own = np.where(np.isfinite(lower) & np.isfinite(upper), _standard_error(sums), np.nan)
    with np.errstate(invalid="ignore"):
        return Bounds(sums.means - upper * own, sums.means - lower * own)


def sign_flip(totals: Array, signs: Array, *, exact: bool) -> Array:
    """Return two-sided p-values of flips (`signs`, a row each) of units' totals (a row each data set).

    Where `signs` are all there are (up to the sign of the whole), p is exact; otherwise the observed one is added.
    """
    least = np.abs(totals.sum(axis=1)) - ROUNDING * np.abs(totals).sum(axis=1)
    as_far = np.count_nonzero(np.abs(totals @ signs.T) >= least[:, None], axis=1)
    added = 0 if exact else 1
    return np.asarray((as_far + added) / (len(signs) + added))


def all_signs(units: int) -> Array:
    """Return every assignment of signs (a row each) that leaves the first unit's as it is: half of all, by symmetry."""
    places = np.arange(2 ** (units - 1))[:, None] >> np.arange(units - 1)
    return np.hstack([np.ones((len(places), 1)), 1.0 - 2.0 * (places & 1)])


def _intervals(
    values: Array, shape: Shape, draws: int, level: float, rng: np.random.Generator
) -> Iterator[tuple[str, Bounds]]:
    """Yield each method's intervals."""
    families = family_sums(values, shape.sizes)
    tasks = Sums(values, np.ones(values.shape[1]))
    drawn = resamples(families.sizes.size, draws, rng)
    yield "task-percentile", percentile(tasks, resamples(values.shape[1], draws, rng), level)
    yield "family-percentile", percentile(families, drawn, level)
    yield "family-bca", bias_corrected(families, drawn, level)
    yield "family-t", clustered_t(families, level)
    yield "family-bootstrap-t", bootstrap_t(families, drawn, level)


def _tests(
    values: Array, shape: Shape, draws: int, rng: np.random.Generator
) -> Iterator[tuple[str, Array]]:
    """Yield each test's p-values."""

    def random_signs(units: int) -> Array:
        return 1.0 - 2.0 * rng.integers(0, 2, size=(draws, units)).astype(np.float64)

    yield "task-sign-flip", sign_flip(values, random_signs(values.shape[1]), exact=False)
    totals = family_sums(values, shape.sizes).totals
    units = totals.shape[1]
    exact = units <= MOST_EXACT_FAMILIES
    signs = all_signs(units) if exact else random_signs(units)
    pieces = np.array_split(totals, 1 + len(signs) * len(totals) // MOST_AT_ONCE)
    p_values = [sign_flip(piece, signs, exact=exact) for piece in pieces if len(piece)]
    yield "family-sign-flip", np.concatenate(p_values)


def _resampled_means(sums: Sums, drawn: Array) -> Array:
    """Return the mean over tasks of each data set (row) in each resample (column)."""
    return np.asarray((sums.totals @ drawn.T) / (drawn @ sums.sizes))


def _standard_error(sums: Sums) -> Array:
    """Return CR1 standard errors of the mean: sqrt(G / (G - 1) * sum (S_g - m n_g)^2) / N."""
    families = sums.sizes.size
    scores = sums.totals - sums.means[:, None] * sums.sizes
    return np.asarray(
        np.sqrt(families / (families - 1) * np.sum(scores**2, axis=1)) / sums.sizes.sum()
    )


def _quantile_of_sorted(rows: Array, places: Array) -> Array:
    """Return from each sorted row the quantile at its own place, linearly between order statistics."""
    position = places * (rows.shape[1] - 1)
    known = np.isfinite(position)
    below = np.clip(np.floor(np.where(known, position, 0)), 0, rows.shape[1] - 2).astype(np.intp)
    line = np.arange(len(rows))
    low, high = rows[line, below], rows[line, below + 1]
    return np.where(known, low + (position - below) * (high - low), np.nan)


def _rate(hits: Array, widths: Array | None) -> Rate:
    """Return the share of ones with its error."""
    if not hits.size:
        return Rate(None, None, 0)
    share = float(hits.mean())
    error = float(np.sqrt(share * (1 - share) / hits.size))
    if widths is None:
        return Rate(share, error, hits.size)
    width, wide = np.quantile(widths, [0.5, 0.95])
    return Rate(share, error, hits.size, float(width), float(wide))


def _check(shape: Shape, runs: int, draws: int, level: float) -> None:
    """Raise ValueError for what cannot be simulated."""
    if len(shape.sizes) < 2 or min(shape.sizes) < 1:
        raise ValueError("a shape has two families or more, each of one task or more")
    deviations = (shape.family_deviation, shape.task_deviation)
    if not all(np.isfinite(deviations)) or min(deviations) < 0 or not any(deviations):
        raise ValueError("standard deviations are finite, not negative and not all 0")
    if shape.effects not in ("normal", "skewed"):
        raise ValueError(f"effects are normal or skewed, not {shape.effects}")
    if runs < 1 or draws < 100 or not 0.5 < level < 1:
        raise ValueError("needs a run, 100 draws and a level between 0.5 and 1")
