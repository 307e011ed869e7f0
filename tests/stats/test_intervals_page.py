# SPDX-License-Identifier: MIT
"""The page on intervals: every figure it quotes of the published runs follows from them."""

import csv
import itertools
import math
import re
import statistics
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from m4bench.stats.bootstrap import published_percentile
from m4bench.stats.clustered import clustered_t, drawn_bootstrap_t
from m4bench.stats.equivalence import equivalent
from m4bench.stats.power import detectable_difference
from m4bench.stats.sign_flip import exact_sign_flip
from m4bench.stats.variance_components import one_way, variance_components

PAGE = Path(__file__).parent.parent.parent / "docs" / "explanation" / "intervals.md"
MARGIN = 0.05


def family(task: str) -> str:
    """Return what a task's name has besides its database, window and mode."""
    return re.sub(r"^(mimic|eicu)-|-raw$|-\d+h(-raw)?$", "", task)


@pytest.fixture(scope="module")
def text() -> str:
    """The page with every run of white space as one space."""
    return " ".join(PAGE.read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def cells(shared: Path) -> dict[tuple[str, str, str], list[float]]:
    """Rewards of the published primary runs by task, condition and model."""
    found = defaultdict(list)
    with (shared / "published" / "codex_primary_runs.csv").open(encoding="utf-8") as file:
        for run in csv.DictReader(file):
            found[run["task"], run["condition"], run["model"]].append(float(run["reward"]))
    return dict(found)


def deltas(cells: dict[tuple[str, str, str], list[float]], a: str, b: str) -> dict[str, float]:
    """Return task deltas of condition a minus b where both were run, alphabetically."""
    models = sorted({model for _, _, model in cells})
    tasks = sorted({task for task, _, _ in cells})
    return {
        task: statistics.fmean(
            statistics.fmean(cells[task, a, model]) - statistics.fmean(cells[task, b, model])
            for model in models
        )
        for task in tasks
        if all((task, side, model) in cells for side in (a, b) for model in models)
    }


def ends(low: float, high: float) -> str:
    """Return an interval as the page writes it."""
    return f"[{low:.3f}, {high:.3f}]".replace("-", "−")


def test_the_headline_quoted_is_that_of_the_runs(
    text: str, cells: dict[tuple[str, str, str], list[float]]
) -> None:
    """Delta, t interval, its neighbour, published interval, p-value, correlation and detectable difference."""
    found = deltas(cells, "with-skill", "no-skill")
    values, families = list(found.values()), [family(task) for task in found]
    mean = clustered_t(values, families, level=0.95)
    studentised = drawn_bootstrap_t(values, families, level=0.95, draws=20_000, seed=20261130)
    assert mean is not None
    assert studentised is not None
    flips = exact_sign_flip(values, families) * 2**15
    smallest = detectable_difference(mean.standard_error, 14, alpha=0.05, power=0.8)
    assert f"higher by {mean.mean:.3f}, 95 % interval {mean.low:.3f} to {mean.high:.3f}" in text
    assert f"{ends(*studentised.interval)} against {ends(mean.low, mean.high)}" in text
    errors = f"{studentised.low_error:.3f} and {studentised.high_error:.3f}"
    assert f"another seed moves the published ends by about {errors}:" in text
    assert f"{ends(*published_percentile(values, seed=20260504))} against" in text
    assert f"{flips:.0f} ways do: p = {flips:.0f} / 32,768 = {flips / 2**15:.4f}" in text
    assert f"correlated by {one_way(values, families).correlation:.2f}" in text
    assert f"{smallest:.3f} for the 28 tasks" in text


@pytest.mark.parametrize(
    ("name", "a", "b", "shown"),
    [
        ("raw SQL − skill", "with-skill-rawsql", "with-skill", False),
        ("decoy − no skill", "with-skill-decoy", "no-skill", True),
    ],
)
def test_the_controls_quoted_are_those_of_the_runs(
    text: str,
    cells: dict[tuple[str, str, str], list[float]],
    name: str,
    a: str,
    b: str,
    shown: bool,
) -> None:
    """Each control's line: delta, 95 % interval, p-value, and whether equivalence is shown."""
    found = deltas(cells, a, b)
    families = [family(task) for task in found]
    mean = clustered_t(list(found.values()), families, level=0.95)
    assert mean is not None
    assert (len(found), len(set(families))) == (10, 6)
    tested = equivalent(mean.mean, mean.standard_error, 5, MARGIN, 0.05)
    p_value = exact_sign_flip(list(found.values()), families)
    verdict = f"{'shown' if shown else 'not shown'}; 90 % interval {ends(tested.low, tested.high)}"
    assert tested.shown is shown
    line = (
        f"| {name} | +{mean.mean:.3f} | {ends(mean.low, mean.high)} | {p_value:.2f} | {verdict} |"
    )
    assert line in text
    smallest = detectable_difference(mean.standard_error, 5, alpha=0.05, power=0.8)
    assert shown or f"{smallest:.3f} for {name}" in text


def test_the_power_quoted_of_few_families_is_that_of_the_test(text: str) -> None:
    """Normal deltas at the detectable difference, all sign vectors counted: 20,000 repetitions, 4,000 of fifteen."""
    random, found = np.random.default_rng(1), {}
    for families, repetitions in ((5, 20_000), (6, 20_000), (7, 20_000), (15, 4_000)):
        delta = detectable_difference(families**-0.5, families - 1, alpha=0.05, power=0.8)
        values = random.normal(delta, 1, size=(repetitions, families))
        signs = np.array(list(itertools.product([1.0], *[[1.0, -1.0]] * (families - 1))))
        extreme = np.zeros(repetitions)
        for some in np.array_split(signs, max(1, len(signs) // 1_000)):
            extreme += np.sum(
                np.abs(values @ some.T) >= np.abs(values.sum(1))[:, None] - 1e-12, axis=1
            )
        found[families] = float(np.mean(extreme / len(signs) <= 0.05))
    assert found[5] == 0
    for families, quoted in (
        (15, "fifteen families ({:.2f} in"),
        (7, "seven ({:.2f})"),
        (6, "six ({:.2f})"),
    ):
        assert any(quoted.format(found[families] + off) in text for off in (-0.01, 0, 0.01))


def test_the_components_quoted_are_those_of_the_runs(
    text: str, cells: dict[tuple[str, str, str], list[float]]
) -> None:
    """Standard deviations without a procedure, between families down to trials."""
    rows = [
        (family(task), task, model, (task, model), reward)
        for (task, condition, model), rewards in cells.items()
        if condition == "no-skill"
        for reward in rewards
    ]
    factors = ("family", "task", "model", "cell")
    labels = {name: [row[place] for row in rows] for place, name in enumerate(factors)}
    found = variance_components([row[-1] for row in rows], labels)
    of = {name: f"{math.sqrt(variance):.2f}" for name, variance in found.estimates.items()}
    assert found.converged
    assert (
        f"standard deviations are {of['family']} between families, {of['task']} between tasks of one, {of['model']} "
        f"between the two models, {of['cell']} for model × task, {math.sqrt(found.residual):.2f} between trials"
    ) in text


def test_cells_without_a_procedure_span_the_scale(
    text: str, cells: dict[tuple[str, str, str], list[float]]
) -> None:
    """The least and the greatest mean of a cell without a procedure."""
    means = [statistics.fmean(cell) for (_, side, _), cell in cells.items() if side == "no-skill"]
    assert f"means of cells go from {min(means):.2f} to {max(means):.2f}" in text
