# SPDX-License-Identifier: MIT
"""What is told of time: shares of a stage, and what is left, computed by hand."""

import pytest

from m4bench.doors.demo_stages import HOSPITAL, PYTHON, RUNS, Schedule, Stage, StageOfWork

from .conftest import Said

FIRST, SECOND, THIRD = Stage("first", 10.0), Stage("second", 20.0), Stage("third", 30.0)


def test_two_pieces_of_work_are_one_stage() -> None:
    """The first piece fills its share of the stage, the second goes on from there; none is passed."""
    said = Said()
    work = StageOfWork(said, HOSPITAL, (0.8, 0.2))
    work.planned("inventing", 100)
    work.advanced(50)
    work.finished("250 of 500 stays")
    work.advanced(100)
    work.planned("importing", 200)
    work.advanced(100)
    work.note("a note of the importer")
    assert said.shares["hospital"] == pytest.approx([0, 0.4, 0.4, 0.8, 0.8, 0.9, 0.9])


def test_work_of_unknown_size_has_no_share() -> None:
    """A piece whose size is not known does not move the bar."""
    said = Said()
    work = StageOfWork(said, HOSPITAL, (1.0,))
    work.planned("inventing", None)
    work.advanced(50)
    assert said.shares["hospital"] == [0, 0]


def schedule() -> Schedule:
    """Three stages of 10, 20 and 30 seconds."""
    return Schedule((FIRST, SECOND, THIRD))


def test_at_first_the_timed_seconds_are_left() -> None:
    """Nothing done: all that was measured elsewhere."""
    assert schedule().remaining(0) == 60


def test_the_pace_of_what_is_done_holds_for_the_rest() -> None:
    """The first took twice its time, so that 20 and 30 become 40 and 60."""
    plan = schedule()
    plan.begin(FIRST, 0)
    plan.end(FIRST, 20, reused=False)
    assert plan.remaining(20) == 100
    plan.begin(SECOND, 20)
    assert plan.remaining(30) == 30 + 60


def test_a_stage_under_way_tells_for_itself() -> None:
    """A quarter done after 5 seconds leaves 15 of it; what is over time leaves nothing."""
    plan = schedule()
    plan.begin(FIRST, 0)
    plan.share = 0.25
    assert plan.remaining(5) == 15 + 50
    plan.share = 0.0
    assert plan.remaining(50) == 50


def test_what_was_there_tells_no_pace() -> None:
    """A stage that found everything there says nothing about how quick this machine is."""
    plan = schedule()
    plan.begin(FIRST, 0)
    plan.end(FIRST, 0.1, reused=True)
    assert plan.remaining(1) == 50


def test_a_standing_hospital_makes_the_rest_quick() -> None:
    """Where the hospital stands only the runs may take their time."""
    plan = Schedule()
    plan.begin(HOSPITAL, 0)
    plan.end(HOSPITAL, 0.1, reused=True)
    assert plan.expected(RUNS) == RUNS.seconds
    assert plan.remaining(1) == RUNS.seconds + len(plan.stages) - 2


def test_the_making_of_the_agents_python_is_counted_unless_it_is_there() -> None:
    """It takes its time the first time, and next to none where it stands."""
    first, again = Schedule(), Schedule(there=[PYTHON])
    assert first.remaining(0) == sum(stage.seconds for stage in first.stages)
    assert PYTHON.seconds > 5
    assert first.remaining(0) - again.remaining(0) == PYTHON.seconds - 1
