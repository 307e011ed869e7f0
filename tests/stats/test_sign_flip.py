# SPDX-License-Identifier: MIT
"""Sign-flip tests: SciPy's permutation test, enumeration by hand and the published p-values as oracles."""

import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from m4bench.stats.observations import equal_group_weights
from m4bench.stats.sign_flip import exact_sign_flip, published_sign_flip
from tests.stats.published import cells, deltas, family, number, rows


@pytest.mark.parametrize("count", range(2, 13))
def test_single_values_are_flipped_as_scipy_does(count: int) -> None:
    """One difference a family is SciPy's exact test of paired samples."""
    values = np.random.default_rng(count).normal(0.1, 0.2, count)
    expected = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    assert exact_sign_flip(values, range(count)) == pytest.approx(expected.pvalue, abs=1e-15)


HAND = [
    # values, groups, p
    ([0.1, 0.2, 0.3], "abc", 2 / 8),  # only all signs equal reach the mean
    ([0.1, 0.2, 0.3], "aab", 2 / 4),  # families of 0.3 and 0.3: the two of opposite signs are at 0
    ([0.3, 0.1, -0.1], "abc", 6 / 8),  # sums 0.3: 0.5, 0.3, 0.3 and 0.1 with either sign
    ([0.1, 0.1, 0.1, 0.1], "abcd", 2 / 16),
    ([0.0, 0.0], "ab", 1.0),
    ([0.7, 0.2], "aa", 1.0),
    ([0.1, 0.2, 0.3, -0.6], "abcd", 1.0),  # the observed sum is 0
]


@pytest.mark.parametrize(("values", "groups", "p"), HAND)
def test_whole_groups_are_flipped(values: list[float], groups: str, p: float) -> None:
    """Small cases counted by hand, ties with the observed mean included."""
    assert exact_sign_flip(values, groups) == p


def test_groups_are_counted_one_vector_of_signs_at_a_time() -> None:
    """Unbalanced groups and weights against an enumeration of all signs."""
    values = np.random.default_rng(4).normal(0.05, 0.2, 14)
    groups = list("aabbbcdefffggg")
    for weights in (np.ones(14), equal_group_weights(groups)):
        means = []
        for signs in product([1, -1], repeat=7):
            turned = values * [signs[ord(group) - 97] for group in groups]
            means.append(abs(np.average(turned, weights=weights)))
        expected = np.mean(np.array(means) >= means[0] - 1e-12)
        assert exact_sign_flip(values, groups, weights=weights) == expected


def test_published_deltas_by_family_and_by_task(shared: Path) -> None:
    """By family 0.00043 over 32,768 vectors of signs; by task, as published, 5.0e-6."""
    found = deltas(
        cells(rows(shared, "codex_primary_runs.csv"), number("reward")), "with-skill", "no-skill"
    )
    values, groups = list(found.values()), [family(task) for task in found]
    p = exact_sign_flip(values, groups)
    assert round(p, 5) == 0.00043
    assert (p * 32_768).is_integer()
    assert published_sign_flip(values, seed=20260504) == 1 / 200_001


def test_the_published_test_draws_as_plain_python_does() -> None:
    """Draw for draw the plain program's p-value."""
    values, rng = [0.2, -0.05, 0.11, 0.3, -0.17], random.Random(9)
    extreme = 0
    for _ in range(3_000):
        flipped = [-value if rng.random() < 0.5 else value for value in values]
        extreme += abs(sum(flipped)) >= abs(sum(values)) - 1e-12
    assert published_sign_flip(values, seed=9, draws=3_000) == (extreme + 1) / 3_001


def test_many_groups_are_flipped_at_random_and_counted_with_the_observed() -> None:
    """Beyond 20 groups p is near the exact one and never zero."""
    values = np.random.default_rng(2).normal(0.04, 0.1, 21)
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    exact = float(np.mean(np.abs(sums) >= abs(values.sum()) - 1e-12))
    found = exact_sign_flip(values, range(21), draws=50_000, seed=5)
    assert found == pytest.approx(exact, abs=5 * (exact * (1 - exact) / 50_000) ** 0.5)
    assert found == exact_sign_flip(values, range(21), draws=50_000, seed=5)
    assert found * 50_001 == pytest.approx(round(found * 50_001), abs=1e-6)
    assert exact_sign_flip(np.ones(40), range(40), draws=999, seed=5) == 1 / 1000


@pytest.mark.parametrize("count", [21, 24, 25, 33])
def test_random_flips_are_one_sign_a_group_from_the_seed(count: int) -> None:
    """The same as adding up one signed value after the other, whether or not the groups fill their bytes."""
    values = np.random.default_rng(count).normal(size=count)
    signs, sums = np.random.default_rng(3), np.zeros(5_000)
    for value in values:
        sums += np.where(signs.integers(0, 2, size=5_000, dtype=np.int8) == 1, value, -value)
    extreme = int(np.count_nonzero(np.abs(sums) >= abs(values.sum())))
    found = exact_sign_flip(values, list(range(count)), draws=5_000, seed=3)
    assert found == (extreme + 1) / 5_001


def test_twenty_groups_are_still_exact() -> None:
    """A million vectors of signs are counted: twenty equal differences leave two of them."""
    assert exact_sign_flip(np.full(20, 0.1), range(20), draws=1) == 2 / 2**20


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(-50, 50)), min_size=1, max_size=20),
    st.sampled_from([-3.0, 0.01, 0.1, 1e6]),
    st.randoms(),
)
def test_p_is_the_same_in_other_units_and_orders(
    pairs: list[tuple[str, int]], scale: float, shuffler: random.Random
) -> None:
    """Scale, sign and the order of families change nothing, though rounding differs; whole numbers tell ties."""
    groups = [group for group, _ in pairs]
    p = exact_sign_flip([value for _, value in pairs], groups)
    assert exact_sign_flip([value * scale for _, value in pairs], groups) == p
    renamed = dict(zip("abcdefgh", shuffler.sample("abcdefgh", 8), strict=True))
    assert exact_sign_flip([v * 0.1 for _, v in pairs], [renamed[g] for g in groups]) == p
    assert p >= 2.0 ** (1 - len(set(groups)))


@pytest.mark.parametrize("values", [[], [0.1, float("nan")]], ids=str)
def test_what_was_not_measured_is_refused(values: list[float]) -> None:
    """No values and missing ones are errors."""
    with pytest.raises(ValueError, match="values must be"):
        exact_sign_flip(values, ["a"] * len(values))
    with pytest.raises(ValueError, match="values must be"):
        published_sign_flip(values, seed=1)


def test_no_draws_are_refused() -> None:
    """A p-value of no draws is an error."""
    with pytest.raises(ValueError, match="draw"):
        published_sign_flip([0.1], seed=1, draws=0)
