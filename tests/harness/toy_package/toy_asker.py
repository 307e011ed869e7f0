# SPDX-License-Identifier: MIT
"""A third party's command-line tool with a model: asks it for commands, runs them, prints JSON lines."""

import json
from collections.abc import Mapping
from pathlib import Path

from m4bench.harness.agents.agent import AgentContext, AgentSettings, Launch
from m4bench.harness.agents.reading import Conclusion
from m4bench.model.trace import TraceEvent

SCRIPT = """\
import json, os, pathlib, subprocess, urllib.error, urllib.request

home = pathlib.Path(os.environ["HOME"])
settings = json.loads((home / ".asker.json").read_text())
tools = [{"type": "function", "function": {"name": "bash", "parameters": {
    "type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}}]
messages = [{"role": "user", "content": pathlib.Path("instruction.md").read_text()}]


def say(**event):
    print(json.dumps(event), flush=True)


say(what="hello", version="7")
while True:
    body = {"model": settings["model"], "messages": messages, "tools": tools}
    request = urllib.request.Request(
        settings["url"] + "/v1/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["ASKER_KEY"]},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            message = json.load(answer)["choices"][0]["message"]
    except urllib.error.HTTPError as error:
        say(what="trouble", status=error.code)
        break
    messages.append(message)
    if not message.get("tool_calls"):
        say(what="bye", text=message.get("content"))
        break
    for call in message["tool_calls"]:
        command = json.loads(call["function"]["arguments"])["command"]
        say(what="runs", id=call["id"], command=command)
        done = subprocess.run(command, shell=True, capture_output=True, text=True)
        say(what="ran", id=call["id"], output=done.stdout, code=done.returncode)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": done.stdout})
(home / "diary.txt").write_text("dear diary")
"""


class AskerReader:
    """Reads what the tool prints."""

    def __init__(self) -> None:
        self.finished = False
        self.unread = 0
        self.trouble: int | None = None

    def line(self, text: str, seconds: float) -> list[TraceEvent]:
        """Return the event of a line."""
        event = json.loads(text)
        match event["what"]:
            case "hello":
                extra = {"tool_version": event["version"]}
                return [TraceEvent(seconds=seconds, kind="session", extra=extra)]
            case "runs":
                call = {"call_id": event["id"], "tool": "bash", "command": event["command"]}
                return [TraceEvent(seconds=seconds, kind="tool_call", **call)]
            case "ran":
                back = {"call_id": event["id"], "text": event["output"]}
                code = event["code"]
                return [TraceEvent(seconds=seconds, kind="tool_result", exit_code=code, **back)]
            case "trouble":
                self.trouble = event["status"]
                return [TraceEvent(seconds=seconds, kind="error", status=self.trouble)]
        self.finished = True
        return [TraceEvent(seconds=seconds, kind="message", role="assistant", text=event["text"])]

    def end(self, files: Mapping[str, Path]) -> list[TraceEvent]:
        """Return the diary's text."""
        text = files["diary.txt"].read_text()
        return [TraceEvent(seconds=0, kind="end", text=text)]

    def conclusion(self, exit_code: int | None) -> Conclusion:
        """Return how it ended."""
        return Conclusion("agent-error" if self.trouble else "completed", "it said so")


class AskerAgent:
    """Speaks one protocol; keeps its settings in its home and a diary there."""

    name = "toy-asker"
    publishable = True
    skill_folders = (".toy/skills",)
    protocols = ("chat-completions",)

    def __init__(self, settings: AgentSettings) -> None:
        self.settings = settings

    def version(self) -> str:
        """Return its own version."""
        return "7"

    def options(self) -> dict[str, str]:
        """Return nothing."""
        return {}

    def prepare(self, context: AgentContext) -> Launch:
        """Return the script, its settings in the fresh home and its key."""
        access = context.access
        assert access is not None
        settings = {"url": access.base_url, "model": access.model}
        return Launch(
            (context.layout.python, f"{context.layout.program}/ask.py"),
            env={"ASKER_KEY": access.token},
            files={"ask.py": SCRIPT},
            home={".asker.json": json.dumps(settings)},
            collect={"diary.txt": f"{context.layout.home}/diary.txt"},
            reader=AskerReader(),
        )
