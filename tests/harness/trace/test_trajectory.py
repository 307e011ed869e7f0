# SPDX-License-Identifier: MIT
"""What ATIF 1.8 allows and what it refuses, rule by rule."""

import json
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.trace.trajectory import Trajectory
from m4bench.model.errors import InputError

from .telling import call, result, said, trajectory, used

CALL = {"tool_call_id": "c", "function_name": "bash", "arguments": {}}
AGENT = {"name": "toy", "version": "1"}


def document(*steps: dict[str, Any], **root: Any) -> dict[str, Any]:
    """A trajectory of some steps, numbered."""
    numbered = [{"step_id": number, **step} for number, step in enumerate(steps, 1)]
    return {"schema_version": "ATIF-v1.8", "agent": AGENT, "steps": numbered, **root}


def step(source: str = "agent", **told: Any) -> dict[str, Any]:
    """A step."""
    return {"source": source, "message": "hm", **told}


FITTING = {
    "every field": document(
        step("user"),
        step(
            timestamp="2026-01-01T00:00:00Z", model_name="m", reasoning_effort="high",
            reasoning_content="so", tool_calls=[CALL], is_copied_context=False, llm_call_count=1,
            observation={"results": [
                {"source_call_id": "c", "content": "x", "extra": {"a": 1}},
                {"content": None, "subagent_trajectory_ref": [{"trajectory_id": "inner"}]},
            ]},
            metrics={"prompt_tokens": 1, "completion_tokens": 1, "cached_tokens": 0,
                     "cost_usd": 0.1, "logprobs": [-0.5], "completion_token_ids": [7]},
            extra={"b": 2},
        ),
        step("system", observation={"results": []}),
        session_id="s", trajectory_id="t", notes="n", continued_trajectory_ref="next.json",
        final_metrics={"total_steps": 3, "total_cost_usd": 0.1},
        subagent_trajectories=[document(step("user"), trajectory_id="inner")], extra={},
    ),
    "another number of steps with a note": document(
        step(), final_metrics={"total_steps": 9}, notes="some are elsewhere"
    ),
    "a step without a model": document(step(llm_call_count=0)),
}  # fmt: skip
REFUSED = {
    "another version": (document(step()) | {"schema_version": "ATIF-v1.9"}, "Input should be"),
    "no step": (document(), "at least 1 item"),
    "a number left out": (document(step(), step(step_id=3)), "not numbered from 1"),
    "an unknown key": (document(step(mood="good")), "Extra inputs"),
    "an unknown key of a call": (document(step(tool_calls=[CALL | {"x": 1}])), "Extra inputs"),
    "an unknown source": (document(step("robot")), "Input should be"),
    "no message": (document({"source": "agent"}), "Field required"),
    "no time": (document(step(timestamp="yesterday")), "no ISO 8601 time"),
    "a result of another step": (
        document(step(tool_calls=[CALL]), step(observation={"results": [{"source_call_id": "c"}]})),
        "no tool call of its step",
    ),
    "two calls of one id": (document(step(tool_calls=[CALL, CALL])), "have one id"),
    "metrics of no model": (document(step(llm_call_count=0, metrics={})), "without a model call"),
    "another number of steps": (document(step(), final_metrics={"total_steps": 2}), "no note"),
    "an inner one without id": (
        document(step(), subagent_trajectories=[document(step())]), "no ids of their own",
    ),
    **{
        f"{name} of a user": (document(step("user", **{name: value})), f"{name} belongs to")
        for name, value in {
            "model_name": "m", "reasoning_effort": 1, "reasoning_content": "so",
            "tool_calls": [CALL], "metrics": {},
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("found", FITTING.values(), ids=FITTING)
def test_what_the_format_allows_is_read(found: dict[str, Any], tmp_path: Path) -> None:
    """And written back the same, apart from what is not told."""
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(found))
    read = Trajectory.read(path)
    read.write(path)
    assert Trajectory.read(path) == read


@pytest.mark.parametrize(("found", "says"), REFUSED.values(), ids=REFUSED)
def test_what_the_format_refuses_is_refused(
    found: dict[str, Any], says: str, tmp_path: Path
) -> None:
    """In one line that names the file."""
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(found))
    with pytest.raises(InputError, match=says) as refused:
        Trajectory.read(path)
    assert str(refused.value).startswith(str(path))
    assert "yesterday" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The error of the system, in one line."""
    with pytest.raises(InputError, match="cannot be read"):
        Trajectory.read(tmp_path / "none.json")


def test_it_is_written_for_the_user_alone(tmp_path: Path) -> None:
    """It holds rows of the data; and nothing is left beside it."""
    path = tmp_path / "trajectory.json"
    trajectory(said("hm"), call("a"), result("a"), used(1)).write(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]
