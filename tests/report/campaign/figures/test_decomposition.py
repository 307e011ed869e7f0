# SPDX-License-Identifier: MIT
"""What help adds is shown on the tasks that all conditions of a panel have, and never across panels."""

import pytest

from m4bench.analysis.runs import System
from m4bench.model.analysis import AnalysisPlan, IntervalMethod, Weighting
from m4bench.report.campaign.figures import campaign_figures
from m4bench.report.campaign.figures.decomposition import decomposition, panels
from m4bench.report.campaign.figures.means import means
from tests.report.campaign.figures.reading_marks import marks, records, words
from tests.report.campaign.samples import (
    CONTROLS,
    FAMILIES,
    LARGE,
    SMALL,
    SPECIFIED,
    build_analysis,
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


TWO_FAMILIES = [
    build_run(task, condition, family=family, reward=reward)
    for task, family, bare, helped in (
        ("a", "f", 0.1, 0.12),
        ("b", "f", 0.3, 0.34),
        ("c", "g", 0.5, 0.51),
    )
    for condition, reward in (("no-skill", bare), ("with-skill", helped))
]
T_1 = 12.7062  # 0.975 of Student's t with one degree of freedom


@pytest.mark.parametrize(
    ("weighting", "bare", "delta", "error", "over"),
    [
        # Differences 0.02, 0.04 | 0.01; families' residuals sum to 1/75 and -1/75: CR1 error sqrt(2 * 2) * 1/225.
        ("task", 0.3, 7 / 300, 2 / 225, "over the tasks of a panel, each task equal"),
        # Family means 0.03 and 0.01, each 0.01 from theirs.
        ("family", 0.35, 0.02, 0.01, "over the tasks of a panel, each family equal"),
    ],
)
def test_steps_are_weighted_as_planned_and_their_intervals_clustered_by_family(
    weighting: Weighting, bare: float, delta: float, error: float, over: str
) -> None:
    """Two tasks of one family and one of another: tasks are equal, or families are; two clusters, not three."""
    plan = AnalysisPlan(weighting=weighting)
    none, step = panels(means(table(TWO_FAMILIES)), plan)[0].steps
    assert none.mean == pytest.approx(bare)
    assert step.mean == pytest.approx(bare + delta)
    assert step.delta == pytest.approx(delta)
    assert step.interval is not None
    assert step.interval.high == pytest.approx(delta + T_1 * error, abs=1e-4)
    figure = decomposition(means(table(TWO_FAMILIES)), plan)
    assert figure is not None
    assert over in figure.caption


@pytest.mark.parametrize(
    ("method", "told"),
    [
        ("family-t", "(t, clustered by family)"),
        ("family-bootstrap-t", "(bootstrap-t, families drawn)"),
    ],
)
def test_the_interval_is_told_by_the_method_that_made_it(method: IntervalMethod, told: str) -> None:
    """Six families: the plan's own interval is drawn, and the caption names that."""
    runs = [
        build_run(task, condition, family=task, reward=reward)
        for task, helped in zip("abcdef", (0.5, 0.6, 0.7, 0.45, 0.55, 0.68), strict=True)
        for condition, reward in (("no-skill", 0.4), ("with-skill", helped))
    ]
    figure = decomposition(means(table(runs)), AnalysisPlan(interval=method, draws=1_000))
    assert figure is not None
    assert (
        f"the interval of 95\u202f% of its task-paired difference from that {told}."
        in figure.caption
    )


def test_lines_that_reach_beyond_a_reward_end_there() -> None:
    """Differences of 0.1 and 0.5 of two families leave an interval wider than the scale: the caption says so."""
    runs = [
        build_run(task, condition, family=task, reward=reward)
        for task, helped in (("a", 0.5), ("b", 0.9))
        for condition, reward in (("no-skill", 0.4), ("with-skill", helped))
    ]
    figure = decomposition(means(table(runs)), PLAN)
    assert figure is not None
    assert "Lines end at 0 and 1" in figure.caption
    (line,) = [row for row in records(figure.specification) if "low" in row]
    assert (line["low"], line["high"]) == (0.0, 1.0)


def test_a_difference_without_an_interval_is_a_difference() -> None:
    """What is not determined is the interval of two equal differences, and they themselves are 0.1."""
    runs = [
        build_run(task, condition, family=task, reward=reward)
        for task in ("a", "b")
        for condition, reward in (("no-skill", 0.5), ("with-skill", 0.625))
    ]
    figure = decomposition(means(table(runs)), PLAN)
    assert figure is not None
    assert "+0.125, interval not determined" in words(figure.specification)
    assert "(+0.125, interval not determined)" in figure.alt


def test_baselines_that_may_not_be_published_stand_aside() -> None:
    """Of a reference that may not be published and a naive baseline that may, the steps are of the latter."""
    reference, naive = System("reference", "", ""), System("naive", "", "")
    runs = table(
        [
            build_run("t", condition, system=system, reward=reward, publishable=system == naive)
            for condition in ("no-skill", "with-skill")
            for system, reward in ((reference, 1.0), (naive, 0.25))
        ]
    )
    figures = {one.name: one for one in campaign_figures(build_analysis(runs), runs)}
    figure = figures["decomposition"]
    assert "What may not be published stands aside where other runs are." in figure.caption
    assert marks(figure)["no-skill: 0.250"] == 0.25


def test_without_a_baseline_there_is_no_figure() -> None:
    """Help alone adds nothing that could be drawn."""
    assert decomposition(means(table([build_run("t", "with-skill")])), PLAN) is None
