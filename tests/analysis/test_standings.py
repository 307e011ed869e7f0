# SPDX-License-Identifier: MIT
"""Systems in groups of ties, by hand."""

from typing import Any

import pytest

from m4bench.analysis.pairing import metrics
from m4bench.analysis.results import Standings
from m4bench.analysis.runs import RunRow, RunTable
from m4bench.analysis.standings import common_tasks, standings
from m4bench.model.analysis import AnalysisPlan
from tests.analysis.made_runs import made, plan_of, table_of

TASKS = "abcdefgh"


def standing(table: RunTable, plan: AnalysisPlan | None = None) -> tuple[Standings, ...]:
    """Return the standings of a table."""
    return standings(table.cells(), metrics(table)["reward"], plan or plan_of())


def system(model: str, reward: float, tasks: str = TASKS) -> list[RunRow]:
    """Return a run a task, rewards a little apart from task to task."""
    return [made(task, "no-skill", reward + at / 100, model=model) for at, task in enumerate(tasks)]


def test_identical_programs_tie_and_a_better_one_is_told_apart() -> None:
    """Eight families: p is 1/128 a pair with the better one, 3/128 after Holm; the twins differ by nothing."""
    (found,) = standing(table_of(system("best", 0.8), system("twin", 0.4), system("twin2", 0.4)))
    assert [(one.system, one.letters, one.tied_with) for one in found.standings] == [
        ("codex · best", "a", ()),
        ("codex · twin", "b", ("codex · twin2",)),
        ("codex · twin2", "b", ("codex · twin",)),
    ]
    adjusted = {(one.first, one.second): one.p_adjusted for one in found.pairs}
    assert adjusted == {
        ("codex · best", "codex · twin"): pytest.approx(3 / 128),
        ("codex · best", "codex · twin2"): pytest.approx(3 / 128),
        ("codex · twin", "codex · twin2"): 1.0,
    }
    twins = found.pairs[-1]
    assert (twins.delta, twins.interval) == (0.0, None)
    assert found.notes == ()


def test_too_few_families_tell_nobody_apart_and_a_note_says_why() -> None:
    """Four families have no p below 1/8."""
    (found,) = standing(table_of(system("a", 0.9, "abcd"), system("b", 0.1, "abcd")))
    assert [one.letters for one in found.standings] == ["a", "a"]
    assert [one.p_value for one in found.pairs] == [0.125]
    assert "can tell no two systems apart" in found.notes[0]


def test_one_family_compares_nothing() -> None:
    """No p-value, and no letter of difference."""
    runs = [made("t", "no-skill", reward, model=str(reward)) for reward in (0.2, 0.9)]
    (found,) = standing(table_of(runs))
    assert [one.p_value for one in found.pairs] == [None]
    assert [one.letters for one in found.standings] == ["a", "a"]
    assert found.notes == ("all common tasks are of one family: nothing tells systems apart",)


def test_a_system_alone_has_no_letter() -> None:
    """A letter says whom it is not told apart from; beside one that stands aside it is alone, too."""
    (alone,) = standing(table_of(system("m", 0.5)))
    aside = [made(task, "no-skill", 0.4, model="local", publishable=False) for task in TASKS]
    (beside,) = standing(table_of(system("m", 0.5), aside))
    (two,) = standing(table_of(system("m", 0.5), system("n", 0.5)))
    assert [one.letters for one in (*alone.standings, *beside.standings)] == ["", ""]
    assert [one.letters for one in two.standings] == ["a", "a"]


def test_a_system_alone_has_no_pair() -> None:
    """It stands with its mean."""
    passing = made("a", "no-skill", 0.5, model="a", strict=True)
    (found,) = standing(table_of(system("a", 0.5), passing))
    assert (found.pairs, len(found.standings)) == ((), 1)
    assert found.standings[0].reward == pytest.approx(0.535)
    assert (found.standings[0].strict.passes, found.standings[0].strict.runs) == (1, 9)
    assert found.notes == ("one system: nothing to compare it with",)


def test_a_system_that_lacks_tasks_is_listed_with_those_it_has_and_compared_on_common_ones() -> (
    None
):
    """Two have all eight; the third, with the two easiest, does not narrow their tasks."""
    (found,) = standing(table_of(system("a", 0.5), system("b", 0.3), system("easy", 0.9, "ab")))
    told = {one.system: (one.tasks, round(one.reward, 3)) for one in found.standings}
    assert told == {
        "codex · easy": (2, 0.905),
        "codex · a": (8, 0.535),
        "codex · b": (8, 0.335),
    }
    assert [one.tasks for one in found.pairs] == [8, 2, 2]
    assert any(note.startswith("codex · easy has 2 of the 8 tasks") for note in found.notes)


def test_means_are_over_the_tasks_that_all_compared_systems_have() -> None:
    """One of them has a task more, which moves its mean no more than the others'."""
    (found,) = standing(
        table_of(
            system("a", 0.5, "abcd"),
            made("extra", "no-skill", 1.0, model="a"),
            system("b", 0.5, "abcd"),
        )
    )
    assert [one.tasks for one in found.standings] == [4, 4]
    assert [one.reward for one in found.standings] == pytest.approx([0.515, 0.515])
    assert any(note.startswith("codex · a has 5 tasks, of which 4") for note in found.notes)


@pytest.mark.parametrize(
    ("tasks", "common"),
    [
        ([{"a", "b"}, {"b", "c"}], {"b"}),
        ([{"a", "b", "c", "d"}, {"a"}], {"a", "b", "c", "d"}),
        ([{"a"}, {"b"}], {"a", "b"}),
        ([{"a"}, {"b"}, {"c"}], {"a", "b", "c"}),
    ],
)
def test_common_tasks(tasks: list[set[str]], common: set[str]) -> None:
    """Of all that have at least half; all tasks where nothing is common."""
    assert common_tasks(tasks) == common


def test_systems_without_a_common_task_are_not_compared() -> None:
    """Not compared is not told apart."""
    (found,) = standing(table_of(system("a", 0.9, "ab"), system("b", 0.1, "cd")))
    assert found.pairs == ()
    assert [one.letters for one in found.standings] == ["a", "a"]
    assert "without a common task" in found.notes[-1]


@pytest.mark.parametrize(
    "other",
    [
        {"convention": "current"},
        {"drops": "strict"},
        {"access": "open", "dataset": "demo"},
        {"schema": "obfuscated"},
        {"condition": "with-skill"},
    ],
)
def test_different_settings_are_never_compared(other: dict[str, Any]) -> None:
    """Another convention, other drops, data, schema or condition is another table."""
    given: dict[str, Any] = {"condition": "no-skill", "reward": 0.5, "model": "b"}
    table = table_of(made("t", "no-skill", 0.5, model="a"), made("t", **(given | other)))
    found = standing(table)
    assert [len(one.standings) for one in found] == [1, 1]


def test_baselines_stand_aside_where_nothing_is_publishable() -> None:
    """Without isolation nobody is publishable, and a baseline is compared with no agent all the same."""
    agents = [
        made(task, "no-skill", reward, model=model, publishable=False)
        for task in TASKS
        for model, reward in (("a", 0.5), ("b", 0.6))
    ]
    naive = [
        made(task, "no-skill", 0.9, agent="naive", model="", publishable=False) for task in TASKS
    ]
    (alone,), (found,) = standing(table_of(agents)), standing(table_of(agents, naive))
    assert (found.standings, found.pairs, found.aside) == (alone.standings, alone.pairs, ("naive",))
    assert found.notes[0] == "baselines, which are no measured agents and left aside: naive"
    (neither,) = standing(table_of(naive))
    assert [one.system for one in neither.standings] == ["naive"]


def test_what_is_not_publishable_stands_aside_where_others_are() -> None:
    """It takes no letter, no place among the pairs of Holm's correction, and no part in the others' tasks."""
    unpublished = [
        made(task, "no-skill", 1.0, model="reference", publishable=False) for task in TASKS
    ]
    alone = standing(table_of(system("best", 0.8), system("twin", 0.4)))[0]
    (found,) = standing(table_of(system("best", 0.8), system("twin", 0.4), unpublished))
    assert (found.standings, found.pairs) == (alone.standings, alone.pairs)
    assert (found.aside, alone.aside) == (("codex · reference",), ())
    assert found.notes == ("not publishable and left aside, since others are: codex · reference",)
    (neither,) = standing(table_of(unpublished))
    assert ([one.system for one in neither.standings], neither.aside) == (["codex · reference"], ())


def test_of_a_system_with_both_only_publishable_runs_stand() -> None:
    """A task without a publishable run is none of it; a run without a measurement is no objection."""
    lost = made("b", "no-skill", None, state="infrastructure", valid=False, publishable=False)
    mixed = made("z", "no-skill", 1.0, model="a", publishable=False)
    (found,) = standing(table_of(system("a", 0.5), mixed, lost))
    assert [(one.tasks, one.reward, one.publishable) for one in found.standings] == [
        (8, pytest.approx(0.535), True)
    ]


def test_families_weigh_equally_where_the_plan_says_so() -> None:
    """(.2 + .4) / 2 and .9 make .6, not .5."""
    table = table_of(
        made("t", "no-skill", 0.2, family="f"),
        made("u", "no-skill", 0.4, family="f"),
        made("v", "no-skill", 0.9, family="g"),
    )
    (found,) = standing(table, plan_of(weighting="family"))
    assert found.standings[0].reward == pytest.approx(0.6)
