# SPDX-License-Identifier: MIT
"""The lines beside a headline, each under one other choice, by hand."""

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.results import Sensitivity
from m4bench.analysis.runs import RunTable
from m4bench.model.analysis import AnalysisPlan
from tests.analysis.made_runs import FILES, analysis_of_the_paper, made, plan_of, table_of, two_arms

PLAN = plan_of("with-skill:no-skill")


def lines(table: RunTable, plan: AnalysisPlan = PLAN) -> dict[str, Sensitivity]:
    """Return the lines of the first contrast by name."""
    return {one.name: one for one in analyse(table, plan).contrasts[0].sensitivity}


TROUBLED = table_of(
    two_arms("t", 0.9, 0.5, family="f"),
    made("t", "with-skill", 0.0, state="timeout", family="f"),
    made("t", "no-skill", None, state="infrastructure", valid=False, family="f"),
    made("t", "no-skill", 0.1, publishable=False, family="f"),
    two_arms("u", 0.6, 0.6, family="g", strict=True),
    two_arms("v", 0.8, 0.6, family="g", model="local", publishable=False),
)


@pytest.mark.parametrize(
    ("name", "deltas"),
    [
        ("failures of the agent left out", (0.4, 0.0)),
        ("runs without a measurement as 0", (0.2, 0.0)),
        ("publishable runs only", (-0.05, 0.0)),
        ("every measured run, publishable or not", (0.15, 0.0, 0.2)),
        ("strict passes instead of rewards", (0.0, 0.0)),
        ("each family equal", (-0.05, 0.0)),
    ],
)
def test_each_line_changes_one_choice(name: str, deltas: tuple[float, ...]) -> None:
    """The headline is the mean of -.05 (a time-out is a 0) and 0; every line is the mean of its own task deltas."""
    found = lines(TROUBLED)[name]
    assert found.tasks == len(deltas)
    assert found.delta == pytest.approx(sum(deltas) / len(deltas))


def test_what_stands_aside_is_told() -> None:
    """A system whose runs are not publishable is not in the headline beside one whose runs are."""
    found = analyse(TROUBLED, PLAN).contrasts[0]
    assert found.tasks == 2
    assert found.delta == pytest.approx(-0.025)
    assert found.systems == ("codex · m",)
    assert any("left aside, since others are: codex · local" in note for note in found.notes)


def test_the_other_denominator_and_the_other_weighting() -> None:
    """A plan that counts lost runs and weighs families is set beside one that does neither."""
    plan = plan_of("with-skill:no-skill", denominator="all", weighting="family")
    found = lines(TROUBLED, plan)
    assert "runs without a measurement left out" in found
    assert "runs without a measurement as 0" not in found
    assert "each task equal" in found


LOST = table_of(
    made("t", "with-skill", 0.8, family="f"),
    made("t", "with-skill", 0.0, family="f", state="timeout"),
    made("t", "with-skill", None, family="f", state="infrastructure", valid=False),
    made("t", "no-skill", 0.6, family="f"),
    made("t", "no-skill", 0.3, family="f", publishable=False),
    two_arms("u", 0.5, 0.1, family="g", strict=True),
    made("v", "with-skill", 0.7, family="g", model="local", publishable=False),
    made("v", "with-skill", None, family="g", model="local", valid=False, state="infrastructure"),
    made("v", "no-skill", 0.1, family="g", model="local", publishable=False),
    made("w", "with-skill", 0.0, family="g", state="timeout"),
    made("w", "with-skill", None, family="g", state="infrastructure", valid=False),
    made("w", "no-skill", 0.2, family="g"),
)


@pytest.mark.parametrize(
    ("name", "deltas"),
    [
        ("failures of the agent left out", (0.4 - 0.6, 0.4)),
        ("runs without a measurement left out", (0.4 - 0.6, 0.4, -0.2)),
        ("publishable runs only", (0.8 / 3 - 0.6, 0.4, -0.2)),
        ("every measured run, publishable or not", (0.8 / 3 - 0.45, 0.4, 0.35 - 0.1, -0.2)),
        ("strict passes instead of rewards", (0.0, 0.0, 0.0)),
    ],
)
def test_runs_without_a_measurement_stay_as_0_in_every_line_but_their_own(
    name: str, deltas: tuple[float, ...]
) -> None:
    """Planned as 0, a lost run of three is a 0 whatever else is changed; a cell of failures alone goes with them."""
    found = lines(LOST, plan_of("with-skill:no-skill", denominator="all"))[name]
    assert found.tasks == len(deltas)
    assert found.delta == pytest.approx(sum(deltas) / len(deltas))


def test_where_all_is_publishable_the_lines_of_publishability_are_the_headline() -> None:
    """Runs that count as 0 are no less counted where only publishable ones are asked for."""
    table = table_of(
        two_arms("t", 0.9, 0.5),
        made("t", "with-skill", None, state="infrastructure", valid=False),
        two_arms("u", 0.4, 0.5),
    )
    found = analyse(table, plan_of("with-skill:no-skill", denominator="all")).contrasts[0]
    told = {one.name: one.delta for one in found.sensitivity}
    assert found.delta == pytest.approx((0.45 - 0.5 - 0.1) / 2)
    assert told["publishable runs only"] == found.delta
    assert told["every measured run, publishable or not"] == found.delta


def test_no_line_of_publishable_runs_is_made_of_lost_ones() -> None:
    """Without a publishable run there is none, though lost runs count as 0."""
    table = table_of(
        two_arms("t", 0.9, 0.5, publishable=False),
        made("u", "with-skill", None, state="infrastructure", valid=False, publishable=False),
        made("u", "no-skill", None, state="infrastructure", valid=False, publishable=False),
    )
    plan = plan_of("with-skill:no-skill", denominator="all")
    assert "publishable runs only" not in lines(table, plan)


def test_a_line_no_run_is_left_for_is_absent() -> None:
    """Without a publishable run there is no line of publishable runs."""
    table = table_of(two_arms("t", 0.9, 0.5, publishable=False))
    assert "publishable runs only" not in lines(table)


def test_each_family_is_left_out_once_and_the_extremes_stand_first() -> None:
    """Of deltas .1, .2 and .6, the mean is .4 without the first and .15 without the last."""
    table = table_of(two_arms("t", 0.6, 0.5), two_arms("u", 0.7, 0.5), two_arms("v", 0.9, 0.3))
    found = lines(table)
    assert [name for name in found if name.startswith("without ")] == [
        "without t",
        "without u",
        "without v",
    ]
    deltas = {name: found[name].delta for name in found if "without" in name and "run" not in name}
    assert deltas == pytest.approx(
        {
            "least without one family (v)": 0.15,
            "greatest without one family (t)": 0.4,
            "without t": 0.4,
            "without u": 0.35,
            "without v": 0.15,
        }
    )


def test_published_lines() -> None:
    """Each family equal .120 as published; strict passes (25 - 13) / 280; the local runs pull the mean down."""
    contrast = analysis_of_the_paper(*FILES).contrasts[0]
    found = {one.name: one for one in contrast.sensitivity}
    assert round(found["each family equal"].delta, 3) == 0.120
    assert found["strict passes instead of rewards"].delta == pytest.approx(12 / 280)
    assert round(found["publishable runs only"].delta, 3) == 0.136
    assert found["every measured run, publishable or not"].delta < 0.12
    assert sum(name.startswith("without ") for name in found) == 15
    assert found["without urine-output-rate"].delta < 0.12
