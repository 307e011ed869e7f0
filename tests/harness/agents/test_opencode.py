# SPDX-License-Identifier: MIT
"""opencode: how it is started, and what is read in what it prints."""

import json
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.agents.agent import AgentSettings, Launch
from m4bench.harness.agents.opencode import OpenCodeAgent, OpenCodeReader
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.model.usage import Tokens
from tests.harness.agents.recordings import context, npm_global, read


def launched(
    folder: Path,
    protocol: WireProtocol = "chat-completions",
    *,
    model: str = "some-model",
    effort: str | None = None,
    **told: Any,
) -> Launch:
    """How a stand-in of opencode is started."""
    program = npm_global(folder, "opencode-ai", "opencode")
    agent = OpenCodeAgent(AgentSettings(model=model, effort=effort, program=program))
    return agent.prepare(context(protocol, model=model, **told))


def settings(launch: Launch) -> dict[str, Any]:
    """Its configuration."""
    found: dict[str, Any] = json.loads(launch.env["OPENCODE_CONFIG_CONTENT"])
    return found


@pytest.mark.parametrize(
    ("scenario", "state", "finished"),
    [
        ("happy", "completed", True),
        ("slow", "completed", True),
        ("tool-error", "completed", True),
        ("429-then-well", "completed", True),
        ("500-then-well", "completed", True),
        ("cut-then-well", "completed", True),
        ("overlong", "completed", True),
        ("401", "provider-auth", False),
        ("refusal", "refused", True),
        ("cut", None, False),
        ("500", None, False),
        ("quota", None, False),
    ],
)
def test_how_it_ended_is_told_by_its_last_step_or_error(
    scenario: str, state: str | None, *, finished: bool
) -> None:
    """One that tries again for ever prints nothing of it, and tells no state."""
    found = read(OpenCodeReader(), "opencode", scenario)
    assert (found.conclusion.state, found.finished, found.unread) == (state, finished, 0)


def test_a_request_that_is_too_long_is_told() -> None:
    """In the recording it sums up and tries again until it is ended; the last line counts."""
    found = read(OpenCodeReader(), "opencode", "overflow")
    assert {event.text for event in found.of("error")} == {
        "ContextOverflowError: This model's maximum context length is 8192 tokens. "
        "However, your messages resulted in 9000 tokens."
    }
    reader = OpenCodeReader()
    reader.line(
        '{"type":"error","error":{"name":"ContextOverflowError","data":{"message":"too long"}}}',
        1.0,
    )
    assert reader.conclusion(1).state == "agent-error"
    reader.line(
        '{"type":"error","error":{"name":"ContextOverflowError","data":{"message":"maximum context length"}}}',
        2.0,
    )
    assert reader.conclusion(1).state == "context-overflow"


def test_a_call_and_its_result_are_two_events() -> None:
    """It prints them as one, with the exit code."""
    found = read(OpenCodeReader(), "opencode", "tool-error")
    assert [event.command for event in found.of("tool_call")] == [
        "ls /nowhere; exit 3",
        "echo hello > output.csv",
    ]
    assert [(event.exit_code, event.failed) for event in found.of("tool_result")] == [
        (3, True),
        (0, False),
    ]
    kinds = [event.kind for event in found.events]
    assert kinds[:4] == ["session", "tool_call", "tool_result", "usage"]


def test_tokens_hold_the_cached_and_the_unseen_ones() -> None:
    """It tells 800 and 200 sent, 40 and 10 made."""
    usage = read(OpenCodeReader(), "opencode", "happy").of("usage")
    assert [event.tokens for event in usage] == 2 * [
        Tokens(input=1000, cached=200, output=50, reasoning=10)
    ]


@pytest.mark.parametrize(
    ("protocol", "library", "address"),
    [
        ("chat-completions", "@ai-sdk/openai-compatible", "http://127.0.0.1:8377/v1"),
        ("responses", "@ai-sdk/openai", "http://127.0.0.1:8377/v1"),
        ("messages", "@ai-sdk/anthropic", "http://127.0.0.1:8377/v1"),
        ("generate-content", "@ai-sdk/google", "http://127.0.0.1:8377/v1beta"),
    ],
)
def test_the_gateway_is_its_only_provider(
    tmp_path: Path, protocol: WireProtocol, library: str, address: str
) -> None:
    """By the library of the protocol; every request is the run's model's."""
    launch = launched(tmp_path, protocol)
    chosen = settings(launch)
    provider = chosen["provider"]["m4bench"]
    assert (provider["npm"], provider["options"]["baseURL"]) == (library, address)
    assert provider["options"]["apiKey"] == "lane-token"
    assert list(provider["models"]) == ["some-model"]
    assert chosen["model"] == chosen["small_model"] == "m4bench/some-model"
    assert chosen["enabled_providers"] == ["m4bench"]
    assert launch.argv[-2:] == ("--", "# Write the file")
    assert "--title" in launch.argv
    assert launch.env["NPM_CONFIG_OFFLINE"] == "true"


@pytest.mark.parametrize(
    ("skills", "allowed"),
    [((), "deny"), (("sofa",), {"*": "allow", "customize-opencode": "deny"})],
)
def test_skills_are_those_of_the_run(
    tmp_path: Path, skills: tuple[str, ...], allowed: object
) -> None:
    """Its own one is off, and without any its skill tool is not there."""
    permission = settings(launched(tmp_path, skills=skills))["permission"]
    assert permission["skill"] == allowed
    assert permission["webfetch"] == permission["websearch"] == "deny"


@pytest.mark.parametrize(
    ("protocol", "model", "options"),
    [
        ("chat-completions", "some-model", {"reasoningEffort": "high"}),
        ("messages", "some-model", {"effort": "high"}),
        ("generate-content", "gemini-3-pro", {"thinkingConfig": {"thinkingLevel": "high"}}),
        ("generate-content", "gemini-2.5-pro", {"thinkingConfig": {"thinkingBudget": 24576}}),
    ],
)
def test_effort_is_said_in_the_protocol_s_words(
    tmp_path: Path, protocol: WireProtocol, model: str, options: dict[str, Any]
) -> None:
    """Each library has a name of its own for it."""
    chosen = settings(launched(tmp_path, protocol, model=model, effort="high"))
    assert chosen["provider"]["m4bench"]["models"][model]["options"] == options
