# SPDX-License-Identifier: MIT
"""opencode, a command-line agent for any provider. Knows its flags, its configuration and its events."""

import json
from typing import Any, ClassVar

from m4bench.harness.agents.agent import AgentContext, Launch, ModelAccess
from m4bench.harness.agents.command_line_agent import (
    CommandLineAgent,
    JsonLinesReader,
    count_in,
    mapping_in,
    text_in,
)
from m4bench.harness.agents.gemini import BUDGETS
from m4bench.harness.agents.npm_tool import NpmTool
from m4bench.harness.agents.reading import Conclusion
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens

PROVIDER = "m4bench"
# Its own libraries for the protocols, all within its binary; and what of the gateway's address they ask for.
LIBRARIES: dict[WireProtocol, tuple[str, str]] = {
    "chat-completions": ("@ai-sdk/openai-compatible", "/v1"),
    "responses": ("@ai-sdk/openai", "/v1"),
    "messages": ("@ai-sdk/anthropic", "/v1"),
    "generate-content": ("@ai-sdk/google", "/v1beta"),
}
TOOLS_OFF = ("webfetch", "websearch", "question")
SWITCHES = (
    "OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_SHARE",
    "OPENCODE_DISABLE_LSP_DOWNLOAD", "OPENCODE_DISABLE_DEFAULT_PLUGINS", "OPENCODE_DISABLE_CLAUDE_CODE",
    "OPENCODE_DISABLE_TERMINAL_TITLE",
)  # fmt: skip
BUNDLED_SKILL = "customize-opencode"
# Why a step ended that another follows.
GOES_ON = "tool-calls"


class OpenCodeAgent(CommandLineAgent):
    """`opencode run` in a home of its own, with one provider of one model: the gateway."""

    name = "opencode"
    tool = NpmTool(
        "opencode",
        "opencode",
        "opencode-ai",
        "npm install -g opencode-ai",
        scripts=("opencode-ai",),
    )
    # its library for Chat Completions sends a bound on output that OpenAI's later models refuse there
    protocols = ("responses", "chat-completions", "messages", "generate-content")
    skill_folders = (".agents/skills",)
    efforts = tuple(BUDGETS)
    disabled: ClassVar[tuple[str, ...]] = (
        *TOOLS_OFF, "bundled skill", "session titles", "automatic compaction", "snapshots", "sharing",
        "update check", "list of models", "language servers", "formatters", "default plug-ins",
    )  # fmt: skip

    def prepare(self, context: AgentContext) -> Launch:
        """Return `opencode run` with its configuration in the environment."""
        access = self.access(context)
        prompt, files = self.prompt(context)
        argv = (
            *self.installation.argv(context.layout), "--model", f"{PROVIDER}/{access.model}", "run",
            "--format", "json", "--auto", "--pure", "--thinking",
            # without one it asks the model for it
            "--title", context.task.name, "--", prompt,
        )  # fmt: skip
        skills = bool(context.skills)
        return Launch(
            argv,
            env={
                **dict.fromkeys(SWITCHES, "1"),
                # it would fetch a package for plug-ins
                "NPM_CONFIG_OFFLINE": "true",
                "OPENCODE_CONFIG_CONTENT": json.dumps(self.settings(access, skills=skills)),
                # a query may take longer than the two minutes a command is given by default
                "OPENCODE_EXPERIMENTAL_BASH_DEFAULT_TIMEOUT_MS": str(int(context.timeout * 1000)),
            },
            files=files,
            tools=self.installation.tools,
            reader=OpenCodeReader(),
        )

    def settings(self, access: ModelAccess, *, skills: bool) -> dict[str, Any]:
        """Return the contents of `opencode.json`."""
        library, below = LIBRARIES[access.protocol]
        model = f"{PROVIDER}/{access.model}"
        provider = {
            "npm": library,
            "name": PROVIDER,
            "options": {
                "baseURL": access.base_url + below,
                "apiKey": access.token,
                # the harness and the gateway have time-outs of their own
                "timeout": False,
                "headerTimeout": False,
                "chunkTimeout": False,
            },
            "models": {access.model: {"name": access.model, **self._thinking(access.protocol)}},
        }
        allowed = {"*": "allow", BUNDLED_SKILL: "deny"} if skills else "deny"
        return {
            "model": model,
            "small_model": model,
            "enabled_providers": [PROVIDER],
            "provider": {PROVIDER: provider},
            "permission": {**dict.fromkeys(TOOLS_OFF, "deny"), "skill": allowed},
            # a request that is too long is told as such, and not shortened and sent again for ever
            "compaction": {"auto": False, "prune": False},
            "autoupdate": False,
            "share": "disabled",
            "snapshot": False,
            "formatter": False,
            "lsp": False,
        }

    def _thinking(self, protocol: WireProtocol) -> dict[str, Any]:
        if self.effort is None:
            return {}
        thinking: dict[str, Any] = {"thinkingLevel": self.effort}
        if self.model.startswith("gemini-2"):
            thinking = {"thinkingBudget": BUDGETS[self.effort]}
        options: dict[WireProtocol, dict[str, Any]] = {
            "chat-completions": {"reasoningEffort": self.effort},
            "responses": {"reasoningEffort": self.effort},
            "messages": {"effort": self.effort},
            "generate-content": {"thinkingConfig": thinking},
        }
        return {"reasoning": True, "options": options[protocol]}


class OpenCodeReader(JsonLinesReader):
    """Reads the events of `opencode run --format json`, which tells a tool's call and its result as one."""

    def __init__(self) -> None:
        super().__init__()
        self._known = False
        self._refused = False

    def read(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        """Return the events of one object; see `JsonLinesReader`."""
        found = self._event(message, seconds)
        if found is None or self._known:
            return found
        self._known = True
        session = {"session_id": message.get("sessionID")}
        return [TraceEvent(seconds=seconds, kind="session", extra=session), *found]

    def _event(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        kind, part = message.get("type"), mapping_in(message.get("part"))
        if kind == "step_start":
            self.well = self.finished = False
            return []
        if kind == "text":
            role: Any = "user" if part.get("synthetic") else "assistant"
            text = text_in(part.get("text"))
            return [TraceEvent(seconds=seconds, kind="message", role=role, text=text)]
        if kind == "reasoning":
            return [TraceEvent(seconds=seconds, kind="reasoning", text=text_in(part.get("text")))]
        if kind == "tool_use":
            return _used(part, seconds)
        if kind == "step_finish":
            return self._step(part, seconds)
        if kind == "error":
            return self._error(mapping_in(message.get("error")), seconds)
        return None

    def _step(self, part: dict[str, Any], seconds: float) -> list[TraceEvent]:
        cost, reason = part.get("cost"), text_in(part.get("reason"))
        usage = TraceEvent(
            seconds=seconds,
            kind="usage",
            tokens=_tokens(mapping_in(part.get("tokens"))),
            # it is nothing for a model whose price it does not know
            cost_usd=float(cost) if isinstance(cost, int | float) and cost else None,
        )
        self._refused = self._refused or reason == "content-filter"
        if reason == GOES_ON:
            return [usage]
        self.well = self.finished = True
        return [usage, TraceEvent(seconds=seconds, kind="end", text=reason)]

    def _error(self, error: dict[str, Any], seconds: float) -> list[TraceEvent]:
        self.well = False
        name, data = text_in(error.get("name")), mapping_in(error.get("data"))
        status = data.get("statusCode")
        text = text_in(data.get("message"))
        self._refused = self._refused or name == "ContentFilterError"
        return self.failed(
            f"{name}: {text}" if text else name,
            seconds,
            status=status if isinstance(status, int) else None,
        )

    def conclusion(self, exit_code: int | None) -> Conclusion:
        """Return how it ended; a refusal is told by the step's reason."""
        if self._refused:
            return Conclusion("refused", "the model's stop reason is content-filter")
        return super().conclusion(exit_code)


def _used(part: dict[str, Any], seconds: float) -> list[TraceEvent]:
    state, tool = mapping_in(part.get("state")), text_in(part.get("tool"))
    arguments, call_id = mapping_in(state.get("input")), text_in(part.get("callID"))
    code = mapping_in(state.get("metadata")).get("exit")
    return [
        TraceEvent(
            seconds=seconds,
            kind="tool_call",
            call_id=call_id,
            tool=tool,
            arguments=arguments,
            command=text_in(arguments.get("command")) if tool == "bash" else None,
        ),
        TraceEvent(
            seconds=seconds,
            kind="tool_result",
            call_id=call_id,
            text=text_in(state.get("output") or state.get("error")),
            exit_code=code if isinstance(code, int) else None,
            failed=state.get("status") != "completed" or bool(code),
        ),
    ]


def _tokens(told: dict[str, Any]) -> Tokens:
    cache = mapping_in(told.get("cache"))
    cached, written = count_in(cache, "read"), count_in(cache, "write")
    reasoning = count_in(told, "reasoning")
    return Tokens(
        input=count_in(told, "input") + cached + written,
        cached=cached,
        cache_write=written,
        output=count_in(told, "output") + reasoning,
        reasoning=reasoning,
    )
