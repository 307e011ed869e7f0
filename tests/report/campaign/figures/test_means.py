# SPDX-License-Identifier: MIT
"""The means that figures draw: one convention at a time, runs without a measurement as the plan says."""

import pytest

from m4bench.model.analysis import Denominator
from m4bench.report.campaign.figures.means import Place, conventions, means
from tests.report.campaign.samples import LARGE, PUBLISHED, SMALL, build_run, table

PLACE = Place("t", "no-skill", "native", str(LARGE))


@pytest.mark.parametrize(("denominator", "expected"), [("valid", 0.45), ("all", 0.3)])
def test_a_run_without_a_measurement_counts_as_the_plan_says(
    denominator: Denominator, expected: float
) -> None:
    """Of rewards 0.9 and a time-out, 0.45; with a lost run as 0 beside them, 0.3."""
    runs = table(
        [
            build_run("t", trial=1, reward=0.9),
            build_run("t", trial=2, state="timeout"),
            build_run("t", trial=3, state="infrastructure"),
        ]
    )
    assert means(runs, denominator).cells[PLACE].reward == pytest.approx(expected)


def test_what_may_be_published_stands_for_a_cell() -> None:
    """A cell with a publishable run is that run's, and is publishable."""
    runs = table(
        [
            build_run("t", trial=1, reward=0.2),
            build_run("t", trial=2, reward=1.0, publishable=False),
        ]
    )
    mean = means(runs).cells[PLACE]
    assert (mean.reward, mean.runs, mean.publishable) == (0.2, 1, True)


def test_conventions_are_apart_and_the_papers_is_first() -> None:
    """Figures show the runs scored as the paper did, unless there are none."""
    other = PUBLISHED._replace(convention="current")
    runs = [build_run("t", trial=n, reward=0.8, setting=other) for n in (1, 2, 3)]
    both = table([*runs, build_run("t", reward=0.4)])
    assert conventions(both) == ["published", "current"]
    assert means(both).cells[PLACE].reward == 0.4
    assert means(both, convention="current").cells[PLACE].reward == pytest.approx(0.8)
    assert means(table(runs)).convention == "current"


def test_settings_weigh_the_same_whatever_their_runs() -> None:
    """Two data sets of one and three runs: the mean of their means, and the number of settings is told."""
    other = PUBLISHED._replace(dataset="another")
    runs = [build_run("t", trial=n, reward=0.8, setting=other) for n in (1, 2, 3)]
    found = means(table([*runs, build_run("t", reward=0.4)]))
    assert found.cells[PLACE].reward == pytest.approx(0.6)
    assert found.settings == 2


def test_a_system_that_may_not_be_published_stands_aside_where_others_are() -> None:
    """Under a condition another system has publishable runs of it goes, under one that is its own it stays."""
    runs = table(
        [
            build_run("t", system=LARGE, reward=0.8),
            build_run("t", system=SMALL, reward=0.2, publishable=False),
            build_run("t", "with-skill", system=SMALL, reward=0.4, publishable=False),
        ]
    )
    kept = means(runs).publishable_first()
    assert sorted((at.condition, at.system) for at in kept.cells) == [
        ("no-skill", str(LARGE)),
        ("with-skill", str(SMALL)),
    ]
