# SPDX-License-Identifier: MIT
"""The Agent Trajectory Interchange Format (ATIF) 1.8 as records: what a trajectory may hold. Knows no agent.

Contents are texts; a file with images or sound in it is refused.
"""

from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from m4bench.model.errors import InputError
from m4bench.model.files import write_text
from m4bench.model.record import Record

PRIVATE_FILE = 0o600
Extra = dict[str, Any] | None


class ToolCall(Record):
    """A call of a tool; its id is unique within its step."""

    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]
    extra: Extra = None


class SubagentReference(Record):
    """Where the trajectory of an agent's own agent is: embedded under an id, or in a file."""

    trajectory_id: str | None = None
    session_id: str | None = None
    trajectory_path: str | None = None
    extra: Extra = None


class ObservationResult(Record):
    """What one call of the same step gave; without `source_call_id` it is of no call."""

    source_call_id: str | None = None
    content: str | None = None
    subagent_trajectory_ref: tuple[SubagentReference, ...] | None = None
    extra: Extra = None


class Observation(Record):
    """What a step's calls gave."""

    results: tuple[ObservationResult, ...]


class Metrics(Record):
    """Tokens of a step's model call, cached ones among the prompt's, and its cost."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    prompt_token_ids: tuple[int, ...] | None = None
    completion_token_ids: tuple[int, ...] | None = None
    logprobs: tuple[float, ...] | None = None
    extra: Extra = None


AGENT_ONLY = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")


class Step(Record):
    """One step: what the system, the user or the agent said, and for the agent what it did.

    `llm_call_count` None is not known, 0 a step without a model: it has neither metrics nor reasoning.
    """

    step_id: int = Field(ge=1)
    timestamp: str | None = None
    source: Literal["system", "user", "agent"]
    model_name: str | None = None
    reasoning_effort: str | float | None = None
    message: str
    reasoning_content: str | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    is_copied_context: bool | None = None
    llm_call_count: int | None = Field(default=None, ge=0)
    extra: Extra = None

    @field_validator("timestamp")
    @classmethod
    def _is_iso(cls, timestamp: str | None) -> str | None:
        try:
            datetime.fromisoformat(timestamp or "2000-01-01")
        except ValueError:
            raise ValueError("is no ISO 8601 time") from None
        return timestamp

    @model_validator(mode="after")
    def _is_of_its_source(self) -> Self:
        for name in AGENT_ONLY if self.source != "agent" else ():
            if getattr(self, name) is not None:
                raise ValueError(f"{name} belongs to a step of the agent")
        without_model = self.source == "agent" and self.llm_call_count == 0
        if without_model and (self.metrics or self.reasoning_content is not None):
            raise ValueError("a step without a model call has neither metrics nor reasoning")
        return self

    @model_validator(mode="after")
    def _results_have_calls(self) -> Self:
        ids = [call.tool_call_id for call in self.tool_calls or ()]
        if len(ids) != len(set(ids)):
            raise ValueError("two tool calls of a step have one id")
        known = {None, *ids}
        results = self.observation.results if self.observation else ()
        if any(result.source_call_id not in known for result in results):
            raise ValueError("a result names no tool call of its step")
        return self


class AtifAgent(Record):
    """The agent: `model_name` is the model of every step that names none."""

    name: str
    version: str
    model_name: str | None = None
    tool_definitions: tuple[dict[str, Any], ...] | None = None
    extra: Extra = None


class FinalMetrics(Record):
    """Sums over the whole run, cached tokens among the prompt's."""

    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int | None = Field(default=None, ge=0)
    extra: Extra = None


class Trajectory(Record):
    """A run of an agent, step by step; the steps are numbered from 1."""

    schema_version: Literal["ATIF-v1.8"] = "ATIF-v1.8"
    session_id: str | None = None
    trajectory_id: str | None = None
    agent: AtifAgent
    steps: tuple[Step, ...] = Field(min_length=1)
    notes: str | None = None
    final_metrics: FinalMetrics | None = None
    continued_trajectory_ref: str | None = None
    extra: Extra = None
    subagent_trajectories: tuple["Trajectory", ...] | None = None

    @model_validator(mode="after")
    def _is_numbered(self) -> Self:
        if any(step.step_id != number for number, step in enumerate(self.steps, 1)):
            raise ValueError("the steps are not numbered from 1")
        told = self.final_metrics.total_steps if self.final_metrics else None
        if told not in (None, len(self.steps)) and self.notes is None:
            raise ValueError("total_steps is not the number of steps, and no note says why")
        inner = [one.trajectory_id for one in self.subagent_trajectories or ()]
        if None in inner or len(inner) != len(set(inner)):
            raise ValueError("the trajectories within have no ids of their own")
        return self

    def write(self, path: Path) -> None:
        """Write the trajectory whole or not at all, readable by the user alone.

        Raises:
            OSError: it could not be stored.
        """
        text = self.model_dump_json(exclude_none=True, indent=1)
        write_text(path, text + "\n", mode=PRIVATE_FILE)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read and validate a trajectory.

        Raises:
            InputError: the file cannot be read or is no trajectory of this version.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", file=path) from error
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False, include_context=False)[0]
            raise InputError(
                first["msg"].removeprefix("Value error, "),
                file=path,
                remedy="it is not an ATIF 1.8 trajectory of texts",
            ) from None
