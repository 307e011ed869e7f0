# SPDX-License-Identifier: MIT
"""Qwen Code, Alibaba's command-line agent, over Chat Completions. Knows its flags, its settings and its events."""

import json
import re
from dataclasses import replace
from typing import Any, ClassVar

from m4bench.harness.agents.agent import AgentContext, AgentSettings, Launch
from m4bench.harness.agents.command_line_agent import (
    CommandLineAgent,
    JsonLinesReader,
    count_in,
    mapping_in,
    text_in,
)
from m4bench.harness.agents.installation import Installation, Part
from m4bench.harness.agents.npm_tool import NpmTool
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens

TOOLS_OFF = ("web_fetch", "web_search", "ask_user_question")
SKILL_TOOL = "skill"
# A folder beside its program; where that is not, it has none.
BUNDLED_SKILLS = "bundled"
# It names skills among its commands; these are the others.
COMMANDS = frozenset(
    ("bug", "clear", "compress", "context", "diff", "docs", "doctor", "export", "init", "insight",
     "language", "model", "stats", "status", "summary", "tasks")
)  # fmt: skip
API_ERROR = re.compile(r"^\[API Error: (.*)\]$", re.DOTALL)
EXIT_CODE = re.compile(r"^Exit Code: (-?\d+)$", re.MULTILINE)


class QwenCodeAgent(CommandLineAgent):
    """`qwen` with a prompt, in a home of its own."""

    name = "qwen-code"
    tool = NpmTool(
        "qwen-code", "qwen", "@qwen-code/qwen-code", "npm install -g @qwen-code/qwen-code"
    )
    protocols = ("chat-completions",)
    skill_folders = (".qwen/skills",)
    efforts = ("low", "medium", "high")
    disabled: ClassVar[tuple[str, ...]] = (
        *TOOLS_OFF, "bundled skills", "auto memory", "loop detection", "update check",
        "usage statistics", "telemetry", "chat recording", "extensions", "IDE", "hooks",
        "retries of single requests",
    )  # fmt: skip

    def __init__(self, settings: AgentSettings) -> None:
        """Find the tool, check the settings, and leave its own skills out of what is shown of it."""
        super().__init__(settings)
        self.installation = without_bundled_skills(self.installation)

    def prepare(self, context: AgentContext) -> Launch:
        """Return `qwen` with its settings in the fresh home."""
        access = self.access(context)
        prompt, files = self.prompt(context)
        off = TOOLS_OFF if context.skills else (*TOOLS_OFF, SKILL_TOOL)
        argv = (
            *self.installation.argv(context.layout), "--yolo", "--auth-type", "openai", "--model", access.model,
            "--openai-base-url", f"{access.base_url}/v1", "--output-format", "stream-json",
            "--extensions", "none", "--chat-recording=false", f"--exclude-tools={','.join(off)}",
            f"--prompt={prompt}",
        )  # fmt: skip
        return Launch(
            argv,
            env={
                # not on the command line, which every process there can read
                "OPENAI_API_KEY": access.token,
                "QWEN_CODE_NO_RELAUNCH": "true",
                "QWEN_DISABLE_AUTO_TITLE": "1",
                "QWEN_TELEMETRY_ENABLED": "false",
                "NO_COLOR": "1",
            },
            files=files,
            tools=self.installation.tools,
            home={".qwen/settings.json": json.dumps(self.settings(context.timeout))},
            reader=QwenCodeReader(),
        )

    def settings(self, timeout: float) -> dict[str, Any]:
        """Return the contents of `settings.json`."""
        # without parameters of ours it would bound what the model may say by 8,000 tokens
        generation: dict[str, Any] = {
            "timeout": int(timeout * 1000),
            "maxRetries": 0,
            "samplingParams": {},
        }
        if self.effort is not None:
            generation["extra_body"] = {"reasoning_effort": self.effort}
        return {
            "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "ide": {"enabled": False},
            "disableAllHooks": True,
            "memory": {
                "enableManagedAutoMemory": False,
                "enableManagedAutoDream": False,
                "enableAutoSkill": False,
            },
            "model": {
                "generationConfig": generation,
                "skipLoopDetection": True,
                "skipNextSpeakerCheck": True,
                "enableOpenAILogging": False,
            },
            "tools": {"shell": {"enableInteractiveShell": False}},
        }


def without_bundled_skills(found: Installation) -> Installation:
    """Return the installation with each entry of the package shown by itself, except the tool's own skills.

    A sandbox that hides nothing, or a program in one file, shows them all the same; the event of the session then
    tells them.
    """
    programs = [part for part in found.start if part.tool in found.tools and part.path]
    if len(programs) != 1:
        return found
    program = programs[0]
    shown = str(program.tool)
    launcher = found.tools[shown] / program.path
    place = f"{shown}/{program.path}".rpartition("/")[0]
    tools = {name: host for name, host in found.tools.items() if name != shown}
    for entry in launcher.parent.iterdir():
        if entry.name != BUNDLED_SKILLS:
            tools[f"{place}/{entry.name}"] = entry
    started = Part("", f"{place}/{launcher.name}")
    start = tuple(started if part == program else part for part in found.start)
    return replace(found, start=start, tools=tools)


class QwenCodeReader(JsonLinesReader):
    """Reads the events of `qwen --output-format stream-json`; a failure of the provider's is told as an answer."""

    def __init__(self) -> None:
        super().__init__()
        self._shells: set[str] = set()

    def read(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        """Return the events of one object; see `JsonLinesReader`."""
        kind = message.get("type")
        if kind == "system":
            return _session(message, seconds) if message.get("subtype") == "init" else []
        if kind in ("assistant", "user"):
            return self._message(kind, message, seconds)
        if kind == "result":
            return self._result(message, seconds)
        return [] if kind == "stream_event" else None

    def _message(self, role: Any, message: dict[str, Any], seconds: float) -> list[TraceEvent]:
        told = mapping_in(message.get("message"))
        content = told.get("content")
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        parent = message.get("parent_tool_use_id")
        events: list[TraceEvent] = []
        for part in map(mapping_in, parts):
            events += self._part(role, part, seconds)
        if role == "assistant" and isinstance(told.get("usage"), dict):
            tokens = _tokens(told["usage"])
            if tokens.total:
                events.append(TraceEvent(seconds=seconds, kind="usage", tokens=tokens))
        if not parent:
            return events
        return [event.model_copy(update={"extra": {"parent": parent}}) for event in events]

    def _part(self, role: Any, part: dict[str, Any], seconds: float) -> list[TraceEvent]:
        kind = part.get("type")
        if kind == "text":
            text = text_in(part.get("text"))
            broken = API_ERROR.match(text) if role == "assistant" else None
            if broken:
                return self.failed(broken[1], seconds)
            return [TraceEvent(seconds=seconds, kind="message", role=role, text=text)]
        if kind == "thinking":
            text = text_in(part.get("thinking"))
            return [TraceEvent(seconds=seconds, kind="reasoning", text=text)]
        if kind == "tool_use":
            return [self._call(part, seconds)]
        if kind == "tool_result":
            return [self._answer(part, seconds)]
        return []

    def _call(self, part: dict[str, Any], seconds: float) -> TraceEvent:
        arguments, tool = mapping_in(part.get("input")), text_in(part.get("name"))
        call_id, shell = text_in(part.get("id")), tool == "run_shell_command"
        if shell:
            self._shells.add(call_id)
        return TraceEvent(
            seconds=seconds,
            kind="tool_call",
            call_id=call_id,
            tool=tool,
            arguments=arguments,
            command=text_in(arguments.get("command")) if shell else None,
        )

    def _answer(self, part: dict[str, Any], seconds: float) -> TraceEvent:
        call_id, text = text_in(part.get("tool_use_id")), text_in(part.get("content"))
        told = EXIT_CODE.search(text) if call_id in self._shells else None
        code = int(told[1]) if told else None
        return TraceEvent(
            seconds=seconds,
            kind="tool_result",
            call_id=call_id,
            text=text,
            exit_code=code,
            failed=bool(part.get("is_error")) or bool(code),
        )

    def _result(self, message: dict[str, Any], seconds: float) -> list[TraceEvent]:
        self.finished = True
        tokens = _tokens(mapping_in(message.get("usage")))
        events = [
            TraceEvent(seconds=seconds, kind="usage", tokens=tokens, extra={"cumulative": True})
        ]
        text = text_in(message.get("result"))
        broken = API_ERROR.match(text)
        if broken:
            events += self.failed(broken[1], seconds)
        elif message.get("is_error") or message.get("subtype") != "success":
            error = mapping_in(message.get("error"))
            told = text_in(error.get("message")) or text or text_in(message.get("subtype"))
            events += self.failed(told, seconds)
        else:
            self.well = True
        events.append(TraceEvent(seconds=seconds, kind="end", text=text))
        return events


def _session(message: dict[str, Any], seconds: float) -> list[TraceEvent]:
    tools = [str(one) for one in message.get("tools") or []]
    commands = [str(one) for one in message.get("slash_commands") or []]
    extra = {
        "tool_version": message.get("qwen_code_version"),
        "session_id": message.get("session_id"),
        "tools": tools,
        "skills": [one for one in commands if one not in COMMANDS and SKILL_TOOL in tools],
    }
    model = text_in(message.get("model")) or None
    return [TraceEvent(seconds=seconds, kind="session", model=model, extra=extra)]


def _tokens(usage: dict[str, Any]) -> Tokens:
    return Tokens(
        input=count_in(usage, "input_tokens"),
        cached=count_in(usage, "cache_read_input_tokens"),
        output=count_in(usage, "output_tokens"),
    )
