# SPDX-License-Identifier: MIT
"""What a run comes to in counts."""

from m4bench.harness.trace.activity import MOST_TOOLS, OTHER_TOOLS, activity_of
from m4bench.model.trace import Activity, TraceEvent

from .telling import call, result, said, thought, used


def counted(*events: TraceEvent) -> Activity:
    """The counts of some events."""
    return activity_of(events, first_event_seconds=0.5, first_output_seconds=None, unread_lines=2)


def test_a_run_is_counted_by_hand() -> None:
    """Messages of the user and the tool are not the agent's; a failed call with two results counts once."""
    query = 'duckdb db -c "SELECT a FROM t"'
    found = counted(
        said("Write the file.", "user"),
        said("a warning", "system"),
        thought("hm"),
        said("I look."),
        call("a", "ls"),
        call("b", query),
        result("a"),
        result("b", failed=True),
        result("b", failed=True),
        said("Again."),
        call("c", query),
        result("c", exit_code=0),
        call("d", arguments={"content": query}, tool="write"),
        result("d"),
        result("stray", failed=True),
        used(10, cumulative=True),
    )
    assert found == Activity(
        turns=3,
        tool_calls=4,
        failed_tool_calls=1,
        commands=3,
        queries=2,
        messages=2,
        tools={"bash": 3, "write": 1},
        first_event_seconds=0.5,
        unread_lines=2,
    )


def test_a_tool_that_takes_sql_runs_queries() -> None:
    """By the argument it takes it in; a question in words is none."""
    found = counted(
        call("a", tool="execute", arguments={"sql": "SELECT a FROM t"}),
        call("b", tool="execute", arguments={"query": "from t limit 3"}),
        call("c", tool="search", arguments={"query": "where is it"}),
        call("d", tool="write", arguments={"text": "SELECT a FROM t"}),
        call("e", tool="odd", arguments={"sql": ["SELECT a FROM t"]}),
    )
    assert (found.queries, found.commands) == (2, 0)


def test_made_up_tools_do_not_fill_the_record() -> None:
    """The most used are named, the rest counted together, and names are cut."""
    events = [call(str(one), tool=f"{one:04}" + "x" * 500) for one in range(1000)]
    found = counted(*events, call("a", tool="bash"), call("b", tool="bash"), call("c", tool=None))
    assert next(iter(found.tools)) == "bash"
    assert len(found.tools) == MOST_TOOLS + 1
    assert found.tools[OTHER_TOOLS] == 1002 - MOST_TOOLS
    assert sum(found.tools.values()) == found.tool_calls == 1003
    assert max(map(len, found.tools)) == 100


def test_nothing_comes_to_nothing() -> None:
    """An agent that printed no event."""
    assert counted() == Activity(first_event_seconds=0.5, unread_lines=2)
