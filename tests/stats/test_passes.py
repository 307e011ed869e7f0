# SPDX-License-Identifier: MIT
"""pass@k and pass^k: hand values and all subsets of trials as oracles."""

from itertools import combinations
from math import prod

import pytest

from m4bench.stats.passes import pass_at_k, pass_hat_k


@pytest.mark.parametrize(
    ("n", "c", "k", "any_passes", "all_pass"),
    [
        (5, 0, 1, 0.0, 0.0),
        (5, 2, 1, 0.4, 0.4),
        (5, 2, 2, 0.7, 0.1),  # 1 - 3/10, 1/10
        (5, 2, 3, 0.9, 0.0),  # 1 - 1/10
        (5, 2, 4, 1.0, 0.0),
        (5, 5, 5, 1.0, 1.0),
        (4, 3, 2, 1.0, 0.5),
        (1, 1, 1, 1.0, 1.0),
        (5, 4, 6, None, None),
        (0, 0, 1, None, None),
    ],
)
def test_values_by_hand(
    n: int, c: int, k: int, any_passes: float | None, all_pass: float | None
) -> None:
    """Small cases, and none where trials are fewer than k."""
    assert pass_at_k(n, c, k) == any_passes
    assert pass_hat_k(n, c, k) == all_pass


@pytest.mark.parametrize("n", [3, 6])
def test_both_are_means_over_all_choices_of_k_trials(n: int) -> None:
    """Each estimate is the share of k-subsets with a pass, or of passes alone."""
    for c in range(n + 1):
        trials = [1] * c + [0] * (n - c)
        for k in range(1, n + 1):
            chosen = list(combinations(trials, k))
            assert pass_at_k(n, c, k) == sum(map(any, chosen)) / len(chosen)
            assert pass_hat_k(n, c, k) == sum(map(all, chosen)) / len(chosen)


def test_many_trials_neither_overflow_nor_cancel() -> None:
    """The stable product of the literature agrees for 2,000 trials."""
    product = 1 - prod(1 - 100 / i for i in range(2_000 - 3 + 1, 2_001))
    assert pass_at_k(2_000, 3, 100) == pytest.approx(product, rel=1e-12)
    assert pass_at_k(10**5, 1, 1) == 1e-5


@pytest.mark.parametrize(("n", "c", "k"), [(5, 6, 1), (5, -1, 1), (5, 2, 0)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    """More passes than trials, or no trial to choose, is an error."""
    for estimate in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match="trial"):
            estimate(n, c, k)
