# SPDX-License-Identifier: MIT
"""Tells a run's events as a trajectory in ATIF 1.8. Knows no tool: only the turns of a trace.

The user's step with the instruction comes first; then each turn of the model is a step of the agent with its calls,
what they gave, and its metrics; messages of the tool and errors are steps of the system.
"""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from m4bench.harness.trace.storable import Storable
from m4bench.harness.trace.trajectory import (
    AtifAgent,
    FinalMetrics,
    Metrics,
    Observation,
    ObservationResult,
    Step,
    ToolCall,
    Trajectory,
)
from m4bench.harness.trace.turns import Call, Remark, Telling, Turn, telling_of
from m4bench.model.legible import writable
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens, Usage

NAMELESS_TOOL = "unnamed"
PARAGRAPH = "\n\n"


def to_atif(
    events: Sequence[TraceEvent],
    *,
    session_id: str,
    agent: str,
    version: str,
    model: str | None,
    instruction: str,
    started: datetime,
    usage: Usage | None,
) -> Trajectory:
    """Return the trajectory of a run: every call and every result is in it exactly once, whatever the events are.

    A result stands with its call, also when it came later; one without a call is kept as `unmatched_results` in the
    `extra` of the step it followed, and no id is made up for it. The totals are the gateway's where it counted
    (`usage`), else the tool's own; both are kept in their `extra`.

    Args:
        events: of the trace, in order.
        session_id: the run's id.
        agent: the agent's name.
        version: its version.
        model: the model asked for.
        instruction: what the agent was asked.
        started: when it was; events are told in seconds since.
        usage: what the gateway counted.
    """
    storable = Storable()
    telling = telling_of([storable.event(event) for event in events])
    steps = _Steps(started, instruction).of(telling)
    return Trajectory(
        session_id=writable(session_id),
        agent=AtifAgent(
            name=writable(agent),
            version=writable(version),
            model_name=None if model is None else writable(model),
            extra=_told(sessions=[_facts(one, "seconds", "model") for one in telling.sessions]),
        ),
        steps=tuple(steps),
        final_metrics=_final(telling, usage, len(steps)),
        extra=_told(
            ends=[_facts(one, "seconds", "text") for one in telling.ends],
            counts=[_facts(one, "seconds", "tokens", "cost_usd") for one in telling.totals],
        ),
    )


class _Steps:
    """Makes the steps of one run."""

    def __init__(self, started: datetime, instruction: str) -> None:
        self.started = started if started.tzinfo else started.replace(tzinfo=UTC)
        self.instruction = writable(instruction)

    def of(self, telling: Telling) -> list[Step]:
        """Return the steps in order, the instruction first; a tool's echo of it is not told twice."""
        first = Step(
            step_id=1,
            timestamp=self._time(0.0),
            source="user",
            message=self.instruction,
            extra=_told(unmatched_results=self._unmatched(telling.stray)),
        )
        steps, rest = [first], telling.steps
        if rest and isinstance(rest[0], Remark) and self._is_echo(rest[0]):
            rest = rest[1:]
        for step in rest:
            number = len(steps) + 1
            if isinstance(step, Turn):
                steps.append(self._turn(step, number))
            else:
                steps.append(self._remark(step, number))
        return steps

    def _is_echo(self, remark: Remark) -> bool:
        event = remark.event
        same = (event.text or "").strip() == self.instruction.strip()
        return event.role == "user" and same and not remark.stray

    def _time(self, seconds: float) -> str:
        try:
            return (self.started + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
        except OverflowError:
            return self.started.isoformat(timespec="milliseconds")

    def _remark(self, remark: Remark, number: int) -> Step:
        event = remark.event
        return Step(
            step_id=number,
            timestamp=self._time(event.seconds),
            source="user" if event.kind == "message" and event.role == "user" else "system",
            message=event.text or "",
            extra=_told(
                error=True if event.kind == "error" else None,
                **_facts(event, "status", "model"),
                unmatched_results=self._unmatched(remark.stray),
            ),
        )

    def _turn(self, turn: Turn, number: int) -> Step:
        said = [one.text for one in turn.spoken if one.kind == "message" and one.text]
        thought = [one.text for one in turn.spoken if one.kind == "reasoning" and one.text]
        told = [*turn.spoken, *(call.event for call in turn.calls)]
        told += [turn.usage] if turn.usage else []
        calls, results = self._calls(turn.calls)
        return Step(
            step_id=number,
            timestamp=self._time(turn.seconds),
            source="agent",
            model_name=next((one.model for one in told if one.model), None),
            message=PARAGRAPH.join(said),
            reasoning_content=PARAGRAPH.join(thought) or None,
            tool_calls=tuple(calls) or None,
            observation=Observation(results=tuple(results)) if results else None,
            metrics=_metrics(turn.usage),
            llm_call_count=1 if turn.usage else None,
            extra=_told(
                parent=turn.parent,
                told=[one.extra for one in turn.spoken if set(one.extra) - {"parent"}],
                unmatched_results=self._unmatched(turn.stray),
            ),
        )

    def _calls(self, calls: Sequence[Call]) -> tuple[list[ToolCall], list[ObservationResult]]:
        taken = {call.event.call_id for call in calls}
        made: list[ToolCall] = []
        results: list[ObservationResult] = []
        number = 0
        for call in calls:
            event = call.event
            name = event.call_id or ""
            while not name or (name in taken and not event.call_id):
                # the format asks for an id where the tool told none
                number += 1
                name = f"unnamed-{number}"
            arguments = event.arguments or {}
            own = event.command if arguments.get("command") != event.command else None
            made.append(
                ToolCall(
                    tool_call_id=name,
                    function_name=event.tool or NAMELESS_TOOL,
                    arguments=arguments,
                    extra=_told(
                        timestamp=self._time(event.seconds),
                        command=own,
                        id_told=None if event.call_id else False,
                        **_facts(event),
                    ),
                )
            )
            results += [self._result(name, result) for result in call.results]
        return made, results

    def _result(self, name: str, event: TraceEvent) -> ObservationResult:
        extra = _told(
            timestamp=self._time(event.seconds), **_facts(event, "exit_code", "failed", "status")
        )
        return ObservationResult(source_call_id=name, content=event.text, extra=extra)

    def _unmatched(self, events: Sequence[TraceEvent]) -> list[dict[str, Any]]:
        fields = ("call_id", "tool", "exit_code", "failed", "status")
        return [
            {
                "timestamp": self._time(event.seconds),
                "content": event.text,
                **_facts(event, *fields),
            }
            for event in events
        ]


def _told(**facts: Any) -> dict[str, Any] | None:
    """Return those facts that are any, None when there are none."""
    return {name: fact for name, fact in facts.items() if fact not in (None, [], {})} or None


def _facts(event: TraceEvent, *names: str) -> dict[str, Any]:
    """Return the named fields of an event that are told, and what the tool told beside them under `told`."""
    fields = {name: getattr(event, name) for name in names}
    found = {
        name: one.model_dump() if isinstance(one, Tokens) else one
        for name, one in fields.items()
        if one is not None
    }
    return found | ({"told": event.extra} if event.extra else {})


def _metrics(event: TraceEvent | None) -> Metrics | None:
    if event is None:
        return None
    tokens = event.tokens
    return Metrics(
        prompt_tokens=tokens.input if tokens else None,
        completion_tokens=tokens.output if tokens else None,
        cached_tokens=tokens.cached if tokens else None,
        cost_usd=event.cost_usd,
        extra=_told(
            cache_write_tokens=(tokens.cache_write or None) if tokens else None,
            reasoning_tokens=(tokens.reasoning or None) if tokens else None,
            **_facts(event),
        ),
    )


def _final(telling: Telling, usage: Usage | None, steps: int) -> FinalMetrics:
    tokens, cost = _own_word(telling)
    told = {"tokens": tokens.model_dump() if tokens else None, "cost_usd": cost}
    extra: dict[str, Any] = {}
    if usage is not None:
        extra["gateway"] = usage.writable().model_dump(mode="json")
    if any(value is not None for value in told.values()):
        extra["tool"] = told
    # a gateway whose upstream never told a count has none to go before the tool's
    if usage is not None and (tokens is None or usage.uncounted < max(usage.requests, 1)):
        tokens, cost = usage.tokens, usage.cost_usd
        extra["source"] = "gateway"
    elif "tool" in extra:
        extra["source"] = "tool"
    return FinalMetrics(
        total_prompt_tokens=tokens.input if tokens else None,
        total_completion_tokens=tokens.output if tokens else None,
        total_cached_tokens=tokens.cached if tokens else None,
        total_cost_usd=cost,
        total_steps=steps,
        extra=extra or None,
    )


def _own_word(telling: Telling) -> tuple[Tokens | None, float | None]:
    """Return what the tool says it used: its last total, else the sum over its model calls."""
    single = [turn.usage for turn in telling.turns if turn.usage is not None]
    totals = [one.tokens for one in telling.totals if one.tokens is not None]
    counts = [one.tokens for one in single if one.tokens is not None]
    tokens = totals[-1] if totals else sum(counts, Tokens()) if counts else None
    sums = [one.cost_usd for one in telling.totals if one.cost_usd is not None]
    costs = [one.cost_usd for one in single if one.cost_usd is not None]
    cost = sums[-1] if sums else sum(costs) if costs else None
    return tokens, cost if cost is not None and math.isfinite(cost) else None
