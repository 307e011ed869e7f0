# SPDX-License-Identifier: MIT
"""A run told in ATIF 1.8: every call and result once, whatever the events, and totals by who counted them."""

import json
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from m4bench.harness.agents.claude_code import ClaudeCodeReader
from m4bench.harness.agents.codex import CodexReader
from m4bench.harness.agents.gemini import GeminiReader
from m4bench.harness.agents.mini_swe_agent import MiniSweReader
from m4bench.harness.agents.opencode import OpenCodeReader
from m4bench.harness.agents.pi import PiReader
from m4bench.harness.agents.qwen_code import QwenCodeReader
from m4bench.harness.agents.reading import StreamReader
from m4bench.harness.trace.atif import to_atif
from m4bench.harness.trace.storable import Storable
from m4bench.harness.trace.trajectory import Trajectory
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens, Usage
from tests.harness.agents.recordings import RECORDED, read

from .telling import RUNS, STARTED, call, result, said, thought, trajectory, used

READERS: dict[str, type[StreamReader]] = {
    "claude-code": ClaudeCodeReader, "codex": CodexReader, "gemini": GeminiReader,
    "mini-swe-agent": MiniSweReader, "opencode": OpenCodeReader, "pi": PiReader,
    "qwen": QwenCodeReader,
}  # fmt: skip
STREAMS = [
    (tool, path.stem) for tool in READERS for path in sorted((RECORDED / tool).glob("*.json*"))
]


def events_of(tool: str, scenario: str) -> list[TraceEvent]:
    """What a tool's reader makes of a recorded stream, or of the file that is all mini-swe-agent tells."""
    if tool != "mini-swe-agent":
        return read(READERS[tool](), tool, scenario).events
    path = RECORDED / tool / f"{scenario}.json"
    return MiniSweReader().end({"trajectory.json": path})


def test_a_run_in_full() -> None:
    """Two answers, the first with a call: told by hand."""
    found = trajectory(
        TraceEvent(seconds=0.1, kind="session", model="m-1", extra={"tool_version": "7"}),
        said("Write the file.", "user"),
        thought("first look"),
        said("I look.", model="m-1"),
        call("c1", "ls", arguments={"command": "ls"}),
        result("c1", "instruction.md", exit_code=0, failed=False),
        used(100, cost_usd=0.25),
        said("careful", "system"),
        TraceEvent(seconds=9.0, kind="error", text="slow down", status=429),
        said("Done."),
        used(200),
        TraceEvent(seconds=10.0, kind="end", text="success"),
    )
    metrics = {"prompt_tokens": 100, "completion_tokens": 1, "cached_tokens": 50, "cost_usd": 0.25}
    tool = {"input": 300, "cached": 150, "cache_write": 0, "output": 2, "reasoning": 0}
    assert json.loads(found.model_dump_json(exclude_none=True)) == {
        "schema_version": "ATIF-v1.8",
        "session_id": "the-run",
        "agent": {
            "name": "toy",
            "version": "1",
            "model_name": "some-model",
            "extra": {
                "sessions": [{"seconds": 0.1, "model": "m-1", "told": {"tool_version": "7"}}]
            },
        },
        "steps": [
            {
                "step_id": 1,
                "timestamp": "2026-03-01T12:00:00.000+00:00",
                "source": "user",
                "message": "Write the file.",
            },
            {
                "step_id": 2,
                "timestamp": "2026-03-01T12:00:01.000+00:00",
                "source": "agent",
                "model_name": "m-1",
                "message": "I look.",
                "reasoning_content": "first look",
                "tool_calls": [
                    {
                        "tool_call_id": "c1",
                        "function_name": "bash",
                        "arguments": {"command": "ls"},
                        "extra": {"timestamp": "2026-03-01T12:00:02.000+00:00"},
                    }
                ],
                "observation": {
                    "results": [
                        {
                            "source_call_id": "c1",
                            "content": "instruction.md",
                            "extra": {
                                "timestamp": "2026-03-01T12:00:03.500+00:00",
                                "exit_code": 0,
                                "failed": False,
                            },
                        }
                    ]
                },
                "metrics": metrics,
                "llm_call_count": 1,
            },
            {
                "step_id": 3,
                "timestamp": "2026-03-01T12:00:01.000+00:00",
                "source": "system",
                "message": "careful",
            },
            {
                "step_id": 4,
                "timestamp": "2026-03-01T12:00:09.000+00:00",
                "source": "system",
                "message": "slow down",
                "extra": {"error": True, "status": 429},
            },
            {
                "step_id": 5,
                "timestamp": "2026-03-01T12:00:01.000+00:00",
                "source": "agent",
                "message": "Done.",
                "metrics": {"prompt_tokens": 200, "completion_tokens": 1, "cached_tokens": 100},
                "llm_call_count": 1,
            },
        ],
        "final_metrics": {
            "total_prompt_tokens": 300,
            "total_completion_tokens": 2,
            "total_cached_tokens": 150,
            "total_cost_usd": 0.25,
            "total_steps": 5,
            "extra": {"tool": {"tokens": tool, "cost_usd": 0.25}, "source": "tool"},
        },
        "extra": {"ends": [{"seconds": 10.0, "text": "success"}]},
    }


def test_a_run_without_events_is_its_instruction() -> None:
    """One step, no counts."""
    found = trajectory()
    assert [(step.source, step.message) for step in found.steps] == [("user", "Write the file.")]
    assert found.final_metrics is not None
    assert found.final_metrics.model_dump(exclude_none=True) == {"total_steps": 1}


def test_a_result_without_a_call_is_kept_and_no_id_is_made_up() -> None:
    """In the `extra` of the step it followed; the first step's when it came before any."""
    found = trajectory(result("x", "early"), said("hm"), result("y", "stray", failed=True))
    assert [step.observation for step in found.steps] == [None, None]
    assert [step.extra for step in found.steps] == [
        {
            "unmatched_results": [
                {
                    "timestamp": "2026-03-01T12:00:03.500+00:00",
                    "content": "early",
                    "call_id": "x",
                }
            ]
        },
        {
            "unmatched_results": [
                {
                    "timestamp": "2026-03-01T12:00:03.500+00:00",
                    "content": "stray",
                    "call_id": "y",
                    "failed": True,
                }
            ]
        },
    ]


def test_calls_without_ids_get_some_that_no_other_call_has() -> None:
    """The format asks for one; that the tool told none is said."""
    found = trajectory(call("unnamed-1"), call(None), call(""), result(None), result("unnamed-1"))
    calls = found.steps[1].tool_calls or ()
    assert [one.tool_call_id for one in calls] == ["unnamed-1", "unnamed-2", "unnamed-3"]
    assert [(one.extra or {}).get("id_told") for one in calls] == [None, False, False]
    observation = found.steps[1].observation
    assert observation is not None
    assert [one.source_call_id for one in observation.results] == ["unnamed-1", "unnamed-2"]


def test_the_command_is_told_where_the_arguments_do_not_hold_it() -> None:
    """As with a tool that wraps it into a shell's own."""
    wrapped = call("a", "ls", arguments={"command": "/bin/bash -lc ls"})
    calls = trajectory(wrapped).steps[1].tool_calls or ()
    assert (calls[0].extra or {})["command"] == "ls"


COUNTED = Tokens(input=1000, cached=10, output=20)
GATEWAY = Usage(requests=3, tokens=COUNTED, cost_usd=0.5, prices="table of 2026-01-01")


@pytest.mark.parametrize(
    ("usage", "events", "totals", "source"),
    [
        (GATEWAY, [used(7, cost_usd=9.0)], (1000, 20, 0.5), "gateway"),
        (GATEWAY, [], (1000, 20, 0.5), "gateway"),
        (GATEWAY.model_copy(update={"cost_usd": None}), [used(7, cost_usd=9.0)], (1000, 20, None), "gateway"),
        (Usage(requests=3, uncounted=3), [used(7)], (7, 1, None), "tool"),
        (Usage(requests=3, uncounted=3), [], (0, 0, None), "gateway"),
        (Usage(), [used(7)], (0, 0, 0), "gateway"),
        (None, [used(7), used(8)], (15, 2, None), "tool"),
        (None, [used(7), used(20, cumulative=True), used(30, cumulative=True)], (30, 1, None), "tool"),
    ],
)  # fmt: skip
def test_the_gateways_count_goes_before_the_tools_word(
    usage: Usage | None,
    events: list[TraceEvent],
    totals: tuple[int, int, float | None],
    source: str,
) -> None:
    """Unless it has none for any request; both words are kept."""
    final = trajectory(*events, usage=usage).final_metrics
    assert final is not None
    extra = final.extra or {}
    cost = final.total_cost_usd or (0 if totals[2] == 0 else None)
    assert (final.total_prompt_tokens, final.total_completion_tokens, cost) == totals
    assert extra["source"] == source
    assert ("gateway" in extra, "tool" in extra) == (usage is not None, bool(events))


def test_times_are_told_in_utc_where_the_start_has_no_zone() -> None:
    """So that a reader elsewhere reads the same moment."""
    found = to_atif(
        [],
        session_id="s",
        agent="a",
        version="1",
        model=None,
        instruction="x",
        started=datetime(2026, 1, 2, 3, 4, 5),
        usage=None,
    )
    assert found.steps[0].timestamp == "2026-01-02T03:04:05.000+00:00"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RUNS)
def test_any_events_give_a_trajectory_that_is_read_back_equal(
    tmp_path: Path, events: list[TraceEvent]
) -> None:
    """Valid by the format's rules, JSON for every reader, each call and each result exactly once."""
    found = trajectory(*events)
    path = tmp_path / "trajectory.json"
    found.write(path)
    assert Trajectory.read(path) == found
    json.loads(path.read_text(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    stored = [Storable().event(event) for event in events]
    told: Counter[str] = Counter()
    made = 0
    for step in found.steps:
        made += len(step.tool_calls or ())
        told.update(
            str(one.content) for one in (step.observation.results if step.observation else ())
        )
        told.update(str(one["content"]) for one in (step.extra or {}).get("unmatched_results", ()))
    assert made == sum(event.kind == "tool_call" for event in events)
    assert told == Counter(str(one.text) for one in stored if one.kind == "tool_result")


@pytest.mark.parametrize(("tool", "scenario"), STREAMS)
def test_what_real_tools_printed_gives_calls_with_their_results(tool: str, scenario: str) -> None:
    """Recorded streams of every tool: no result is without its call, and no answer is counted twice."""
    events = events_of(tool, scenario)
    found = trajectory(*events)
    steps = [step for step in found.steps if step.source == "agent"]
    results = [one for step in steps if step.observation for one in step.observation.results]
    assert len(results) == sum(one.kind == "tool_result" for one in events)
    usage = [one for one in events if one.kind == "usage"]
    single = [one for one in usage if not one.extra.get("cumulative")]
    assert sum(step.llm_call_count or 0 for step in steps) == len(single)


@pytest.mark.parametrize("tool", sorted(READERS))
def test_a_good_run_of_each_tool_is_two_answers(tool: str) -> None:
    """The call that writes the file, then a last word, as the scripted model gave them.

    mini-swe-agent's last word is a command that prints its completion marker.
    """
    steps = trajectory(*events_of(tool, "happy")).steps
    answers = [step for step in steps if step.source == "agent"]
    by_marker = tool == "mini-swe-agent"
    assert [len(step.tool_calls or ()) for step in answers] == [1, int(by_marker)]
    assert by_marker or [step.message for step in answers] == ["", "The file is written."]


def test_a_hundred_thousand_events_are_told() -> None:
    """Each turn of them is a step."""
    turn = [said("look"), call("c", "ls"), result("c"), used(10)]
    found = trajectory(*(turn * 25_000))
    assert len(found.steps) == 25_001
    assert found.final_metrics is not None
    assert found.final_metrics.total_prompt_tokens == 250_000
    assert found.steps[-1].timestamp == STARTED.replace(second=1).isoformat(timespec="milliseconds")
