# SPDX-License-Identifier: MIT
"""What adapters share: readers that survive any line, and words of failures that become states."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from m4bench.harness.agents.claude_code import ClaudeCodeReader
from m4bench.harness.agents.codex import CodexReader
from m4bench.harness.agents.command_line_agent import LONGEST_LINE, JsonLinesReader
from m4bench.harness.agents.failure_words import state_of
from m4bench.harness.agents.gemini import GeminiReader
from m4bench.harness.agents.opencode import OpenCodeReader
from m4bench.harness.agents.pi import PiReader
from m4bench.harness.agents.qwen_code import QwenCodeReader
from tests.harness.agents.recordings import RECORDED

READERS: dict[str, type[JsonLinesReader]] = {
    "codex": CodexReader,
    "claude-code": ClaudeCodeReader,
    "gemini": GeminiReader,
    "opencode": OpenCodeReader,
    "pi": PiReader,
    "qwen-code": QwenCodeReader,
}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
ANY = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


def recorded(tool: str) -> list[dict[str, Any]]:
    """Return every object a tool was seen to print."""
    return [
        json.loads(line)
        for path in sorted((RECORDED / tool).glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


OBJECTS = {tool: recorded("qwen" if tool == "qwen-code" else tool) for tool in READERS}


@pytest.mark.parametrize("tool", READERS)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_line_breaks_a_reader(tool: str, data: st.DataObject) -> None:
    """A real line with anything in place of any field, at the top or within, is read or counted."""
    message = json.loads(json.dumps(data.draw(st.sampled_from(OBJECTS[tool]))))
    place = message
    while data.draw(st.booleans()):
        inner = [value for value in place.values() if isinstance(value, dict) and value]
        if not inner:
            break
        place = data.draw(st.sampled_from(inner))
    place[data.draw(st.sampled_from(sorted(place)))] = data.draw(ANY)
    reader: JsonLinesReader = READERS[tool]()
    reader.line(json.dumps(message), 1.0)
    reader.end({})
    for code in (0, 1, -9, None):
        assert reader.conclusion(code).state != ""


@pytest.mark.parametrize("tool", READERS)
@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        "[1, 2]",
        "null",
        '{"type": "a kind of tomorrow"}',
        '{"type": ["result"]}',
        "[" * 100_000,
        '{"type": "' + "x" * LONGEST_LINE + '"}',
        "\x00\ufffd",
    ],
    ids=["words", "list", "null", "unknown", "odd", "deep", "long", "bytes"],
)
def test_what_cannot_be_read_is_counted(tool: str, line: str) -> None:
    """It is no event, and the number of such lines is in the record."""
    reader = READERS[tool]()
    assert reader.line(line, 1.0) == []
    assert reader.unread == 1
    assert reader.line("  ", 1.0) == []
    assert reader.unread == 1


@pytest.mark.parametrize(
    ("code", "state", "reason"),
    [
        (0, "agent-error", "ended before its last event"),
        (3, "agent-error", "exit code 3"),
        (-9, "agent-error", "ended by signal 9"),
        (None, None, None),
    ],
)
def test_a_tool_that_told_no_end_is_judged_by_its_exit(
    code: int | None, state: str | None, reason: str | None
) -> None:
    """Nothing printed at all is no success, whatever the exit code."""
    concluded = CodexReader().conclusion(code)
    assert (concluded.state, concluded.reason) == (state, reason)


@pytest.mark.parametrize(
    ("words", "status", "state"),
    [
        ("whatever", 401, "provider-auth"),
        ("whatever", 403, "provider-auth"),
        ("whatever", 402, "provider-quota"),
        ("You exceeded your current quota, please check your plan", 429, "provider-quota"),
        ("slow down", 429, "provider-rate-limit"),
        ("This model's maximum context length is 8192 tokens", 400, "context-overflow"),
        ("no such model", 404, "provider-request"),
        ("whatever", 529, "provider-error"),
        ("unexpected status 503 Service Unavailable", None, "provider-error"),
        ("API Error: 401 invalid x-api-key", None, "provider-auth"),
        ("connect ECONNREFUSED 127.0.0.1:8377", None, "provider-unreachable"),
        ("stream disconnected before completion", None, "provider-error"),
        ("prompt is too long: 210000 tokens > 200000 maximum", None, "context-overflow"),
        ("Reached max turns (40)", None, "agent-limit"),
        ("stop_reason: refusal", None, "refused"),
        ("Cannot read properties of undefined", None, None),
    ],
)
def test_words_of_a_failure_become_a_state(
    words: str, status: int | None, state: str | None
) -> None:
    """A status counts before words; what nothing is known of stays without a state."""
    assert state_of(words, status) == state
