# SPDX-License-Identifier: MIT
"""Qwen Code: how it is started, and what is read in what it prints."""

import json
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.agents.agent import AgentSettings, Launch
from m4bench.harness.agents.qwen_code import QwenCodeAgent, QwenCodeReader
from m4bench.model.usage import Tokens
from tests.harness.agents.recordings import context, npm_global, read


def launched(folder: Path, effort: str | None = None, **told: Any) -> Launch:
    """How a stand-in of Qwen Code is started."""
    program = npm_global(folder, "@qwen-code/qwen-code", "qwen")
    agent = QwenCodeAgent(AgentSettings(model="some-model", effort=effort, program=program))
    return agent.prepare(context("chat-completions", **told))


def settings(launch: Launch) -> dict[str, Any]:
    """The settings in its home."""
    found: dict[str, Any] = json.loads(launch.home[".qwen/settings.json"])
    return found


@pytest.mark.parametrize(
    ("scenario", "state", "finished"),
    [
        ("happy", "completed", True),
        ("slow", "completed", True),
        ("tool-error", "completed", True),
        ("429-then-well", "completed", True),
        ("500-then-well", "completed", True),
        ("overlong", "completed", True),
        # it takes half an answer for a whole one, and a refusal for an answer: the gateway tells
        ("cut", "completed", True),
        ("refusal", "completed", True),
        ("401", "provider-auth", True),
        ("cut-then-well", "provider-error", True),
        ("overflow", "context-overflow", True),
        ("500", None, False),
        ("quota", None, False),
    ],
)
def test_how_it_ended_is_told_by_its_result_s_words(
    scenario: str, state: str | None, *, finished: bool
) -> None:
    """Its exit code is 0 and its result a success each time."""
    found = read(QwenCodeReader(), "qwen", scenario)
    assert (found.conclusion.state, found.finished, found.unread) == (state, finished, 0)


def test_a_failure_is_no_answer_of_the_model_s() -> None:
    """It tells it twice, as an answer and as its result."""
    found = read(QwenCodeReader(), "qwen", "401")
    assert [event.text for event in found.of("error")] == ["401 scripted failure"]
    assert found.of("message") == []


def test_tokens_are_told_by_answer_and_in_all() -> None:
    """The sum of two answers of 1,050."""
    *each, total = read(QwenCodeReader(), "qwen", "happy").of("usage")
    assert [event.tokens for event in each] == 2 * [Tokens(input=1000, cached=200, output=50)]
    assert total.tokens == Tokens(input=2000, cached=400, output=100)
    assert total.extra == {"cumulative": True}


def test_a_command_s_exit_code_is_in_its_words() -> None:
    """Where it prints it."""
    found = read(QwenCodeReader(), "qwen", "happy")
    (call,), (result,) = found.of("tool_call"), found.of("tool_result")
    assert (call.tool, call.command) == ("run_shell_command", "echo hello > output.csv")
    assert (result.exit_code, result.failed) == (0, False)


def test_skills_are_among_its_commands() -> None:
    """The recording's are its own; without the skill tool the model is told of none."""
    (session,) = read(QwenCodeReader(), "qwen", "happy").of("session")
    assert session.extra["skills"] == ["batch", "qc-helper", "review"]
    assert session.extra["tool_version"] == "0.15.10"
    reader = QwenCodeReader()
    (without,) = reader.line(
        '{"type":"system","subtype":"init","tools":["edit"],"slash_commands":["batch","stats"]}', 0
    )
    assert without.extra["skills"] == []


@pytest.mark.parametrize(("skills", "off"), [((), True), (("sofa",), False)])
def test_it_is_started_with_the_gateway_and_no_search(
    tmp_path: Path, skills: tuple[str, ...], *, off: bool
) -> None:
    """The token is in a variable; without skills of the run its skill tool is off."""
    launch = launched(tmp_path, skills=skills)
    assert launch.env["OPENAI_API_KEY"] == "lane-token"
    assert "lane-token" not in " ".join(launch.argv)
    address = launch.argv.index("--openai-base-url")
    assert launch.argv[address + 1] == "http://127.0.0.1:8377/v1"
    (excluded,) = [one for one in launch.argv if one.startswith("--exclude-tools=")]
    names = excluded.partition("=")[2].split(",")
    assert {"web_fetch", "web_search"} < set(names)
    assert ("skill" in names) == off
    assert launch.argv[-1] == "--prompt=# Write the file"


def test_its_own_skills_are_not_shown(tmp_path: Path) -> None:
    """They lie beside its program, every other part of which is shown by itself."""
    program = npm_global(tmp_path, "@qwen-code/qwen-code", "qwen")
    package = program.resolve().parent
    (package / "bundled" / "review").mkdir(parents=True)
    (package / "vendor").mkdir()
    agent = QwenCodeAgent(AgentSettings(model="some-model", program=program))
    launch = agent.prepare(context("chat-completions"))
    place = "node_modules/@qwen-code/qwen-code/bin"
    assert launch.tools == {
        "node": (tmp_path / "bin" / "node").resolve(),
        f"{place}/start.js": package / "start.js",
        f"{place}/vendor": package / "vendor",
    }
    assert launch.argv[:2] == ("/tools/node", f"/tools/{place}/start.js")


def test_effort_and_no_bound_of_its_own_are_in_its_settings(tmp_path: Path) -> None:
    """Its own names of effort are for other providers."""
    model = settings(launched(tmp_path, effort="low"))["model"]
    assert model["generationConfig"] == {
        "timeout": 900_000,
        "maxRetries": 0,
        "samplingParams": {},
        "extra_body": {"reasoning_effort": "low"},
    }
