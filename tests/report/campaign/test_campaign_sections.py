# SPDX-License-Identifier: MIT
"""The sections on a campaign: their sentences follow plan and numbers, and their rows can be told apart."""

import html
import re

import pytest

from m4bench.analysis.results import Analysis, Component, VarianceComponents
from m4bench.report.campaign.page import CampaignPart, campaign_page
from tests.report.campaign.samples import sample_analysis, sample_table


def page_of(analysis: Analysis) -> str:
    """Return the page of an analysis without figures."""
    return campaign_page(CampaignPart(analysis, sample_table(), [], {}), [])


def words_of(markup: str) -> str:
    """Return what a reader reads, on one line."""
    shown = re.sub(r"<(style|script)\b.*?</\1>", " ", markup, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def part(page: str, name: str) -> str:
    """Return the markup of one section."""
    return page.split(f'id="campaign-{name}-title"')[1].split("</section>")[0]


@pytest.mark.parametrize(
    ("weighting", "denominator", "said", "unsaid"),
    [
        ("task", "valid", ("each task equal", "is in no mean"), ("each family equal", "as 0.")),
        (
            "family",
            "all",
            ("each family equal", "is in every mean as 0", "then over means of families"),
            ("each task equal", "in no mean", "each equal:"),
        ),
    ],
)
def test_sentences_follow_the_plan(
    weighting: str, denominator: str, said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    """What weighs equally, and what becomes of runs without a measurement, wherever the page speaks of it."""
    analysis = sample_analysis()
    plan = analysis.plan.model_copy(update={"weighting": weighting, "denominator": denominator})
    lost = analysis.arms[0].model_copy(update={"unmeasured": 2})
    page = page_of(analysis.model_copy(update={"plan": plan, "arms": (lost, *analysis.arms[1:])}))
    words = words_of(page)
    for one in said:
        assert one in words
    for name in ("primary", "arms", "failures"):
        assert not [one for one in unsaid if one in words_of(part(page, name))], name


@pytest.mark.parametrize(
    ("exact", "said"),
    [
        ((True, True), "by the exact flip of whole families;"),
        ((False, False), "by random flips of whole families;"),
        ((True, False), "exact where they are few and by random flips where they are many;"),
    ],
)
def test_a_test_is_called_exact_where_it_is(exact: tuple[bool, bool], said: str) -> None:
    """Up to twenty families all flips are counted, beyond them random ones are drawn."""
    analysis = sample_analysis()
    primary = [
        one.model_copy(update={"exact": kind})
        for one, kind in zip(analysis.contrasts, exact, strict=False)
    ]
    page = page_of(analysis.model_copy(update={"contrasts": tuple(primary)}))
    assert said in words_of(part(page, "primary"))


def test_what_nobody_declared_says_so_above_its_results() -> None:
    """Before the first result of an analysis that this program supplied; nowhere in a declared one."""
    analysis = sample_analysis()
    own = analysis.plan.model_copy(update={"declared": False})
    supplied = page_of(analysis.model_copy(update={"plan": own}))
    above = supplied.split('id="found-title"')[1].split('class="found"')[0]
    assert "Not declared before the runs" in above
    assert "Not declared before the runs" in part(supplied, "primary")
    assert "Not declared before the runs" not in page_of(analysis)


def test_rows_of_several_settings_can_be_told_apart() -> None:
    """Where runs have two conventions each row of ends and of cost names its own."""
    analysis = sample_analysis()
    told = {"cost_usd": 0.5, "failures": {"timeout": 2, "infrastructure": 3}, "unmeasured": 3}
    arms = tuple(
        analysis.arms[0].model_copy(update={**told, "convention": name})
        for name in ("published", "current")
    )
    page = page_of(analysis.model_copy(update={"arms": arms}))
    for name in ("failures", "costs"):
        rows = [
            words_of(row)
            for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", part(page, name), re.S)
        ]
        assert len(set(rows)) == len(rows) == 2
        assert ["published" in row for row in rows] == [True, False], name
        assert ["current" in row for row in rows] == [False, True], name


def test_a_run_without_a_measurement_is_counted_once() -> None:
    """Its state has no column beside that of the unmeasured; it is named there."""
    analysis = sample_analysis()
    arm = analysis.arms[0].model_copy(
        update={"failures": {"timeout": 2, "infrastructure": 3}, "unmeasured": 3}
    )
    failures = part(page_of(analysis.model_copy(update={"arms": (arm,)})), "failures")
    heads = re.findall(r'<th scope="col"[^>]*>([^<]+)<', failures)
    assert heads == ["System", "Condition", "Runs", "timeout", "Unmeasured"]
    assert "3 infrastructure" in words_of(failures)


def test_what_runs_told_is_counted_measure_by_measure() -> None:
    """Cost told by 4 of 22 runs and time by 15 stand with their numbers; tokens of all with none; nothing recorded has
    no column.
    """
    analysis = sample_analysis()
    told = {
        "entering": 22,
        "cost_usd": 0.548,
        "tokens": 1234.0,
        "seconds": 174.0,
        "told": 22,
        "told_by": {"cost_usd": 4, "tokens": 22, "seconds": 15},
    }
    arm = analysis.arms[0].model_copy(update=told)
    costs = words_of(part(page_of(analysis.model_copy(update={"arms": (arm,)})), "costs"))
    assert "$0.548 of 4 runs 1 234 2 min 54 s of 15 runs 22" in costs
    none = arm.model_copy(update={"cost_usd": None, "told_by": {"tokens": 22, "seconds": 22}})
    costs = words_of(part(page_of(analysis.model_copy(update={"arms": (none,)})), "costs"))
    assert "No run told its cost." in costs
    assert "Reward Tokens Time Runs" in costs


def test_the_headline_settings_are_open_and_a_lone_system_is_a_sentence() -> None:
    """Of eight groups those of the first primary contrast in the first setting are open; one system has no table."""
    analysis = sample_analysis()
    (own, *_) = analysis.standings
    places = [
        (condition, schema, convention)
        for schema, convention in (
            ("native", "published"),
            ("obfuscated", "published"),
            ("native", "current"),
        )
        for condition in ("no-skill", "with-skill-decoy", "with-skill")
    ]
    groups = [
        own.model_copy(
            update={"condition": condition, "schema_name": schema, "convention": convention}
        )
        for condition, schema, convention in places
    ]
    lone = own.model_copy(update={"condition": "with-checks", "standings": own.standings[:1]})
    found = part(page_of(analysis.model_copy(update={"standings": (*groups, lone)})), "standings")
    heads = re.findall(
        r"<details class=\"arm fold-narrow\"( open)?>\n<summary><h3>(.*?)</h3>", found
    )
    assert len(heads) == 9
    opened = [words_of(title) for opening, title in heads if opening]
    assert [title.split(" ")[0] for title in opened] == ["no-skill", "with-skill"]
    assert all("published" in title and "obfuscated" not in title for title in opened)
    assert "One system alone, with nothing to compare it with: " in words_of(found)


def test_components_have_one_row_a_condition() -> None:
    """Sources of variation are columns; one that a fit could not tell from the rest says so."""

    def fit(condition: str, *names: str) -> VarianceComponents:
        parts = tuple(
            Component(name=name, variance=0.01, deviation=0.1, share=0.5, levels=8)
            for name in names
        )
        return VarianceComponents(
            condition=condition,
            schema_name="native",
            runs=6,
            cells=2,
            components=parts,
            converged=True,
        )

    fits = (fit("no-skill", "family", "system", "trial"), fit("with-skill", "family", "trial"))
    found = part(page_of(sample_analysis().model_copy(update={"components": fits})), "components")
    assert re.findall(r'<th scope="col"[^>]*>([^<]+)<', found) == [
        "Condition",
        "family",
        "system",
        "trial",
    ]
    assert found.count('<th scope="row">') == 2
    assert "0.100 50 % over 8 not told apart 0.100" in words_of(found)


def test_conventions_are_in_the_one_order() -> None:
    """The published one first, rows in the order of the arms and not of the alphabet."""
    analysis = sample_analysis()
    arms = tuple(
        analysis.arms[0].model_copy(update={"condition": condition, "convention": convention})
        for condition in ("no-skill", "with-skill-decoy", "with-skill")
        for convention in ("published", "adjudicated")
    )
    found = part(page_of(analysis.model_copy(update={"arms": arms})), "conventions")
    assert re.findall(r'<th scope="col"[^>]*>([^<]+)<', found)[2:] == ["published", "adjudicated"]
    rows = re.findall(r'data-label="Condition"><span><bdi>([^<]+)<', found)
    assert rows == ["no-skill", "with-skill-decoy", "with-skill"]


def test_a_full_page_keeps_the_headline_settings() -> None:
    """Of seventy arms sixty have room: those in other schemas and conventions give way, and rows stay in order."""
    analysis = sample_analysis()
    arms = tuple(
        analysis.arms[0].model_copy(
            update={"condition": f"condition-{n:02}", "schema_name": schema}
        )
        for n in range(35)
        for schema in ("native", "obfuscated")
    )
    found = part(page_of(analysis.model_copy(update={"arms": arms})), "arms")
    shown = re.findall(
        r'data-label="Condition"><span><bdi>condition-(\d\d)</bdi>(<span class="sub">)?', found
    )
    native = [int(number) for number, other in shown if not other]
    assert native == list(range(35))
    assert [int(number) for number, other in shown if other] == list(range(25))
    assert [int(number) for number, _ in shown] == sorted(int(number) for number, _ in shown)
    assert "10 arms more in tables/arms.csv" in words_of(found)


def test_a_chance_of_passing_says_on_how_many_tasks_it_stands() -> None:
    """Where three trials were made of four of the ten tasks alone, that stands below the figure."""
    analysis = sample_analysis()
    few = {"tasks": 10, "pass_at": {1: 0.25, 3: 0.5}, "pass_all": {1: 0.25, 3: 0.125}}
    arm = analysis.arms[0].model_copy(update={**few, "pass_tasks": {1: 10, 3: 4}})
    found = words_of(part(page_of(analysis.model_copy(update={"arms": (arm,)})), "arms"))
    assert "0.250 0.500 4 tasks 0.125 4 tasks" in found
