# SPDX-License-Identifier: MIT
"""A test that two treatments are alike, by exchanging their labels within strata. Knows no cluster of strata.

Pitman 1937, "Significance tests which may be applied to samples from any populations", J R Stat Soc Suppl 4(1);
add-one p-values of random exchanges after Phipson and Smyth 2010, Stat Appl Genet Mol Biol 9(1).
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from m4bench.stats.observations import Floats, finite_vector, in_order

EXACT_EXCHANGES = 100_000
# Means of the same numbers in another order differ by rounding; they are as far from zero all the same.
ROUNDING = 1e-12


@lru_cache(maxsize=32)
def _choices(count: int, chosen: int) -> NDArray[np.intp]:
    """Return every way to choose `chosen` of `count` places, shape (chosen, ways); the first takes the first."""
    ways = np.array(list(combinations(range(count), chosen)), dtype=np.intp)
    return np.ascontiguousarray(ways.T)


class _Stratum:
    """One stratum's values and what their difference of means would be under other labels."""

    def __init__(self, treatment: ArrayLike, control: ArrayLike) -> None:
        treated, untreated = finite_vector(treatment), finite_vector(control)
        self.values = np.concatenate([treated, untreated])
        self.treated = treated.size
        self.exchanges = comb(self.values.size, treated.size)

    def differences(self, places: NDArray[np.intp]) -> Floats:
        """Return the differences of means, shape (ways,), when `places`, shape (treated, ways), are the treated."""
        count = self.values.size
        centre = float(in_order(self.values)) / count
        total = in_order([self.values[place] - centre for place in places])
        return total * (count / (self.treated * (count - self.treated)))

    def every(self) -> Floats:
        """Return the difference under each exchange, the observed one first."""
        return self.differences(_choices(self.values.size, self.treated))

    def some(self, draws: int, random: np.random.Generator) -> Floats:
        """Return the differences under `draws` random exchanges."""
        if self.exchanges <= EXACT_EXCHANGES:
            return self.every()[random.integers(0, self.exchanges, size=draws)]
        order = np.argsort(random.random((draws, self.values.size)), axis=1)
        return self.differences(np.ascontiguousarray(order[:, : self.treated].T))


def counts_all_exchanges(treatment: Sequence[ArrayLike], control: Sequence[ArrayLike]) -> bool:
    """Tell whether `stratified_permutation` counts every exchange of these strata, and so hangs on no seed.

    Raises:
        ValueError: for sides of unequal numbers of strata.
    """
    exchanges = prod(
        comb(np.size(treated) + np.size(untreated), np.size(treated))
        for treated, untreated in zip(treatment, control, strict=True)
    )
    return exchanges <= EXACT_EXCHANGES


def stratified_permutation(
    treatment: Sequence[ArrayLike], control: Sequence[ArrayLike], *, draws: int, seed: int
) -> float | None:
    """Return the two-sided p-value that treatment and control are alike in every stratum.

    `treatment[i]` and `control[i]` are the values of stratum i (the trials of one system, say), shapes (n_i,) and
    (m_i,). The statistic is the mean over strata of the difference of means, each stratum equal; labels are
    exchanged within strata. All exchanges are counted where there are at most 100,000; otherwise `draws` random
    ones from `seed`, and the observed one with them. Values that are all equal give 1. None without a stratum, and
    for a single stratum of one value a side, where every exchange is as extreme and nothing can be learnt.

    Raises:
        ValueError: for sides of unequal numbers of strata, an empty side of a stratum, a value that is not
            finite, or no draws.
    """
    strata = [_Stratum(*sides) for sides in zip(treatment, control, strict=True)]
    if draws < 1:
        raise ValueError("a test needs at least one draw")
    exchanges = prod(stratum.exchanges for stratum in strata)
    if exchanges <= 2:
        return None
    observed = sum(
        float(stratum.differences(np.arange(stratum.treated)[:, None])[0]) for stratum in strata
    )
    scale = sum(float(np.abs(stratum.values).max()) for stratum in strata)
    least = abs(observed) - ROUNDING * scale
    if exchanges <= EXACT_EXCHANGES:
        sums = np.zeros(1)
        for stratum in strata:
            sums = np.add.outer(sums, stratum.every()).ravel()
        return int(np.count_nonzero(np.abs(sums) >= least)) / exchanges
    random = np.random.default_rng(seed)
    sums = in_order([stratum.some(draws, random) for stratum in strata])
    return (int(np.count_nonzero(np.abs(sums) >= least)) + 1) / (draws + 1)
