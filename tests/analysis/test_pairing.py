# SPDX-License-Identifier: MIT
"""Which cells are compared with which, and what a cell comes to."""

from collections.abc import Callable

import pytest

from m4bench.analysis.held import BlockLabels
from m4bench.analysis.pairing import (
    Choice,
    Pairing,
    Reading,
    completed,
    entering_and_unmeasured,
    measured,
    metrics,
    pair,
    publishable,
    task_effects,
    unmeasured,
)
from m4bench.analysis.plan import resolve
from m4bench.analysis.runs import RunTable, entering
from tests.analysis.made_runs import made, table_of, two_arms

SKILL = "with-skill:no-skill"


def paired(table: RunTable, contrast: str = SKILL) -> Pairing:
    """Return the pairs of a contrast."""
    return pair(table.cells(), resolve(contrast, table))


def deltas(table: RunTable, contrast: str = SKILL, metric: str = "reward") -> dict[str, float]:
    """Return the rounded task deltas of a contrast."""
    effects = task_effects(paired(table, contrast).pairs, Reading(metrics(table)[metric]))
    return {one.task: round(one.delta, 12) for one in effects}


def test_a_cell_is_the_mean_of_its_runs_and_a_task_that_of_its_systems() -> None:
    """Two runs of .6 and .8 are one cell of .7; systems of .2 and 0 make a task of .1, whatever their trials."""
    table = table_of(
        made("t", "with-skill", 0.6, model="a"),
        made("t", "with-skill", 0.8, model="a"),
        made("t", "no-skill", 0.5, model="a"),
        two_arms("t", 0.4, 0.4, model="b"),
    )
    (effect,) = task_effects(paired(table).pairs, Reading(metrics(table)["reward"]))
    assert effect.delta == pytest.approx(0.1)
    assert effect.treatment == pytest.approx(0.55)
    assert effect.control == pytest.approx(0.45)
    assert {name: block.delta for name, block in effect.blocks.items()} == pytest.approx(
        {"codex · a": 0.2, "codex · b": 0.0}
    )


def test_what_one_side_lacks_is_named_and_enters_nothing() -> None:
    """A system without a control on a task is missing there, and its other tasks stay."""
    table = table_of(
        two_arms("both", 0.9, 0.5),
        made("half", "with-skill", 1.0),
        two_arms("half", 0.4, 0.3, model="b"),
    )
    found = paired(table)
    assert deltas(table) == {"both": 0.4, "half": 0.1}
    assert found.missing == ("half, codex · m: no no-skill",)


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("model", "b"),
        ("agent", "claude"),
        ("effort", "high"),
        ("convention", "current"),
        ("dataset", "mimic-iv-demo"),
        ("dataset_hash", "ab12"),
        ("drops", "strict"),
        ("sandbox", "none"),
        ("schema", "obfuscated"),
    ],
)
def test_what_no_side_names_is_held_equal(field: str, other: str) -> None:
    """A control that differs in anything else is no control."""
    treatment = made("t", "with-skill", 1.0)
    control = made("t", "no-skill", 0.0, **{field: other})
    table = table_of(treatment, control, two_arms("elsewhere", 0.5, 0.5))
    assert list(deltas(table)) == ["elsewhere"]


@pytest.mark.parametrize(
    ("contrast", "expected"),
    [
        ("model=gpt-oss:20b:model=m", {"t": -0.3}),
        ("model=m:model=gpt-oss:20b", {"t": 0.3}),
        ("agent=claude:agent=codex", {"t": 0.1}),
        ("with-skill@obfuscated:with-skill", {"t": -0.4}),
        ("schema=obfuscated:schema=native", {"t": -0.4}),
        ("convention=current:convention=published", {"t": -0.6}),
        ("dataset=demo:dataset=mimic-iv", {"t": -0.5}),
    ],
)
def test_fields_named_on_both_sides_differ(contrast: str, expected: dict[str, float]) -> None:
    """Models (with a colon in the name), agents, schemas, conventions, datasets are compared, all else equal."""
    table = table_of(
        made("t", "with-skill", 0.8),
        made("t", "with-skill", 0.5, model="gpt-oss:20b"),
        made("t", "with-skill", 0.9, agent="claude"),
        made("t", "with-skill", 0.4, schema="obfuscated"),
        made("t", "with-skill", 0.2, convention="current"),
        made("t", "with-skill", 0.3, dataset="demo", dataset_hash="ab12", access="open"),
    )
    assert deltas(table, contrast) == expected


def test_a_comparison_of_models_goes_over_all_conditions_both_have() -> None:
    """Each condition is a pair of its own; a task's delta is the mean of .1 and .3."""
    table = table_of(two_arms("t", 0.6, 0.4, model="a"), two_arms("t", 0.5, 0.1, model="b"))
    assert deltas(table, "model=a:model=b") == {"t": 0.2}
    blocks = [one.block for one in paired(table, "model=a:model=b").pairs]
    assert blocks == ["codex · no-skill", "codex · with-skill"]


def test_efforts_of_different_models_need_not_be_equal_and_a_note_says_so() -> None:
    """Where models share no effort, all of one model's efforts are its side, each cell equal."""
    table = table_of(
        made("t", "no-skill", 0.9, model="a", effort="high"),
        made("t", "no-skill", 0.5, model="a", effort="low"),
        made("t", "no-skill", 0.5, model="a", effort="low"),
        made("t", "no-skill", 0.1, model="b", effort="default"),
    )
    found = paired(table, "model=a:model=b")
    assert deltas(table, "model=a:model=b") == {"t": 0.6}
    assert found.notes == ("reasoning effort is not held equal: the two sides have no common one",)


def test_equal_efforts_are_compared_alone_where_there_are_any() -> None:
    """With a common effort, the others are left out."""
    table = table_of(
        made("t", "no-skill", 0.9, model="a", effort="high"),
        made("t", "no-skill", 0.5, model="a", effort="low"),
        made("t", "no-skill", 0.1, model="b", effort="low"),
    )
    assert deltas(table, "model=a:model=b") == {"t": 0.4}
    assert paired(table, "model=a:model=b").notes == ()


def test_two_hospitals_are_one_system_but_two_copies_of_a_task_are_not() -> None:
    """A setting is told only where a task has several."""
    apart = table_of(
        made("mimic-x", "no-skill", 0.1), made("eicu-x", "no-skill", 0.1, dataset="eicu")
    )
    twice = table_of(
        made("t", "no-skill", 0.1),
        made("t", "no-skill", 0.1, dataset="demo", access="open"),
        made("t", "no-skill", 0.1, drops="strict"),
    )

    def names(table: RunTable) -> list[str]:
        return list(BlockLabels(table.cells()).of_systems(table.cells()).values())

    assert names(apart) == ["codex · m", "codex · m"]
    assert names(twice) == [
        "codex · m · demo · published drops",
        "codex · m · mimic-iv · published drops",
        "codex · m · mimic-iv · strict drops",
    ]


MIXED = (
    made("t", "no-skill", 0.8),
    made("t", "no-skill", 0.0, state="timeout"),
    made("t", "no-skill", None, state="infrastructure", valid=False, publishable=False),
    made("t", "no-skill", 1.0, publishable=False),
)


@pytest.mark.parametrize(
    ("choose", "values"),
    [
        (entering, [0.8, 0.0]),
        (entering_and_unmeasured, [0.8, 0.0, 0.0]),
        (completed, [0.8]),
        (measured, [0.8, 0.0, 1.0]),
        (publishable, [0.8, 0.0]),
        (unmeasured, [0.0]),
    ],
)
def test_which_runs_of_a_cell_count(choose: Choice, values: list[float]) -> None:
    """A failure is a 0, a run without a measurement only where asked for, an unpublishable one stands aside."""
    reward = metrics(table_of(*MIXED))["reward"]
    assert Reading(reward, choose).values(MIXED) == values


def test_a_cell_without_a_measurement_has_no_delta_unless_zeros_are_asked_for() -> None:
    """Missing is not zero."""
    lost = made("t", "no-skill", None, state="provider-error", valid=False)
    table = table_of(made("t", "with-skill", 0.7), lost)
    pairs, reward = paired(table).pairs, metrics(table)["reward"]
    assert task_effects(pairs, Reading(reward)) == ()
    (effect,) = task_effects(pairs, Reading(reward, entering_and_unmeasured))
    assert effect.delta == pytest.approx(0.7)


def test_key_f1_of_a_failure_is_zero_where_its_cell_tells_key_f1() -> None:
    """Without another run of the cell that tells it, it stays unknown, whatever else is in the file."""
    failed = made("t", "no-skill", 0.0, state="no-output")
    told = made("t", "no-skill", 0.5, key_f1=0.9)
    key_f1: Callable[[RunTable], list[float]] = lambda table: Reading(  # noqa: E731
        metrics(table)["key_f1"]
    ).values(table.runs)
    assert key_f1(table_of(failed, told)) == [0.0, 0.9]
    assert key_f1(table_of(failed)) == []
    assert key_f1(table_of(failed, made("t", "with-skill", 0.5, key_f1=0.9))) == [0.9]


def test_tasks_without_ordered_columns_are_left_out_of_nmae() -> None:
    """A cell's nMAE is the mean over the runs that have one."""
    table = table_of(
        made("t", "with-skill", 1.0, ordered_nmae=0.1),
        made("t", "with-skill", 0.0, state="no-output"),
        made("t", "no-skill", 0.5, ordered_nmae=0.3),
        two_arms("unordered", 1.0, 1.0),
    )
    assert deltas(table, metric="ordered_nmae") == {"t": -0.2}
