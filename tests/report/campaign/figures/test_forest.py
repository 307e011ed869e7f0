# SPDX-License-Identifier: MIT
"""A forest says which runs it is of and what its small marks are; the strict figure counts what may be published."""

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.runs import RunTable
from m4bench.model.analysis import AnalysisPlan, Claim, DeclaredContrast, IntervalMethod
from m4bench.report.campaign.figures import campaign_figures
from m4bench.report.campaign.figures.forest import forest
from m4bench.report.campaign.figures.means import ASIDE
from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import records, words
from tests.report.campaign.samples import LARGE, PUBLISHED, SMALL, build_run, table

BOTH = ("no-skill", "with-skill")
CONTRAST = (DeclaredContrast(contrast="with-skill:no-skill"),)
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
        "Differences in reward by task and family: with-skill minus no-skill (current convention)",
        "Differences in reward by task and family: with-skill minus no-skill (published convention)",
    ]
    for figure in forests:
        own = "current" if "(current" in figure.title else "published"
        assert f"All of one setting: {own} convention." in figure.caption
        assert figure.alt.startswith(f"with-skill minus no-skill ({own} convention):")


def test_a_forest_of_one_convention_says_nothing_of_it() -> None:
    """Where all runs are of one setting, neither title nor caption names it."""
    figure = figures_of(runs_of_both("published"), "with-skill:no-skill")["forest-1"]
    assert figure.title.endswith("with-skill minus no-skill")
    assert "setting" not in figure.caption


@pytest.mark.parametrize(
    ("contrast", "called", "names"),
    [
        ("with-skill:no-skill", "the systems", (LARGE.model, SMALL.model)),
        (SIDES, "the conditions", BOTH),
    ],
    ids=["conditions compared", "systems compared"],
)
def test_small_marks_are_called_what_they_are(
    contrast: str, called: str, names: tuple[str, str]
) -> None:
    """What is equal on both sides is named, and bears one shape in every row, another one than its neighbour's."""
    figure = figures_of(runs_of_both("published"), contrast)["forest-1"]
    assert f"Small open marks below a circle: {called}, whose mean it is" in figure.caption
    one, other = (shapes(figure, name) for name in names)
    assert len(one) == len(other) == 1
    assert one != other


@pytest.mark.parametrize(
    ("contrast", "sides"),
    [("with-skill:no-skill", ("declined", "improved")), (SIDES, ("lower", "higher"))],
    ids=["conditions compared", "systems compared"],
)
def test_tasks_improve_by_help_and_are_higher_by_another_system(
    contrast: str, sides: tuple[str, str]
) -> None:
    """No task improves because another system is better at it: words at 0 and in the figure's words."""
    figure = figures_of(runs_of_both("published"), contrast)["forest-1"]
    less, more = sides
    assert {f"0 {less}", f"3 {more}"} <= set(words(figure.specification))
    assert f"3 {more}, 0 {less}" in figure.alt


UNEVEN = [0.1, 0.15, 0.3, 0.05, 0.2, 0.28]
BETWEEN = "\u202f"


def runs_of_uneven(trials: int = 1) -> RunTable:
    """Return runs of one system on six tasks, each of which the skill helps by its own."""
    return table(
        build_run(
            f"task-{place}",
            condition,
            family=f"family-{place}",
            trial=trial,
            reward=0.3 + gain * (condition == BOTH[1]),
        )
        for place, gain in enumerate(UNEVEN)
        for condition in BOTH
        for trial in range(1, trials + 1)
    )


def spans(figure: Figure) -> dict[str, tuple[float, float]]:
    """Return the ends of each line by the words before its level."""
    return {
        row["about"].rpartition(": ")[0]: (row["low"], row["high"])
        for row in records(figure.specification)
        if "low" in row
    }


@pytest.mark.parametrize(
    ("interval", "other"),
    [
        ("family-t", "bootstrap-t, families drawn"),
        ("family-bootstrap-t", "t, clustered by family"),
    ],
)
def test_both_intervals_are_drawn_whichever_the_plan_has(
    interval: IntervalMethod, other: str
) -> None:
    """The plan's own is the thick one, the other kind stands below; the caption names each by its own method."""
    plan = AnalysisPlan(contrasts=CONTRAST, interval=interval, draws=1_000)
    analysis = analyse(runs_of_uneven(), plan)
    one = analysis.contrasts[0]
    assert one.family_t is not None
    assert one.bootstrap_t is not None
    both = {"t, clustered by family": one.family_t, "bootstrap-t, families drawn": one.bootstrap_t}
    figure = forest(one, {}, "f", plan)
    found = spans(figure)
    (own,) = set(both) - {other}
    assert found["All 6 tasks"] == (both[own].low, both[own].high)
    assert found[other] == (both[other].low, both[other].high)
    assert f"(thick: {own}; thin: {other})" in figure.caption


@pytest.mark.parametrize(
    ("claim", "margins", "told"),
    [
        ("non-inferiority", [-0.05], "Dashed: the margin of the claim."),
        ("equivalence", [-0.05, 0.05], "Dashed: the margins of the claim."),
    ],
)
def test_a_margin_is_a_dashed_line_and_the_claims_interval_is_drawn(
    claim: Claim, margins: list[float], told: str
) -> None:
    """Of 95 % confidence the claim's interval is Student's t one of 90 %: 2.015 of its errors to each side."""
    declared = DeclaredContrast(contrast="with-skill:no-skill", claim=claim, margin=0.05)
    plan = AnalysisPlan(contrasts=(declared,))
    figure = forest(analyse(runs_of_uneven(), plan).contrasts[0], {}, "f", plan)
    assert [
        one["at"] for one in records(figure.specification) if "margin" in one.get("about", "")
    ] == margins
    mean = sum(UNEVEN) / 6
    error = (sum((one - mean) ** 2 for one in UNEVEN) / 5 / 6) ** 0.5
    half = 2.015048 * error  # 0.95 of Student's t with five degrees of freedom
    low, high = spans(figure)[f"90{BETWEEN}% interval of the claim"]
    assert (low, high) == pytest.approx((mean - half, mean + half), abs=1e-5)
    assert told in figure.caption
    assert (
        f"(90{BETWEEN}% interval [{low:.3f}, {high:.3f}], t, clustered by family)" in figure.caption
    )


@pytest.mark.parametrize(
    ("trials", "told"),
    [
        (1, "12 runs, 6 of with-skill and 6 of no-skill, 1 a cell: a failed one counts 0"),
        (
            4,
            "48 runs, 24 of with-skill and 24 of no-skill, 4 a cell: a failed one counts 0",
        ),
    ],
)
def test_a_caption_counts_runs(trials: int, told: str) -> None:
    """How many runs, of each side, in a cell; what a failure counts; that tasks have no interval of their own."""
    figure = figures_of(runs_of_uneven(trials), "with-skill:no-skill")["forest-1"]
    assert told in figure.caption
    assert "Tasks have no interval of their own" in figure.caption
    assert "an unmeasured one is in no mean." in figure.caption
    every = AnalysisPlan(contrasts=CONTRAST, denominator="all")
    analysis = analyse(runs_of_uneven(trials), every)
    caption = forest(analysis.contrasts[0], {}, "f", every).caption
    assert "an unmeasured one is in every mean as 0." in caption


def test_systems_stand_in_the_order_of_the_analysis_and_below_their_mean() -> None:
    """Rows within systems follow the results, whatever their names; their marks lie lower than the mean's in a task."""
    analysis = analyse(runs_of_both("published"), AnalysisPlan(contrasts=CONTRAST))
    one = analysis.contrasts[0]
    turned = one.model_copy(update={"by_system": one.by_system[::-1]})
    figure = forest(turned, {}, "f", analysis.plan)
    texts = words(figure.specification)
    systems = [system.system for system in turned.by_system]
    assert [text for text in texts if text in systems] == systems
    y = {row["about"]: row["y"] for row in records(figure.specification) if "shape" in row}
    mean = next(at for about, at in y.items() if about.startswith("task-0: "))
    own = [at for about, at in y.items() if about.startswith("task-0, ")]
    assert len(own) == 2
    assert min(own) - mean >= 6


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
