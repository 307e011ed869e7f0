# SPDX-License-Identifier: MIT
"""One run followed: its trace, its counts and its trajectory, as the run folder keeps them."""

import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from m4bench.harness.agents.agent import Launch
from m4bench.harness.agents.claude_code import ClaudeCodeReader
from m4bench.harness.agents.reading import Conclusion
from m4bench.harness.outcome import FINISHED
from m4bench.harness.preparation import Prepared, prepare
from m4bench.harness.sandbox.sandbox import Execution, Stop
from m4bench.harness.trace import watch
from m4bench.harness.trace.trajectory import Trajectory
from m4bench.harness.trace.watch import Watch, Watched
from m4bench.harness.trace.writer import TraceBounds, TraceWriter, read_trace
from m4bench.model.run import ToolFacts
from m4bench.model.usage import Tokens, Usage
from tests.harness.agents.recordings import RECORDED
from tests.harness.conftest import Ask

from .test_live import SOON, WordReader

STARTED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RECORDED_RUN = RECORDED / "claude-code" / "happy.jsonl"


def ended(**told: object) -> Execution:
    """How a run ended in its sandbox."""
    given: dict[str, object] = {
        "state": "exited", "reason": None, "exit_code": 0, "seconds": 5.0, "start_seconds": 0.1,
        "output": "present", **told,
    }  # fmt: skip
    return Execution(**given)  # type: ignore[arg-type]


@pytest.fixture
def prepared(ask: Ask) -> Prepared:
    """A run of the toy's task that could start."""
    return prepare(ask())


def test_a_recorded_run_of_a_real_tool_leaves_all_three(prepared: Prepared, tmp_path: Path) -> None:
    """What Claude Code printed for a call and a last word; the gateway's count is the trajectory's."""
    following = Watch(
        Launch(("tool",), reader=ClaudeCodeReader()), prepared, tmp_path, STARTED, Stop()
    )
    assert following.tap is not None
    following.tap(RECORDED_RUN.read_bytes())
    usage = Usage(requests=2, tokens=Tokens(input=321, output=12))
    found = following.end(ended(first_output_seconds=1.25), usage)
    assert found.conclusion == Conclusion("completed")
    assert found.activity is not None
    assert found.activity.first_event_seconds is not None
    assert found.activity.model_dump(exclude={"first_event_seconds"}) == {
        "turns": 2, "tool_calls": 1, "failed_tool_calls": 0, "commands": 1, "queries": 0,
        "messages": 1, "tools": {"Bash": 1}, "first_output_seconds": 1.25, "unread_lines": 0,
    }  # fmt: skip
    told = Trajectory.read(tmp_path / "trajectory.json")
    assert told.session_id == prepared.run_id
    assert told.agent.name == "reference"
    assert told.steps[0].message == prepared.staging.instruction
    assert told.final_metrics is not None
    assert told.final_metrics.total_prompt_tokens == 321
    kinds = [event.kind for event in read_trace(tmp_path / "trace.jsonl")]
    assert kinds == ["session", "tool_call", "tool_result", "message", "usage", "end"]
    header = json.loads((tmp_path / "trace.jsonl").read_text().partition("\n")[0])
    assert (header["agent"], header["task"]) == ("reference", "toy-word")
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in tmp_path.glob("tra*"))


def test_what_a_tool_says_of_itself_is_recorded_within_bounds(
    prepared: Prepared, tmp_path: Path
) -> None:
    """Its last word where it says it twice, and no more of a name or a list than a record can take."""
    following = Watch(
        Launch(("tool",), reader=ClaudeCodeReader()), prepared, tmp_path, STARTED, Stop()
    )
    said = [
        {"claude_code_version": "1.0", "model": "first", "tools": ["Bash", "Read"]},
        {"claude_code_version": "9" * 5000, "model": "second", "skills": ["s"] * 5000},
    ]
    assert following.tap is not None
    for one in said:
        following.tap(json.dumps({"type": "system", "subtype": "init", **one}).encode() + b"\n")
    found = following.end(ended(), None)
    assert found.tool == ToolFacts(
        version="9" * 200, model="second", tools=("Bash", "Read"), skills=("s",) * 500
    )


def test_files_a_tool_left_are_read_where_they_were_collected(
    prepared: Prepared, tmp_path: Path
) -> None:
    """Only those that are there."""
    launch = Launch(
        ("tool",), reader=WordReader(), collect={"a.txt": "/home/a.txt", "b.txt": "/home/b.txt"}
    )
    following = Watch(launch, prepared, tmp_path, STARTED, Stop())
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "b.txt").write_text("left in b")
    following.end(ended(), None)
    assert [event.text for event in read_trace(tmp_path / "trace.jsonl")] == ["left in b"]


def test_an_agent_that_nobody_reads_leaves_nothing(prepared: Prepared, tmp_path: Path) -> None:
    """Neither a file nor a count."""
    folder = tmp_path / "run"
    folder.mkdir()
    following = Watch(Launch(("tool",)), prepared, folder, STARTED, Stop())
    assert following.tap is None
    assert following.end(ended(), None) == Watched()
    assert list(folder.iterdir()) == []


def test_a_tool_that_stays_after_its_last_word_is_asked_to_stop(
    prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason by which the outcome knows that it had finished."""
    monkeypatch.setattr(watch, "GRACE", 0.05)
    stop = Stop()
    following = Watch(Launch(("tool",), reader=WordReader()), prepared, tmp_path, STARTED, stop)
    assert following.tap is not None
    following.tap(b"last\n")
    assert stop._asked.wait(SOON)
    assert stop.reason == FINISHED
    following.end(ended(state="stopped", reason=FINISHED), None)


def test_events_beyond_the_trace_count_as_unread(
    prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a count that is too low shows that it is."""
    monkeypatch.setattr(watch, "TraceWriter", partial(TraceWriter, bounds=TraceBounds(events=2)))
    following = Watch(Launch(("tool",), reader=WordReader()), prepared, tmp_path, STARTED, Stop())
    assert following.tap is not None
    following.tap(b"one\ntwo\nthree\nx\n")
    found = following.end(ended(), None)
    assert found.activity is not None
    assert (found.activity.messages, found.activity.unread_lines) == (2, 2)


def test_a_trace_that_could_not_be_stored_is_an_error_of_the_run(
    prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raised when the agent has ended, and no trajectory is made of half a trace."""
    following = Watch(Launch(("tool",), reader=WordReader()), prepared, tmp_path, STARTED, Stop())
    assert isinstance(following.writer, TraceWriter)
    assert following.tap is not None
    # /dev/full takes nothing, as a full disk
    with Path("/dev/full").open("wb", buffering=0) as full:
        following.writer._file.close()
        monkeypatch.setattr(following.writer, "_file", full)
        following.tap(b"one\ntwo\n")
        with pytest.raises(OSError, match="No space left on device"):
            following.end(ended(), None)
    assert not (tmp_path / "trajectory.json").exists()
