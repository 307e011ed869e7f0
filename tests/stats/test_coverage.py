# SPDX-License-Identifier: MIT
"""The simulation of coverage: its methods are the package's, and its claims could come out otherwise."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from m4bench.stats import bootstrap, clustered, mersenne, sign_flip
from m4bench.stats import coverage as simulation
from m4bench.stats.coverage import INTERVALS, TESTS, Coverage, Shape, Sums, coverage, family_sums

PAPER = (1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3)
FEW = (3, 1, 2, 2, 4)
RUNS = 4_000
NOMINAL = 0.95


def data_sets(sizes: tuple[int, ...], count: int = 5) -> tuple[np.ndarray, list[str]]:
    """Return simulated data sets, a row each, and the families' labels in the order of their columns."""
    shape = Shape(sizes, 0.10, 0.05, "skewed")
    values = simulation.simulate(shape, count, np.random.default_rng(11)) + 0.04
    return values, [f"{place:02}" for place, size in enumerate(sizes) for _ in range(size)]


def counted(drawn: np.ndarray, units: int) -> np.ndarray:
    """Return how often each unit (column) occurs in each resample (row) of places drawn."""
    return np.array([np.bincount(row, minlength=units) for row in drawn], dtype=float)


@pytest.mark.parametrize("sizes", [PAPER, FEW])
def test_percentile_intervals_are_those_of_single_data_sets(sizes: tuple[int, ...]) -> None:
    """With the published draws, many data sets at once get the published intervals of tasks and of families."""
    values, families = data_sets(sizes)
    for sums, published in (
        (Sums(values, np.ones(values.shape[1])), bootstrap.published_percentile),
        (
            family_sums(values, sizes),
            lambda row, *, seed, draws: bootstrap.published_clusters(
                row, families, seed=seed, draws=draws
            ),
        ),
    ):
        units = sums.sizes.size
        places = mersenne.random_indices(7, units, units * 1_000).reshape(1_000, units)
        low, high = simulation.percentile(sums, counted(places, units), NOMINAL)
        single = [published(row, seed=7, draws=1_000) for row in values]
        assert list(zip(low, high, strict=True)) == [pytest.approx(one) for one in single]


@pytest.mark.parametrize("sizes", [PAPER, FEW])
@pytest.mark.parametrize("level", [0.90, 0.95])
def test_clustered_intervals_are_those_of_single_data_sets(
    sizes: tuple[int, ...], level: float
) -> None:
    """The family-clustered t interval, at any level."""
    values, families = data_sets(sizes)
    low, high = simulation.clustered_t(family_sums(values, sizes), level)
    for place, row in enumerate(values):
        single = clustered.clustered_t(row, families, level=level)
        assert single is not None
        assert (low[place], high[place]) == pytest.approx(single.interval)


@pytest.mark.parametrize("sizes", [PAPER, FEW, (2, 2, 2)])
def test_studentised_intervals_are_those_of_single_data_sets(sizes: tuple[int, ...]) -> None:
    """With the same families drawn, or all there are, the cluster bootstrap-t interval; three determine none.

    Of five families each of the 3,125 draws comes eight times, so that the tails are whole numbers of them.
    """
    values, families = data_sets(sizes)
    drawn = (
        np.random.default_rng(3).integers(0, len(sizes), size=(len(sizes), 1_999)).T
        if len(sizes) > clustered.EXACT_BOOTSTRAP_GROUPS
        else np.array(list(itertools.product(range(len(sizes)), repeat=len(sizes))) * 8)
    )
    low, high = simulation.bootstrap_t(
        family_sums(values, sizes), counted(drawn, len(sizes)), NOMINAL
    )
    for place, row in enumerate(values):
        single = clustered.cluster_bootstrap_t(row, families, level=NOMINAL, draws=1_999, seed=3)
        if single is None:
            assert len(sizes) == 3
            assert np.isnan([low[place], high[place]]).all()
        else:
            assert (low[place], high[place]) == pytest.approx(single)


@pytest.mark.parametrize("sizes", [PAPER, FEW])
def test_sign_flips_are_those_of_single_data_sets(sizes: tuple[int, ...]) -> None:
    """Exact flips of families, and the published random flips of tasks."""
    values, families = data_sets(sizes)
    totals = family_sums(values, sizes).totals
    exact = simulation.sign_flip(totals, simulation.all_signs(len(sizes)), exact=True)
    assert exact == pytest.approx([sign_flip.exact_sign_flip(row, families) for row in values])
    tasks = values.shape[1]
    flipped = mersenne.random_halves(5, 2_000 * tasks).reshape(2_000, tasks)
    drawn = simulation.sign_flip(values, np.where(flipped, -1.0, 1.0), exact=False)
    single = [sign_flip.published_sign_flip(row, seed=5, draws=2_000) for row in values]
    assert drawn == pytest.approx(single)


def test_bias_corrected_intervals_are_those_of_scipy() -> None:
    """One task a family, skewed so that bias and acceleration count: SciPy's BCa of the same resamples."""
    values = np.exp(2 * np.random.default_rng(11).standard_normal((4, 10)))
    drawn = simulation.resamples(10, 2_000, np.random.default_rng(1))
    drawn = drawn[drawn.max(axis=1) > 1]  # the sample itself equals its mean but for rounding
    bounds = simulation.bias_corrected(family_sums(values, (1,) * 10), drawn, NOMINAL)
    for row, low, high in zip(values, *bounds, strict=True):
        made = stats.bootstrap((row,), np.mean, n_resamples=2, method="basic")
        made.bootstrap_distribution = drawn @ row / 10
        single = stats.bootstrap(
            (row,), np.mean, n_resamples=0, bootstrap_result=made, method="BCa"
        ).confidence_interval
        assert (low, high) == pytest.approx(tuple(single))


@pytest.mark.parametrize(("effects", "skewness"), [("normal", 0.0), ("skewed", 2.0)])
def test_effects_have_the_deviations_asked_for(effects: str, skewness: float) -> None:
    """Mean 0, standard deviation sqrt(0.1^2 + 0.05^2), 0.8 between tasks of a family, none across."""
    one = simulation.simulate(Shape((2, 1), 0.10, 0.05, effects), 400_000, np.random.default_rng(9))
    assert one.mean(axis=0) == pytest.approx([0, 0, 0], abs=0.001)
    assert one.std(axis=0) == pytest.approx([math.sqrt(0.0125)] * 3, rel=0.01)
    together = np.corrcoef(one.T)
    assert together[0, 1] == pytest.approx(0.8, abs=0.005)
    assert together[0, 2] == pytest.approx(0, abs=0.005)
    # A sum of exponentials in these proportions: (0.1^3 + 0.05^3) / 0.0125^1.5 of their own skewness of 2.
    share = (0.1**3 + 0.05**3) / 0.0125**1.5
    assert stats.skew(one[:, 0]) == pytest.approx(skewness * share, abs=0.05)


@pytest.fixture(scope="module")
def of_the_paper() -> dict[str, Coverage]:
    """The paper's shape with normal and with skewed effects."""
    return {
        effects: coverage(Shape(PAPER, 0.10, 0.05, effects), runs=RUNS, draws=1_999, seed=20261130)
        for effects in ("normal", "skewed")
    }


def bound(rate: float, runs: int = RUNS) -> float:
    """Return four binomial standard errors of a rate: a right simulation exceeds it once in 16,000."""
    return 4 * math.sqrt(rate * (1 - rate) / runs)


@pytest.mark.parametrize("method", ["family-t", "family-bootstrap-t"])
def test_headline_intervals_cover_what_they_say(
    of_the_paper: dict[str, Coverage], method: str
) -> None:
    """Normal effects: the share that covers is 95 % within four binomial standard errors."""
    found = of_the_paper["normal"].covered[method]
    assert found.decided == RUNS
    assert found.share == pytest.approx(NOMINAL, abs=bound(NOMINAL))


@pytest.mark.parametrize("effects", ["normal", "skewed"])
def test_task_level_intervals_do_not_cover_what_they_say(
    of_the_paper: dict[str, Coverage], effects: str
) -> None:
    """Resampled tasks: below 88 % beyond doubt, and the sign-flip of tasks rejects more than twice too often."""
    found = of_the_paper[effects]
    assert found.covered["task-percentile"].share < 0.88 - bound(0.88)
    assert found.rejected["task-sign-flip"].share > 0.10 + bound(0.10)


@pytest.mark.parametrize("effects", ["normal", "skewed"])
def test_methods_stand_in_the_order_found_before(
    of_the_paper: dict[str, Coverage], effects: str
) -> None:
    """Task percentile, family percentile and BCa, CR1 t, bootstrap-t: each kind covers more than the one before."""
    share = {name: rate.share for name, rate in of_the_paper[effects].covered.items()}
    assert share["task-percentile"] < share["family-percentile"] < share["family-t"]
    assert share["family-bca"] < share["family-t"]
    assert abs(share["family-bca"] - share["family-percentile"]) < 0.02
    assert share["family-bootstrap-t"] > share["family-t"] - bound(NOMINAL) / 2


def test_skew_costs_the_studentised_bootstrap_least(of_the_paper: dict[str, Coverage]) -> None:
    """With exponential effects all cover too little, the bootstrap-t the least so and with wider intervals."""
    skewed = of_the_paper["skewed"].covered
    assert max(rate.share for rate in skewed.values()) < NOMINAL
    assert skewed["family-bootstrap-t"].share > skewed["family-t"].share
    assert skewed["family-bootstrap-t"].wide > skewed["family-t"].wide


@pytest.mark.parametrize(
    ("method", "normal", "skewed"),
    [
        ("task-percentile", 0.81, 0.79),
        ("family-percentile", 0.91, 0.89),
        ("family-bca", 0.905, 0.88),
        ("family-t", 0.945, 0.91),
        ("family-bootstrap-t", 0.947, 0.93),
    ],
)
def test_coverage_is_what_was_measured_independently(
    of_the_paper: dict[str, Coverage], method: str, normal: float, skewed: float
) -> None:
    """An earlier simulation of 1,500 data sets: equal within three standard errors of the difference and rounding."""
    for effects, expected in (("normal", normal), ("skewed", skewed)):
        error = math.sqrt(expected * (1 - expected) * (1 / 1_500 + 1 / RUNS))
        found = of_the_paper[effects].covered[method].share
        assert found == pytest.approx(expected, abs=3 * error + 0.005)


def test_rejections_are_what_was_measured_independently(of_the_paper: dict[str, Coverage]) -> None:
    """Type I error at 0.05: 0.148 flipping tasks, 0.055 flipping families."""
    for test, expected in (("task-sign-flip", 0.148), ("family-sign-flip", 0.055)):
        error = math.sqrt(expected * (1 - expected) * (1 / 1_500 + 1 / RUNS))
        found = of_the_paper["normal"].rejected[test].share
        assert found == pytest.approx(expected, abs=3 * error + 0.0005)


def test_tasks_that_share_nothing_need_no_families() -> None:
    """Without family effects the task bootstrap loses little, so that it is the families it fails for."""
    found = coverage(Shape((2,) * 15, 0.0, 0.05), runs=RUNS, draws=999, seed=4)
    assert found.covered["task-percentile"].share > 0.92
    assert found.rejected["task-sign-flip"].share == pytest.approx(0.05, abs=bound(0.05))


def test_few_families_decide_little() -> None:
    """Three: no bootstrap-t interval. Five: 2 of 32 flips are as far at least, so that p never is below 0.0625."""
    three = coverage(Shape((2, 2, 2), 0.10, 0.05), runs=200, draws=500, seed=4)
    assert three.covered["family-bootstrap-t"] == simulation.Rate(None, None, 0)
    assert three.covered["family-t"].decided == 200
    five = coverage(Shape((2,) * 5, 0.10, 0.05), runs=1_000, draws=500, seed=4)
    assert five.rejected["family-sign-flip"].share == 0
    six = coverage(Shape((2,) * 6, 0.10, 0.05), runs=1_000, draws=500, seed=4)
    assert six.rejected["family-sign-flip"].share > 0


def test_families_beyond_enumeration_are_flipped_at_random() -> None:
    """Twenty-five families: the random flips keep the level."""
    found = coverage(Shape((1,) * 25, 0.10, 0.05), runs=2_000, draws=999, seed=6)
    assert found.rejected["family-sign-flip"].share == pytest.approx(0.05, abs=bound(0.05, 2_000))


def test_the_same_arguments_give_the_same_figures() -> None:
    """Two simulations with one seed are equal, with two seeds they are not; all methods are named."""
    shape = Shape(FEW, 0.10, 0.05)
    first = coverage(shape, runs=250, draws=200, seed=1)
    assert coverage(shape, runs=250, draws=200, seed=1) == first
    assert coverage(shape, runs=250, draws=200, seed=2).covered != first.covered
    assert (tuple(first.covered), tuple(first.rejected)) == (INTERVALS, TESTS)
    one = first.covered["family-t"]
    assert one.decided == 250
    assert one.error == pytest.approx(math.sqrt(one.share * (1 - one.share) / 250))


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda: coverage(Shape((3,), 0.1, 0.1), seed=1), "two families"),
        (lambda: coverage(Shape((2, 0), 0.1, 0.1), seed=1), "one task or more"),
        (lambda: coverage(Shape((2, 2), 0.0, 0.0), seed=1), "not all 0"),
        (lambda: coverage(Shape((2, 2), -0.1, 0.1), seed=1), "not negative"),
        (lambda: coverage(Shape((2, 2), 0.1, math.nan), seed=1), "finite"),
        (lambda: coverage(Shape((2, 2), 0.1, 0.1, "even"), seed=1), "normal or skewed"),
        (lambda: coverage(Shape((2, 2), 0.1, 0.1), draws=10, seed=1), "100 draws"),
        (lambda: coverage(Shape((2, 2), 0.1, 0.1), level=95, seed=1), "level"),
    ],
)
def test_what_cannot_be_simulated_is_refused(ask: Callable[[], Coverage], problem: str) -> None:
    """Shapes without clusters or variation, and numbers out of range."""
    with pytest.raises(ValueError, match=problem):
        ask()
