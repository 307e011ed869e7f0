# SPDX-License-Identifier: MIT
"""Strict passes against rewards: a dot a cell, none hidden, with the runs, tasks and systems of each panel."""

from itertools import combinations
from math import hypot

from m4bench.report.campaign.figures.means import means
from m4bench.report.campaign.figures.strict_figure import MOST_PANELS, strict_figure
from tests.report.campaign.figures.reading_marks import records, words
from tests.report.campaign.samples import LARGE, SMALL, build_run, table


def test_every_cell_is_a_dot_and_no_dot_hides_another() -> None:
    """Thirty tasks of two systems, all at a reward of 0.5 and half of them at 0: sixty dots apart from one another."""
    runs = [
        build_run(f"t{place:02}", system=system, reward=0.5, strict=place < 15)
        for place in range(30)
        for system in (LARGE, SMALL)
    ]
    figure = strict_figure(means(table(runs)), {})
    assert figure is not None
    for specification in (figure.specification, figure.narrow):
        dots = [row for row in records(specification) if "share" in row]
        assert len(dots) == 60
        assert {row["reward"] for row in dots} == {0.5}
        across = 2 * (dots[0]["size"] / 3.1416) ** 0.5
        for one, other in combinations(dots, 2):
            assert hypot(one["x"] - other["x"], one["y"] - other["y"]) >= across


def test_a_panel_tells_its_runs_tasks_and_systems() -> None:
    """One of four runs of two tasks by two systems passes."""
    runs = [
        build_run(task, system=system, strict=(task, system) == ("t", LARGE))
        for task in ("t", "u")
        for system in (LARGE, SMALL)
    ]
    figure = strict_figure(means(table(runs)), {})
    assert figure is not None
    assert {"1 of 4 runs strict", "2 tasks, 2 systems"} <= set(words(figure.specification))


def test_conditions_without_room_or_without_a_pass_are_named() -> None:
    """Of fourteen conditions with a pass twelve have room; one without has no panel."""
    runs = [
        build_run("t", f"condition-{number:02}", strict=number > 0)
        for number in range(MOST_PANELS + 3)
    ]
    figure = strict_figure(means(table(runs)), {})
    assert figure is not None
    assert "in the table: condition-13; condition-14." in figure.caption
    assert "No run passes strictly under: condition-00." in figure.caption
    assert strict_figure(means(table([build_run("t")])), {}) is None
