# SPDX-License-Identifier: MIT
"""The random stream of Python's `random.Random`, drawn many numbers at a time. Knows no statistic.

Published bootstraps were drawn with it, one `randrange` after the other; the same draws give the same digits.
Matsumoto and Nishimura 1998, "Mersenne Twister", ACM TOMACS 8(1).
"""

import random

import numpy as np
from numpy.typing import NDArray

WORD_BITS = 32


def seeded(seed: int) -> np.random.MT19937:
    """Return a generator of 32-bit words whose next word is that of `random.Random(seed)`."""
    _, internal, _ = random.Random(seed).getstate()  # noqa: S311 - a bootstrap keeps no secret
    bits = np.random.MT19937()
    bits.state = {
        "bit_generator": "MT19937",
        "state": {"key": np.array(internal[:-1], dtype=np.uint32), "pos": internal[-1]},
    }
    return bits


def random_indices(seed: int, below: int, size: int) -> NDArray[np.intp]:
    """Return what `size` calls of `random.Random(seed).randrange(below)` return, shape (size,).

    Each call takes the leading bits of a word, as many as `below` has, and takes another word while they are too
    large.

    Raises:
        ValueError: unless 1 <= below < 2**32.
    """
    if not 1 <= below < 2**WORD_BITS:
        raise ValueError("indices are drawn from 1 to 2**32 - 1 places")
    bits = seeded(seed)
    width = below.bit_length()
    found: list[NDArray[np.uint64]] = []
    missing = size
    while missing > 0:
        expected = missing * 2**width // below + 64
        drawn = bits.random_raw(expected) >> np.uint64(WORD_BITS - width)
        kept = drawn[drawn < below][:missing]
        found.append(kept)
        missing -= kept.size
    return np.concatenate(found).astype(np.intp) if found else np.empty(0, dtype=np.intp)


def random_halves(seed: int, size: int) -> NDArray[np.bool_]:
    """Return whether each of `size` calls of `random.Random(seed).random()` is below one half, shape (size,).

    A call takes two words, and the first one's leading bit decides.
    """
    words = seeded(seed).random_raw(2 * size)[::2]
    return words < np.uint64(2 ** (WORD_BITS - 1))
