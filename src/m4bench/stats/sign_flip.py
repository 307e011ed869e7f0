# SPDX-License-Identifier: MIT
"""Sign-flip tests that a mean difference is zero, of whole groups or of single values. Knows no interval.

Under the null hypothesis a group's differences are as likely with all signs turned (Fisher 1935, "The Design of
Experiments", ch. 21; Canay, Romano and Shaikh 2017, Econometrica 85(3), for few groups).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from m4bench.stats.mersenne import random_halves
from m4bench.stats.observations import Floats, Labels, finite_vector, group_sums, in_order

EXACT_GROUPS = 20
DRAWS = 200_000
BYTE = 8
# Sums of the same numbers in another order differ by rounding; they are as far from zero all the same.
ROUNDING = 1e-12


def _least_extreme(terms: Floats) -> float:
    """Return the distance from zero from which a sum of signed `terms` is as extreme as their own."""
    return abs(float(in_order(terms))) - ROUNDING * float(in_order(np.abs(terms)))


def exact_sign_flip(
    values: ArrayLike,
    groups: Labels,
    *,
    weights: ArrayLike | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> float:
    """Return the two-sided p-value that the mean of `values`, shape (n,), is zero, flipping whole `groups`.

    The statistic is the mean weighted by `weights`, shape (n,), by default 1. All 2**G vectors of signs are
    counted for up to 20 groups, so that p is at least 2**(1 - G); one group gives 1. Beyond, `draws` random
    vectors from `seed` are counted, and the observed one with them (Phipson and Smyth 2010). Values that are all
    zero give 1.

    Raises:
        ValueError: for no values, lengths that differ, a value that is not finite, or a weight not above zero.
    """
    terms = group_sums(values, groups, weights).totals
    least = _least_extreme(terms)
    if terms.size > EXACT_GROUPS:
        return _random_flips(terms, least, draws, seed)
    # Turning every sign changes no distance, so the first group keeps its own.
    sums = terms[:1]
    for term in terms[1:]:
        sums = np.concatenate([sums + term, sums - term])
    return int(np.count_nonzero(np.abs(sums) >= least)) / sums.size


@lru_cache(maxsize=4)
def _signs(groups: int, draws: int, seed: int) -> NDArray[np.uint8]:
    """Return which groups keep their sign in each draw, eight groups to a byte, shape (bytes, draws)."""
    random = np.random.default_rng(seed)
    kept = [random.integers(0, 2, size=draws, dtype=np.int8) == 1 for _ in range(groups)]
    packed = np.packbits(np.stack(kept), axis=0)
    packed.flags.writeable = False
    return packed


def _random_flips(terms: Floats, least: float, draws: int, seed: int) -> float:
    sums = np.zeros(draws)
    for place, codes in enumerate(_signs(terms.size, draws, seed)):
        block = np.zeros(BYTE)
        own = terms[place * BYTE : (place + 1) * BYTE]
        block[: own.size] = own
        signed = np.zeros(1)
        for term in block:
            signed = (signed[:, None] + [-term, term]).ravel()
        sums += signed[codes]
    return (int(np.count_nonzero(np.abs(sums) >= least)) + 1) / (draws + 1)


def published_sign_flip(values: ArrayLike, *, seed: int, draws: int = DRAWS) -> float:
    """Return the published two-sided p-value that the mean of `values`, shape (n,), is zero.

    Each of `draws` flips every value's sign where `random.Random(seed).random()` is below one half, one value
    after the other; p is the draws at least as far from zero as the observed mean, plus one, over the draws plus
    one. Values are taken as independent: where they come in groups this rejects too often.

    Raises:
        ValueError: for no values, a value that is not finite, or no draws.
    """
    vector = finite_vector(values)
    if draws < 1:
        raise ValueError("a test needs at least one draw")
    least = _least_extreme(vector)
    flipped = np.ascontiguousarray(random_halves(seed, draws * vector.size).reshape(draws, -1).T)
    sums = np.zeros(draws)
    for value, flip in zip(vector, flipped, strict=True):
        sums += np.where(flip, -value, value)
    return (int(np.count_nonzero(np.abs(sums) >= least)) + 1) / (draws + 1)
