# SPDX-License-Identifier: MIT
"""pi, a small command-line agent for any provider. Knows its flags, its settings and its events."""

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from m4bench.harness.agents.agent import AgentContext, Launch, ModelAccess
from m4bench.harness.agents.command_line_agent import (
    CommandLineAgent,
    JsonLinesReader,
    count_in,
    mapping_in,
    text_in,
)
from m4bench.harness.agents.npm_tool import NpmTool
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens

PROVIDER = "m4bench"
TOKEN_VARIABLE = "M4BENCH_TOKEN"  # noqa: S105 # the name of a variable
SETTINGS_FOLDER = ".pi/agent"
# Its names of the protocols, and what of the gateway's address they ask for.
APIS: dict[WireProtocol, tuple[str, str]] = {
    "chat-completions": ("openai-completions", "/v1"),
    "responses": ("openai-responses", "/v1"),
    "messages": ("anthropic-messages", ""),
    "generate-content": ("google-generative-ai", "/v1beta"),
}
# Its guess at the context of a model it does not know, after which it sums up what was said before.
CONTEXT_WINDOW = 128_000
LONGEST_THINKING_ANSWER = 32_000
# Google's models for which it has a level of thinking or a budget of its own; for others it would send -1, the
# model's own choice, whatever the effort.
WITH_THINKING = re.compile(r"gemini-3(\.\d+)?-(pro|flash)|gemma-?4|2\.5-(pro|flash)", re.IGNORECASE)
# Its own tokens for a level where a provider takes a number.
BUDGETS = {"minimal": 1024, "low": 2048, "medium": 8192, "high": 16384}
RETRIES = 2
EXIT_CODE = re.compile(r"Command exited with code (\d+)\s*$")


class PiAgent(CommandLineAgent):
    """`pi --print` in a home of its own, with one provider of one model: the gateway."""

    name = "pi"
    tool = NpmTool(
        "pi",
        "pi",
        "@mariozechner/pi-coding-agent",
        "npm install -g @mariozechner/pi-coding-agent",
    )
    protocols = ("chat-completions", "responses", "messages", "generate-content")
    skill_folders = (".agents/skills",)
    efforts = ("minimal", "low", "medium", "high")
    disabled: ClassVar[tuple[str, ...]] = (
        "context files", "extensions", "prompt templates", "themes", "session files", "update check",
        "telemetry", "retries of single requests",
    )  # fmt: skip

    def options(self) -> Mapping[str, str]:
        """Return what `CommandLineAgent` does, and the context it is told the model has."""
        return {**super().options(), "context_window": str(CONTEXT_WINDOW)}

    def prepare(self, context: AgentContext) -> Launch:
        """Return `pi --print` with its models and settings in the fresh home."""
        access = self.access(context)
        prompt, files = self.prompt(context)
        thinking = ("--thinking", self.effort) if self.effort else ()
        skills = () if context.skills else ("--no-skills",)
        argv = (
            *self.installation.argv(context.layout), "--print", "--mode", "json", "--provider", PROVIDER,
            "--model", access.model, *thinking, *skills, "--no-context-files", "--no-extensions",
            "--no-prompt-templates", "--no-themes", "--no-session",
            # a first character of its own would make it a flag or the name of a file
            f" {prompt}" if prompt[:1] in ("-", "@") else prompt,
        )  # fmt: skip
        return Launch(
            argv,
            env={
                "PI_OFFLINE": "1",
                "PI_TELEMETRY": "0",
                "PI_SKIP_VERSION_CHECK": "1",
                "PI_CODING_AGENT_DIR": f"{context.layout.home}/{SETTINGS_FOLDER}",
                TOKEN_VARIABLE: access.token,
            },
            files=files,
            tools=self.installation.tools,
            home={
                f"{SETTINGS_FOLDER}/models.json": json.dumps(self.models(access)),
                f"{SETTINGS_FOLDER}/settings.json": json.dumps(
                    self.settings(access, context.timeout)
                ),
            },
            reader=PiReader(),
        )

    def models(self, access: ModelAccess) -> dict[str, Any]:
        """Return the contents of `models.json`."""
        api, below = APIS[access.protocol]
        model: dict[str, Any] = {"id": access.model, "contextWindow": CONTEXT_WINDOW}
        if self.effort is not None:
            # without it no level of thinking is sent
            model["reasoning"] = True
        if self.effort is not None and access.protocol == "messages":
            # thinking is a part of what the model may say, and the default leaves no room for the highest level
            model["maxTokens"] = LONGEST_THINKING_ANSWER
        provider: dict[str, Any] = {
            "baseUrl": access.base_url + below,
            "apiKey": TOKEN_VARIABLE,
            "api": api,
            "models": [model],
        }
        if access.protocol == "chat-completions":
            # servers other than OpenAI's know neither
            provider["compat"] = {"supportsDeveloperRole": False, "supportsStore": False}
        return {"providers": {PROVIDER: provider}}

    def settings(self, access: ModelAccess, timeout: float) -> dict[str, Any]:
        """Return the contents of `settings.json`."""
        settings: dict[str, Any] = {
            "retry": {
                "enabled": True,
                "maxRetries": RETRIES,
                # the gateway tries again
                "provider": {"maxRetries": 0, "timeoutMs": int(timeout * 1000)},
            },
            "enableInstallTelemetry": False,
            "quietStartup": True,
        }
        known = WITH_THINKING.search(access.model)
        if self.effort is not None and access.protocol == "generate-content" and not known:
            settings["thinkingBudgets"] = BUDGETS
        return settings


class PiReader(JsonLinesReader):
    """Reads the events of `pi --mode json`: whole messages, and the tools' starts and ends."""

    QUIET = frozenset(
        ("agent_start", "turn_start", "turn_end", "message_start", "message_update",
         "tool_execution_update", "queue_update", "compaction_start", "session_info_changed",
         "thinking_level_changed")
    )  # fmt: skip

    def read(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        """Return the events of one object; see `JsonLinesReader`."""
        kind = message.get("type")
        if kind in self.QUIET:
            return []
        if kind == "session":
            session = {"session_id": message.get("id")}
            return [TraceEvent(seconds=seconds, kind="session", extra=session)]
        if kind == "message_end":
            return self._message(mapping_in(message.get("message")), seconds)
        if kind == "tool_execution_start":
            return [_call(message, seconds)]
        if kind == "tool_execution_end":
            return [_result(message, seconds)]
        if kind == "agent_end":
            # after a failure it may begin again
            self.finished = self.well
            return []
        if kind == "auto_retry_start":
            self.finished = False
            return self.failed(text_in(message.get("errorMessage")), seconds)
        if kind == "auto_retry_end" and not message.get("success"):
            return self.failed(text_in(message.get("finalError")), seconds)
        if kind == "compaction_end" and message.get("errorMessage"):
            return self.failed(text_in(message.get("errorMessage")), seconds)
        return [] if kind in ("auto_retry_end", "compaction_end") else None

    def _message(self, message: dict[str, Any], seconds: float) -> list[TraceEvent]:
        role: Any = message.get("role")
        if role not in ("user", "assistant"):
            return []
        events: list[TraceEvent] = []
        content = message.get("content")
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        for part in map(mapping_in, parts):
            if part.get("type") == "text":
                text = text_in(part.get("text"))
                events.append(TraceEvent(seconds=seconds, kind="message", role=role, text=text))
            elif part.get("type") == "thinking":
                text = text_in(part.get("thinking"))
                events.append(TraceEvent(seconds=seconds, kind="reasoning", text=text))
        if role == "user":
            return events
        return [*events, *self._ended(message, seconds)]

    def _ended(self, message: dict[str, Any], seconds: float) -> list[TraceEvent]:
        """Return what an answer of the model used and how it ended; the exit code is 0 whatever happened."""
        reason = text_in(message.get("stopReason"))
        tokens = _tokens(mapping_in(message.get("usage")))
        model = text_in(message.get("model")) or None
        events = [TraceEvent(seconds=seconds, kind="usage", tokens=tokens, model=model)]
        self.well = reason not in ("error", "aborted", "toolUse")
        if reason in ("error", "aborted"):
            return events + self.failed(text_in(message.get("errorMessage")) or reason, seconds)
        if self.well:
            events.append(TraceEvent(seconds=seconds, kind="end", text=reason))
        return events


def _call(message: dict[str, Any], seconds: float) -> TraceEvent:
    arguments, tool = mapping_in(message.get("args")), text_in(message.get("toolName"))
    return TraceEvent(
        seconds=seconds,
        kind="tool_call",
        call_id=text_in(message.get("toolCallId")),
        tool=tool,
        arguments=arguments,
        command=text_in(arguments.get("command")) if tool == "bash" else None,
    )


def _result(message: dict[str, Any], seconds: float) -> TraceEvent:
    failed = bool(message.get("isError"))
    text = text_in(mapping_in(message.get("result")).get("content"))
    told = EXIT_CODE.search(text) if failed else None
    ran = message.get("toolName") == "bash" and not failed
    return TraceEvent(
        seconds=seconds,
        kind="tool_result",
        call_id=text_in(message.get("toolCallId")),
        text=text,
        exit_code=int(told[1]) if told else 0 if ran else None,
        failed=failed,
    )


def _tokens(usage: dict[str, Any]) -> Tokens:
    cached, written = count_in(usage, "cacheRead"), count_in(usage, "cacheWrite")
    return Tokens(
        input=count_in(usage, "input") + cached + written,
        cached=cached,
        cache_write=written,
        output=count_in(usage, "output"),
    )
