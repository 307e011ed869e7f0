# SPDX-License-Identifier: MIT
"""Percentile bootstraps as published analyses drew them, draw for draw. Knows no cluster-robust interval.

They describe the values at hand: conditional on these tasks, and too short where values come in groups
(Efron 1979, Annals of Statistics 7(1), for the percentile method).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from m4bench.stats.mersenne import random_indices
from m4bench.stats.observations import (
    Floats,
    Labels,
    finite_vector,
    group_positions,
    group_sums,
    in_order,
)

DRAWS = 20_000


@lru_cache(maxsize=8)
def _resamples(count: int, seed: int, draws: int) -> NDArray[np.intp]:
    """Return the positions drawn, shape (count, draws): a column is one resample, drawn top to bottom."""
    drawn = random_indices(seed, count, draws * count).reshape(draws, count)
    columns = np.ascontiguousarray(drawn.T)
    columns.flags.writeable = False
    return columns


def _ends(drawn: Floats) -> tuple[float, float]:
    """Return the sorted draws at the positions 2.5 % and 97.5 % of their number, counted from zero."""
    ordered = np.sort(drawn)
    return float(ordered[drawn.size * 25 // 1000]), float(ordered[drawn.size * 975 // 1000])


def _checked(draws: int) -> int:
    if draws < 1:
        raise ValueError("a bootstrap needs at least one draw")
    return draws


def published_percentile(
    values: ArrayLike, *, seed: int, draws: int = DRAWS
) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean of `values`, shape (n,), each resample n of n.

    A draw is n calls of `random.Random(seed).randrange(n)`, and its mean adds them in the order drawn, so that
    `values` in the published order give the published digits: tasks alphabetically, with seed 20260504 for
    reward, key F1 and nMAE, 20260505 for the local arm; for the operational specification, seed 20260506, the
    eight tasks in the order they are listed in (alphabetically one end is off by 0.001). One value gives an
    interval of no width: nothing was resampled.

    Raises:
        ValueError: for no values, a value that is not finite, or no draws.
    """
    vector = finite_vector(values)
    columns = _resamples(vector.size, seed, _checked(draws))
    return _ends(in_order([vector[column] for column in columns]) / vector.size)


def published_clusters(
    values: ArrayLike, groups: Labels, *, seed: int, draws: int = DRAWS
) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean of `values`, shape (n,), when whole `groups` are drawn.

    Each draw takes as many groups as there are, with replacement, and averages the pool of their values. Groups
    are drawn from the order of their labels: the 15 families of the published tasks in alphabetical order give
    the published [0.065, 0.207], in the order of their first tasks they do not ([0.066, 0.208]).

    Raises:
        ValueError: for no values, lengths that differ, a value that is not finite, or no draws.
    """
    sums = group_sums(values, groups)
    columns = _resamples(sums.totals.size, seed, _checked(draws))
    pooled = in_order([sums.totals[column] for column in columns])
    return _ends(pooled / in_order([sums.weights[column] for column in columns]))


def published_balanced(
    values: ArrayLike, groups: Labels, *, seed: int, draws: int = DRAWS
) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean of group means, group means drawn with replacement.

    `values` and `groups` have shape (n,); groups are drawn from the order of their labels, as the published
    [0.057, 0.190] were.

    Raises:
        ValueError: for no values, lengths that differ, a value that is not finite, or no draws.
    """
    vector = finite_vector(values)
    means = [
        float(in_order(vector[place])) / place.size
        for place in group_positions(groups, vector.size)
    ]
    return published_percentile(means, seed=seed, draws=draws)
