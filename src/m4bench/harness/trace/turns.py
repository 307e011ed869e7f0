# SPDX-License-Identifier: MIT
"""Orders a trace into turns of the model, each with its calls and their results. Knows no file format.

A turn is what one answer of the model held, as far as the events tell: reasoning, messages and calls that follow each
other. It ends with its usage, or when the model speaks after a result; where a tool tells the usage of each model
call, a further call after a result still belongs to the turn, for such a tool runs one call after another. And where
the calls of an answer are told after its usage, they belong to the turn that the usage has ended.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from m4bench.model.trace import TraceEvent


@dataclass
class Call:
    """A call of a tool and what came back, in the order in which it came."""

    event: TraceEvent
    turn: "Turn"
    results: list[TraceEvent] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether any result says so: by its own word, else by an exit code other than 0."""
        return any(
            bool(one.exit_code) if one.failed is None else one.failed for one in self.results
        )


@dataclass
class Turn:
    """One answer of the model; `usage` are the counts of single model calls told for it, at most one."""

    seconds: float
    parent: Any = None
    spoken: list[TraceEvent] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    usage: TraceEvent | None = None
    stray: list[TraceEvent] = field(default_factory=list)
    heard: bool = False


@dataclass
class Remark:
    """What is not the model's: a message of the user or the tool, or an error."""

    event: TraceEvent
    stray: list[TraceEvent] = field(default_factory=list)


@dataclass
class Telling:
    """A whole run: `steps` in order; `stray` are results without a call that come before any step.

    `totals` are counts of all model calls so far, in order.
    """

    steps: list[Turn | Remark] = field(default_factory=list)
    stray: list[TraceEvent] = field(default_factory=list)
    sessions: list[TraceEvent] = field(default_factory=list)
    totals: list[TraceEvent] = field(default_factory=list)
    ends: list[TraceEvent] = field(default_factory=list)

    @property
    def turns(self) -> list[Turn]:
        """The turns alone."""
        return [step for step in self.steps if isinstance(step, Turn)]


def telling_of(events: Sequence[TraceEvent]) -> Telling:
    """Return the events in order of turns; each call and each result is in it exactly once."""
    metered = any(event.kind == "usage" and not _cumulative(event) for event in events)
    ordering = _Ordering(metered=metered, calls_last=_calls_follow_usage(events))
    for event in events:
        ordering.take(event)
    return ordering.telling


def _calls_follow_usage(events: Sequence[TraceEvent]) -> bool:
    """Tell whether a tool tells the calls of an answer after its usage: no usage between a call and a result."""
    counted = calling = False
    for event in events:
        if event.kind == "tool_call":
            if not counted:
                return False
            calling = True
        elif event.kind == "tool_result":
            calling = False
        elif event.kind == "usage" and not _cumulative(event):
            if calling:
                return False
            counted = True
    return counted


def _cumulative(event: TraceEvent) -> bool:
    return bool(event.extra.get("cumulative"))


class _Ordering:
    """Takes events one by one.

    `metered` is whether the usage of single model calls is told, `calls_last` whether calls are told after it.
    """

    def __init__(self, *, metered: bool, calls_last: bool) -> None:
        self.metered, self.calls_last = metered, calls_last
        self.telling = Telling()
        self.open: Turn | None = None
        self.last: Turn | None = None
        self.measured: Turn | None = None
        self.ids: set[str] = set()
        # a call without an id waits under None
        self.waiting: dict[str | None, deque[Call]] = defaultdict(deque)
        self.answered: dict[str, Call] = {}

    def take(self, event: TraceEvent) -> None:
        """Put one event where it belongs."""
        match event.kind:
            case "session":
                self.telling.sessions.append(event)
            case "end":
                self.telling.ends.append(event)
            case "usage" if _cumulative(event):
                self.telling.totals.append(event)
            case "usage":
                self._meter(event)
            case "tool_result":
                self._result(event)
            case "tool_call":
                self._call(event)
            case "reasoning":
                self._turn(event).spoken.append(event)
            case "message" if event.role in (None, "assistant"):
                self._turn(event).spoken.append(event)
            case _:
                self.telling.steps.append(Remark(event))
                self.open = self.measured = None

    def _turn(self, event: TraceEvent) -> Turn:
        parent = event.extra.get("parent")
        continued = self.open is not None and self.open.parent == parent
        if self.open is not None and self.open.heard:
            continued = continued and self.metered and event.kind == "tool_call"
        if self.open is not None and continued:
            return self.open
        return self._begin(event)

    def _turn_of_call(self, event: TraceEvent) -> Turn:
        measured = self.measured
        if measured is not None and measured.parent == event.extra.get("parent"):
            return measured
        return self._turn(event)

    def _begin(self, event: TraceEvent) -> Turn:
        turn = Turn(event.seconds, event.extra.get("parent"))
        self.telling.steps.append(turn)
        self.open = self.last = turn
        self.measured = None
        self.ids = set()
        return turn

    def _call(self, event: TraceEvent) -> None:
        turn = self._turn_of_call(event)
        name = event.call_id or None
        if name is not None and name in self.ids:
            turn = self._begin(event)
        if name is not None:
            self.ids.add(name)
        call = Call(event, turn)
        turn.calls.append(call)
        self.waiting[name].append(call)

    def _result(self, event: TraceEvent) -> None:
        name = event.call_id or None
        waiting = self.waiting[name]
        call = waiting.popleft() if waiting else self.answered.get(name) if name else None
        if call is None:
            steps = self.telling.steps
            (steps[-1].stray if steps else self.telling.stray).append(event)
            return
        if name is not None:
            self.answered[name] = call
        call.results.append(event)
        call.turn.heard = True

    def _meter(self, event: TraceEvent) -> None:
        if self.last is None or self.last.usage is not None:
            # an answer that says nothing was asked for all the same
            self._begin(event)
        if self.last is not None:
            self.last.usage = event
        self.open = None
        self.measured = self.last if self.calls_last else None
