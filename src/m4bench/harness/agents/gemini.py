# SPDX-License-Identifier: MIT
"""Gemini CLI, Google's command-line agent, over generateContent. Knows its flags, its settings and its events."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from m4bench.harness.agents.agent import AgentContext, AgentSettings, Launch
from m4bench.harness.agents.command_line_agent import (
    CommandLineAgent,
    JsonLinesReader,
    count_in,
    mapping_in,
    text_in,
)
from m4bench.harness.agents.npm_tool import NpmTool
from m4bench.model.errors import InputError
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens

TOOLS_OFF = ("google_web_search", "web_fetch")
BUNDLED_SKILLS = ("skill-creator", "antigravity-support")
# Models of the 2.5 family take a budget of thinking tokens, later ones a level: the correspondence Google
# documents for `reasoning_effort` of its OpenAI-compatible endpoint.
BUDGETS = {"low": 1024, "medium": 8192, "high": 24576}
# Signed in with a key, it exchanges these names in the request itself, where no setting reaches.
EXCHANGED = {
    "gemini-3-flash": "gemini-3.8-flash",
    "gemini-3.5-flash": "gemini-3.8-flash",
    "gemini-3.1-flash-lite": "gemini-3.5-flash-lite",
}
KEPT = ("gemini-3-flash-preview", "gemini-3.1-pro-preview")


class GeminiAgent(CommandLineAgent):
    """`gemini --prompt` in a home of its own, every request by the run's one model."""

    name = "gemini"
    tool = NpmTool("gemini", "gemini", "@google/gemini-cli", "npm install -g @google/gemini-cli")
    protocols = ("generate-content",)
    skill_folders = (".gemini/skills",)
    efforts = tuple(BUDGETS)
    disabled: ClassVar[tuple[str, ...]] = (
        *TOOLS_OFF, "bundled skills", "update check", "usage statistics", "telemetry", "loop detection",
        "retries of requests", "extensions", "IDE", "auto memory", "models of its own choice",
    )  # fmt: skip

    def __init__(self, settings: AgentSettings) -> None:
        """Find the tool and check the settings; see `CommandLineAgent`.

        Raises:
            InputError: also for a model that the tool would exchange for another.
        """
        super().__init__(settings)
        asked = EXCHANGED.get(self.model.removeprefix("models/"))
        if asked is not None:
            raise InputError(
                f"{self.name} would ask for {asked} in the place of {self.model}",
                remedy=f"name {asked} itself if it is meant, or a model that the tool keeps, "
                f"as {' or '.join(KEPT)}; another agent asks for {self.model} itself",
            )

    def prepare(self, context: AgentContext) -> Launch:
        """Return `gemini --prompt` with its settings in the fresh home."""
        access = self.access(context)
        prompt, files = self.prompt(context)
        argv = (
            *self.installation.argv(context.layout), "--yolo", "--skip-trust", "--model", access.model,
            "--output-format", "stream-json", "--extensions", "none", f"--prompt={prompt}",
        )  # fmt: skip
        return Launch(
            argv,
            env={
                "GOOGLE_GEMINI_BASE_URL": access.base_url,
                "GEMINI_API_KEY": access.token,
                "GEMINI_CLI_TRUST_WORKSPACE": "true",
                "GEMINI_TELEMETRY_ENABLED": "false",
                "GEMINI_CLI_NO_RELAUNCH": "true",
                "NO_COLOR": "1",
            },
            files=files,
            tools=self.installation.tools,
            home={
                ".gemini/settings.json": json.dumps(self.settings(access.model, context.timeout))
            },
            reader=GeminiReader(),
        )

    def settings(self, model: str, timeout: float) -> dict[str, Any]:
        """Return the contents of `settings.json`."""
        overrides: list[dict[str, Any]] = [
            # each of its own choices of a model inherits from this name
            {"match": {"model": "base"}, "modelConfig": {"model": model}}
        ]
        if self.effort is not None:
            thinking: dict[str, Any] = {"thinkingLevel": self.effort.upper()}
            if model.startswith("gemini-2"):
                thinking = {"thinkingBudget": BUDGETS[self.effort]}
            config = {"generateContentConfig": {"thinkingConfig": thinking}}
            overrides.append({"match": {"model": "chat-base"}, "modelConfig": config})
        return {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {
                "enableAutoUpdate": False,
                "enableAutoUpdateNotification": False,
                # the gateway tries again, and tells when it has given up
                "maxAttempts": 1,
                "sessionRetention": {"enabled": False},
            },
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "ide": {"enabled": False},
            "model": {"name": model, "disableLoopDetection": True, "skipNextSpeakerCheck": True},
            "modelConfigs": {
                "customOverrides": overrides,
                # and some names it exchanges for later ones; those of EXCHANGED it does all the same
                "modelIdResolutions": {model: {"default": model, "contexts": []}},
            },
            "experimental": {
                "dynamicModelConfiguration": True,
                "gemmaModelRouter": {"enabled": False},
                "autoMemory": False,
            },
            "skills": {"enabled": True, "disabled": list(BUNDLED_SKILLS)},
            "tools": {
                "exclude": list(TOOLS_OFF),
                "shell": {"enableInteractiveShell": False, "inactivityTimeout": int(timeout)},
            },
        }


class GeminiReader(JsonLinesReader):
    """Reads the events of `gemini --output-format stream-json`; an answer told in pieces becomes one message."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[str] = []
        self._since = 0.0

    def read(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        """Return the events of one object; see `JsonLinesReader`."""
        kind = message.get("type")
        if kind == "message" and message.get("delta") and message.get("role") == "assistant":
            if not self._pieces:
                self._since = seconds
            self._pieces.append(text_in(message.get("content")))
            return []
        found = self._event(kind, message, seconds)
        return None if found is None else [*self._told(), *found]

    def _event(
        self, kind: object, message: dict[str, Any], seconds: float
    ) -> list[TraceEvent] | None:
        if kind == "init":
            extra = {"session_id": message.get("session_id")}
            model = text_in(message.get("model")) or None
            return [TraceEvent(seconds=seconds, kind="session", model=model, extra=extra)]
        if kind == "message":
            role: Any = "user" if message.get("role") == "user" else "assistant"
            text = text_in(message.get("content"))
            return [TraceEvent(seconds=seconds, kind="message", role=role, text=text)]
        if kind == "tool_use":
            return [_call(message, seconds)]
        if kind == "tool_result":
            error = mapping_in(message.get("error"))
            return [
                TraceEvent(
                    seconds=seconds,
                    kind="tool_result",
                    call_id=text_in(message.get("tool_id")),
                    text=text_in(message.get("output") or error.get("message")),
                    failed=message.get("status") != "success",
                )
            ]
        if kind == "error" and message.get("severity") == "warning":
            text = text_in(message.get("message"))
            return [TraceEvent(seconds=seconds, kind="message", role="system", text=text)]
        if kind == "error":
            return self.failed(text_in(message.get("message")), seconds)
        if kind == "result":
            return self._result(message, seconds)
        return None

    def _result(self, message: dict[str, Any], seconds: float) -> list[TraceEvent]:
        self.finished = True
        status = text_in(message.get("status"))
        tokens = _tokens(mapping_in(message.get("stats")))
        events = [
            TraceEvent(seconds=seconds, kind="usage", tokens=tokens, extra={"cumulative": True})
        ]
        if status == "success":
            self.well = True
        else:
            error = mapping_in(message.get("error"))
            events += self.failed(text_in(error.get("message")) or status, seconds)
        events.append(TraceEvent(seconds=seconds, kind="end", text=status))
        return events

    def _told(self) -> list[TraceEvent]:
        text, self._pieces = "".join(self._pieces), []
        if not text:
            return []
        return [TraceEvent(seconds=self._since, kind="message", role="assistant", text=text)]

    def end(self, files: Mapping[str, Path]) -> list[TraceEvent]:
        """Return what of an answer was told when it stopped."""
        return self._told()


def _call(message: dict[str, Any], seconds: float) -> TraceEvent:
    arguments, tool = mapping_in(message.get("parameters")), text_in(message.get("tool_name"))
    return TraceEvent(
        seconds=seconds,
        kind="tool_call",
        call_id=text_in(message.get("tool_id")),
        tool=tool,
        arguments=arguments,
        command=text_in(arguments.get("command")) if tool == "run_shell_command" else None,
    )


def _tokens(stats: dict[str, Any]) -> Tokens:
    sent, made = count_in(stats, "input_tokens"), count_in(stats, "output_tokens")
    # thoughts are in the total alone
    unseen = max(0, count_in(stats, "total_tokens") - sent - made)
    return Tokens(
        input=sent, cached=count_in(stats, "cached"), output=made + unseen, reasoning=unseen
    )
