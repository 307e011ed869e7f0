# SPDX-License-Identifier: MIT
"""Gemini CLI: how it is started, and what is read in what it prints."""

import json
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.agents.agent import AgentSettings, Launch
from m4bench.harness.agents.gemini import GeminiAgent, GeminiReader
from m4bench.model.errors import InputError
from m4bench.model.usage import Tokens
from tests.harness.agents.recordings import context, npm_global, read


def launched(folder: Path, effort: str | None = None, **told: Any) -> Launch:
    """How a stand-in of Gemini CLI is started."""
    program = npm_global(folder, "@google/gemini-cli", "gemini")
    agent = GeminiAgent(AgentSettings(model="some-model", effort=effort, program=program))
    return agent.prepare(context("generate-content", **told))


def settings(launch: Launch) -> dict[str, Any]:
    """The settings in its home."""
    found: dict[str, Any] = json.loads(launch.home[".gemini/settings.json"])
    return found


@pytest.mark.parametrize(
    ("scenario", "state"),
    [
        ("happy", "completed"),
        ("tool-error", "completed"),
        ("401", "provider-auth"),
        ("500", "provider-error"),
        ("429-then-well", "provider-rate-limit"),
        ("cut-then-well", "provider-error"),
        ("overflow", "context-overflow"),
        ("overlong", "completed"),
    ],
)
def test_how_it_ended_is_told_by_its_result(scenario: str, state: str) -> None:
    """Its exit codes are statuses cut to a byte; the result's words tell."""
    found = read(GeminiReader(), "gemini", scenario)
    assert (found.conclusion.state, found.finished, found.unread) == (state, True, 0)


def test_an_answer_in_pieces_is_one_message() -> None:
    """The recording has it in two."""
    found = read(GeminiReader(), "gemini", "happy")
    said = [event.text for event in found.of("message") if event.role == "assistant"]
    assert said == ["The file is written."]
    kinds = [event.kind for event in found.events]
    assert kinds.index("tool_result") < kinds.index("usage") < kinds.index("end")


def test_an_answer_that_stops_in_its_middle_is_kept() -> None:
    """A tool that was ended has told no result; the pieces so far are a message."""
    reader = GeminiReader()
    reader.line('{"type":"message","role":"assistant","content":"half","delta":true}', 2.0)
    (event,) = reader.end({})
    assert (event.text, event.seconds) == ("half", 2.0)
    assert reader.conclusion(None).state is None


def test_thoughts_are_output() -> None:
    """They are in the total alone: 2,100 less 2,000 sent and 80 shown are 20."""
    (usage,) = read(GeminiReader(), "gemini", "happy").of("usage")
    assert usage.tokens == Tokens(input=2000, cached=400, output=100, reasoning=20)


def test_its_shell_command_is_told() -> None:
    """With the name of its tool."""
    (call,) = read(GeminiReader(), "gemini", "happy").of("tool_call")
    assert (call.tool, call.command) == ("run_shell_command", "echo hello > output.csv")


def test_it_is_started_with_the_gateway_and_no_search(tmp_path: Path) -> None:
    """The address has no path; the sign-in asks for a key; its own skills are off."""
    launch = launched(tmp_path)
    assert launch.env["GOOGLE_GEMINI_BASE_URL"] == "http://127.0.0.1:8377"
    assert launch.env["GEMINI_API_KEY"] == "lane-token"
    assert "--skip-trust" in launch.argv
    assert launch.argv[-1] == "--prompt=# Write the file"
    chosen = settings(launch)
    assert chosen["security"]["auth"]["selectedType"] == "gemini-api-key"
    assert set(chosen["tools"]["exclude"]) == {"google_web_search", "web_fetch"}
    assert "skill-creator" in chosen["skills"]["disabled"]
    assert chosen["tools"]["shell"]["inactivityTimeout"] == 900


@pytest.mark.parametrize(
    ("model", "thinking"),
    [
        ("gemini-2.5-pro", {"thinkingBudget": 8192}),
        ("gemini-3-pro-preview", {"thinkingLevel": "MEDIUM"}),
    ],
)
def test_effort_is_a_budget_for_older_models_and_a_level_for_later_ones(
    tmp_path: Path, model: str, thinking: dict[str, Any]
) -> None:
    """A request with both would be refused by the provider."""
    chosen = settings(launched(tmp_path, effort="medium", model=model))
    overrides = chosen["modelConfigs"]["customOverrides"]
    (config,) = [one for one in overrides if one["match"] == {"model": "chat-base"}]
    assert config["modelConfig"]["generateContentConfig"]["thinkingConfig"] == thinking


def test_a_model_is_not_exchanged_for_another(tmp_path: Path) -> None:
    """Neither for one of its own choice nor for a later one of the same name."""
    chosen = settings(launched(tmp_path, model="gemini-3-pro-preview"))["modelConfigs"]
    assert chosen["customOverrides"][0]["modelConfig"]["model"] == "gemini-3-pro-preview"
    assert chosen["modelIdResolutions"]["gemini-3-pro-preview"]["contexts"] == []


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ("gemini-3.5-flash", "gemini-3.8-flash"),
        ("gemini-3-flash", "gemini-3.8-flash"),
        ("gemini-3.1-flash-lite", "gemini-3.5-flash-lite"),
        ("models/gemini-3.5-flash", "gemini-3.8-flash"),
    ],
)
def test_a_model_it_would_exchange_is_refused(tmp_path: Path, model: str, asked: str) -> None:
    """No setting keeps it; the error says what it would ask for, and what it keeps."""
    program = npm_global(tmp_path, "@google/gemini-cli", "gemini")
    with pytest.raises(InputError, match=rf"ask for {asked} in the place of {model}") as error:
        GeminiAgent(AgentSettings(model=model, program=program))
    assert "gemini-3-flash-preview" in (error.value.remedy or "")
    GeminiAgent(AgentSettings(model=asked, program=program))
