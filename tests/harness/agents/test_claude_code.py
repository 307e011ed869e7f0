# SPDX-License-Identifier: MIT
"""Claude Code: how it is started, and what is read in what it prints."""

from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.agents.agent import AgentSettings, Launch
from m4bench.harness.agents.claude_code import ClaudeCodeAgent, ClaudeCodeReader
from m4bench.harness.agents.command_line_agent import LONGEST_ARGUMENT
from m4bench.model.errors import InputError
from m4bench.model.usage import Tokens
from tests.harness.agents.recordings import context, npm_global, read


def launched(folder: Path, effort: str | None = None, **told: Any) -> Launch:
    """How a stand-in of Claude Code is started."""
    program = npm_global(folder, "@anthropic-ai/claude-code", "claude")
    agent = ClaudeCodeAgent(AgentSettings(model="some-model", effort=effort, program=program))
    return agent.prepare(context("messages", **told))


@pytest.mark.parametrize(
    ("scenario", "state"),
    [
        ("happy", "completed"),
        ("tool-error", "completed"),
        ("401", "provider-auth"),
        ("500", "provider-error"),
        ("429-then-well", "provider-rate-limit"),
        ("refusal", "refused"),
        ("overflow", "context-overflow"),
        ("overlong", "completed"),
    ],
)
def test_a_result_that_says_success_is_not_believed(scenario: str, state: str) -> None:
    """The subtype is "success" in each; is_error, the status and the stop reason tell."""
    found = read(ClaudeCodeReader(), "claude-code", scenario)
    assert (found.conclusion.state, found.finished, found.unread) == (state, True, 0)


def test_what_the_tool_says_it_is_gets_recorded() -> None:
    """Version, tools and skills as the tool lists them; by default it brings twelve of its own."""
    (session,) = read(ClaudeCodeReader(), "claude-code", "happy").of("session")
    assert session.extra["tool_version"] == "2.1.197"
    assert "Bash" in session.extra["tools"]
    assert len(session.extra["skills"]) == 12


def test_tokens_from_the_cache_are_input() -> None:
    """Its input tokens leave out those of the cache: 1,600 and 400 are 2,000."""
    (usage,) = read(ClaudeCodeReader(), "claude-code", "happy").of("usage")
    assert usage.tokens == Tokens(input=2000, cached=400, output=100)
    assert usage.cost_usd is not None


def test_its_calls_and_results_belong_together() -> None:
    """The command is told, and that it failed."""
    found = read(ClaudeCodeReader(), "claude-code", "tool-error")
    calls, results = found.of("tool_call"), found.of("tool_result")
    assert [call.call_id for call in calls] == [result.call_id for result in results]
    assert calls[0].command == "ls /nowhere; exit 3"
    assert [result.failed for result in results] == [True, False]


def test_a_failure_is_told_once() -> None:
    """The tool says it as an answer and as the result; the trace holds it once, with its status."""
    (error,) = read(ClaudeCodeReader(), "claude-code", "401").of("error")
    assert error.status == 401


def test_its_own_limit_of_turns_is_the_agents() -> None:
    """A run that used up its turns is no failure of the program."""
    reader = ClaudeCodeReader()
    reader.line('{"type":"result","subtype":"error_max_turns","is_error":true,"usage":{}}', 1.0)
    assert reader.conclusion(1).state == "agent-limit"


def test_every_model_it_could_ask_for_is_the_runs(tmp_path: Path) -> None:
    """The gateway refuses others; the address has no /v1."""
    launch = launched(tmp_path, model="the-one")
    models = {value for name, value in launch.env.items() if "MODEL" in name}
    assert models == {"the-one"}
    assert launch.env["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:8377"
    assert launch.env["ANTHROPIC_API_KEY"] == "lane-token"
    assert launch.env["CLAUDE_CONFIG_DIR"] == "/home/agent/.claude"


def test_search_is_off_and_a_command_may_take_as_long_as_the_run(tmp_path: Path) -> None:
    """Two minutes, its default, are less than a query over all of a hospital."""
    launch = launched(tmp_path)
    off = launch.argv[launch.argv.index("--disallowedTools") + 1]
    assert set(off.split(",")) == {"WebSearch", "WebFetch"}
    assert launch.env["BASH_MAX_TIMEOUT_MS"] == "900000"


def test_skills_are_on_only_where_the_run_has_some(tmp_path: Path) -> None:
    """Its bundled ones are off in either case."""
    without, with_some = launched(tmp_path / "a"), launched(tmp_path / "b", skills=("one",))
    assert "--disable-slash-commands" in without.argv
    assert "--disable-slash-commands" not in with_some.argv
    for launch in (without, with_some):
        assert launch.env["CLAUDE_CODE_DISABLE_BUNDLED_SKILLS"] == "1"


def test_effort_is_a_flag_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    """The refusal lists the words it knows."""
    argv = launched(tmp_path / "a", effort="max").argv
    assert argv[argv.index("--effort") + 1] == "max"
    with pytest.raises(InputError, match="low, medium, high, xhigh, max"):
        launched(tmp_path / "b", effort="minimal")


@pytest.mark.parametrize(
    ("length", "in_a_file"), [(LONGEST_ARGUMENT, False), (LONGEST_ARGUMENT + 1, True)]
)
def test_a_prompt_longer_than_an_argument_goes_into_a_file(
    tmp_path: Path, length: int, in_a_file: bool
) -> None:
    """Then the prompt says where it is; every argument is one that Linux takes."""
    launch = launched(tmp_path, instruction="ä" * (length // 2) + "x" * (length % 2))
    assert max(len(word.encode()) for word in launch.argv) < 128 << 10
    assert ("prompt.md" in launch.files) is in_a_file
    assert ("/agent/prompt.md" in launch.argv[-1]) is in_a_file
