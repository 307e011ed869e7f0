# SPDX-License-Identifier: MIT
"""What is never averaged, whatever a contrast leaves open, by hand."""

import csv
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.plan import default_plan
from m4bench.analysis.pools import Pools
from m4bench.analysis.reading import read_run_table
from m4bench.analysis.results import Analysis, ContrastResult
from m4bench.analysis.runs import RunRow, RunTable
from tests.analysis.made_runs import FILES, RELEASED, made, plan_of, table_of, two_arms

SKILL = "with-skill:no-skill"


def moved(runs: Iterable[RunRow], by: float, **setting: str) -> list[RunRow]:
    """Return the runs in another setting, rewards with the skill moved."""
    return [
        replace(
            run,
            run_id=f"{run.run_id}-{sorted(setting.items())}",
            reward=(run.reward or 0.0) + by * (run.condition == "with-skill"),
            setting=run.setting._replace(**setting),
        )
        for run in runs
    ]


def campaign() -> list[RunRow]:
    """Return six families, two trials a side, deltas from .05 to .1 in steps of .01; a strict pass each."""
    return [
        made(
            f"t{at}",
            condition,
            0.3 + trial / 100 + (0.05 + at / 100) * (condition == "with-skill"),
            strict=condition == "with-skill" and trial == 0,
        )
        for at in range(6)
        for condition in ("with-skill", "no-skill")
        for trial in range(2)
    ]


def rewards(found: Analysis) -> dict[str, ContrastResult]:
    """Return the results in reward by setting."""
    return {one.setting: one for one in found.contrasts if one.metric == "reward"}


@pytest.mark.parametrize(
    ("other", "names"),
    [
        ({"convention": "current"}, ("published", "current")),
        ({"dataset": "demo", "access": "open"}, ("mimic-iv", "demo")),
        ({"dataset": "demo"}, ("mimic-iv", "demo")),
        ({"access": "open"}, ("credentialed", "open")),
        ({"drops": "strict"}, ("published drops", "strict drops")),
        (
            {"convention": "current", "dataset": "demo"},
            ("published, mimic-iv", "current, demo"),
        ),
    ],
)
def test_each_setting_is_a_result_of_its_own(other: dict[str, str], names: tuple[str, str]) -> None:
    """.075 in one, .275 in the other, never .175; one system in each; both in Holm's correction."""
    runs = campaign()
    found = analyse(table_of(runs, moved(runs, 0.2, **other)), plan_of(SKILL))
    by_setting = rewards(found)
    assert set(by_setting) == set(names)
    assert [by_setting[name].delta for name in names] == pytest.approx([0.075, 0.275])
    assert {one.systems for one in by_setting.values()} == {("codex · m",)}
    assert {one.held_equal for one in by_setting.values()} == {("codex · m",)}
    assert {one.p_value for one in by_setting.values()} == {2 / 64}
    assert {one.p_adjusted for one in by_setting.values()} == {4 / 64}


def test_a_run_scored_again_is_no_further_run() -> None:
    """Under three conventions each result is as under one: tests of tasks, strict passes, interval."""
    runs = campaign()
    alone = rewards(analyse(table_of(runs), plan_of(SKILL)))[""]
    again = [moved(runs, 0.0, convention=one) for one in ("current", "adjudicated")]
    for one in rewards(analyse(table_of(runs, *again), plan_of(SKILL))).values():
        assert [task.p_value for task in one.task_deltas] == [2 / 6] * 6
        assert [(side.passes, side.runs) for side in one.strict] == [(6, 12), (0, 12)]
        assert one.task_deltas == alone.task_deltas
        assert (one.interval, one.runs) == (alone.interval, (12, 12))


def test_a_run_scored_again_adds_nothing_to_what_varies() -> None:
    """Components of each convention are those of one alone."""
    runs = campaign()
    again = moved(runs, 0.0, convention="current")
    (alone,) = (
        c for c in analyse(table_of(runs), plan_of(SKILL)).components if c.condition == "no-skill"
    )
    found = [
        c
        for c in analyse(table_of(runs, again), plan_of(SKILL)).components
        if c.condition == "no-skill"
    ]
    assert [one.setting for one in found] == ["published", "current"]
    assert [one.components for one in found] == [alone.components] * 2


def test_what_the_sides_name_is_compared_within_the_rest() -> None:
    """Conventions compared: -.2 with the skill and 0 without, in each dataset alone."""
    runs = campaign()
    both = [*runs, *moved(runs, 0.2, convention="current")]
    table = table_of(both, moved(both, 0.1, dataset="demo"))
    found = rewards(analyse(table, plan_of("convention=current:convention=published")))
    assert {name: round(one.delta, 9) for name, one in found.items()} == {
        "demo": 0.1,
        "mimic-iv": 0.1,
    }
    named = rewards(analyse(table, plan_of("dataset=demo:dataset=mimic-iv")))
    assert {name: round(one.delta, 9) for name, one in named.items()} == {
        "current": 0.05,
        "published": 0.05,
    }


def test_a_setting_without_both_sides_is_told() -> None:
    """The result names the setting it is of all the same."""
    runs = campaign()
    table = table_of(
        runs, [run for run in moved(runs, 0.0, convention="current") if run.condition == "no-skill"]
    )
    found = analyse(table, plan_of(SKILL))
    assert list(rewards(found)) == ["published"]
    assert (
        "with-skill − no-skill has no result in current: no task has measured runs of both sides"
        in found.notes
    )


def test_hospitals_with_tasks_of_their_own_are_one_setting() -> None:
    """And two contents under one name are, with a note, one as on a leaderboard, unless a task has both."""
    one = two_arms("t", 0.6, 0.5, dataset_hash="aaaaaaaaaa")
    found = analyse(table_of(one, two_arms("u", 0.9, 0.5, dataset="eicu")), plan_of(SKILL))
    assert list(rewards(found)) == [""]
    assert not any("taken as one" in note for note in found.notes)
    other = two_arms("u", 0.9, 0.5, dataset_hash="aaaaaaaabb")
    found = analyse(table_of(one, other), plan_of(SKILL))
    assert rewards(found)[""].delta == pytest.approx(0.25)
    assert (
        "mimic-iv is taken as one, though its runs tell 2 contents (aaaaaaaaa and aaaaaaaab): no task has runs on "
        "two of them" in found.notes
    )
    apart = table_of(one, two_arms("t", 0.9, 0.5, dataset_hash="aaaaaaaabb"))
    found = analyse(apart, plan_of(SKILL))
    assert {name: round(one.delta, 9) for name, one in rewards(found).items()} == {
        "mimic-iv aaaaaaaaa": 0.1,
        "mimic-iv aaaaaaaab": 0.4,
    }
    assert [arm.dataset for arm in found.arms[:2]] == ["mimic-iv aaaaaaaaa", "mimic-iv aaaaaaaab"]


def test_names_are_never_alike() -> None:
    """Values that hold the comma between them are told with their fields."""
    table = table_of(
        made("t", "no-skill", 0.5, convention="a, b", dataset="c"),
        made("t", "no-skill", 0.5, convention="a", dataset="b, c"),
    )
    names = list(Pools(table.cells()).apart())
    assert names == [
        "convention 'a', dataset 'b, c'",
        "convention 'a, b', dataset 'c'",
    ]


def test_systems_written_alike_are_two() -> None:
    """Deltas .4 and 0 make .2, both for a model without an effort and for a parting that reads the same."""
    for others in (
        ({"model": "high", "effort": ""}, {"model": "", "effort": "high"}),
        ({"agent": "a", "model": "b · c"}, {"agent": "a · b", "model": "c"}),
    ):
        table = table_of(two_arms("t", 0.9, 0.5, **others[0]), two_arms("t", 0.5, 0.5, **others[1]))
        found = rewards(analyse(table, plan_of(SKILL)))[""]
        assert found.delta == pytest.approx(0.2)
        assert sorted(one.delta for one in found.by_system) == pytest.approx([0.0, 0.4])
        standings = analyse(table, plan_of(SKILL)).standings[0]
        assert len({one.system for one in standings.standings}) == 2


def test_a_run_without_a_measurement_passes_nothing() -> None:
    """Its row says strict; counted as 0 it is a run more and no pass more."""
    lost = made("t", "no-skill", None, state="infrastructure", valid=False, strict=True)
    table = table_of(two_arms("t", 0.9, 0.5), lost)
    found = analyse(table, plan_of(SKILL, denominator="all"))
    assert (rewards(found)[""].strict[1].passes, rewards(found)[""].strict[1].runs) == (0, 2)
    (arm,) = (one for one in found.arms if one.condition == "no-skill")
    assert (arm.strict.passes, arm.pass_at[1]) == (0, 0.0)
    (place,) = (one.standings[0] for one in found.standings if one.condition == "no-skill")
    assert place.strict.passes == 0


def figures(table: RunTable) -> dict[tuple[str, str, str], tuple[float, float, int]]:
    """Return what the supplied contrasts come to, by name, metric and setting."""
    return {
        (one.contrast, one.metric, one.setting): (one.delta, one.treatment, one.tasks)
        for one in analyse(table, default_plan(table)).contrasts
    }


def test_released_files_say_the_same_together_and_in_one_file(tmp_path: Path) -> None:
    """Key F1 of files that tell it is not carried to the runs of one that does not."""
    apart = read_run_table([RELEASED / name for name in FILES])
    rows = [
        {"reasoning_effort": "medium", **row}  # as reading takes it from the other file
        for name in FILES
        for row in csv.DictReader((RELEASED / name).open(newline=""))
    ]
    one_file = tmp_path / "runs.csv"
    with one_file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)
    together = figures(apart)
    assert figures(read_run_table([one_file])) == together
    assert {key for key in together if key[1] == "key_f1"}
    singly = [figures(read_run_table([RELEASED / name])) for name in FILES]
    primary = {key: value for key, value in singly[0].items() if "with-skill-" in key[0]}
    assert primary
    assert {key: together[key] for key in primary} == primary
