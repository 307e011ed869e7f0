# SPDX-License-Identifier: MIT
"""What stands on a board together, what beside it, and what never does."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from m4bench.analysis.reading import read_run_table
from m4bench.analysis.runs import RunTable
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.errors import InputError
from m4bench.report.site.boards import Board, boards, comparable
from tests.report.site.run_tables import build_row, build_rows, write_table

Rows = Sequence[dict[str, Any]]


def table_of(folder: Path, rows: Rows) -> RunTable:
    """Return the table of some rows as a site takes them."""
    return comparable(read_run_table([write_table(folder / "runs.csv", rows)]))


def boards_of(folder: Path, rows: Rows, **plan: Any) -> tuple[Board, ...]:
    """Return the boards of some rows."""
    return boards(table_of(folder, rows), AnalysisPlan(**plan))


@pytest.mark.parametrize(
    "other",
    [
        {"condition": "with-skill"},
        {"schema": "obfuscated"},
        {"convention": "current"},
        {"drops": "published"},
        {"dataset": "synthetic"},
        {"dataset_hash": "f" * 64},
        {"access": "synthetic"},
    ],
)
def test_what_differs_is_on_another_board(tmp_path: Path, other: dict[str, str]) -> None:
    """Two systems share a board only where all they were asked is the same."""
    rows = [
        build_row(agent="one", reward=0.2, dataset_hash="e" * 64),
        build_row(agent="two", reward=0.8, **({"dataset_hash": "e" * 64} | other)),
    ]
    found = boards_of(tmp_path, rows)
    assert sorted([str(entry.system) for entry in board.entries] for board in found) == [
        ["one · m"],
        ["two · m"],
    ]
    assert {entry.reward for board in found for entry in board.entries} == {0.2, 0.8}


def test_sandboxes_and_datasets_that_no_task_tells_apart_stand_together(tmp_path: Path) -> None:
    """Kinds of sandbox, and datasets each with tasks of its own, make one board."""
    rows = [
        build_row("alpha", "one"),
        build_row("beta", "one", dataset="eicu-demo"),
        build_row("alpha", "two", sandbox="docker"),
    ]
    (board,) = boards_of(tmp_path, rows)
    assert board.place.setting.dataset == "eicu-demo + mimic-iv-demo"
    assert sorted(str(entry.system) for entry in board.entries) == ["one · m", "two · m"]


def test_two_versions_of_a_task_are_two_tasks(tmp_path: Path) -> None:
    """Scores of two versions enter no mean together."""
    rows = [
        build_row("alpha", "one", reward=0.2),
        build_row("alpha", "one", reward=0.8, task_version="2.0"),
        build_row("beta", "one"),
    ]
    (board,) = boards_of(tmp_path, rows)
    assert {task: cell.reward for task, cell in board.entries[0].cells.items()} == {
        "alpha, version 1.0": 0.2,
        "alpha, version 2.0": 0.8,
        "beta": 0.5,
    }


def test_what_may_not_be_published_is_beside_the_board(tmp_path: Path) -> None:
    """It has no letter, ties with nobody, and changes no mean of what may be."""
    rows = [
        *build_rows("one", 0.5),
        *build_rows("two", 0.6),
        *build_rows("one", 0.9, publishable=False, trial=2),
        *build_rows("baseline", 0.9, publishable=False),
    ]
    (board,) = boards_of(tmp_path, rows)
    assert [str(entry.system) for entry in board.entries] == ["two · m", "one · m"]
    assert [str(entry.system) for entry in board.aside] == ["baseline · m", "one · m"]
    assert board.entries[1].reward == pytest.approx(0.53)  # 0.5 and the mean of 0.00 … 0.06
    assert board.aside[1].reward == pytest.approx(0.93)
    assert all(entry.standing is None for entry in board.aside)
    assert {pair.first for pair in board.pairs} | {pair.second for pair in board.pairs} == {
        "one · m",
        "two · m",
    }


def test_systems_that_differ_everywhere_share_no_letter_and_alike_ones_do(tmp_path: Path) -> None:
    """Seven families of one sign give the least p there is, 2/128; equal rewards are never told apart."""
    rows = [*build_rows("low", 0.2), *build_rows("high", 0.7), *build_rows("same", 0.7)]
    (board,) = boards_of(tmp_path, rows)
    letters = {
        entry.system.agent: entry.standing.letters for entry in board.entries if entry.standing
    }
    assert letters == {"high": "a", "same": "a", "low": "b"}
    assert {sign: [one.agent for one in found] for sign, found in board.letters.items()} == {
        "a": ["high", "same"],
        "b": ["low"],
    }
    adjusted = {(pair.first, pair.second): pair.p_adjusted for pair in board.pairs}
    assert adjusted["high · m", "low · m"] == pytest.approx(3 * 2 / 128)


def test_runs_without_a_measurement_enter_no_mean_and_are_counted(tmp_path: Path) -> None:
    """The machine's failure is no zero, unless the plan counts all; a system with nothing else is beside."""
    lost = {"reward": "", "agent_status": "infrastructure", "publishable": False}
    rows = [
        build_row("alpha", "one", reward=0.4),
        build_row("alpha", "one", trial=2, **lost),
        build_row("alpha", "gone", **lost),
    ]
    (board,) = boards_of(tmp_path, rows)
    (entry,) = board.entries
    assert (entry.reward, entry.arm.runs, entry.arm.unmeasured) == (0.4, 2, 1)
    assert [(str(one.system), one.reward) for one in board.aside] == [("gone · m", None)]
    (board,) = boards_of(tmp_path, rows, denominator="all")
    assert board.entries[0].reward == 0.2
    assert board.entries[0].cells["alpha"].reward == 0.2


def test_boards_of_most_systems_come_first_and_then_the_one_order(tmp_path: Path) -> None:
    """Of as many systems convention goes before schema, and schema before condition; unknown conditions are last."""
    places = {  # by the order of convention, schema and condition; as many systems as the number says
        ("current", "native", "no-skill"): 2,
        ("published", "obfuscated", "no-skill"): 2,
        ("published", "native", "with-skill"): 2,
        ("published", "native", "with-skill-decoy"): 2,
        ("published", "native", "a-new-one"): 1,
        ("published", "native", "no-skill"): 1,
        ("adjudicated", "shifted", "with-checks"): 3,
    }
    rows = [
        build_row(agent=f"s{n}", condition=condition, schema=schema, convention=convention)
        for (convention, schema, condition), systems in places.items()
        for n in range(systems)
    ]
    rows += [
        build_row(agent=f"b{n}", condition="with-skill-all", publishable=False) for n in range(5)
    ]
    found = [
        (board.place.setting.convention, board.place.schema, board.place.condition)
        for board in boards_of(tmp_path, rows)
    ]
    assert found == [
        ("adjudicated", "shifted", "with-checks"),
        ("published", "native", "with-skill-decoy"),
        ("published", "native", "with-skill"),
        ("published", "obfuscated", "no-skill"),
        ("current", "native", "no-skill"),
        ("published", "native", "no-skill"),
        ("published", "native", "a-new-one"),
        ("published", "native", "with-skill-all"),
    ]


def test_a_system_with_fewer_tasks_is_told(tmp_path: Path) -> None:
    """Its mean is over its own tasks, and the board knows that the others have more."""
    rows = [*build_rows("one", 0.5), *build_rows("two", 0.6), *build_rows("three", 0.1)[:2]]
    (board,) = boards_of(tmp_path, rows)
    assert {entry.system.agent: entry.tasks for entry in board.entries} == {
        "one": 7,
        "two": 7,
        "three": 2,
    }
    assert board.tasks == 7


def test_two_systems_that_would_be_written_alike_are_refused(tmp_path: Path) -> None:
    """No figure could say whose it is."""
    rows = [
        build_row(agent="a · b", model="c"),
        build_row(agent="a", model="b", reasoning_effort="c"),
    ]
    with pytest.raises(InputError, match="written alike"):
        boards_of(tmp_path, rows)
