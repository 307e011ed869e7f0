# SPDX-License-Identifier: MIT
"""Codex: how it is started, and what is read in what it prints."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.agents.agent import AgentSettings, Launch
from m4bench.harness.agents.codex import CodexAgent, CodexReader
from m4bench.model.errors import InputError
from m4bench.model.usage import Tokens
from tests.harness.agents.recordings import context, npm_global, read


def launched(folder: Path, effort: str | None = None, **told: Any) -> Launch:
    """How a stand-in of Codex is started."""
    program = npm_global(folder, "@openai/codex", "codex")
    agent = CodexAgent(AgentSettings(model="some-model", effort=effort, program=program))
    return agent.prepare(context("responses", **told))


def settings(launch: Launch) -> dict[str, Any]:
    """The settings in its home."""
    return tomllib.loads(launch.home[".codex/config.toml"])


@pytest.mark.parametrize(
    ("scenario", "state"),
    [
        ("happy", "completed"),
        ("tool-error", "completed"),
        ("401", "provider-auth"),
        ("500", "provider-error"),
        ("cut", "provider-error"),
        ("overflow", "context-overflow"),
        ("overlong", "agent-limit"),
        ("quota", "provider-quota"),
    ],
)
def test_how_it_ended_is_told_by_its_last_event(scenario: str, state: str) -> None:
    """Turn.failed carries words alone; they are known, and every line is read."""
    found = read(CodexReader(), "codex", scenario)
    assert (found.conclusion.state, found.finished, found.unread) == (state, True, 0)


def test_its_calls_words_and_tokens_are_read() -> None:
    """Two answers of 1,000 and 50 tokens; the shell around the command is taken off."""
    found = read(CodexReader(), "codex", "happy")
    (call,) = found.of("tool_call")
    (result,) = found.of("tool_result")
    assert (call.command, result.exit_code, result.failed) == ("echo hello > output.csv", 0, False)
    assert call.call_id == result.call_id
    (usage,) = found.of("usage")
    assert usage.tokens == Tokens(input=2000, cached=400, output=100, reasoning=20)
    assert usage.extra["cumulative"]
    assert found.of("message")[-1].text == "The file is written."


def test_a_failed_command_is_no_failure_of_the_run() -> None:
    """Its exit code and what it printed are kept."""
    found = read(CodexReader(), "codex", "tool-error")
    failed = [event for event in found.of("tool_result") if event.failed]
    assert [event.exit_code for event in failed] == [3]
    assert "/nowhere" in (failed[0].text or "")


def test_a_kind_told_only_at_its_end_is_a_call_too() -> None:
    """A change of files has no start; it is counted once."""
    reader = CodexReader()
    item = '{"id":"a","type":"file_change","changes":[{"path":"x"}],"status":"completed"}'
    events = reader.line(f'{{"type":"item.completed","item":{item}}}', 1.0)
    assert [event.kind for event in events] == ["tool_call", "tool_result"]
    assert reader.unread == 0


def test_it_is_started_with_the_gateway_as_its_only_provider(tmp_path: Path) -> None:
    """The address ends in /v1, the key is in a variable, search and skills of its own are off."""
    launch = launched(tmp_path)
    assert launch.argv[:3] == (
        "/tools/node",
        "/tools/node_modules/@openai/codex/bin/start.js",
        "exec",
    )
    assert launch.argv[-2:] == ("--", "# Write the file")
    chosen = settings(launch)
    provider = chosen["model_providers"][chosen["model_provider"]]
    assert provider["base_url"] == "http://127.0.0.1:8377/v1"
    assert launch.env[provider["env_key"]] == "lane-token"
    assert launch.env["CODEX_HOME"] == "/home/agent/.codex"
    assert chosen["model"] == "some-model"
    assert "model_reasoning_effort" not in chosen
    assert chosen["web_search"] == "disabled"
    assert not chosen["skills"]["bundled"]["enabled"]
    assert not chosen["features"]["memories"]


def test_a_model_cannot_break_out_of_its_settings(tmp_path: Path) -> None:
    """A quotation mark in a name stays in the name."""
    launch = launched(tmp_path, model='a"\nweb_search = "live')
    assert settings(launch)["web_search"] == "disabled"


def test_effort_is_a_setting_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    """The refusal lists the words it knows."""
    assert settings(launched(tmp_path / "a", effort="high"))["model_reasoning_effort"] == "high"
    with pytest.raises(InputError, match="minimal, low, medium, high"):
        launched(tmp_path / "b", effort="enormous")
