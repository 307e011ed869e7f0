# SPDX-License-Identifier: MIT
"""mini-swe-agent: how it is started, and what is read in the file it leaves."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.agents.agent import AgentSettings, Launch
from m4bench.harness.agents.mini_swe_agent import MiniSweAgent, MiniSweReader
from m4bench.harness.agents.reading import Conclusion
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens
from tests.harness.agents.recordings import RECORDED, context
from tests.harness.agents.test_python_tool import environment

FOLDER = RECORDED / "mini-swe-agent"


def read(scenario: str) -> tuple[list[TraceEvent], Conclusion, int]:
    """What a reader makes of a recorded file."""
    reader = MiniSweReader()
    events = reader.end({"trajectory.json": FOLDER / f"{scenario}.json"})
    ended = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))[scenario]
    return events, reader.conclusion(ended["exit_code"]), reader.unread


def of(events: list[TraceEvent], kind: str) -> list[TraceEvent]:
    """The events of one kind."""
    return [event for event in events if event.kind == kind]


def launched(folder: Path, *, effort: str | None = None, **told: Any) -> Launch:
    """How a stand-in of mini-swe-agent is started."""
    program = environment(folder, "mini-swe-agent", "2.4.6")
    agent = MiniSweAgent(AgentSettings(model="some-model", effort=effort, program=program))
    return agent.prepare(context("chat-completions", **told))


def overlay(launch: Launch) -> dict[str, Any]:
    """The configuration laid over its own."""
    found: dict[str, Any] = json.loads(launch.files["run.yaml"])
    return found


@pytest.mark.parametrize(
    ("scenario", "state"),
    [
        ("happy", "completed"),
        ("slow", "completed"),
        ("tool-error", "completed"),
        ("429-then-well", "completed"),
        ("500-then-well", "completed"),
        ("cut-then-well", "completed"),
        ("overlong", "completed"),
        # it asks again for a command, and the script then ends the work
        ("refusal", "completed"),
        ("401", "provider-auth"),
        ("500", "provider-error"),
        ("cut", "provider-error"),
        ("overflow", "context-overflow"),
        # it knows no other word for 429: the gateway tells them apart
        ("quota", "provider-rate-limit"),
    ],
)
def test_how_it_ended_is_told_by_the_trajectory(scenario: str, state: str) -> None:
    """Its last message names the end, or the error that was the end."""
    _, conclusion, unread = read(scenario)
    assert (conclusion.state, unread) == (state, 0)


def test_each_step_is_told_in_its_order() -> None:
    """The answer with its command, what it used, and what came back."""
    events, _, _ = read("tool-error")
    assert [event.kind for event in events] == [
        "session", "message", "message",
        "tool_call", "usage", "tool_result", "tool_call", "usage", "tool_result",
        "tool_call", "usage", "tool_result", "end",
    ]  # fmt: skip
    assert [event.command for event in of(events, "tool_call")] == [
        "ls /nowhere; exit 3",
        "echo hello > output.csv",
        "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
    ]
    assert [(event.exit_code, event.failed) for event in of(events, "tool_result")] == [
        (3, True),
        (0, False),
        (None, False),
    ]
    assert [event.tokens for event in of(events, "usage")] == 3 * [
        Tokens(input=1000, cached=200, output=50, reasoning=10)
    ]
    seconds = [event.seconds for event in events]
    assert seconds == sorted(seconds)
    assert seconds[-1] > 0


def test_an_answer_without_a_command_is_told_and_counted() -> None:
    """The file has it in the complaint alone."""
    events, _, _ = read("refusal")
    said = [event.text for event in of(events, "message") if event.role == "assistant"]
    assert said == ["I can't help with that."]
    assert len(of(events, "usage")) == 3


@pytest.mark.parametrize("text", ["", "[]", '{"messages": 3}', '{"messages": [{"role": 1}'])
def test_a_file_that_is_none_is_counted(tmp_path: Path, text: str) -> None:
    """Whatever it holds, the reader goes on and the exit code tells."""
    path = tmp_path / "trajectory.json"
    path.write_text(text, encoding="utf-8")
    reader = MiniSweReader()
    assert reader.end({"trajectory.json": path}) == []
    assert reader.unread == 1
    assert reader.conclusion(1).state == "agent-error"


def test_an_end_without_a_file_is_a_failure() -> None:
    """Even with exit code 0: the completion marker is its only good end."""
    reader = MiniSweReader()
    assert reader.end({}) == []
    assert reader.conclusion(0).state == "agent-error"
    assert reader.conclusion(None).state is None


def test_it_is_started_in_its_own_python_with_the_gateway(tmp_path: Path) -> None:
    """Its file is handed out; a command may take as long as the run."""
    launch = launched(tmp_path)
    assert launch.argv[:4] == ("/tools/mini-swe-agent/bin/python3", "-I", "-m", "minisweagent.run.mini")  # fmt: skip
    assert launch.tools == {"mini-swe-agent": tmp_path.resolve() / "environment"}
    assert launch.argv[launch.argv.index("--model") + 1] == "openai/some-model"
    assert launch.argv[-1] == "--task=# Write the file"
    assert launch.env["OPENAI_API_KEY"] == "lane-token"
    assert launch.env["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
    assert launch.collect == {"trajectory.json": "/home/agent/trajectory.json"}
    assert overlay(launch) == {
        "model": {"model_kwargs": {"api_base": "http://127.0.0.1:8377/v1", "timeout": 900.0}},
        "environment": {"timeout": 900},
    }


def test_skills_are_named_in_its_prompt(tmp_path: Path) -> None:
    """It looks for none itself; without any the prompt is the instruction."""
    task = launched(tmp_path, skills=("sofa", "kdigo")).argv[-1]
    assert task == (
        "--task=# Write the file\n\nSkills lie in .agents/skills; read .agents/skills/sofa/SKILL.md, "
        ".agents/skills/kdigo/SKILL.md before you begin.\n"
    )


def test_effort_is_part_of_each_request(tmp_path: Path) -> None:
    """As the provider's own word, which is not looked up in a list of models."""
    chosen = overlay(launched(tmp_path, effort="high"))
    assert chosen["model"]["model_kwargs"]["extra_body"] == {"reasoning_effort": "high"}
