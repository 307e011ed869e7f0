# SPDX-License-Identifier: MIT
"""What a turn becomes for one client: text, calls of the tools it offers, a stop reason and counts."""

from dataclasses import dataclass
from typing import Any, Literal

from tests.harness.gateway.scripted.script import Call, Counts, Done, Overlong, Refuse, Reply, Say

MINI_MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
Stop = Literal["stop", "tool", "length", "refusal"]


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool the client offers."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """One answer of the model."""

    text: str
    calls: tuple[ToolCall, ...]
    stop: Stop
    counts: Counts
    number: int


@dataclass(frozen=True)
class Offer:
    """What a request offers: `tools` are the properties of their arguments, by name; `text` all it says."""

    tools: dict[str, dict[str, Any]]
    text: str

    def shell(self, command: str) -> ToolCall | None:
        """Return the call that runs a command with the client's own shell tool."""
        for name in (
            "exec_command",
            "shell_command",
            "shell",
            "local_shell",
            "Bash",
            "run_shell_command",
            "bash",
        ):
            if name in self.tools:
                return ToolCall(name, self._arguments(name, command))
        return None

    def _arguments(self, name: str, command: str) -> dict[str, Any]:
        properties = self.tools[name]
        if "cmd" in properties:
            return {"cmd": command}
        if (properties.get("command") or {}).get("type") == "array":
            return {"command": ["bash", "-c", command]}
        arguments: dict[str, Any] = {"command": command}
        if "description" in properties:
            arguments["description"] = "Run the command"
        if "is_background" in properties:
            arguments["is_background"] = False
        return arguments


def answer_for(reply: Reply, offer: Offer, number: int) -> Answer:
    """Return what a reply becomes for a client.

    Raises:
        LookupError: the reply is a command and the client offers no shell tool.
    """
    if isinstance(reply, Done) and MINI_MARKER in offer.text:
        reply = Call(f"echo {MINI_MARKER}", reply.counts)
    if isinstance(reply, Call):
        call = offer.shell(reply.command)
        if call is None:
            raise LookupError(f"no shell tool among {sorted(offer.tools)}")
        return Answer("", (call,), "tool", reply.counts, number)
    if isinstance(reply, Overlong):
        text = "All work and no play makes a long answer. " * (reply.size // 42 + 1)
        return Answer(text[: reply.size], (), "length", reply.counts, number)
    if isinstance(reply, Refuse):
        return Answer(reply.text, (), "refusal", reply.counts, number)
    assert isinstance(reply, Say | Done)
    return Answer(reply.text, (), "stop", reply.counts, number)


def pieces(text: str, size: int = 4096) -> list[str]:
    """Return a text in pieces, as a stream says it; one at least two where there are two characters."""
    if len(text) <= size:
        size = max(1, (len(text) + 1) // 2)
    return [text[i : i + size] for i in range(0, len(text), size)]


def instance_of(schema: dict[str, Any]) -> Any:
    """Return a small value of a JSON schema, for side requests that ask for one."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = str(schema.get("type", "string")).lower()
    if kind == "object":
        return {name: instance_of(part) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return []
    return {"boolean": False, "integer": 1, "number": 1}.get(kind, "none")
