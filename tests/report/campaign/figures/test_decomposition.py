# SPDX-License-Identifier: MIT
"""What help adds is shown on the tasks that all conditions of a panel have, and never across panels."""

import pytest

from m4bench.model.analysis import AnalysisPlan
from m4bench.report.campaign.figures.decomposition import decomposition, panels
from m4bench.report.campaign.figures.means import means
from tests.report.campaign.samples import (
    CONTROLS,
    FAMILIES,
    LARGE,
    SMALL,
    SPECIFIED,
    build_run,
    sample_table,
    table,
)

PLAN = AnalysisPlan()


def test_each_set_of_tasks_is_a_panel() -> None:
    """Ten tasks with and without skill, six with the controls, five with the specification."""
    found = panels(means(sample_table()), PLAN)
    assert [set(panel.tasks) for panel in found] == [set(FAMILIES), set(CONTROLS), set(SPECIFIED)]
    assert [[step.condition for step in panel.steps] for panel in found] == [
        ["no-skill", "with-skill", "with-skill+checks"],
        ["no-skill", "with-skill-decoy", "with-skill-rawsql", "with-skill", "with-skill+checks"],
        ["no-skill", "operational-spec", "with-skill", "with-skill+checks"],
    ]


def test_a_panel_is_of_the_systems_that_have_all_of_it() -> None:
    """A system without the decoy does not enter the panel that has it: its rewards would move the mean alone."""
    runs = [build_run("t", "no-skill", reward=0.2), build_run("t", "with-skill-decoy", reward=0.3)]
    runs += [build_run("t", "no-skill", system=SMALL, reward=0.9)]
    panel = panels(means(table(runs)), PLAN)[0]
    assert (panel.systems, [step.mean for step in panel.steps]) == (1, [0.2, 0.3])


def test_a_condition_that_no_system_of_a_panel_shares_has_its_own() -> None:
    """Decoy by one system and skill by another have no common cells, though they have a common task."""
    runs = [
        build_run("t", condition, system=system, reward=reward)
        for condition, system, reward in (
            ("no-skill", LARGE, 0.2),
            ("no-skill", SMALL, 0.4),
            ("with-skill-decoy", LARGE, 0.3),
            ("with-skill", SMALL, 0.8),
        )
    ]
    found = panels(means(table(runs)), PLAN)
    assert [[(s.condition, s.mean) for s in panel.steps] for panel in found] == [
        [("no-skill", 0.4), ("with-skill", 0.8)],
        [("no-skill", 0.2), ("with-skill-decoy", 0.3)],
    ]


def test_intervals_are_of_paired_differences_clustered_by_family() -> None:
    """Two families of one task each: mean 0.3, deviations of 0.1, t(1) = 12.706, CR1 error 0.1."""
    runs = [
        build_run(task, condition, family=task, reward=reward)
        for task, bare, helped in (("a", 0.1, 0.3), ("b", 0.5, 0.9))
        for condition, reward in (("no-skill", bare), ("with-skill", helped))
    ]
    step = panels(means(table(runs)), PLAN)[0].steps[1]
    assert step.delta == pytest.approx(0.3)
    assert step.interval is not None
    assert step.interval.high == pytest.approx(0.3 + 12.7062 * 0.1, abs=1e-4)
    figure = decomposition(means(table(runs)), PLAN)
    assert figure is not None
    assert "Lines end at 0 and 1" in figure.caption


def test_without_a_baseline_there_is_no_figure() -> None:
    """Help alone adds nothing that could be drawn."""
    assert decomposition(means(table([build_run("t", "with-skill")])), PLAN) is None
