# SPDX-License-Identifier: MIT
"""The vectorised stream is Python's own, number for number."""

import random

import numpy as np
import pytest

from m4bench.stats.mersenne import random_halves, random_indices


@pytest.mark.parametrize("seed", [0, 1, 20260504, 2**32 - 1, 2**40 + 7])
@pytest.mark.parametrize("below", [*range(1, 41), 1000, 2**31, 2**32 - 1])
def test_indices_are_those_of_randrange(below: int, seed: int) -> None:
    """Every index drawn is the one Python draws, refusals of too large words included."""
    python = random.Random(seed)
    expected = [python.randrange(below) for _ in range(700)]
    assert random_indices(seed, below, 700).tolist() == expected


@pytest.mark.parametrize("seed", [0, 20260504, 2**32])
def test_halves_are_those_of_random(seed: int) -> None:
    """A draw is below one half when Python's is."""
    python = random.Random(seed)
    expected = [python.random() < 0.5 for _ in range(2_000)]
    assert random_halves(seed, 2_000).tolist() == expected


def test_nothing_drawn_is_nothing() -> None:
    """No calls give no indices."""
    assert random_indices(1, 5, 0).shape == (0,)
    assert random_indices(1, 5, 0).dtype == np.intp


@pytest.mark.parametrize("below", [0, -1, 2**32])
def test_a_range_beyond_one_word_is_refused(below: int) -> None:
    """An empty range and one wider than a word are errors, not other streams."""
    with pytest.raises(ValueError, match="places"):
        random_indices(1, below, 3)
