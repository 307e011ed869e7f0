# SPDX-License-Identifier: MIT
"""Systems side by side: conditions in the order of the analysis, and what is left to the table by its name."""

import pytest

from m4bench.analysis.results import Standing, Standings, StrictCount
from m4bench.model.analysis import AnalysisPlan, Weighting
from m4bench.report.campaign.figures.standings import standings_figure
from tests.report.campaign.figures.reading_marks import words

CONDITIONS = ("no-skill", "with-skill-decoy", "with-skill")


def group(condition: str, convention: str, systems: int) -> Standings:
    """Return systems under a condition and a convention."""
    return Standings(
        condition=condition,
        schema_name="native",
        convention=convention,
        dataset="mimic-iv",
        access="open",
        standings=tuple(
            Standing(
                system=f"system-{number}",
                tasks=28,
                reward=0.9 - 0.02 * number,
                interval=None,
                strict=StrictCount(passes=0, runs=28),
                letters="a",
                tied_with=(),
                publishable=True,
            )
            for number in range(systems)
        ),
        pairs=(),
        notes=(),
    )


def test_the_headline_setting_is_drawn_and_the_last_ones_are_named() -> None:
    """Of nine groups of ten systems five have room: three published, and of the others what comes first, whole."""
    found = [
        group(one, how, 10) for how in ("published", "current", "adjudicated") for one in CONDITIONS
    ]
    figure = standings_figure(found, {}, AnalysisPlan())
    assert figure is not None
    texts = words(figure.specification)
    drawn = [text for text in texts if text.endswith("convention")]
    assert drawn == [
        *(f"{one}, published convention" for one in CONDITIONS),
        *(f"{one}, current convention" for one in CONDITIONS[:2]),
    ]
    assert texts.count("system-9") == 5
    assert figure.caption.endswith(
        "In the table alone: with-skill, current convention; no-skill, adjudicated convention; with-skill-decoy, "
        "adjudicated convention; with-skill, adjudicated convention."
    )


def test_a_group_too_long_alone_tells_how_many_are_left() -> None:
    """Seventy systems under one condition: sixty are drawn."""
    figure = standings_figure([group("no-skill", "published", 70)], {}, AnalysisPlan())
    assert figure is not None
    assert "10 rows more stand in the table." in figure.caption
    assert "In the table alone" not in figure.caption


@pytest.mark.parametrize(("weighting", "told"), [("task", "each task"), ("family", "each family")])
def test_the_caption_says_what_is_equal(weighting: Weighting, told: str) -> None:
    """Tasks are, or families, as the plan has it."""
    plan = AnalysisPlan(weighting=weighting)
    figure = standings_figure([group("no-skill", "published", 2)], {}, plan)
    assert figure is not None
    assert f"over the tasks of a system, {told} equal" in figure.caption
