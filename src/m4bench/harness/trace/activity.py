# SPDX-License-Identifier: MIT
"""Counts what an agent did, from its trace. Knows no tool and no score."""

from collections import Counter
from collections.abc import Sequence

from m4bench.harness.trace.queries import holds_query
from m4bench.harness.trace.turns import telling_of
from m4bench.model.trace import Activity, TraceEvent

# A run's record stays small whatever names a model makes up.
MOST_TOOLS, OTHER_TOOLS, LONGEST_TOOL = 100, "(others)", 100
NAMELESS = "(no name)"
# Arguments under which tools that are no shell take SQL.
SQL_ARGUMENTS = ("sql", "query", "statement")


def activity_of(
    events: Sequence[TraceEvent],
    *,
    first_event_seconds: float | None,
    first_output_seconds: float | None,
    unread_lines: int,
) -> Activity:
    """Return what the events come to.

    `turns` are those of `m4bench.harness.trace.turns`; `messages` are the model's own. A call failed when any of its
    results says so. `queries` are calls that hold a query by the rule of `m4bench.harness.trace.queries`, in
    their command or, for a tool that runs none, in an argument called `sql`, `query` or `statement`.

    Args:
        events: of the trace, in order.
        first_event_seconds: when the tool printed its first line.
        first_output_seconds: when the deliverable was first there.
        unread_lines: lines that could not be read, or of which the trace keeps nothing.
    """
    turns = telling_of(events).turns
    calls = [call for turn in turns for call in turn.calls]
    tools = Counter((call.event.tool or NAMELESS)[:LONGEST_TOOL] for call in calls)
    return Activity(
        turns=len(turns),
        tool_calls=len(calls),
        failed_tool_calls=sum(call.failed for call in calls),
        commands=sum(bool(call.event.command) for call in calls),
        queries=sum(_queries(call.event) for call in calls),
        messages=sum(one.kind == "message" for turn in turns for one in turn.spoken),
        tools=_most(tools),
        first_event_seconds=first_event_seconds,
        first_output_seconds=first_output_seconds,
        unread_lines=unread_lines,
    )


def _queries(event: TraceEvent) -> bool:
    if event.command:
        return holds_query(event.command)
    given = event.arguments or {}
    texts = (given.get(name) for name in SQL_ARGUMENTS)
    return any(isinstance(text, str) and holds_query(text) for text in texts)


def _most(tools: Counter[str]) -> dict[str, int]:
    """Return the tools used most, the most used first and equal ones by name; the rest are counted together."""
    ordered = sorted(tools.items(), key=lambda item: (-item[1], item[0]))
    found = dict(ordered[:MOST_TOOLS])
    rest = sum(count for _, count in ordered[MOST_TOOLS:])
    if rest:
        found[OTHER_TOOLS] = found.get(OTHER_TOOLS, 0) + rest
    return found
