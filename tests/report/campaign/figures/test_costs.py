# SPDX-License-Identifier: MIT
"""What a reward costs: a panel a system, the same number for a condition in all, nothing left out unsaid."""

from collections.abc import Mapping
from typing import Any

import pytest

from m4bench.analysis.results import ArmResult
from m4bench.analysis.runs import System
from m4bench.model.analysis import AnalysisPlan, Weighting
from m4bench.report.campaign.figures.costs import MOST_SYSTEMS, cost_figure
from m4bench.report.drawing import draw, fits_a_page, is_legible_on_paper
from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import records, words
from tests.report.campaign.samples import LARGE, SMALL, build_analysis, build_run, table

Figures = dict[str, Figure]
PLAN = AnalysisPlan()


def arms(*told: Mapping[str, Any]) -> tuple[ArmResult, ...]:
    """Return the arms of runs that are described each by what sets it apart."""
    runs = [build_run(**{"task": "t", **one}) for one in told]
    return build_analysis(table(runs), ()).arms


def points(specification: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the records of points that are a panel's own."""
    return [row for row in records(specification) if "value" in row]


def test_costs_are_drawn_of_those_who_told(sampled: Figures) -> None:
    """Money and tokens of the large model's six conditions; the small model's are named as not drawn."""
    figure = sampled["cost"]
    assert "Not drawn, having recorded no cost or tokens: gpt-5.4-mini (no-skill" in figure.caption
    assert len(points(figure.specification)) == 2 * 6
    assert "Neither cost" not in figure.caption


def test_a_condition_has_one_number_in_every_panel() -> None:
    """Without the skill is 1 for both systems, with it 2, though one system has no first."""
    found = arms(
        {"condition": "no-skill", "system": LARGE, "cost_usd": 1.0},
        {"condition": "with-skill", "system": LARGE, "cost_usd": 2.0},
        {"condition": "with-skill", "system": SMALL, "cost_usd": 0.2},
    )
    figure = cost_figure(found, "published", {}, PLAN)
    assert figure is not None
    told = words(figure.specification)
    assert (told.count("1  no-skill"), told.count("2  with-skill")) == (1, 2)
    assert {str(LARGE), str(SMALL)} <= set(told)
    assert {"reward", "cost", "tasks"} <= set(told)


def test_what_one_system_did_not_record_is_told_and_is_not_zero() -> None:
    """Tokens without a cost: a dash in the list, no point, and words in the empty panel."""
    found = arms(
        {"system": LARGE, "cost_usd": 1.0, "input_tokens": 9, "output_tokens": 1},
        {"system": SMALL, "input_tokens": 9, "output_tokens": 1},
    )
    figure = cost_figure(found, "published", {}, PLAN)
    assert figure is not None
    assert len(points(figure.specification)) == 3
    told = words(figure.specification)
    assert "–" in told
    assert "not recorded" in told
    assert "–: not recorded." in figure.caption


def test_a_mean_over_fewer_tasks_is_drawn_open() -> None:
    """Two tasks without the skill, one of them with it: the second point is hollow and the caption says why."""
    found = arms(
        {"task": "t", "seconds": 9.0},
        {"task": "u", "seconds": 9.0},
        {"task": "t", "condition": "with-skill", "seconds": 7.0},
    )
    figure = cost_figure(found, "published", {}, PLAN)
    assert figure is not None
    drawn = points(figure.specification)
    assert [row["fill"] == row["stroke"] for row in drawn] == [True, False]
    assert "An open point is a mean over fewer than 2 tasks" in figure.caption


@pytest.mark.parametrize(
    ("rewards", "told"),
    [((0.62, 0.71), "(its scale begins at 0.5)"), ((0.04, 0.71), "each task equal;")],
)
def test_a_scale_that_does_not_begin_at_zero_says_so(
    rewards: tuple[float, float], told: str
) -> None:
    """In the caption and beside the scale."""
    found = arms(
        {"reward": rewards[0], "seconds": 9.0},
        {"reward": rewards[1], "seconds": 9.0, "condition": "with-skill"},
    )
    figure = cost_figure(found, "published", {}, PLAN)
    assert figure is not None
    assert told in figure.caption
    assert ("Mean reward, from 0.5" in words(figure.specification)) is ("begins" in told)


@pytest.mark.parametrize(
    ("weighting", "told"), [("task", "each task equal"), ("family", "each family equal")]
)
def test_what_is_equal_in_a_mean_follows_the_plan(weighting: Weighting, told: str) -> None:
    """The words are the plan's."""
    found = arms({"seconds": 9.0})
    figure = cost_figure(found, "published", {}, AnalysisPlan(weighting=weighting))
    assert figure is not None
    assert told in figure.caption


def test_systems_without_room_are_named() -> None:
    """Ten systems: those with the fewest conditions are left to the table, and the caption names them."""
    found = arms(
        *(
            {
                "system": System("a", f"model-{place}", ""),
                "condition": condition,
                "cost_usd": 1.0 + place,
            }
            for place in range(MOST_SYSTEMS + 2)
            for condition in ("no-skill", "with-skill")
            if (place, condition) not in {(0, "with-skill"), (1, "with-skill")}
        )
    )
    figure = cost_figure(found, "published", {}, PLAN)
    assert figure is not None
    assert "in the table: a · model-0 (no-skill); a · model-1 (no-skill)." in figure.caption
    assert "a · model-2" in words(figure.specification)
    assert figure.parts is not None
    for part in figure.parts():
        drawn = draw(part, "", "")
        assert is_legible_on_paper(drawn)
        assert fits_a_page(drawn)
        assert {"reward", "cost", "tasks"} <= set(words(part))
