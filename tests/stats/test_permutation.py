# SPDX-License-Identifier: MIT
"""Exchanges within strata: SciPy and plain enumeration as oracles."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from m4bench.stats.permutation import counts_all_exchanges, stratified_permutation


def difference(treated: np.ndarray, control: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return the difference of means."""
    return np.mean(treated, axis=axis) - np.mean(control, axis=axis)


@pytest.mark.parametrize(("treated", "control"), [(2, 3), (3, 3), (5, 5), (4, 7)])
def test_one_stratum_is_the_usual_permutation_test(treated: int, control: int) -> None:
    """SciPy's exact test of independent samples, two-sided by distance from zero."""
    random = np.random.default_rng(treated * 10 + control)
    one, other = random.normal(0.1, 0.2, treated), random.normal(0, 0.2, control)
    whole = stats.permutation_test(
        (one, other),
        lambda x, y, axis=-1: np.abs(difference(x, y, axis)),
        n_resamples=np.inf,
        alternative="greater",
    )
    found = stratified_permutation([one], [other], draws=100, seed=1)
    assert found == pytest.approx(whole.pvalue, abs=1e-15)


def enumerated(treatment: list[list[float]], control: list[list[float]]) -> float:
    """Return the p-value by listing every exchange of every stratum."""
    choices = []
    for one, other in zip(treatment, control, strict=True):
        pool, found = one + other, []
        for places in combinations(range(len(pool)), len(one)):
            rest = [value for place, value in enumerate(pool) if place not in places]
            found.append(np.mean([pool[place] for place in places]) - np.mean(rest))
        choices.append(found)
    means = [abs(np.mean(one)) for one in product(*choices)]
    return float(np.mean(np.array(means) >= means[0] - 1e-12))


STRATA = {
    "equal": ([[0.9, 0.8, 1.0], [0.7, 0.6]], [[0.5, 0.8, 0.2], [0.7, 0.1]]),
    "unequal": ([[0.9, 0.8], [0.4], [0.3, 0.3, 0.2]], [[0.5], [0.4, 0.6, 0.7], [0.3, 0.1]]),
    "opposed": ([[1.0, 0.9], [0.0, 0.1]], [[0.2, 0.1], [0.8, 0.9]]),
    "single runs": ([[0.9], [0.8], [0.7]], [[0.1], [0.2], [0.8]]),
}


@pytest.mark.parametrize(("treatment", "control"), STRATA.values(), ids=STRATA)
def test_labels_move_within_strata_alone(
    treatment: list[list[float]], control: list[list[float]]
) -> None:
    """Every exchange listed gives the same p-value, ties by rounding included."""
    found = stratified_permutation(treatment, control, draws=10, seed=1)
    assert found == enumerated(treatment, control)


def test_five_trials_a_side_of_two_systems_are_exact() -> None:
    """252 times 252 exchanges: clear separation in both leaves the observed labels and their mirror."""
    treatment = [[0.91, 0.92, 0.93, 0.94, 0.95]] * 2
    control = [[0.1, 0.2, 0.3, 0.4, 0.5]] * 2
    assert stratified_permutation(treatment, control, draws=1, seed=1) == 2 / 252**2


def every_difference(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the difference of means under every exchange of a stratum, the observed one first."""
    pool, count = np.concatenate([one, other]).tolist(), one.size
    sums = np.array([sum(chosen) for chosen in combinations(pool, count)])
    return sums / count - (sum(pool) - sums) / other.size


@pytest.mark.parametrize("sizes", [[(5, 5)] * 3, [(9, 9), (2, 2)], [(10, 10), (2, 1)]], ids=str)
def test_many_exchanges_are_drawn(sizes: list[tuple[int, int]]) -> None:
    """Beyond 100,000 the p-value is the exact one within its own error, and the same for the same seed."""
    random = np.random.default_rng(1)
    treatment = [random.normal(0.08, 0.15, one) for one, _ in sizes]
    control = [random.normal(0.0, 0.15, other) for _, other in sizes]
    first, *rest = [every_difference(*sides) for sides in zip(treatment, control, strict=True)]
    observed = abs(first[0] + sum(one[0] for one in rest)) - 1e-12
    for one in rest[:-1]:
        first = np.add.outer(first, one).ravel()
    first = np.sort(first)
    above = first.size - np.searchsorted(first, observed - rest[-1])
    below = np.searchsorted(first, -observed - rest[-1], side="right")
    exact = float(np.sum(above + below)) / (first.size * rest[-1].size)
    assert 0.001 < exact < 0.9
    found = stratified_permutation(treatment, control, draws=40_000, seed=4)
    assert found == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 40_000) ** 0.5)
    assert found == stratified_permutation(treatment, control, draws=40_000, seed=4)


@pytest.mark.parametrize(
    ("sizes", "exact"),
    [([(5, 5), (5, 5)], True), ([(5, 5)] * 3, False), ([(3, 3)] * 4, False), ([(4, 1)], True)],
    ids=str,
)
def test_it_is_told_whether_every_exchange_is_counted(
    sizes: list[tuple[int, int]], exact: bool
) -> None:
    """252 squared are 63,504; 252 cubed and 20 to the fourth are more than 100,000."""
    treatment, control = ([np.zeros(one[side]) for one in sizes] for side in (0, 1))
    assert counts_all_exchanges(treatment, control) is exact


def test_random_p_values_count_the_observed_labels() -> None:
    """No draw as extreme still leaves one over the draws plus one."""
    treatment, control = [np.arange(10.0) + 100] * 2, [np.arange(10.0)] * 2
    assert stratified_permutation(treatment, control, draws=999, seed=1) == 1 / 1000


def test_values_all_equal_tell_nothing() -> None:
    """Equal rewards give 1 however they round."""
    assert stratified_permutation([[0.1] * 5] * 2, [[0.1] * 5] * 2, draws=10, seed=1) == 1.0
    assert stratified_permutation([[0.1] * 9] * 2, [[0.1] * 9] * 2, draws=10, seed=1) == 1.0


@pytest.mark.parametrize(("treatment", "control"), [([], []), ([[0.9]], [[0.1]])])
def test_no_p_value_where_no_exchange_could_tell(
    treatment: list[list[float]], control: list[list[float]]
) -> None:
    """Without strata, and with one run a side alone, there is none."""
    assert stratified_permutation(treatment, control, draws=10, seed=1) is None


@pytest.mark.parametrize(
    ("treatment", "control", "draws"),
    [
        ([[0.1], [0.2]], [[0.1]], 10),
        ([[]], [[0.1, 0.2]], 10),
        ([[0.1, float("nan")]], [[0.1, 0.2]], 10),
        ([[0.1, 0.2]], [[0.1, 0.2]], 0),
    ],
)
def test_what_cannot_be_exchanged_is_refused(
    treatment: list[list[float]], control: list[list[float]], draws: int
) -> None:
    """Unpaired strata, empty sides, missing values and no draws are errors."""
    with pytest.raises(ValueError):
        stratified_permutation(treatment, control, draws=draws, seed=1)
