# SPDX-License-Identifier: MIT
"""A forest says which runs it is of and what its small marks are; the strict figure counts what may be published."""

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.runs import RunTable
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from m4bench.report.campaign.figures import campaign_figures
from m4bench.report.campaign.figures.means import ASIDE
from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import records
from tests.report.campaign.samples import LARGE, PUBLISHED, SMALL, build_run, table

BOTH = ("no-skill", "with-skill")
SIDES = ":".join(f"agent={system.agent},model={system.model}" for system in (LARGE, SMALL))


def figures_of(runs: RunTable, contrast: str) -> dict[str, Figure]:
    """Return the figures of runs by name, under a plan of one contrast."""
    plan = AnalysisPlan(contrasts=(DeclaredContrast(contrast=contrast),))
    return {figure.name: figure for figure in campaign_figures(analyse(runs, plan), runs)}


def shapes(figure: Figure, ending: str) -> set[str]:
    """Return the shapes of the marks of a name: those in the tasks' rows, and the one beside the name itself."""
    return {
        row["shape"]
        for row in records(figure.specification)
        if "shape" in row
        and (row["about"].startswith(f"{ending}:") or f", {ending}:" in row["about"])
    }


def runs_of_both(*conventions: str) -> RunTable:
    """Return runs of two systems on three tasks with and without the skill, under each convention."""
    return table(
        build_run(
            f"task-{place}",
            condition,
            family=f"family-{place}",
            system=system,
            setting=PUBLISHED._replace(convention=convention),
            reward=0.2 + 0.1 * place + 0.05 * (system == LARGE) + 0.2 * (condition == BOTH[1]),
        )
        for convention in conventions
        for system in (LARGE, SMALL)
        for condition in BOTH
        for place in range(3)
    )


def test_forests_of_two_conventions_are_told_apart() -> None:
    """A contrast made under two conventions has two forests, each with its own in title, caption and words."""
    figures = figures_of(runs_of_both("published", "current"), "with-skill:no-skill")
    forests = [figure for name, figure in figures.items() if name.startswith("forest")]
    assert sorted(figure.title for figure in forests) == [
        "Differences in reward by task and family: with-skill minus no-skill (current)",
        "Differences in reward by task and family: with-skill minus no-skill (published)",
    ]
    for figure in forests:
        own = "current" if "(current)" in figure.title else "published"
        assert f"Its runs are of one setting alone: {own}." in figure.caption
        assert figure.alt.startswith(f"with-skill minus no-skill ({own}):")


def test_a_forest_of_one_convention_says_nothing_of_it() -> None:
    """Where all runs are of one setting, neither title nor caption names it."""
    figure = figures_of(runs_of_both("published"), "with-skill:no-skill")["forest-1"]
    assert figure.title.endswith("with-skill minus no-skill")
    assert "setting" not in figure.caption


@pytest.mark.parametrize(
    ("contrast", "called", "names"),
    [
        ("with-skill:no-skill", "the systems", (LARGE.model, SMALL.model)),
        (SIDES, "the conditions", tuple(f"medium · {condition}" for condition in BOTH)),
    ],
    ids=["conditions compared", "systems compared"],
)
def test_small_marks_are_called_what_they_are(
    contrast: str, called: str, names: tuple[str, str]
) -> None:
    """What is equal on both sides is named, and bears one shape in every row, another one than its neighbour's."""
    figure = figures_of(runs_of_both("published"), contrast)["forest-1"]
    assert f"The small open marks are {called}, of which" in figure.caption
    one, other = (shapes(figure, name) for name in names)
    assert len(one) == len(other) == 1
    assert one != other


def test_strict_passes_of_what_may_not_be_published_stand_aside() -> None:
    """Under a condition with publishable runs the others are not counted: 1 of 1 run, not 2 of 2."""
    runs = table(
        [
            build_run("t", system=LARGE, reward=1.0, strict=True),
            build_run("t", system=SMALL, reward=1.0, strict=True, publishable=False),
            build_run("t", "with-skill", system=LARGE, reward=0.5),
        ]
    )
    strict = figures_of(runs, "with-skill:no-skill")["strict"]
    assert "1 of 1 run strict" in str(strict.specification)
    assert "2 of 2" not in str(strict.specification)
    assert ASIDE in strict.caption
    assert "†" not in strict.caption
