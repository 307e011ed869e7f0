# SPDX-License-Identifier: MIT
"""Agreement with several conventions: one row an arm, means on common tasks, differences paired with their interval."""

from statistics import fmean, stdev

import pytest
from scipy.stats import t as student

from m4bench.analysis.runs import RunRow
from m4bench.model.analysis import AnalysisPlan, Weighting
from m4bench.report.campaign.figures.conventions import convention_figure
from m4bench.report.campaign.figures.means import conventions, means
from m4bench.report.drawing import draw, fits_a_page, is_legible_on_paper
from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import one_mark, records, words
from tests.report.campaign.samples import LARGE, PUBLISHED, build_run, table

Figures = dict[str, Figure]
PUBLISHED_REWARDS = {"a1": 0.5, "a2": 0.7, "b": 0.6, "c": 0.8}
CURRENT_REWARDS = {"a1": 0.6, "a2": 0.7, "b": 0.5, "c": 1.0}


def scored(convention: str, rewards: dict[str, float], condition: str = "no-skill") -> list[RunRow]:
    """Return a run a task that was scored under a convention; a task's family is its first letter."""
    setting = PUBLISHED._replace(convention=convention)
    return [
        build_run(task, condition, family=task[0], setting=setting, reward=reward)
        for task, reward in rewards.items()
    ]


def figure_of(runs: list[RunRow], plan: AnalysisPlan | None = None) -> Figure | None:
    """Return the figure of runs."""
    of = [means(table(runs), convention=name) for name in conventions(table(runs))]
    return convention_figure(of, {str(LARGE): "large"}, plan or AnalysisPlan())


@pytest.mark.parametrize(("weighting", "values"), [("task", None), ("family", [0.05, -0.1, 0.2])])
def test_differences_are_paired_by_task_and_have_the_plans_interval(
    weighting: Weighting, values: list[float] | None
) -> None:
    """By hand: deltas 0.1, 0, -0.1, 0.2; over families their means and Student's t of three; told after a shape."""
    runs = scored("published", PUBLISHED_REWARDS) + scored("current", CURRENT_REWARDS)
    figure = figure_of(runs, AnalysisPlan(weighting=weighting))
    assert figure is not None
    told = next(text for text in words(figure.specification) if text.startswith("+0.05"))
    if values is None:
        assert told.startswith("+0.050 [")
        assert one_mark(figure, "no-skill · large, current: ", "value") == pytest.approx(0.7)
    else:
        half = stdev(values) / 3**0.5 * float(student.ppf(0.975, 2))
        mean = fmean(values)
        expected = f"[{mean - half:.3f}, {mean + half:.3f}]".replace("-", "−")
        assert told == f"+0.050 {expected}"
    assert one_mark(
        figure, "no-skill · large, current minus the first: +0.050", "value"
    ) == pytest.approx(0.05)
    assert "95 % intervals (clustered by family, Student’s t)" in figure.caption.replace(
        "\u202f", " "
    )


def test_conventions_are_compared_on_their_common_tasks(sampled: Figures) -> None:
    """Six tasks have runs of three conventions; the invented rewards lie 0.03 and 0.11 lower there."""
    figure = sampled["conventions"]
    heading = "no-skill · gpt-5.5"
    base = one_mark(figure, f"{heading}, published: ", "value")
    for convention, less in (("current", 0.03), ("adjudicated", 0.11)):
        assert one_mark(figure, f"{heading}, {convention}: ", "value") == pytest.approx(base - less)
    assert "6 tasks" in words(figure.specification)


def test_an_arm_is_one_row_of_three_shapes_each_named(sampled: Figures) -> None:
    """A shape a convention, all at one height, and the same shape beside its name; the order is the one everywhere."""
    figure = sampled["conventions"]
    drawn = [row for row in records(figure.specification) if "shape" in row]
    marks = [
        row
        for row in drawn
        if row["about"].startswith("no-skill · gpt-5.5, ") and "minus" not in row["about"]
    ]
    assert len({row["y"] for row in marks}) == 1
    shapes = {row["about"].split(", ")[1].split(":")[0]: row["shape"] for row in marks}
    assert list(shapes) == ["published", "current", "adjudicated"]
    assert len(set(shapes.values())) == 3
    named = {row["about"]: row["shape"] for row in drawn if row["about"] in shapes}
    assert named == shapes


def test_one_convention_is_no_comparison() -> None:
    """Nor are two that share no task under a condition."""
    assert figure_of(scored("published", PUBLISHED_REWARDS)) is None
    assert figure_of(scored("published", {"a1": 0.5}) + scored("current", {"b": 0.5})) is None


def test_equal_rewards_have_no_interval_and_no_scale_of_nothing() -> None:
    """A single family and no difference: not determined, and the drawing has a scale nevertheless."""
    figure = figure_of(scored("published", {"a1": 0.5}) + scored("current", {"a1": 0.5}))
    assert figure is not None
    assert "0.000, interval not determined" in words(figure.specification)
    assert "−0.1" in words(figure.specification)


def test_many_arms_are_shared_out_to_pages() -> None:
    """Thirty conditions: 24 are drawn in pieces that fit a page, the rest is named."""
    runs = [
        run
        for number in range(30)
        for convention, rewards in (("published", PUBLISHED_REWARDS), ("current", CURRENT_REWARDS))
        for run in scored(convention, rewards, f"condition-{number:02}")
    ]
    figure = figure_of(runs)
    assert figure is not None
    assert "in the table: condition-24 · large; condition-25 · large;" in figure.caption
    assert figure.parts is not None
    pieces = figure.parts()
    assert len(pieces) > 1
    for piece in pieces:
        drawn = draw(piece, "", "")
        assert is_legible_on_paper(drawn)
        assert fits_a_page(drawn)
