# SPDX-License-Identifier: MIT
"""Percentile bootstraps: plain Python as oracle, and the digits that were published."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from m4bench.stats.bootstrap import published_balanced, published_clusters, published_percentile
from tests.stats.published import cells, deltas, family, number, rows

SENTINELS = (
    "mimic-urine-output-rate-raw",
    "mimic-ventilation",
    "mimic-creatinine-baseline-raw",
    "mimic-suspicion-infection",
    "mimic-vasopressor-equivalents-raw",
    "mimic-oasis-24h",
    "mimic-sepsis3-raw",
    "mimic-sofa-24h-raw",
)


def added(values: Sequence[float]) -> float:
    """Return the sum in plain order; `sum` itself compensates from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def plain(units: Sequence[Sequence[float]], seed: int, draws: int) -> tuple[float, float]:
    """Return the interval as a reader of the description would program it."""
    rng = random.Random(seed)
    means = []
    for _ in range(draws):
        drawn = [units[rng.randrange(len(units))] for _ in units]
        pool = [value for unit in drawn for value in unit]
        means.append(added(pool) / len(pool))
    means.sort()
    return means[int(draws * 0.025)], means[int(draws * 0.975)]


@pytest.mark.parametrize("seed", [20260504, 7])
@pytest.mark.parametrize("count", range(1, 41))
def test_every_draw_is_that_of_plain_python(count: int, seed: int) -> None:
    """The interval is the plain program's to the last bit."""
    rng = random.Random(count)
    values = [rng.uniform(-0.2, 0.6) for _ in range(count)]
    assert published_percentile(values, seed=seed, draws=400) == plain(
        [[value] for value in values], seed, 400
    )


@pytest.mark.parametrize("seed", [20260506, 11])
@pytest.mark.parametrize("sizes", [(1, 1), (3, 1, 2), (2,) * 9, (5, 1, 1, 1, 4, 2, 3)])
def test_whole_groups_are_drawn_and_pooled(sizes: tuple[int, ...], seed: int) -> None:
    """Groups are drawn in the order of their labels, wherever their values stand."""
    rng = random.Random(3)
    units = [[rng.uniform(-0.2, 0.6) for _ in range(size)] for size in sizes]
    labelled = [(chr(97 + place), value) for place, unit in enumerate(units) for value in unit]
    rng.shuffle(labelled)
    groups, values = zip(*labelled, strict=True)
    assert published_clusters(values, groups, seed=seed, draws=1000) == pytest.approx(
        plain(units, seed, 1000), rel=1e-12
    )
    means = [[added(unit) / len(unit)] for unit in units]
    assert published_balanced(values, groups, seed=seed, draws=1000) == pytest.approx(
        plain(means, seed, 1000), rel=1e-12
    )


PUBLISHED = [
    # column, model or all, seed, low, high
    ("reward", "", 20260504, 0.085, 0.191),
    ("reward", "gpt-5.4-mini", 20260504, 0.099, 0.232),
    ("reward", "gpt-5.5", 20260504, 0.060, 0.166),
    ("key_f1", "", 20260504, -0.010, 0.018),
    ("ordered_value_nmae", "", 20260504, -0.085, -0.029),
]


@pytest.mark.parametrize(("column", "model", "seed", "low", "high"), PUBLISHED)
def test_published_task_bootstraps(
    shared: Path, column: str, model: str, seed: int, low: float, high: float
) -> None:
    """The primary campaign's intervals come out to the printed digit."""
    table = [row for row in rows(shared, "codex_primary_runs.csv") if model in ("", row["model"])]
    found = deltas(cells(table, number(column)), "with-skill", "no-skill")
    ends = published_percentile(list(found.values()), seed=seed)
    assert [round(end, 3) for end in ends] == [low, high]


@pytest.mark.parametrize(
    ("bootstrap", "low", "high"),
    [(published_clusters, 0.065, 0.207), (published_balanced, 0.057, 0.190)],
)
def test_published_family_bootstraps(
    shared: Path, bootstrap: Callable[..., tuple[float, float]], low: float, high: float
) -> None:
    """Families in alphabetical order give the published sensitivity intervals."""
    found = deltas(
        cells(rows(shared, "codex_primary_runs.csv"), number("reward")), "with-skill", "no-skill"
    )
    ends = bootstrap(list(found.values()), [family(task) for task in found], seed=20260506)
    assert [round(end, 3) for end in ends] == [low, high]


@pytest.mark.parametrize(
    ("treatment", "control", "low", "high"),
    [
        ("operational-spec", "no-skill", 0.072, 0.260),
        ("with-skill", "operational-spec", -0.034, 0.099),
    ],
)
def test_published_follow_up_bootstraps(
    shared: Path, treatment: str, control: str, low: float, high: float
) -> None:
    """The eight tasks in their listed order give the published intervals of the operational specification."""
    table = rows(shared, "codex_primary_runs.csv") + rows(shared, "codex_followup_runs.csv")
    found = deltas(cells(table, number("reward")), treatment, control)
    ends = published_percentile([found[task] for task in SENTINELS], seed=20260506)
    assert [round(end, 3) for end in ends] == [low, high]


def test_published_local_bootstrap(shared: Path) -> None:
    """The local model's interval comes out to the printed digit."""
    found = deltas(cells(rows(shared, "oss_runs.csv"), number("reward")), "with-skill", "no-skill")
    ends = published_percentile(list(found.values()), seed=20260505)
    assert [round(end, 3) for end in ends] == [-0.072, 0.088]


def test_one_value_has_no_width() -> None:
    """Resampling one value returns it, and does not pretend to more."""
    assert published_percentile([0.25], seed=1) == (0.25, 0.25)


@pytest.mark.parametrize("values", [[], [0.1, float("nan")], [float("inf")], [[0.1, 0.2]]], ids=str)
def test_what_cannot_be_resampled_is_refused(values: list[float]) -> None:
    """Nothing, a missing value, an infinite one or a table of values is an error."""
    with pytest.raises(ValueError, match="values must be"):
        published_percentile(values, seed=1)


def test_no_draws_are_refused() -> None:
    """An interval of no draws is an error."""
    with pytest.raises(ValueError, match="draw"):
        published_percentile([0.1, 0.2], seed=1, draws=0)
