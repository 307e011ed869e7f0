# SPDX-License-Identifier: MIT
"""Codex, OpenAI's command-line agent, over the Responses protocol. Knows its flags, its settings and its events."""

import json
import shlex
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
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens

TOKEN = "M4BENCH_MODEL_TOKEN"  # noqa: S105 # the name of a variable
PROVIDER = "m4bench"
# What would reach out, remember, or speak of things that are not in the sandbox.
FEATURES_OFF = (
    "api_key_model_discovery", "apps", "browser_use", "computer_use", "enable_request_compression",
    "image_generation", "in_app_browser", "memories", "plugins", "remote_plugin", "skill_mcp_dependency_install",
    "tool_suggest", "unbounded_connection_retries",
)  # fmt: skip
SETTINGS = """\
model = {model}
model_provider = "{provider}"
{effort}web_search = "disabled"
check_for_update_on_startup = false
# a login shell would set a PATH of its own, without the agent's Python
allow_login_shell = false

[analytics]
enabled = false

[feedback]
enabled = false

[history]
persistence = "none"

[skills.bundled]
enabled = false

[features]
{features}

[model_providers.{provider}]
name = "{provider}"
base_url = {base_url}
env_key = "{token}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 3
stream_idle_timeout_ms = 600000
"""


class CodexAgent(CommandLineAgent):
    """`codex exec` in a home of its own; the sandbox around it is the harness's, its own is off."""

    name = "codex"
    tool = NpmTool("codex", "codex", "@openai/codex", "npm install -g @openai/codex")
    protocols = ("responses",)
    skill_folders = (".agents/skills",)
    efforts = ("none", "minimal", "low", "medium", "high", "xhigh")
    disabled: ClassVar[tuple[str, ...]] = (
        "web search", "bundled skills", "memories", "apps", "plugins", "history", "update check", "analytics",
        "retries of requests", "own sandbox",
    )  # fmt: skip

    def prepare(self, context: AgentContext) -> Launch:
        """Return `codex exec` with its settings in the fresh home."""
        access = self.access(context)
        prompt, files = self.prompt(context)
        argv = (
            *self.installation.argv(context.layout), "exec", "--json", "--skip-git-repo-check", "--ephemeral",
            "--dangerously-bypass-approvals-and-sandbox", "--color", "never", "-m", access.model, "--", prompt,
        )  # fmt: skip
        return Launch(
            argv,
            env={"CODEX_HOME": f"{context.layout.home}/.codex", TOKEN: access.token},
            files=files,
            tools=self.installation.tools,
            home={".codex/config.toml": self._settings(access)},
            reader=CodexReader(),
        )

    def _settings(self, access: ModelAccess) -> str:
        effort = f'model_reasoning_effort = "{self.effort}"\n' if self.effort else ""
        return SETTINGS.format(
            # a JSON text is a TOML text too
            model=json.dumps(access.model),
            base_url=json.dumps(f"{access.base_url}/v1"),
            provider=PROVIDER,
            effort=effort,
            token=TOKEN,
            features="\n".join(f"{name} = false" for name in FEATURES_OFF),
        )


class CodexReader(JsonLinesReader):
    """Reads the events of `codex exec --json`."""

    def read(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        """Return the events of one object; see `JsonLinesReader`."""
        kind = message.get("type")
        if kind == "thread.started":
            extra = {"session_id": message.get("thread_id")}
            return [TraceEvent(seconds=seconds, kind="session", extra=extra)]
        if kind in ("turn.started", "item.updated"):
            return []
        if kind in ("item.started", "item.completed"):
            return self._item(
                mapping_in(message.get("item")), seconds, ended=kind == "item.completed"
            )
        if kind == "turn.completed":
            self.finished = self.well = True
            tokens = _tokens(mapping_in(message.get("usage")))
            return [
                TraceEvent(
                    seconds=seconds, kind="usage", tokens=tokens, extra={"cumulative": True}
                ),
                TraceEvent(seconds=seconds, kind="end", text="turn.completed"),
            ]
        if kind == "error":
            return self.failed(text_in(message.get("message")), seconds)
        if kind == "turn.failed":
            self.finished = True
            told = text_in(mapping_in(message.get("error")).get("message"))
            return [
                *self.failed(told, seconds),
                TraceEvent(seconds=seconds, kind="end", text="turn.failed"),
            ]
        return None

    def _item(
        self, item: dict[str, Any], seconds: float, *, ended: bool
    ) -> list[TraceEvent] | None:
        kind = item.get("type")
        if kind in ("agent_message", "reasoning", "error"):
            if not ended:
                return []
            text = text_in(item.get("text") or item.get("message"))
            if kind == "reasoning":
                return [TraceEvent(seconds=seconds, kind="reasoning", text=text)]
            # an error item is a remark of the tool's; what ends a turn is told apart
            role: Any = "assistant" if kind == "agent_message" else "system"
            return [TraceEvent(seconds=seconds, kind="message", role=role, text=text)]
        if not isinstance(kind, str):
            return None
        return self._ended(item, kind, seconds) if ended else self._begun(item, kind, seconds)

    def _begun(self, item: dict[str, Any], kind: str, seconds: float) -> list[TraceEvent]:
        self._open.add(str(item.get("id")))
        told = {name: value for name, value in item.items() if name not in ("id", "type", *RESULTS)}
        command = _command(text_in(item.get("command"))) if kind == "command_execution" else None
        return [
            TraceEvent(
                seconds=seconds,
                kind="tool_call",
                call_id=str(item.get("id")),
                tool=text_in(item.get("tool")) or kind,
                arguments=told,
                command=command,
            )
        ]

    def _ended(self, item: dict[str, Any], kind: str, seconds: float) -> list[TraceEvent]:
        name = str(item.get("id"))
        # some kinds are told only when they have ended
        events = [] if name in self._open else self._begun(item, kind, seconds)
        self._open.discard(name)
        code = item.get("exit_code")
        text = text_in(item.get("aggregated_output") or item.get("result") or item.get("error"))
        events.append(
            TraceEvent(
                seconds=seconds,
                kind="tool_result",
                call_id=name,
                tool=text_in(item.get("tool")) or kind,
                text=text,
                exit_code=code if isinstance(code, int) else None,
                failed=item.get("status") in ("failed", "declined") or bool(code),
            )
        )
        return events

    def __init__(self) -> None:
        super().__init__()
        self._open: set[str] = set()


RESULTS = ("aggregated_output", "exit_code", "status", "result", "error")


def _command(told: str) -> str:
    """Return the command within the shell that Codex starts it by."""
    try:
        words = shlex.split(told)
    except ValueError:
        return told
    if len(words) == 3 and words[0].rpartition("/")[2] in ("bash", "sh", "zsh") and "c" in words[1]:
        return words[2]
    return told


def _tokens(usage: dict[str, Any]) -> Tokens:
    return Tokens(
        input=count_in(usage, "input_tokens"),
        cached=count_in(usage, "cached_input_tokens"),
        cache_write=count_in(usage, "cache_write_input_tokens"),
        output=count_in(usage, "output_tokens"),
        reasoning=count_in(usage, "reasoning_output_tokens"),
    )
