# SPDX-License-Identifier: MIT
"""A campaign's figures: which there are, that each can be drawn in every form, and that no name breaks one."""

import json
import struct
from xml.etree import ElementTree

import altair as alt
import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.results import Equivalence, Interval
from m4bench.analysis.runs import RunTable, System
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from m4bench.report import palette
from m4bench.report.campaign.figures import campaign_figures
from m4bench.report.campaign.figures.decomposition import decomposition
from m4bench.report.campaign.figures.forest import forest
from m4bench.report.campaign.figures.means import means
from m4bench.report.drawing import draw, is_legible_on_paper, pixels, print_ready
from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import cell, marks, one_mark, records, words
from tests.report.campaign.samples import (
    LARGE,
    PUBLISHED,
    SMALL,
    build_analysis,
    build_run,
    sample_table,
    table,
)

Figures = dict[str, Figure]
NAMES = [
    "forest-1",
    "forest-2",
    "forest-3",
    "heat-map",
    "heat-map-schemas",
    "heat-map-systems-1",
    "heat-map-systems-2",
    "decomposition",
    "schemas",
    "conventions",
    "strict",
    "cost",
    "failures",
    "standings",
]
BOTH = ("no-skill", "with-skill")
PLAN = AnalysisPlan()


def figures_of(runs: RunTable, *contrasts: str) -> Figures:
    """Return the figures of runs by name."""
    analysis = build_analysis(runs, contrasts or ("with-skill:no-skill",))
    return {figure.name: figure for figure in campaign_figures(analysis, runs)}


def test_a_whole_campaign_has_every_figure(sampled: Figures) -> None:
    """All figures in their order: maps over systems, of other schemas, and by system."""
    assert list(sampled) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_valid_and_told_in_words(sampled: Figures, name: str) -> None:
    """Both layouts hold against the schema, hold no value JSON lacks, and have title, caption and words."""
    figure = sampled[name]
    for specification in (figure.specification, figure.narrow):
        json.dumps(specification, allow_nan=False)
        alt.Chart.from_dict(dict(specification), validate=True)
    assert all(len(text) > 10 for text in (figure.title, figure.caption, figure.alt))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"forest-2", "forest-3"}])
def test_a_figure_is_drawn_in_every_form(sampled: Figures, name: str) -> None:
    """SVG of the page's colours alone, a PDF, and a PNG of twice its size; a phone's figure is a phone's width."""
    figure = sampled[name]
    drawn = draw(figure.specification, figure.title, figure.alt)
    root = ElementTree.fromstring(drawn)
    colours = {one.get(kind, "none") for one in root.iter() for kind in ("fill", "stroke")}
    assert colours - {"none", "transparent"} <= set(palette.VARIABLES)
    assert print_ready(drawn).startswith(b"%PDF-")
    image = pixels(drawn, 2)
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = struct.unpack(">II", image[16:24])
    assert (wide, high) == pytest.approx(
        (2 * float(root.get("width", 0)), 2 * float(root.get("height", 0))), abs=2
    )
    narrow = ElementTree.fromstring(draw(figure.narrow, figure.title, figure.alt))
    assert float(narrow.get("width", 0)) <= 370 < float(root.get("width", 0))


def test_the_same_runs_give_the_same_figures(sampled: Figures) -> None:
    """Nothing depends on the order of a set."""
    again = decomposition(means(sample_table()), build_analysis(sample_table()).plan)
    assert again is not None
    assert json.dumps(again.narrow) == json.dumps(sampled["decomposition"].narrow)


def test_nothing_measured_draws_how_runs_ended_alone() -> None:
    """Runs without a measurement have no mean; no runs at all have no figure."""
    lost = table([build_run(state="infrastructure")])
    empty = RunTable(())
    analysis = build_analysis(sample_table()).model_copy(
        update={"contrasts": (), "arms": (), "schemas": (), "standings": ()}
    )
    assert campaign_figures(analysis, empty) == []
    assert [figure.name for figure in campaign_figures(analysis, lost)] == ["failures"]


def test_one_task_without_a_difference_has_no_interval_and_stands_at_zero() -> None:
    """A single family gives no interval, which the caption says; a difference of exactly 0 is neither side's."""
    runs = table([build_run("t", condition, family="f", reward=0.5) for condition in BOTH])
    plan = AnalysisPlan(contrasts=(DeclaredContrast(contrast="with-skill:no-skill"),))
    figures = {one.name: one for one in campaign_figures(analyse(runs, plan), runs)}
    figure = figures["forest-1"]
    assert one_mark(figure, "t: 0.000") == 0
    assert {"0 declined", "0 improved"} <= set(words(figure.specification))
    assert "each task equal; all tasks are of one family: no interval" in figure.caption
    assert not [row for row in records(figure.specification) if "low" in row]
    assert "interval" not in figures["decomposition"].caption


def test_families_that_do_not_differ_are_the_reason_for_no_interval() -> None:
    """Two families of one and the same difference: it is not their number that prevents an interval."""
    rewards = {"no-skill": 0.5, "with-skill": 0.625}
    runs = table(
        build_run(task, condition, family=task, reward=rewards[condition])
        for task in ("t", "u")
        for condition in BOTH
    )
    plan = AnalysisPlan(contrasts=(DeclaredContrast(contrast="with-skill:no-skill"),))
    one = analyse(runs, plan).contrasts[0]
    figure = forest(one, {}, "f", PLAN)
    assert "each task equal; the families' deltas are all the same" in figure.caption
    assert "one family" not in figure.caption
    assert "+0.125, interval not determined" in words(figure.specification)
    untold = forest(one.model_copy(update={"notes": ()}), {}, "f", PLAN)
    assert "each task equal; its interval is not determined." in untold.caption


@pytest.mark.parametrize(
    ("p_value", "told"), [(0.0004, "p 0.0004,"), (0.00002, "p <0.0001,"), (0.25, "p 0.250,")]
)
def test_a_probability_is_told_as_in_the_tables(
    sampled: Figures, p_value: float, told: str
) -> None:
    """A small one has four decimals and is never 0."""
    one = build_analysis(sample_table()).contrasts[0].model_copy(update={"p_value": p_value})
    assert told in forest(one, {}, "f", PLAN).alt


WIDE_NAMES = {f"{letter * 14}-{letter * 14}": f"family-{letter}" for letter in "abcdefgh"}


@pytest.mark.parametrize("name", ["forest-1", "heat-map", "strict", "decomposition", "standings"])
def test_a_compact_figure_is_legible_on_paper(name: str) -> None:
    """With long names and many arms the wide layout is too wide for a paper's text; its compact form has all of it."""
    runs = table(
        build_run(task, condition, family=family, system=system, reward=reward, strict=True)
        for task, family in WIDE_NAMES.items()
        for place, condition in enumerate((*BOTH, "with-skill-decoy", "operational-spec-of-a-kind"))
        for system in (LARGE, SMALL)
        for reward in (0.1 + 0.2 * place,)
    )
    plan = AnalysisPlan(contrasts=(DeclaredContrast(contrast="with-skill:no-skill"),))
    figure = {one.name: one for one in campaign_figures(analyse(runs, plan), runs)}[name]
    assert figure.compact is not None
    drawn = draw(figure.compact(), figure.title, figure.alt)
    assert is_legible_on_paper(drawn)
    wide = draw(figure.specification, figure.title, figure.alt)
    assert mark_titles(drawn) == mark_titles(wide)


def mark_titles(drawn: str) -> list[str]:
    """Return what the marks of a drawing say they stand for, in order of their words."""
    root = ElementTree.fromstring(drawn)
    titles = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}title")]
    return sorted(title.replace("; ", ", ") for title in titles)


def test_hundreds_of_tasks_are_drawn_by_family() -> None:
    """200 tasks of 12 systems: a row a family with its tasks in it, and strokes without a shape for systems."""
    runs = table(
        build_run(
            f"task-{place:03}",
            condition,
            family=f"family-{place % 20}",
            system=System("agent", f"model-{number}", ""),
            reward=(0.2 + 0.003 * place) + 0.01 * (condition == "with-skill") * (number + 1),
        )
        for place in range(200)
        for number in range(12)
        for condition in BOTH
    )
    figures = figures_of(runs)
    figure = figures["forest-1"]
    assert sum(about.startswith("family ") for about in marks(figure)) == 20
    assert "family-0" in words(figure.specification)
    assert "task-000" not in words(figure.specification)
    assert sum(about.startswith("task-") for about in marks(figure)) == 200
    assert "There are 200 tasks: a row is a family" in figures["heat-map"].caption
    assert figure.alt.endswith("; and 170 more.")
    assert figure.specification["height"] < 1000


def test_more_comparisons_than_are_drawn_are_told() -> None:
    """Eight forests at most; the last one says how many more the tables have."""
    runs = table([build_run("t", condition) for condition in BOTH])
    analysis = build_analysis(runs)
    one = analysis.contrasts[0]
    other = one.model_copy(update={"metric": "key_f1"})
    many = analysis.model_copy(update={"contrasts": (one,) * 9 + (other,)})
    figures = [f for f in campaign_figures(many, runs) if f.name.startswith("forest")]
    assert len(figures) == 8
    assert figures[-1].caption.endswith("1 more comparison not drawn; the tables have them.")


def test_a_claim_of_equivalence_is_told_with_its_margin(sampled: Figures) -> None:
    """Not shown is said to be no proof; a comparison without a claim says nothing of one."""
    one = build_analysis(sample_table()).contrasts[0]
    claim = Equivalence(
        claim="equivalence",
        margin=0.05,
        interval=Interval(low=-0.01, high=0.08, method="family-t", level=0.9),
        p_value=0.2,
        shown=False,
    )
    with_claim = one.model_copy(
        update={"equivalence": claim, "missing": ("t, s: no a", "u, s: no a")}
    )
    caption = forest(with_claim, {}, "f", PLAN).caption
    assert "Equivalence within 0.05: not shown, which is no proof of a difference" in caption
    assert "Left out for want of one side: 2 pairs of task and system." in caption
    assert "Equivalence" not in sampled["forest-1"].caption


def test_systems_compared_with_each_other_have_a_forest() -> None:
    """A contrast whose sides are models has no model to set its blocks apart, and needs none."""
    runs = sample_table()
    analysis = analyse(
        runs,
        AnalysisPlan(contrasts=(DeclaredContrast(contrast="model=gpt-5.5:model=gpt-5.4-mini"),)),
    )
    figure = forest(analysis.contrasts[0], {}, "f", PLAN)
    assert figure.title.endswith("gpt-5.5 minus gpt-5.4-mini (published convention)")
    assert one_mark(figure, "All 10 tasks") == pytest.approx(analysis.contrasts[0].delta)


def test_columns_that_are_called_alike_stay_apart() -> None:
    """A condition named as another one with its schema has a column and a row of its own."""
    runs = table(
        [
            build_run("t", "a", schema="b", reward=0.2),
            build_run("t", "a@b", reward=0.7),
            build_run("t", "a@b", trial=2, state="timeout"),
        ]
    )
    figure = {f.name: f for f in campaign_figures(build_analysis(sample_table()), runs)}
    maps = [figure["heat-map"], figure["heat-map-schemas"]]
    shown = [cell(maps[0], "t", "a@b"), cell(maps[1], "t", "a@b")]
    assert shown == ["0.350", "0.200"]
    ended = [row for row in records(figure["failures"].specification) if "arm" in row]
    lost = {row["about"] for row in ended if row["arm"] == "timeout"}
    assert lost == {"a@b, gpt-5.5, timeout: 1 of 2 runs", "a@b (2), gpt-5.5, timeout: 0 of 1 run"}


HOSTILE = {
    "markup": "<b>&\"'</b><script>",
    "invisible": "\u202eevil\u0000\ud800\n",
    "long and the same": "x" * 60 + "a",
    "long and the same but for its end": "x" * 60 + "b",
    "wide": "名前" * 30,
}


@pytest.fixture(scope="module")
def hostile() -> Figures:
    """Figures of runs whose tasks, families, systems, conditions and states have names nobody should give."""
    runs = [
        build_run(
            name,
            condition,
            family=f"family {name}",
            system=System(name, f"model {number} {name}", name),
            setting=PUBLISHED._replace(dataset=name),
            reward=0.3 + 0.1 * number + 0.2 * (condition == "with-skill"),
            strict=number == 1,
            state="completed" if number else "agent-error",
            publishable=number == 1,
            seconds=3.0,
        )
        for name in HOSTILE.values()
        for condition in (*BOTH, f"condition {name}")
        for number in (0, 1)
    ]
    return figures_of(table(runs))


def test_hostile_names_are_text_in_every_figure(hostile: Figures) -> None:
    """Whatever a run is called, a drawing is made, holds no foreign element, and stays within its bounds."""
    for figure in hostile.values():
        drawn = draw(figure.specification, figure.title, figure.alt)
        root = ElementTree.fromstring(drawn)
        assert not [one for one in root.iter() if one.tag.rpartition("}")[2] in {"b", "script"}]
        assert float(root.get("width", 0)) < 2300
        narrow = ElementTree.fromstring(draw(figure.narrow, figure.title, figure.alt))
        assert float(narrow.get("width", 0)) < 420
        assert "\u202e" not in drawn
    assert {"forest-1", "heat-map", "failures", "cost"} <= set(hostile)


def test_what_may_not_be_published_is_marked(hostile: Figures) -> None:
    """A label of runs that may not be published bears a mark, which the caption explains."""
    assert any("†" in text for text in words(hostile["cost"].specification))
    assert "† may not be published." in hostile["cost"].caption
    assert "may not be published" in hostile["forest-1"].caption


def test_a_lower_error_is_an_improvement() -> None:
    """Of a metric that is the better the lower, the improved tasks stand to the left."""
    one = build_analysis(sample_table()).contrasts[0]
    error = one.model_copy(update={"metric": "ordered_nmae", "positive": 7, "negative": 3})
    figure = forest(error, {}, "f", PLAN)
    shown = [
        text for text in words(figure.specification) if text.endswith(("improved", "declined"))
    ]
    assert shown == ["7 improved", "3 declined"]
    assert "ordered nMAE" in figure.title


def test_a_family_weighted_mean_is_told_to_be_one(sampled: Figures) -> None:
    """Caption and row say over what the mean is: 10 tasks in 6 families."""
    one = build_analysis(sample_table()).contrasts[0]
    figure = forest(one, {}, "f", AnalysisPlan(weighting="family"))
    assert "mean over 10 tasks in 6 families, each family equal" in figure.caption
    assert "All 6 families" in words(figure.specification)
    assert "mean over 10 tasks in 6 families, each task equal" in sampled["forest-1"].caption
    assert "All 10 tasks" in words(sampled["forest-1"].specification)
