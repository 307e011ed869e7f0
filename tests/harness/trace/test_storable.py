# SPDX-License-Identifier: MIT
"""What of an event is stored: bounded, and JSON."""

import json
from typing import Any

import pytest
from hypothesis import given

from m4bench.harness.trace.storable import (
    DEEPEST,
    LEFT_OUT,
    LONGEST_NAME,
    LONGEST_TEXT,
    TOO_DEEP,
    Storable,
)
from m4bench.model.trace import TraceEvent

from .telling import EVENTS, call, result, said


def nested(depth: int) -> dict[str, Any]:
    """A mapping with as many mappings within."""
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {"a": found}
    return found


def test_a_text_keeps_its_head_and_its_end_around_a_mark() -> None:
    """Three quarters of what is kept are the head, as the mark says by how many bytes the text was too long."""
    storable = Storable()
    text = "h" * LONGEST_TEXT + "the end"
    found = storable.event(said(text)).text or ""
    assert len(found.encode()) <= LONGEST_TEXT
    assert found.startswith("h" * (LONGEST_TEXT * 3 // 4 - 100))
    assert f"\n[left out: {len(text)} bytes are too long]\n" in found
    assert found.endswith("the end")
    assert storable.cut == 1


@pytest.mark.parametrize("letter", ["x", "é", "𝄞"])
def test_the_bound_of_a_text_is_in_bytes(letter: str) -> None:
    """A text of exactly as many bytes is kept, one letter more is cut between letters."""
    fitting = letter * (LONGEST_TEXT // len(letter.encode()))
    assert Storable().text(fitting) == fitting
    cut = Storable().text(fitting + letter)
    assert len(cut.encode()) <= LONGEST_TEXT
    assert set(cut.partition("\n")[0]) == {letter}


def test_long_names_of_a_call_and_its_result_still_meet_and_others_do_not() -> None:
    """Names that differ only far behind stay different."""
    storable = Storable()
    long, other = "x" * 5000 + "1", "x" * 5000 + "2"
    calling, answer = storable.event(call(long)), storable.event(result(long))
    assert calling.call_id == answer.call_id
    assert len(calling.call_id or "") <= LONGEST_NAME
    assert storable.event(call(other)).call_id != calling.call_id


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        ("half a pair \ud83d", "half a pair \\ud83d"),
        ((1, 2), [1, 2]),
        ({1: None}, {"1": None}),
        (10**30, 10**30),
        (1 << 5000, "[left out: a number of 5001 bits]"),
        ({1}, "[left out: set]"),
    ],
)
def test_what_json_cannot_hold_is_told_as_text(value: object, stored: object) -> None:
    """A value nobody can read back does not keep its event from being stored."""
    found = Storable().event(call("a", arguments={"it": value})).arguments
    assert found == {"it": stored}


def test_deep_values_are_left_out_from_a_depth_on() -> None:
    """A reader of JSON has no depth to follow forever."""
    storable = Storable()
    found: Any = storable.event(call("a", arguments=nested(10_000))).arguments
    for _ in range(DEEPEST):
        found = found["a"]
    assert found == TOO_DEEP
    assert storable.cut == 1
    assert storable.event(call("a", arguments=nested(DEEPEST - 1))).arguments == nested(31)


@pytest.mark.parametrize(
    "values",
    [
        {"many": ["x" * 100] * 100_000},
        {str(number): "x" * 100 for number in range(100_000)},
        {"wide": [[]] * 1_000_000},
    ],
)
def test_all_values_together_are_bounded(values: dict[str, Any]) -> None:
    """About 1 MiB is kept, the rest left out with a mark."""
    found = Storable().event(call("a", arguments=values)).arguments
    told = json.dumps(found)
    assert LEFT_OUT in told
    assert 256 << 10 <= len(told) <= 2 << 20


@given(EVENTS)
def test_a_stored_event_is_read_back_equal_and_is_stored_as_it_is(event: TraceEvent) -> None:
    """Whatever an event holds, its stored form is JSON that every reader takes."""
    stored = Storable().event(event)
    text = stored.model_dump_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert TraceEvent.model_validate_json(text) == stored
    assert Storable().event(stored) == stored
