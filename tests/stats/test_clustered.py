# SPDX-License-Identifier: MIT
"""Clustered intervals: statsmodels, hand computation and an independent bootstrap as oracles."""

import itertools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from m4bench.stats.clustered import Interval, cluster_bootstrap_t, clustered_t, drawn_bootstrap_t
from m4bench.stats.observations import equal_group_weights
from tests.stats.published import cells, deltas, family, number, rows

UNBALANCED = {
    "pairs": ([0.1, 0.3, -0.2, 0.4, 0.0, 0.7], [0, 0, 1, 1, 2, 2]),
    "unbalanced": ([0.1, 0.3, 0.25, -0.2, 0.4, 0.0, 0.7, 0.65], list("aaabccdd")),
    "one large": ([0.1] * 7 + [0.9, 0.2, 0.4], list("xxxxxxxyzw")),
    "single": ([0.1, 0.3, -0.2, 0.4], list("abcd")),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("values", "groups"), UNBALANCED.values(), ids=UNBALANCED)
def test_the_interval_is_that_of_a_regression_on_a_constant(
    values: list[float], groups: list[object], weighted: bool
) -> None:
    """CR1 with t(G - 1) as statsmodels computes it, with and without weights."""
    codes = np.unique(groups, return_inverse=True)[1]
    weights = np.linspace(0.5, 2, len(values)) if weighted else np.ones(len(values))
    fit = sm.WLS(values, np.ones(len(values)), weights=weights).fit(
        cov_type="cluster", cov_kwds={"groups": codes}, use_t=True
    )
    found = clustered_t(values, groups, level=0.9, weights=weights if weighted else None)
    assert found is not None
    assert found.mean == pytest.approx(fit.params[0], rel=1e-12)
    assert found.standard_error == pytest.approx(fit.bse[0], rel=1e-12)
    assert found.interval == pytest.approx(tuple(fit.conf_int(alpha=0.1)[0]), rel=1e-10)
    assert found.degrees_of_freedom == codes.max()


def test_one_value_a_group_is_the_usual_interval() -> None:
    """Groups of one give the textbook t interval."""
    values = [0.12, 0.3, -0.05, 0.41, 0.2]
    found = clustered_t(values, range(5), level=0.95)
    assert found is not None
    expected = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
    assert found.interval == pytest.approx(expected, rel=1e-12)


def test_equal_group_weights_give_the_interval_of_group_means() -> None:
    """Weighting groups equally is the t interval over their means."""
    values, groups = UNBALANCED["unbalanced"]
    means = [np.mean(values[0:3]), values[3], np.mean(values[4:6]), np.mean(values[6:8])]
    found = clustered_t(values, groups, level=0.95, weights=equal_group_weights(groups))
    assert found is not None
    expected = stats.t.interval(0.95, 3, np.mean(means), stats.sem(means))
    assert found.interval == pytest.approx(expected, rel=1e-12)


def published_deltas(shared: Path) -> tuple[list[float], list[str]]:
    """Return the paper's task deltas with their families."""
    found = deltas(
        cells(rows(shared, "codex_primary_runs.csv"), number("reward")), "with-skill", "no-skill"
    )
    return list(found.values()), [family(task) for task in found]


def test_published_deltas_clustered_by_family(shared: Path) -> None:
    """The re-analysis of the released deltas: mean 0.136 [0.054, 0.217] with 14 degrees of freedom."""
    values, groups = published_deltas(shared)
    found = clustered_t(values, groups, level=0.95)
    assert found is not None
    assert (round(found.mean, 3), round(found.low, 3), round(found.high, 3)) == (
        0.136,
        0.054,
        0.217,
    )
    assert found.degrees_of_freedom == 14


@pytest.mark.parametrize("seed", [1, 20261130])
def test_published_deltas_by_bootstrap_t(shared: Path, seed: int) -> None:
    """The re-analysis of the released deltas: [0.064, 0.257], within the error of 20,000 draws."""
    values, groups = published_deltas(shared)
    found = cluster_bootstrap_t(values, groups, level=0.95, draws=20_000, seed=seed)
    assert found == pytest.approx((0.064, 0.257), abs=0.006)


def plain_bootstrap_t(
    values: list[float], groups: list[str], level: float, draws: int
) -> tuple[float, float]:
    """Return the interval by resampling rows one draw at a time with an error from statsmodels' formula."""
    members = {
        label: [v for v, g in zip(values, groups, strict=True) if g == label] for label in groups
    }
    labels, random = sorted(members), np.random.RandomState(5)

    def mean_and_error(units: list[list[float]]) -> tuple[float, float]:
        rows_ = [value for unit in units for value in unit]
        mean = sum(rows_) / len(rows_)
        scores = [sum(value - mean for value in unit) for unit in units]
        square = sum(score**2 for score in scores) * len(units) / (len(units) - 1)
        return mean, square**0.5 / len(rows_)

    mean, error = mean_and_error([members[label] for label in labels])
    ratios = []
    for _ in range(draws):
        drawn = [members[labels[i]] for i in random.randint(0, len(labels), len(labels))]
        one, one_error = mean_and_error(drawn)
        ratios.append((one - mean) / one_error)
    tail = (1 - level) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail])
    return mean - high * error, mean - low * error


def test_bootstrap_t_agrees_with_resampled_rows() -> None:
    """Weights of whole groups and rows drawn one by one have the same distribution."""
    random = np.random.default_rng(8)
    groups = [label for place, label in enumerate("abcdefghij") for _ in range(1 + place % 3)]
    values = (random.gamma(1.0, 0.2, len(groups)) - 0.1).tolist()
    expected = plain_bootstrap_t(values, groups, 0.9, 20_000)
    found = cluster_bootstrap_t(values, groups, level=0.9, draws=100_000, seed=3)
    assert found is not None
    # Ends of 20,000 draws vary by about 1 % of the width here.
    width = expected[1] - expected[0]
    assert found == pytest.approx(expected, abs=0.03 * width)


def test_bootstrap_t_weighs_groups_equally_when_told() -> None:
    """With weights of equal groups only the groups' means matter."""
    values, groups = [0.1, 0.3, 0.2, 0.5, -0.1, 0.3, 0.6], list("aabcdee")
    means = [0.2, 0.2, 0.5, -0.1, 0.45]
    weighted = cluster_bootstrap_t(
        values, groups, level=0.8, draws=4_000, seed=2, weights=equal_group_weights(groups)
    )
    assert weighted is not None
    assert weighted == pytest.approx(
        cluster_bootstrap_t(means, list("abcde"), level=0.8, draws=4_000, seed=2), rel=1e-9
    )


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        ([0.1, 0.2, 0.3], "aaa"),  # one family
        ([0.1, 0.2], "ab"),  # half of the draws take one family twice
        ([0.1, 0.2, 0.4], "abc"),  # a ninth of the draws take one family alone
        ([0.3, 0.3, 0.3, 0.3, 0.3], "abcde"),  # the families agree
        ([0.0, 0.0, 0.0, 0.0, 0.0], "abcde"),
        ([0.1, 0.3, 0.2, 0.2, 0.0, 0.4], "aabbcc"),  # their means do
        ([0.3, 0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2, 0.1 + 0.2], "abcdef"),  # but for rounding
        (
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.9],
            "abcdef",
        ),  # a third of the draws miss the one that differs
    ],
)
def test_bootstrap_t_is_absent_where_draws_have_no_error(values: list[float], groups: str) -> None:
    """No interval is made up where families agree or are too few."""
    assert cluster_bootstrap_t(values, groups, level=0.95, draws=5_000, seed=1) is None


def test_other_seeds_move_the_ends_by_about_the_errors_told(shared: Path) -> None:
    """The published deltas: over 60 seeds the ends scatter as one seed's own draws say, within a fifth."""
    values, families = published_deltas(shared)
    found = [
        drawn_bootstrap_t(values, families, level=0.95, draws=20_000, seed=seed)
        for seed in range(60)
    ]
    every = [one for one in found if one is not None]
    for name, errors in (
        ("low", [one.low_error for one in every]),
        ("high", [one.high_error for one in every]),
    ):
        scatter = np.std([getattr(one.interval, name) for one in every], ddof=1)
        assert np.mean(errors) == pytest.approx(scatter, rel=0.2)
        assert np.std(errors) < scatter / 5


def test_where_every_draw_is_counted_no_seed_moves_an_end() -> None:
    """Eight families hang on no seed, and their errors are zero."""
    values = [0.1 * at * at for at in range(8)]
    one, other = (
        drawn_bootstrap_t(values, "abcdefgh", level=0.95, draws=1_000, seed=seed) for seed in (1, 2)
    )
    assert one == other
    assert one is not None
    assert (one.low_error, one.high_error) == (0.0, 0.0)


def test_three_families_have_no_bootstrap_t_at_any_level() -> None:
    """A ninth of the draws has no error, whether or not the level's tail would meet them."""
    assert cluster_bootstrap_t([0.1, 0.2, 0.4], "abc", level=0.5, draws=5_000, seed=1) is None


def test_draws_of_one_family_alone_are_infinitely_far() -> None:
    """Four families at a level of 99.9 % would need a tail that is infinite, at 90 % they do not."""
    values = [0.1, 0.25, 0.4, 0.7]
    assert cluster_bootstrap_t(values, "abcd", level=0.999, draws=20_000, seed=1) is None
    found = cluster_bootstrap_t(values, "abcd", level=0.9, draws=20_000, seed=1)
    assert found is not None
    assert found.low < np.mean(values) < found.high


def test_one_group_has_no_clustered_interval() -> None:
    """Nothing tells how far one family is from others."""
    assert clustered_t([0.1, 0.2], ["a", "a"], level=0.95) is None


def test_groups_that_agree_have_an_interval_of_no_width() -> None:
    """The formula's limit is returned as such."""
    found = clustered_t([0.5, 0.5, 0.5], "abc", level=0.95)
    assert found is not None
    assert found.interval == Interval(0.5, 0.5)
    assert found.standard_error == 0


REFUSED = [
    ({"values": [], "groups": [], "level": 0.95}, "at least one"),
    ({"values": [0.1, float("nan")], "groups": "ab", "level": 0.95}, "finite"),
    ({"values": [0.1, 0.2], "groups": "a", "level": 0.95}, "label"),
    ({"values": [0.1, 0.2], "groups": "ab", "level": 1.0}, "level"),
    ({"values": [0.1, 0.2], "groups": "ab", "level": 0.95, "weights": [1.0, 0.0]}, "weight"),
    ({"values": [0.1, 0.2], "groups": "ab", "level": 0.95, "weights": [1.0]}, "weight"),
]


@pytest.mark.parametrize(("given", "said"), REFUSED)
def test_what_has_no_meaning_is_refused(given: dict[str, Any], said: str) -> None:
    """Both intervals refuse the same input in the same words."""
    with pytest.raises(ValueError, match=said):
        clustered_t(**given)
    with pytest.raises(ValueError, match=said):
        cluster_bootstrap_t(**given, draws=1_000, seed=1)


def test_too_few_draws_for_the_tails_are_refused() -> None:
    """A level of 99 % needs 200 draws at least; where every draw is counted, none is made."""
    values = [0.1 * place**2 for place in range(11)]
    with pytest.raises(ValueError, match="too few draws"):
        cluster_bootstrap_t(values, "abcdefghijk", level=0.99, draws=100, seed=1)
    assert cluster_bootstrap_t(values[:10], "abcdefghij", level=0.99, draws=100, seed=1)


@pytest.mark.parametrize(("level", "reach"), [(0.9, 15**0.5), (0.95, 20**0.5)])
def test_every_draw_of_four_families_by_hand(level: float, reach: float) -> None:
    """Of -3, -1, 1, 3 with mean 0 and CR1 error the root of 5/3.

    Of all 256 draws, the greatest t: 2 infinite (1 or 3 four times), 4 of 5 (three 3, one 1), 6 of the root of 12
    (two each), 4 of 3 (three 1, one 3). 5 % of 256 is 12.8, in which the 13th is 3; 2.5 % is 6.4, the 7th the root
    of 12. 3 times the root of 5/3 is the root of 15, the root of 12 times it that of 20.
    """
    found = cluster_bootstrap_t([-3.0, -1.0, 1.0, 3.0], "abcd", level=level, draws=1, seed=0)
    assert found == pytest.approx((-reach, reach), rel=1e-12)


def by_all_ordered_draws(values: list[float], groups: str, level: float) -> Interval:
    """Return the interval by listing all G to the power G draws, each t computed by itself."""
    names = sorted(set(groups))
    own = {name: [v for v, g in zip(values, groups, strict=True) if g == name] for name in names}

    def mean_and_error(drawn: tuple[str, ...]) -> tuple[float, float]:
        rows = sum(len(own[name]) for name in drawn)
        centre = sum(sum(own[name]) for name in drawn) / rows
        squares = sum((sum(own[name]) - centre * len(own[name])) ** 2 for name in drawn)
        return centre, (squares * len(drawn) / (len(drawn) - 1)) ** 0.5 / rows

    mean, error = mean_and_error(tuple(names))
    found = []
    for drawn in itertools.product(names, repeat=len(names)):
        centre, spread = mean_and_error(drawn)
        away = centre - mean
        found.append(away / spread if spread > 1e-9 * error else away * float("inf"))
    found.sort()
    tail = -(-len(found) * round(1000 * (1 - level) / 2) // 1000)
    return Interval(mean - found[-tail] * error, mean - found[tail - 1] * error)


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("groups", ["aabbbcd", "aabbbcdef"])
def test_every_draw_is_counted_with_its_chance(groups: str, level: float) -> None:
    """Families of unequal size: the same as a list of all ordered draws, whatever the seed."""
    values = [0.1, 0.4, -0.2, 0.3, 0.25, 0.6, 0.05, 0.2, 0.35][: len(groups)]
    expected = by_all_ordered_draws(values, groups, level)
    for draws, seed in ((1_000, 1), (7, 2)):
        found = cluster_bootstrap_t(values, groups, level=level, draws=draws, seed=seed)
        assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("count", [8, 10])
def test_all_draws_are_what_very_many_random_ones_come_to(count: int) -> None:
    """Plainly resampled rows of eight and ten families, 300,000 times: the ends agree to their own noise."""
    rng = np.random.default_rng(5)
    groups = "aabccdeeefghhij"[: {8: 13, 10: 15}[count]]
    values = list(rng.normal(0.1, 0.1, len(groups)))
    assert len(set(groups)) == count
    found = cluster_bootstrap_t(values, groups, level=0.9, draws=1, seed=0)
    sums = np.array(
        [
            sum(v for v, g in zip(values, groups, strict=True) if g == name)
            for name in sorted(set(groups))
        ]
    )
    sizes = np.array([groups.count(name) for name in sorted(set(groups))])
    drawn = rng.integers(0, count, size=(300_000, count))
    centres = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    squares = ((sums[drawn] - centres[:, None] * sizes[drawn]) ** 2).sum(axis=1)
    errors = np.sqrt(squares * count / (count - 1)) / sizes[drawn].sum(axis=1)
    mean = sum(values) / len(values)
    with np.errstate(divide="ignore"):
        low, high = np.quantile((centres - mean) / errors, [0.05, 0.95])
    own = clustered_t(values, groups, level=0.9)
    assert own is not None
    expected = (mean - high * own.standard_error, mean - low * own.standard_error)
    assert found == pytest.approx(expected, abs=0.02 * own.standard_error * (high - low))


GROUPED = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.integers(-1000, 1000).map(lambda n: n / 1000)),
    min_size=2,
    max_size=24,
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(GROUPED, st.sampled_from([-0.5, 0.25, 3.0]), st.sampled_from([0.5, 2.0, 8.0]), st.randoms())
def test_intervals_move_with_shift_scale_and_nothing_else(
    pairs: list[tuple[str, float]], shift: float, scale: float, shuffler: random.Random
) -> None:
    """Shifting and scaling values does so to the ends; the order of rows does nothing."""
    groups, values = [pair[0] for pair in pairs], np.array([pair[1] for pair in pairs])
    found = clustered_t(values, groups, level=0.95)
    moved = clustered_t(values * scale + shift, groups, level=0.95)
    shuffled = sorted(pairs, key=lambda _: shuffler.random())
    again = clustered_t([p[1] for p in shuffled], [p[0] for p in shuffled], level=0.95)
    assert (found is None) == (moved is None) == (again is None) == (len(set(groups)) < 2)
    if found is not None and moved is not None and again is not None:
        expected = (found.low * scale + shift, found.high * scale + shift)
        assert moved.interval == pytest.approx(expected, abs=1e-9)
        assert again.interval == pytest.approx(found.interval, abs=1e-9)
