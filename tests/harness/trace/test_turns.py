# SPDX-License-Identifier: MIT
"""Where one answer of the model ends and the next begins, for each way in which tools tell it."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from m4bench.harness.trace.turns import Turn, telling_of
from m4bench.model.trace import TraceEvent

from .telling import RUNS, call, result, said, thought, used


def short(events: list[TraceEvent]) -> list[str]:
    """Each step in a word: a turn's texts, its calls with their results, and the tokens it used."""
    words = []
    for step in telling_of(events).steps:
        if isinstance(step, Turn):
            parts = [one.text or "" for one in step.spoken]
            parts += [f"{one.event.call_id}={len(one.results)}" for one in step.calls]
            parts += [str(step.usage.tokens.input)] if step.usage and step.usage.tokens else []
            words.append(" ".join(parts))
        else:
            words.append(f"<{step.event.text}>")
    return words


CASES = {
    "without any counts a turn ends with its results": (
        [thought("hm"), said("so"), call("a"), call("b"), result("a"), result("b"), said("end")],
        ["hm so a=1 b=1", "end"],
    ),
    "a call after a result is of the next answer": (
        [call("a"), result("a"), call("b"), result("b")],
        ["a=1", "b=1"],
    ),
    "a total at the end changes nothing": (
        [call("a"), result("a"), call("b"), result("b"), used(9, cumulative=True)],
        ["a=1", "b=1"],
    ),
    "counts after the results": (
        [call("a"), result("a"), call("b"), result("b"), used(1), said("end"), used(2)],
        ["a=1 b=1 1", "end 2"],
    ),
    "counts between calls and results": (
        [said("so"), used(1), call("a"), call("b"), used(2), result("a"), result("b"), used(3)],
        ["so 1", "a=1 b=1 2", "3"],
    ),
    "counts before the calls": (
        [said("so"), used(1), call("a"), result("a"), call("b"), result("b"), used(2), call("c"),
         result("c"), said("end"), used(3)],
        ["so a=1 b=1 1", "c=1 2", "end 3"],
    ),
    "an answer without a count before one with": (
        [call("a"), result("a"), said("more"), call("b"), result("b"), used(2)],
        ["a=1", "more b=1 2"],
    ),
    "an answer that says nothing": ([used(1), said("x"), used(2)], ["1", "x 2"]),
    "an error between": (
        [call("a"), TraceEvent(seconds=1, kind="error", text="429"), result("a"), said("end")],
        ["a=1", "<429>", "end"],
    ),
    "a result that comes later": (
        [call("a"), call("b"), result("b"), said("meanwhile"), result("a"), said("end")],
        ["a=1 b=1", "meanwhile end"],
    ),
    "a name used again": (
        [call("a"), result("a"), call("a"), result("a"), result("a")],
        ["a=1", "a=2"],
    ),
    "a name used twice at once": ([call("a"), call("a"), result("a"), result("a")], ["a=1", "a=1"]),
    "no names": ([call(None), call(""), result(None), result("")], ["None=1 =1"]),
    "an agent of the agent": (
        [call("a"), call("b", extra={"parent": "a"}), result("b"), result("a"), said("end")],
        ["a=1", "b=1", "end"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("events", "steps"), CASES.values(), ids=CASES)
def test_a_turn_is_one_answer_of_the_model(events: list[TraceEvent], steps: list[str]) -> None:
    """Told in the order in which a tool tells it."""
    assert short(events) == steps


def test_a_result_of_no_call_stays_where_it_came() -> None:
    """With the step before it, or before all."""
    telling = telling_of([result("x"), said("hm"), result("y"), result(None)])
    assert [one.call_id for one in telling.stray] == ["x"]
    assert [one.call_id for one in telling.steps[0].stray] == ["y", None]


@pytest.mark.parametrize(
    ("told", "failed"),
    [
        ({"failed": True}, True),
        ({"failed": False, "exit_code": 1}, False),
        ({"exit_code": 1}, True),
        ({"exit_code": 0}, False),
        ({}, False),
    ],
)
def test_a_call_failed_by_its_own_word_then_by_its_exit_code(
    told: dict[str, Any], *, failed: bool
) -> None:
    """A tool that says nothing has not failed."""
    telling = telling_of([call("a"), result("a", **told)])
    assert telling.turns[0].calls[0].failed is failed


@given(RUNS)
def test_no_event_is_lost_or_told_twice(events: list[TraceEvent]) -> None:
    """Whatever the order."""
    telling = telling_of(events)
    found = [*telling.stray, *telling.sessions, *telling.totals, *telling.ends]
    for step in telling.steps:
        found += step.stray
        if isinstance(step, Turn):
            found += [*step.spoken, *([step.usage] if step.usage else [])]
            for one in step.calls:
                found += [one.event, *one.results]
        else:
            found.append(step.event)
    assert Counter(map(id, found)) == Counter(map(id, events))
