# SPDX-License-Identifier: MIT
"""Variance components against statsmodels, closed forms of balanced designs, and published figures."""

import csv
import math
import re
import statistics
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from m4bench.stats.variance_components import Components, one_way, variance_components

FACTORS = ("family", "task", "model", "cell")


def campaign(
    seed: int, families: int, models: int, deviations: tuple[float, float, float, float, float]
) -> pd.DataFrame:
    """Return simulated rewards: one to three tasks a family, each model with one to five trials of each task."""
    rng = np.random.default_rng(seed)
    family_sd, task_sd, model_sd, cell_sd, trial_sd = deviations
    of_models = rng.normal(0, model_sd, models)
    rows = []
    for family in range(families):
        of_family = rng.normal(0, family_sd)
        for task in range(rng.integers(1, 4)):
            of_task = of_family + rng.normal(0, task_sd)
            for model in range(models):
                of_cell = of_task + of_models[model] + rng.normal(0, cell_sd)
                names = (
                    f"f{family}",
                    f"f{family}t{task}",
                    f"m{model}",
                    f"f{family}t{task}m{model}",
                )
                rows += [
                    (*names, 0.6 + of_cell + rng.normal(0, trial_sd))
                    for _ in range(rng.integers(1, 6))
                ]
    return pd.DataFrame(rows, columns=[*FACTORS, "reward"])


def estimated(frame: pd.DataFrame) -> Components:
    """Return the components of a frame's rewards."""
    return variance_components(frame["reward"], {name: frame[name].tolist() for name in FACTORS})


def restricted_deviance(frame: pd.DataFrame, variances: dict[str, float], residual: float) -> float:
    """Return -2 log restricted likelihood by the textbook, with a matrix of all values."""
    covariance = residual * np.eye(len(frame))
    for name, variance in variances.items():
        same = frame[name].to_numpy()[:, None] == frame[name].to_numpy()[None, :]
        covariance += variance * same
    inverse = np.linalg.inv(covariance)
    information = inverse.sum()
    apart = frame["reward"].to_numpy()
    apart = apart - inverse.sum(axis=0) @ apart / information
    return float(np.linalg.slogdet(covariance)[1] + math.log(information) + apart @ inverse @ apart)


def of_statsmodels(frame: pd.DataFrame) -> tuple[dict[str, float], float, bool]:
    """Return the variances, the residual and the convergence of statsmodels' mixed model."""
    variances = {name: f"0 + C({name})" for name in FACTORS}
    model = smf.mixedlm("reward ~ 1", frame, groups=np.ones(len(frame)), vc_formula=variances)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # it warns of each boundary and of optimisers that stop early
        fit = model.fit(reml=True)
    return dict(zip(model.exog_vc.names, fit.vcomp, strict=True)), fit.scale, fit.converged


CAMPAIGNS = [
    pytest.param((1, 15, 3, (0.10, 0.05, 0.07, 0.04, 0.08)), id="three models"),
    pytest.param((2, 6, 5, (0.10, 0.05, 0.07, 0.04, 0.08)), id="few families"),
    pytest.param((3, 15, 3, (0.10, 0.00, 0.07, 0.00, 0.08)), id="two components at zero"),
    pytest.param((7, 12, 8, (0.20, 0.15, 0.20, 0.10, 0.08)), id="large components"),
]


@pytest.mark.parametrize("drawn", CAMPAIGNS)
def test_no_fit_of_statsmodels_is_likelier(drawn: tuple) -> None:
    """The restricted likelihood, written out for all values, is at least that of statsmodels' mixed model."""
    frame = campaign(*drawn)
    own = estimated(frame)
    theirs, residual, _ = of_statsmodels(frame)
    assert own.converged
    deviance = restricted_deviance(frame, own.estimates, own.residual)
    assert deviance <= restricted_deviance(frame, theirs, residual) + 1e-6


@pytest.mark.parametrize("drawn", CAMPAIGNS)
def test_no_other_variances_are_likelier(drawn: tuple) -> None:
    """Each component moved up or down alone, by 2 % or from zero, makes the written-out likelihood smaller."""
    frame = campaign(*drawn)
    own = estimated(frame)
    best = restricted_deviance(frame, own.estimates, own.residual)
    for name, variance in own.estimates.items():
        for moved in (variance * 0.98, variance * 1.02, variance + 1e-5):
            other = own.estimates | {name: moved}
            assert restricted_deviance(frame, other, own.residual) >= best - 1e-9
    for moved in (own.residual * 0.98, own.residual * 1.02):
        assert restricted_deviance(frame, own.estimates, moved) > best


@pytest.mark.parametrize(
    "drawn",
    [
        (1, 15, 3, (0.10, 0.05, 0.07, 0.04, 0.08)),
        (5, 12, 6, (0.20, 0.15, 0.20, 0.10, 0.08)),
        (4, 15, 3, (0.30, 0.20, 0.30, 0.20, 0.20)),
    ],
)
def test_estimates_equal_those_of_statsmodels(drawn: tuple) -> None:
    """Where statsmodels reaches a maximum, on unbalanced data, all five variances agree."""
    frame = campaign(*drawn)
    own = estimated(frame)
    theirs, residual, converged = of_statsmodels(frame)
    assert converged
    assert own.estimates == pytest.approx(theirs, rel=1e-3)
    assert own.residual == pytest.approx(residual, rel=1e-3)


def test_a_balanced_one_way_design_is_its_analysis_of_variance() -> None:
    """By hand: group means 1.5, 3.5, 7 give mean squares 15.5 and 1/3, so (15.5 - 1/3) / 2 and 1/3."""
    values, groups = [1, 2, 4, 3, 7, 7], list("aabbcc")
    found = variance_components(values, {"group": groups})
    assert found.estimates["group"] == pytest.approx(91 / 12, rel=1e-6)
    assert found.residual == pytest.approx(1 / 3, rel=1e-6)
    closed = one_way(values, groups)
    assert closed.between == pytest.approx(91 / 12)
    assert closed.within == pytest.approx(1 / 3)
    assert closed.correlation == pytest.approx(91 / 95)
    assert (closed.groups, closed.mean_size) == (3, 2)


def test_a_balanced_crossed_design_is_its_analysis_of_variance() -> None:
    """Tasks x models with trials: expected mean squares solved by hand give the restricted likelihood's maximum."""
    rng = np.random.default_rng(5)
    tasks, models, trials = 9, 4, 3
    cube = rng.normal(0, 0.3, (tasks, 1, 1)) + rng.normal(0, 0.2, (1, models, 1))
    cube = (
        cube + rng.normal(0, 0.15, (tasks, models, 1)) + rng.normal(0, 0.1, (tasks, models, trials))
    )
    mean, by_task, by_model, by_cell = (
        cube.mean(),
        cube.mean((1, 2)),
        cube.mean((0, 2)),
        cube.mean(2),
    )
    of_tasks = models * trials * ((by_task - mean) ** 2).sum() / (tasks - 1)
    of_models = tasks * trials * ((by_model - mean) ** 2).sum() / (models - 1)
    crossed = by_cell - by_task[:, None] - by_model[None, :] + mean
    of_cells = trials * (crossed**2).sum() / ((tasks - 1) * (models - 1))
    of_trials = ((cube - by_cell[:, :, None]) ** 2).sum() / (tasks * models * (trials - 1))
    expected = {
        "task": (of_tasks - of_cells) / (models * trials),
        "model": (of_models - of_cells) / (tasks * trials),
        "cell": (of_cells - of_trials) / trials,
    }
    assert min(expected.values()) > 0
    places = [(t, m) for t in range(tasks) for m in range(models) for _ in range(trials)]
    labels = {"task": [t for t, _ in places], "model": [m for _, m in places], "cell": places}
    found = variance_components(cube.reshape(-1), labels)
    assert found.estimates == pytest.approx(expected, rel=1e-5)
    assert found.residual == pytest.approx(of_trials, rel=1e-5)


@pytest.mark.parametrize(
    ("labels", "left_out"),
    [
        ({"model": "xxxxxx", "task": "aabbcc"}, ("model",)),
        ({"task": "aabbcc", "trial": "123456"}, ("trial",)),
        ({"family": "aabbcc", "task": "uuvvww"}, ("task",)),
        ({"model": "xxxxxx", "trial": "123456"}, ("model", "trial")),
        ({"task": "aabbcc"}, ()),
        ({"family": "aaaabb", "task": "uuvvww"}, ()),
    ],
)
def test_factors_that_data_cannot_tell_apart_are_left_out(
    labels: dict[str, str], left_out: tuple[str, ...]
) -> None:
    """One level, a level for each value, or the grouping of an earlier factor: named, and not estimated."""
    found = variance_components(
        [1.0, 2.0, 4.0, 3.5, 7.0, 7.5], {k: list(v) for k, v in labels.items()}
    )
    assert found.left_out == left_out
    assert set(found.estimates) == set(labels) - set(left_out)
    assert found.levels == {name: len(set(given)) for name, given in labels.items()}
    assert found.converged


def test_without_identified_factors_the_residual_is_the_sample_variance() -> None:
    """1, 2, 4 have the variance 7/3."""
    found = variance_components([1, 2, 4], {"model": ["x"] * 3})
    assert found.residual == pytest.approx(7 / 3)
    assert found.estimates == {}


def test_trials_that_never_differ_leave_a_residual_of_zero() -> None:
    """Equal trials: the cells' means carry the rest, by the closed form above."""
    values = np.repeat([1, 2, 4, 3, 7, 7], 2)
    labels = {"family": list("aaaabbbbcccc"), "task": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]}
    found = variance_components(values, labels)
    assert found.residual == 0
    assert found.estimates == pytest.approx({"family": 91 / 12, "task": 1 / 3}, rel=1e-6)
    assert found.converged


def test_values_that_are_all_equal_do_not_vary() -> None:
    """All zeros: every component is zero."""
    found = variance_components([0.0] * 4, {"task": list("aabb")})
    assert found == Components({"task": 0.0}, 0.0, True, {"task": 2}, ())


def test_groups_more_alike_than_chance_have_no_variance_between() -> None:
    """Equal group means are at the boundary: between is 0 and the residual is the variance of all values."""
    values, groups = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0], list("aabbcc")
    found = variance_components(values, {"group": groups})
    assert found.estimates["group"] == 0
    assert found.residual == pytest.approx(0.3)
    assert found.converged
    assert one_way(values, groups).between == 0


def test_a_likelihood_without_maximum_is_not_called_converged() -> None:
    """Rewards that are exactly a row's plus a column's effect drive the residual to zero without end."""
    places = [(i, j) for i in range(4) for j in range(4) for _ in range(2)]
    values = [0.1 * i * i + 0.07 * j**3 for i, j in places]
    labels = {"task": [i for i, _ in places], "model": [j for _, j in places]}
    assert not variance_components(values, labels).converged


def test_units_order_and_names_do_not_matter() -> None:
    """Percent instead of shares, shuffled rows, other names: the same components, times 100 squared."""
    frame = campaign(1, 15, 3, (0.10, 0.05, 0.07, 0.04, 0.08))
    own = estimated(frame)
    mixed = frame.sample(frac=1, random_state=4)
    mixed["reward"] = mixed["reward"] * 100 + 5
    mixed["task"] = mixed["task"].map(lambda name: ("task", name))
    other = estimated(mixed)
    assert other.estimates == pytest.approx(
        {k: v * 1e4 for k, v in own.estimates.items()}, rel=1e-4
    )
    assert other.residual == pytest.approx(own.residual * 1e4, rel=1e-4)


@pytest.mark.parametrize(
    ("values", "labels", "problem"),
    [
        ([1.0], {"a": [1]}, "two values"),
        ([1.0, math.nan], {"a": [1, 2]}, "finite"),
        ([1.0, 2.0], {"a": [1]}, "a has 1 labels for 2 values"),
    ],
)
def test_what_cannot_be_decomposed_is_refused(
    values: list[float], labels: dict[str, list[int]], problem: str
) -> None:
    """Too few values, values that are no numbers, labels of another length."""
    with pytest.raises(ValueError, match=problem):
        variance_components(values, labels)


@pytest.mark.parametrize("groups", ["aaa", "abc"])
def test_one_way_needs_groups_and_repetition(groups: str) -> None:
    """One group has nothing between, groups of one value nothing within."""
    with pytest.raises(ValueError, match="two groups"):
        one_way([1.0, 2.0, 3.0], list(groups))


def test_published_deltas_are_alike_within_families(shared: Path) -> None:
    """The paper's task deltas: standard deviations 0.134 of families and 0.064 of tasks, correlation 0.82."""
    cells = defaultdict(list)
    with (shared / "published" / "codex_primary_runs.csv").open(encoding="utf-8") as file:
        for run in csv.DictReader(file):
            if run["schema"] == "native":
                cells[run["task"], run["condition"], run["model"]].append(float(run["reward"]))
    mean = {cell: statistics.fmean(rewards) for cell, rewards in cells.items()}
    tasks = sorted({task for task, _, _ in mean})
    models = sorted({model for _, _, model in mean})
    deltas = [
        statistics.fmean(mean[task, "with-skill", m] - mean[task, "no-skill", m] for m in models)
        for task in tasks
    ]
    families = [re.sub(r"^(mimic|eicu)-|-raw$|-\d+h(-raw)?$", "", task) for task in tasks]
    found = one_way(deltas, families)
    assert (len(tasks), found.groups) == (28, 15)
    assert math.sqrt(found.between) == pytest.approx(0.134, abs=0.0005)
    assert math.sqrt(found.within) == pytest.approx(0.064, abs=0.0005)
    assert found.correlation == pytest.approx(0.82, abs=0.005)
