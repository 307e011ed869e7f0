# SPDX-License-Identifier: MIT
"""pi: how it is started, and what is read in what it prints."""

import json
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.agents.agent import AgentSettings, Launch
from m4bench.harness.agents.pi import PiAgent, PiReader
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.model.usage import Tokens
from tests.harness.agents.recordings import context, npm_global, read


def launched(
    folder: Path,
    protocol: WireProtocol = "chat-completions",
    *,
    effort: str | None = None,
    model: str = "some-model",
    **told: Any,
) -> Launch:
    """How a stand-in of pi is started."""
    program = npm_global(folder, "@mariozechner/pi-coding-agent", "pi")
    agent = PiAgent(AgentSettings(model=model, effort=effort, program=program))
    return agent.prepare(context(protocol, model=model, **told))


def home(launch: Launch, name: str) -> dict[str, Any]:
    """One of the files in its home."""
    found: dict[str, Any] = json.loads(launch.home[f".pi/agent/{name}.json"])
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
        ("500", "provider-error", False),
        ("overflow", "context-overflow", False),
        ("refusal", "refused", False),
        # it shows no more than the status: the gateway tells the two apart
        ("quota", "provider-rate-limit", False),
        ("cut", "provider-error", False),
    ],
)
def test_how_it_ended_is_told_by_its_last_answer(
    scenario: str, state: str, *, finished: bool
) -> None:
    """Its exit code is 0 each time."""
    found = read(PiReader(), "pi", scenario)
    assert (found.conclusion.state, found.finished, found.unread) == (state, finished, 0)


def test_a_message_is_told_once() -> None:
    """It prints each of them in pieces, whole, with its turn and at the end of all."""
    found = read(PiReader(), "pi", "happy")
    assert [(event.role, event.text) for event in found.of("message")] == [
        ("user", "Write the word hello into output.csv."),
        ("assistant", "The file is written."),
    ]
    assert [event.tokens for event in found.of("usage")] == 2 * [
        Tokens(input=1000, cached=200, output=50)
    ]
    assert [event.text for event in found.of("end")] == ["stop"]


def test_a_command_s_exit_code_is_in_its_words() -> None:
    """It tells it only where it is not 0."""
    found = read(PiReader(), "pi", "tool-error")
    assert [event.command for event in found.of("tool_call")] == [
        "ls /nowhere; exit 3",
        "echo hello > output.csv",
    ]
    assert [(event.exit_code, event.failed) for event in found.of("tool_result")] == [
        (3, True),
        (0, False),
    ]


def test_a_failure_it_tries_again_after_is_told_once() -> None:
    """It prints it with the answer and when it begins again."""
    found = read(PiReader(), "pi", "cut-then-well")
    assert [event.text for event in found.of("error")] == ["terminated"]


@pytest.mark.parametrize(
    ("protocol", "api", "address"),
    [
        ("chat-completions", "openai-completions", "http://127.0.0.1:8377/v1"),
        ("responses", "openai-responses", "http://127.0.0.1:8377/v1"),
        ("messages", "anthropic-messages", "http://127.0.0.1:8377"),
        ("generate-content", "google-generative-ai", "http://127.0.0.1:8377/v1beta"),
    ],
)
def test_the_gateway_is_its_only_provider(
    tmp_path: Path, protocol: WireProtocol, api: str, address: str
) -> None:
    """By its own name of the protocol; the token is in a variable."""
    launch = launched(tmp_path, protocol)
    provider = home(launch, "models")["providers"]["m4bench"]
    assert (provider["api"], provider["baseUrl"]) == (api, address)
    assert launch.env[provider["apiKey"]] == "lane-token"
    assert [one["id"] for one in provider["models"]] == ["some-model"]
    assert home(launch, "settings")["retry"]["provider"]["maxRetries"] == 0
    assert launch.env["PI_CODING_AGENT_DIR"] == "/home/agent/.pi/agent"


@pytest.mark.parametrize(("skills", "off"), [((), True), (("sofa",), False)])
def test_skills_are_looked_for_where_the_run_has_some(
    tmp_path: Path, skills: tuple[str, ...], *, off: bool
) -> None:
    """Nothing else of the work folder or the home is taken in."""
    argv = launched(tmp_path, skills=skills).argv
    assert ("--no-skills" in argv) == off
    assert {"--no-context-files", "--no-extensions", "--no-prompt-templates"} < set(argv)


@pytest.mark.parametrize("prompt", ["@file", "--flag"])
def test_a_prompt_is_neither_a_flag_nor_a_file(tmp_path: Path, prompt: str) -> None:
    """It has no mark after which all are words."""
    assert launched(tmp_path, instruction=prompt).argv[-1] == f" {prompt}"


def test_effort_is_its_level_of_thinking(tmp_path: Path) -> None:
    """It is sent only for a model that is said to reason."""
    launch = launched(tmp_path, "messages", effort="high")
    assert launch.argv[launch.argv.index("--thinking") + 1] == "high"
    (model,) = home(launch, "models")["providers"]["m4bench"]["models"]
    assert (model["reasoning"], model["maxTokens"]) == (True, 32_000)


@pytest.mark.parametrize(
    ("protocol", "model", "effort", "given"),
    [
        ("generate-content", "some-model", "high", True),
        ("generate-content", "gemini-flash-latest", "minimal", True),
        ("generate-content", "some-model", None, False),
        ("messages", "some-model", "high", False),
        ("generate-content", "gemini-2.5-pro", "high", False),
        ("generate-content", "gemini-3.1-pro-preview", "high", False),
        ("generate-content", "gemini-3-flash-preview", "high", False),
        ("generate-content", "gemma-4-31b-it", "high", False),
    ],
)
def test_effort_is_a_number_of_tokens_for_a_model_of_googles_it_does_not_know(
    tmp_path: Path, protocol: WireProtocol, model: str, effort: str | None, *, given: bool
) -> None:
    """It would send the same for every effort; for those it knows, its own numbers stand."""
    launch = launched(tmp_path, protocol, effort=effort, model=model)
    budgets = home(launch, "settings").get("thinkingBudgets", {})
    assert sorted(budgets) == (sorted(PiAgent.efforts) if given else [])
    assert len(set(budgets.values())) == len(budgets)
