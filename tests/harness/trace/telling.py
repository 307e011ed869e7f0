# SPDX-License-Identifier: MIT
"""Short ways to say an event, and any list of events."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from m4bench.harness.trace.atif import to_atif
from m4bench.harness.trace.trajectory import Trajectory
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens, Usage

STARTED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def said(text: str, role: Any = "assistant", **told: Any) -> TraceEvent:
    """A message."""
    return TraceEvent(seconds=1.0, kind="message", role=role, text=text, **told)


def thought(text: str) -> TraceEvent:
    """A piece of reasoning."""
    return TraceEvent(seconds=1.0, kind="reasoning", text=text)


def call(name: str | None, command: str | None = None, **told: Any) -> TraceEvent:
    """A call of a tool, of the shell where there is a command."""
    tool = told.pop("tool", "bash" if command else "read")
    return TraceEvent(
        seconds=2.0, kind="tool_call", call_id=name, tool=tool, command=command, **told
    )


def result(name: str | None, text: str = "done", **told: Any) -> TraceEvent:
    """What came back."""
    return TraceEvent(seconds=3.5, kind="tool_result", call_id=name, text=text, **told)


def used(count: int, **told: Any) -> TraceEvent:
    """The usage of one model call, or of all so far."""
    extra = {"cumulative": True} if told.pop("cumulative", False) else {}
    tokens = Tokens(input=count, cached=count // 2, output=1)
    return TraceEvent(seconds=4.0, kind="usage", tokens=tokens, extra=extra, **told)


def trajectory(*events: TraceEvent, usage: Usage | None = None) -> Trajectory:
    """The trajectory of some events."""
    return to_atif(
        events,
        session_id="the-run",
        agent="toy",
        version="1",
        model="some-model",
        instruction="Write the file.",
        started=STARTED,
        usage=usage,
    )


TEXTS = st.text(st.characters(exclude_categories=()), max_size=8)
NAMES = st.sampled_from(["a", "b", "", "unnamed-1", None])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
MAPPINGS = st.dictionaries(TEXTS | st.sampled_from(["cumulative", "parent"]), VALUES, max_size=3)
COUNTS = st.integers(min_value=-(2**70), max_value=2**70)
EVENTS = st.builds(
    TraceEvent,
    seconds=st.floats() | st.floats(0, 100),
    kind=st.sampled_from(
        ["session", "message", "reasoning", "tool_call", "tool_result", "usage", "error", "end"]
    ),
    role=st.sampled_from(["system", "user", "assistant", None]),
    text=st.none() | TEXTS,
    call_id=NAMES,
    tool=st.none() | TEXTS,
    arguments=st.none() | MAPPINGS,
    command=st.none() | TEXTS,
    exit_code=st.none() | COUNTS,
    failed=st.none() | st.booleans(),
    tokens=st.none() | st.builds(Tokens, input=COUNTS, cached=COUNTS, output=COUNTS),
    cost_usd=st.none() | st.floats(),
    status=st.none() | COUNTS,
    model=st.none() | TEXTS,
    extra=MAPPINGS,
)
RUNS = st.lists(EVENTS, max_size=14)
