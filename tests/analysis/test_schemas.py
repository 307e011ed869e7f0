# SPDX-License-Identifier: MIT
"""A contrast in other schemas, by hand."""

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.pairing import metrics
from m4bench.analysis.results import SchemaRobustness
from m4bench.analysis.runs import RunTable
from m4bench.analysis.schemas import Asked, schema_robustness
from m4bench.model.analysis import AnalysisPlan
from tests.analysis.made_runs import made, plan_of, table_of, two_arms

SKILL = Asked("with-skill:no-skill", "with-skill", "no-skill")
HIDDEN = {"schema": "obfuscated"}


def lines(table: RunTable, plan: AnalysisPlan | None = None) -> list[SchemaRobustness]:
    """Return the lines of the skill's contrast."""
    return list(
        schema_robustness([SKILL], table.cells(), metrics(table)["reward"], plan or plan_of())
    )


def test_the_ratio_is_over_the_tasks_that_both_schemas_have() -> None:
    """.3 natively and .1 renamed on two tasks; a third, native only, is in neither."""
    table = table_of(
        two_arms("t", 0.9, 0.5),
        two_arms("u", 0.7, 0.5),
        two_arms("native-only", 1.0, 0.0),
        two_arms("t", 0.7, 0.5, **HIDDEN),
        two_arms("u", 0.5, 0.5, **HIDDEN),
    )
    native, renamed = lines(table)
    assert [native.schema_name, renamed.schema_name] == ["native", "obfuscated"]
    assert (native.tasks, renamed.tasks) == (2, 2)
    assert (native.delta, native.ratio) == pytest.approx((0.3, 1.0))
    assert (renamed.treatment, renamed.control, renamed.delta, renamed.ratio) == pytest.approx(
        (0.6, 0.5, 0.1, 1 / 3)
    )
    assert (native.positive, renamed.positive) == (2, 1)
    assert (native.native_delta, renamed.native_delta) == pytest.approx((0.3, 0.3))


def test_each_line_has_the_native_delta_on_its_own_tasks() -> None:
    """Renamed on two tasks, moved on one: .3 natively on both, .4 on the one, which all lines have."""
    table = table_of(
        two_arms("t", 0.9, 0.5),
        two_arms("u", 0.7, 0.5),
        two_arms("t", 0.7, 0.5, **HIDDEN),
        two_arms("u", 0.5, 0.5, **HIDDEN),
        two_arms("t", 0.6, 0.5, schema="shifted"),
    )
    told = [(one.schema_name, one.tasks, one.native_delta, one.ratio) for one in lines(table)]
    assert told == [
        ("native", 1, pytest.approx(0.4), pytest.approx(1.0)),
        ("obfuscated", 2, pytest.approx(0.3), pytest.approx(1 / 3)),
        ("shifted", 1, pytest.approx(0.4), pytest.approx(0.25)),
    ]


def test_a_control_that_was_not_run_is_not_zero() -> None:
    """The treatment is known, control, delta, interval and ratio are not."""
    table = table_of(two_arms("t", 0.9, 0.5), made("t", "with-skill", 0.6, **HIDDEN))
    native, renamed = lines(table)
    assert (renamed.tasks, renamed.treatment, renamed.positive) == (1, 0.6, None)
    assert (renamed.control, renamed.delta, renamed.interval, renamed.ratio) == (None,) * 4
    assert renamed.native_delta == pytest.approx(0.4)
    assert native.delta == pytest.approx(0.4)


def test_systems_stand_alone() -> None:
    """A system without the other schema has no line."""
    table = table_of(
        two_arms("t", 0.9, 0.5, model="a"),
        two_arms("t", 0.9, 0.5, model="b"),
        two_arms("t", 0.8, 0.6, model="b", **HIDDEN),
    )
    assert {one.system for one in lines(table)} == {"codex · b"}


def test_no_native_effect_no_ratio() -> None:
    """Nothing is divided by zero."""
    table = table_of(two_arms("t", 0.5, 0.5), two_arms("t", 0.7, 0.5, **HIDDEN))
    assert [one.ratio for one in lines(table)] == [None, None]


def test_schemas_without_common_tasks_and_one_schema_alone_have_no_line() -> None:
    """There is nothing to compare."""
    assert lines(table_of(two_arms("t", 0.9, 0.5))) == []
    assert lines(table_of(two_arms("t", 0.9, 0.5), two_arms("u", 0.9, 0.5, **HIDDEN))) == []


def test_schemas_of_different_tasks_keep_their_own() -> None:
    """The native line is over the tasks of both others; each ratio over its own."""
    table = table_of(
        two_arms("t", 0.9, 0.5),
        two_arms("u", 0.7, 0.5),
        two_arms("t", 0.7, 0.5, **HIDDEN),
        two_arms("t", 0.7, 0.5, schema="restructured"),
        two_arms("u", 0.6, 0.5, schema="restructured"),
    )
    found = {one.schema_name: one for one in lines(table)}
    assert {name: one.tasks for name, one in found.items()} == {
        "native": 1,
        "obfuscated": 1,
        "restructured": 2,
    }
    assert found["restructured"].ratio == pytest.approx(0.15 / 0.3)


def test_families_weigh_equally_where_the_plan_says_so() -> None:
    """Deltas .4 and .2 in one family and 0 in another make .15."""
    table = table_of(
        two_arms("t", 0.9, 0.5, family="f"),
        two_arms("u", 0.7, 0.5, family="f"),
        two_arms("v", 0.5, 0.5, family="g"),
        *(two_arms(task, 0.6, 0.5, **HIDDEN, family="f") for task in "tu"),
        two_arms("v", 0.5, 0.5, family="g", **HIDDEN),
    )
    assert [one.delta for one in lines(table, plan_of(weighting="family"))] == pytest.approx(
        [0.15, 0.05]
    )


def test_a_pair_of_conditions_is_looked_at_once() -> None:
    """However many contrasts name it; a contrast across schemas is none of two conditions."""
    table = table_of(two_arms("t", 0.9, 0.5), two_arms("t", 0.8, 0.6, **HIDDEN))
    plan = plan_of(
        "with-skill:no-skill",
        "with-skill@obfuscated:no-skill@obfuscated",
        "with-skill@obfuscated:with-skill",
    )
    told = [(one.contrast, one.schema_name) for one in analyse(table, plan).schemas]
    assert told == [("with-skill:no-skill", "native"), ("with-skill:no-skill", "obfuscated")]


def test_what_the_contrast_sets_aside_stands_aside_in_every_schema() -> None:
    """Two of three tasks lack a publishable treatment: the lines are over the third, .1 natively and .05 renamed."""
    table = table_of(
        *(
            [
                made(
                    task, "with-skill", 0.5 + share * skill, publishable=task == "v", schema=schema
                ),
                made(task, "no-skill", 0.5, schema=schema),
            ]
            for task, skill in (("t", 0.4), ("u", 0.4), ("v", 0.1))
            for schema, share in (("native", 1.0), ("obfuscated", 0.5))
        )
    )
    found = analyse(table, plan_of("with-skill:no-skill"))
    assert found.contrasts[0].delta == pytest.approx(0.1)
    assert [(one.tasks, round(one.delta or 0, 9)) for one in found.schemas] == [(1, 0.1), (1, 0.05)]


def test_where_nothing_is_publishable_everything_stands() -> None:
    """As in the contrast."""
    table = table_of(
        two_arms("t", 0.9, 0.5, publishable=False),
        two_arms("t", 0.7, 0.5, publishable=False, **HIDDEN),
    )
    assert [one.delta for one in lines(table)] == pytest.approx([0.4, 0.2])


def test_conventions_are_apart_in_every_schema() -> None:
    """A line for each convention, and none of both."""
    table = table_of(
        *(
            two_arms("t", 0.5 + delta, 0.5, schema=schema, convention=convention)
            for schema, convention, delta in (
                ("native", "published", 0.4),
                ("obfuscated", "published", 0.2),
                ("native", "current", 0.3),
                ("obfuscated", "current", 0.1),
            )
        )
    )
    told = {(one.system, one.schema_name): round(one.delta or 0, 9) for one in lines(table)}
    assert told == {
        ("codex · m · current", "native"): 0.3,
        ("codex · m · current", "obfuscated"): 0.1,
        ("codex · m · published", "native"): 0.4,
        ("codex · m · published", "obfuscated"): 0.2,
    }
