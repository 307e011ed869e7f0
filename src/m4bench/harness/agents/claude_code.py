# SPDX-License-Identifier: MIT
"""Claude Code, Anthropic's command-line agent, over the Messages protocol. Knows its flags, variables and events."""

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
from m4bench.harness.agents.reading import Conclusion
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens

# Every name under which it asks for a model of its own choice.
MODEL_VARIABLES = (
    "ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL", "ANTHROPIC_DEFAULT_FABLE_MODEL",
    "CLAUDE_CODE_SUBAGENT_MODEL",
)  # fmt: skip
SWITCHES = (
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS", "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL",
    "CLAUDE_CODE_DISABLE_ADVISOR_TOOL", "CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY", "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING", "DISABLE_TELEMETRY", "DISABLE_INSTALLATION_CHECKS", "DISABLE_COST_WARNINGS",
    "IS_SANDBOX",
)  # fmt: skip
TOOLS_OFF = "WebSearch,WebFetch"
RETRIES = "2"


class ClaudeCodeAgent(CommandLineAgent):
    """`claude -p` in a home of its own; its permission checks are off, the sandbox is the harness's."""

    name = "claude-code"
    tool = NpmTool(
        "claude-code",
        "claude",
        "@anthropic-ai/claude-code",
        "npm install -g @anthropic-ai/claude-code",
        scripts=("@anthropic-ai/claude-code",),
    )
    protocols = ("messages",)
    skill_folders = (".claude/skills",)
    efforts = ("low", "medium", "high", "xhigh", "max")
    disabled: ClassVar[tuple[str, ...]] = (
        "WebSearch", "WebFetch", "bundled skills", "auto memory", "update check", "telemetry", "error reports",
        "advisor", "marketplace", "MCP servers", "session files",
    )  # fmt: skip

    def prepare(self, context: AgentContext) -> Launch:
        """Return `claude -p` with its variables."""
        access = self.access(context)
        prompt, files = self.prompt(context)
        effort = ("--effort", self.effort) if self.effort else ()
        # without skills of the run there is nothing for the skill tool, and then it is not there
        skills = () if context.skills else ("--disable-slash-commands",)
        argv = (
            *self.installation.argv(context.layout), "-p", "--output-format", "stream-json", "--verbose",
            "--model", access.model, *effort, *skills, "--dangerously-skip-permissions",
            "--no-session-persistence", "--strict-mcp-config", "--disallowedTools", TOOLS_OFF, "--", prompt,
        )  # fmt: skip
        return Launch(
            argv,
            env=self._variables(context, access),
            files=files,
            tools=self.installation.tools,
            reader=ClaudeCodeReader(),
        )

    def _variables(self, context: AgentContext, access: ModelAccess) -> dict[str, str]:
        milliseconds = str(int(context.timeout * 1000))
        return {
            **dict.fromkeys(MODEL_VARIABLES, access.model),
            **dict.fromkeys(SWITCHES, "1"),
            "ANTHROPIC_BASE_URL": access.base_url,
            "ANTHROPIC_API_KEY": access.token,
            "CLAUDE_CONFIG_DIR": f"{context.layout.home}/.claude",
            "CLAUDE_CODE_MAX_RETRIES": RETRIES,
            "API_TIMEOUT_MS": milliseconds,
            # a query may take longer than the two minutes a command is given by default
            "BASH_DEFAULT_TIMEOUT_MS": milliseconds,
            "BASH_MAX_TIMEOUT_MS": milliseconds,
        }


class ClaudeCodeReader(JsonLinesReader):
    """Reads the events of `claude -p --output-format stream-json`."""

    def __init__(self) -> None:
        super().__init__()
        self._refused = False
        self._subtype = ""

    def read(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        """Return the events of one object; see `JsonLinesReader`."""
        kind = message.get("type")
        if kind == "system":
            return self._system(message, seconds)
        if kind in ("assistant", "user"):
            return self._message(kind, message, seconds)
        if kind == "result":
            return self._result(message, seconds)
        if kind in ("stream_event", "rate_limit_event", "keep_alive", "tool_progress"):
            return []
        return None

    def _system(self, message: dict[str, Any], seconds: float) -> list[TraceEvent]:
        if message.get("subtype") != "init":
            return []
        extra = {
            "tool_version": message.get("claude_code_version"),
            "session_id": message.get("session_id"),
            **{
                name: [str(one) for one in message.get(name) or []]
                for name in ("tools", "skills", "agents")
            },
        }
        model = text_in(message.get("model")) or None
        return [TraceEvent(seconds=seconds, kind="session", model=model, extra=extra)]

    def _message(self, role: Any, message: dict[str, Any], seconds: float) -> list[TraceEvent]:
        told = mapping_in(message.get("message"))
        content = told.get("content")
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        parent = message.get("parent_tool_use_id")
        extra = {"parent": parent} if parent else {}
        if told.get("stop_reason") == "refusal":
            self._refused = True
        events: list[TraceEvent] = []
        for part in parts:
            found = self._part(role, mapping_in(part), seconds, broken=bool(message.get("error")))
            if found is not None:
                events.append(found.model_copy(update={"extra": extra}))
        return events

    def _part(
        self, role: Any, part: dict[str, Any], seconds: float, *, broken: bool
    ) -> TraceEvent | None:
        kind = part.get("type")
        if kind == "text" and broken:
            # the result tells it again, with its status
            self.failure = text_in(part)
            return None
        if kind == "text":
            return TraceEvent(seconds=seconds, kind="message", role=role, text=text_in(part))
        if kind == "thinking":
            return TraceEvent(seconds=seconds, kind="reasoning", text=text_in(part.get("thinking")))
        if kind in ("tool_use", "server_tool_use"):
            arguments = mapping_in(part.get("input"))
            tool = text_in(part.get("name"))
            return TraceEvent(
                seconds=seconds,
                kind="tool_call",
                call_id=text_in(part.get("id")),
                tool=tool,
                arguments=arguments,
                command=text_in(arguments.get("command")) if tool == "Bash" else None,
            )
        if kind == "tool_result":
            return TraceEvent(
                seconds=seconds,
                kind="tool_result",
                call_id=text_in(part.get("tool_use_id")),
                text=text_in(part.get("content")),
                failed=bool(part.get("is_error")),
            )
        return None

    def _result(self, message: dict[str, Any], seconds: float) -> list[TraceEvent]:
        self.finished = True
        self._subtype = text_in(message.get("subtype"))
        text = text_in(message.get("result"))
        status = message.get("api_error_status")
        cost = message.get("total_cost_usd")
        events = [
            TraceEvent(
                seconds=seconds,
                kind="usage",
                tokens=_tokens(mapping_in(message.get("usage"))),
                cost_usd=float(cost) if isinstance(cost, int | float) else None,
                extra={"cumulative": True},
            )
        ]
        if message.get("stop_reason") == "refusal":
            self._refused = True
        # the subtype is "success" for failures of the provider too
        if message.get("is_error") or self._subtype != "success":
            told = text or "; ".join(text_in(one) for one in message.get("errors") or [])
            self.failure = None
            known = status if isinstance(status, int) else None
            events += self.failed(told or self._subtype, seconds, status=known)
        else:
            self.well = True
        events.append(TraceEvent(seconds=seconds, kind="end", text=text or self._subtype))
        return events

    def conclusion(self, exit_code: int | None) -> Conclusion:
        """Return how it ended; a refusal is told by the model's stop reason, a limit by the result's kind."""
        if self._refused:
            return Conclusion("refused", "the model's stop reason is refusal")
        if self._subtype.startswith("error_max"):
            return Conclusion("agent-limit", self._subtype)
        return super().conclusion(exit_code)


def _tokens(usage: dict[str, Any]) -> Tokens:
    cached = count_in(usage, "cache_read_input_tokens")
    written = count_in(usage, "cache_creation_input_tokens")
    return Tokens(
        input=count_in(usage, "input_tokens") + cached + written,
        cached=cached,
        cache_write=written,
        output=count_in(usage, "output_tokens"),
    )
