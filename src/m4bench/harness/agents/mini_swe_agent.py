# SPDX-License-Identifier: MIT
"""mini-swe-agent, a shell and little else, over Chat Completions. Knows its flags, its configuration and its file."""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from m4bench.harness.agents.agent import AgentContext, Launch, ModelAccess
from m4bench.harness.agents.command_line_agent import (
    LONGEST_REASON,
    CommandLineAgent,
    count_in,
    mapping_in,
    text_in,
)
from m4bench.harness.agents.failure_words import state_of
from m4bench.harness.agents.python_tool import PythonTool
from m4bench.harness.agents.reading import Conclusion
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens

TRAJECTORY = "trajectory.json"
LONGEST_TRAJECTORY = 64 << 20
OWN_CONFIG, RUN_CONFIG = "mini.yaml", "run.yaml"
# Its word for an end by the completion marker.
SUBMITTED = "Submitted"
# Its names of other ends, as far as its words do not tell.
STATES = {
    "LimitsExceeded": "agent-limit",
    "TimeExceeded": "agent-limit",
    "RepeatedFormatError": "agent-limit",
    "ContextWindowExceededError": "context-overflow",
    "AuthenticationError": "provider-auth",
    "PermissionDeniedError": "provider-auth",
    "NotFoundError": "provider-request",
    "BadRequestError": "provider-request",
    "UnprocessableEntityError": "provider-request",
    "InternalServerError": "provider-error",
    "ServiceUnavailableError": "provider-error",
    "APIError": "provider-error",
    "Timeout": "provider-error",
    "APIConnectionError": "provider-unreachable",
}


class MiniSweAgent(CommandLineAgent):
    """`mini-swe-agent` in its own Python, with the program it calls models by (litellm) kept from the network."""

    name = "mini-swe-agent"
    tool = PythonTool(
        "mini-swe-agent",
        "mini-swe-agent",
        "mini-swe-agent",
        "minisweagent.run.mini",
        "pipx install mini-swe-agent",
    )
    protocols = ("chat-completions",)
    skill_folders = (".agents/skills",)
    efforts = ("minimal", "low", "medium", "high")
    disabled: ClassVar[tuple[str, ...]] = (
        "cost limit", "step limit", "confirmation", "list of prices", "retries but two of a request",
    )  # fmt: skip

    def options(self) -> Mapping[str, str]:
        """Return what `CommandLineAgent` does, and how it learns of skills, which it does not look for itself."""
        return {
            **super().options(),
            "skills": "named at the end of the prompt where the run has some",
        }

    def prepare(self, context: AgentContext) -> Launch:
        """Return `mini-swe-agent` with a configuration of ours over its own."""
        access = self.access(context)
        task, files = self.prompt(context, with_skills(context))
        trajectory = f"{context.layout.home}/{TRAJECTORY}"
        argv = (
            *self.installation.argv(context.layout), "--yolo", "--exit-immediately", "--cost-limit", "0",
            "--model", f"openai/{access.model}", "--output", trajectory,
            "-c", OWN_CONFIG, "-c", f"{context.layout.program}/{RUN_CONFIG}", f"--task={task}",
        )  # fmt: skip
        return Launch(
            argv,
            env={
                "OPENAI_API_KEY": access.token,
                "MSWEA_CONFIGURED": "true",
                "MSWEA_COST_TRACKING": "ignore_errors",
                "MSWEA_SILENT_STARTUP": "1",
                "MSWEA_GLOBAL_CONFIG_DIR": f"{context.layout.home}/.mini-swe-agent",
                # the library of OpenAI's tries again twice, sooner than this one does
                "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "1",
                "LITELLM_LOCAL_MODEL_COST_MAP": "True",
                "LITELLM_MODE": "PRODUCTION",
            },
            files={**files, RUN_CONFIG: json.dumps(self.settings(access, context.timeout))},
            tools=self.installation.tools,
            collect={TRAJECTORY: trajectory},
            reader=MiniSweReader(),
        )

    def settings(self, access: ModelAccess, timeout: float) -> dict[str, Any]:
        """Return what is laid over its own configuration."""
        arguments: dict[str, Any] = {"api_base": f"{access.base_url}/v1", "timeout": timeout}
        if self.effort is not None:
            # as an argument of its own it is dropped for a model that litellm does not know
            arguments["extra_body"] = {"reasoning_effort": self.effort}
        return {
            "model": {"model_kwargs": arguments},
            # a query may take longer than the half a minute a command is given by default
            "environment": {"timeout": int(timeout)},
        }


def with_skills(context: AgentContext) -> str:
    """Return the prompt, with one line more where the run has skills: where they are and which."""
    if not context.skills:
        return context.prompt
    (folder,) = MiniSweAgent.skill_folders
    told = ", ".join(f"{folder}/{name}/SKILL.md" for name in context.skills)
    return f"{context.prompt.rstrip()}\n\nSkills lie in {folder}; read {told} before you begin.\n"


class MiniSweReader:
    """Reads the trajectory file of a run, which it writes after each step; what it prints is for people."""

    def __init__(self) -> None:
        self.finished = False
        self.unread = 0
        self._began: float | None = None
        self._status: str | None = None
        self._told = ""

    def line(self, text: str, seconds: float) -> list[TraceEvent]:
        """Return nothing, and learn from the first line when it was started."""
        if self._began is None:
            self._began = time.time() - seconds
        return []

    def end(self, files: Mapping[str, Path]) -> list[TraceEvent]:
        """Return the events of the trajectory; one that cannot be read is counted in `unread`."""
        path = files.get(TRAJECTORY)
        if path is None:
            return []
        try:
            if path.stat().st_size > LONGEST_TRAJECTORY:
                raise ValueError("too long")
            return list(self._events(json.loads(path.read_text(encoding="utf-8"))))
        except Exception:  # noqa: BLE001 # whatever a tool leaves, the run goes on
            self.unread += 1
            return []

    def _events(self, trajectory: dict[str, Any]) -> Iterator[TraceEvent]:
        info = mapping_in(trajectory.get("info"))
        model = mapping_in(mapping_in(info.get("config")).get("model")).get("model_name")
        extra = {"tool_version": info.get("mini_version"), "tools": ["bash"]}
        at = 0.0
        yield TraceEvent(seconds=at, kind="session", model=text_in(model) or None, extra=extra)
        for message in map(mapping_in, trajectory.get("messages") or []):
            at = self._seconds(mapping_in(message.get("extra")).get("timestamp"), at)
            yield from self._message(message, at)
        self._status = text_in(info.get("exit_status")) or self._status

    def _seconds(self, timestamp: Any, before: float) -> float:
        """Return the time of a message, that of the one before where it has none; the file tells them by the clock."""
        if not isinstance(timestamp, int | float):
            return before
        if self._began is None:
            self._began = float(timestamp)
        return max(before, float(timestamp) - self._began)

    def _message(self, message: dict[str, Any], at: float) -> Iterator[TraceEvent]:
        role, extra = message.get("role"), mapping_in(message.get("extra"))
        text = text_in(message.get("content"))
        if role == "tool":
            yield _result(message, extra, at)
        elif role == "exit":
            yield from self._exit(text, extra, at)
        elif role == "assistant":
            reasoning = text_in(message.get("reasoning_content"))
            if reasoning:
                yield TraceEvent(seconds=at, kind="reasoning", text=reasoning)
            if text:
                yield TraceEvent(seconds=at, kind="message", role="assistant", text=text)
            for call in map(mapping_in, message.get("tool_calls") or []):
                yield _call(call, at)
            yield from _usage(extra, at)
        elif role in ("system", "user"):
            # an answer without a command is in the complaint about it alone
            answer = _answer_complained_of(extra)
            if answer:
                yield TraceEvent(seconds=at, kind="message", role="assistant", text=answer)
            yield from _usage(extra, at)
            yield TraceEvent(seconds=at, kind="message", role=role, text=text)

    def _exit(self, text: str, extra: dict[str, Any], at: float) -> Iterator[TraceEvent]:
        self._status, self._told = text_in(extra.get("exit_status")), text
        if self._status != SUBMITTED:
            yield TraceEvent(seconds=at, kind="error", text=text or self._status)
        yield TraceEvent(seconds=at, kind="end", text=self._status)

    def conclusion(self, exit_code: int | None) -> Conclusion:
        """Return how it ended: by the trajectory's last message, then by the exit code."""
        if self._status == SUBMITTED:
            return Conclusion("completed")
        if self._status:
            told = f"{self._status}: {self._told}" if self._told else self._status
            reason = " ".join(told.split())[:LONGEST_REASON]
            state = STATES.get(self._status) or state_of(told)
            return Conclusion(state or "agent-error", reason)
        if exit_code is None:
            return Conclusion(None)
        return Conclusion("agent-error", f"exit code {exit_code}, without a completion marker")


def _call(call: dict[str, Any], at: float) -> TraceEvent:
    function = mapping_in(call.get("function"))
    written = function.get("arguments")
    try:
        arguments = mapping_in(json.loads(written) if isinstance(written, str) else written)
    except ValueError:
        arguments = {}
    return TraceEvent(
        seconds=at,
        kind="tool_call",
        call_id=text_in(call.get("id")),
        tool=text_in(function.get("name")),
        arguments=arguments,
        command=text_in(arguments.get("command")) or None,
    )


def _result(message: dict[str, Any], extra: dict[str, Any], at: float) -> TraceEvent:
    code = extra.get("returncode")
    # the command with the marker ends the run before it has a result
    told = code if isinstance(code, int) and code >= 0 else None
    raised = text_in(extra.get("exception_info"))
    return TraceEvent(
        seconds=at,
        kind="tool_result",
        call_id=text_in(message.get("tool_call_id")),
        text=text_in(message.get("content")),
        exit_code=told,
        failed=bool(told) or (bool(raised) and raised != "action was not executed"),
    )


def _usage(extra: dict[str, Any], at: float) -> Iterator[TraceEvent]:
    usage = mapping_in(mapping_in(extra.get("response")).get("usage"))
    if not usage:
        return
    cost = extra.get("cost")
    yield TraceEvent(
        seconds=at,
        kind="usage",
        tokens=Tokens(
            input=count_in(usage, "prompt_tokens"),
            cached=count_in(mapping_in(usage.get("prompt_tokens_details")), "cached_tokens"),
            output=count_in(usage, "completion_tokens"),
            reasoning=count_in(
                mapping_in(usage.get("completion_tokens_details")), "reasoning_tokens"
            ),
        ),
        cost_usd=float(cost) if isinstance(cost, int | float) and cost else None,
    )


def _answer_complained_of(extra: dict[str, Any]) -> str:
    choices = mapping_in(extra.get("response")).get("choices") or [{}]
    return text_in(mapping_in(mapping_in(choices[0]).get("message")).get("content"))
