# SPDX-License-Identifier: MIT
"""OpenAI's Responses protocol. Knows no provider.

Source: OpenAI's API reference, "Responses" and "Streaming events".
"""

import json
from typing import Any

from m4bench.harness.gateway.lane import Ending, WireProtocol
from m4bench.harness.gateway.protocols.bodies import (
    LOWER_CASE,
    MalformedError,
    count,
    member,
    objects,
    request_object,
    word,
)
from m4bench.harness.gateway.protocols.conversation import Turn, parts_said, texts_of
from m4bench.harness.gateway.protocols.event_stream import Reader
from m4bench.harness.gateway.protocols.failures import classify, classify_told
from m4bench.harness.gateway.protocols.protocol import (
    Answered,
    AnswerReader,
    Asked,
    Route,
    StopReason,
)
from m4bench.harness.gateway.protocols.refusals import (
    MALFORMED,
    PROVIDER_STATE,
    fetched_by_provider,
    provider_tool,
    routed_by_member,
)
from m4bench.model.usage import Tokens

# What a client runs itself; any other type is run by the provider.
_OWN_TOOLS = {"function", "custom", "local_shell", "apply_patch"}
_CALLS = {
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "tool_search_call",
}


class Responses:
    """The protocol at `/v1/responses`."""

    name: WireProtocol = "responses"

    def request(self, body: bytes, route: Route) -> Asked:
        """Return what a request asks for; its body is sent as it is."""
        try:
            parsed = request_object(body)
        except MalformedError:
            return Asked(None, False, (), MALFORMED, body)
        tools, refused = _tools(parsed.get("tools"))
        if not all(LOWER_CASE.fullmatch(name) for name in parsed):
            refused = MALFORMED
        if parsed.get("prompt") is not None:
            # A prompt kept at the provider may bring tools of its own.
            refused = refused or PROVIDER_STATE
        refused = refused or routed_by_member(parsed)
        refused = refused or fetched_by_provider(parsed.get("input"))
        model = word(parsed.get("model")) or None
        return Asked(model, parsed.get("stream") is True, tools, refused, body, parsed, _turns)

    def answer(self, stream: bool) -> AnswerReader:
        """Return a reader of one answer."""
        return Reader(_Teller(), stream)

    def error(self, status: int, body: bytes) -> Ending:
        """Return the class of an error."""
        return classify(status, body)

    def error_body(self, status: int, state: str, message: str) -> bytes:
        """Return an error as OpenAI words it; a limit as a quota that is spent, which clients do not retry."""
        return openai_error(status, state, message)


def openai_error(status: int, state: str, message: str) -> bytes:
    """Return an error as OpenAI words it."""
    kind, code = ("server_error" if status >= 500 else "invalid_request_error"), state
    if state == "gateway-limit":
        kind = code = "insufficient_quota"
    elif status == 401:
        code = "invalid_api_key"
    elif state == "context-overflow":
        code = "context_length_exceeded"
    error = {"message": message, "type": kind, "param": None, "code": code}
    return json.dumps({"error": error}).encode()


def _tools(offered: object) -> tuple[tuple[str, ...], str | None]:
    """Return the names of the client's own tools, and why the rest is refused."""
    if offered is None:
        return (), None
    if not isinstance(offered, list):
        return (), MALFORMED
    names: list[str] = []
    waiting = list(reversed(offered))
    while waiting:
        tool = waiting.pop()
        if not isinstance(tool, dict):
            return tuple(names), MALFORMED
        kind = word(tool.get("type"))
        if kind == "namespace" and isinstance(tool.get("tools"), list):
            waiting.extend(reversed(tool["tools"]))
        elif kind in _OWN_TOOLS or _runs_at_client(kind, tool):
            names.append(word(tool.get("name")) or kind)
        else:
            return tuple(names), provider_tool(kind)
    return tuple(names), None


def _runs_at_client(kind: str, tool: dict[str, Any]) -> bool:
    """Whether a tool of a type that may run at either side runs at the client."""
    if kind == "shell":
        return member(tool, "environment", "type") == "local"
    return kind == "tool_search" and tool.get("execution") == "client"


def _turns(parsed: dict[str, Any]) -> list[Turn]:
    turns = []
    if parsed.get("instructions"):
        turns.append(Turn("system", texts_of(parsed["instructions"])))
    asked = parsed.get("input")
    if isinstance(asked, str):
        return [*turns, Turn("user", (asked,))]
    for item in objects(asked):
        kind = word(item.get("type")) or "message"
        if kind == "message":
            turns.append(Turn(word(item.get("role")), texts_of(parts_said(item.get("content")))))
        elif kind in _CALLS:
            said = texts_of([item.get("arguments"), item.get("input"), item.get("action")])
            turns.append(Turn(f"call:{word(item.get('name')) or kind}", said))
        elif kind.endswith("_output"):
            turns.append(Turn("result", texts_of(item.get("output"))))
        else:
            # Reasoning is sealed by the provider and differs each time.
            turns.append(Turn(kind))
    return turns


class _Teller:
    """What the events of one answer told."""

    def __init__(self) -> None:
        self._tokens: Tokens | None = None
        self._stop: StopReason | None = None
        self._complete = False
        self._failure: Ending | None = None
        self._called = self._refused = False
        self._model = ""

    def event(self, event: dict[str, Any]) -> None:
        """Take one event; the last holds the response as a whole."""
        kind = word(event.get("type"))
        if kind in ("response.completed", "response.incomplete", "response.failed"):
            response = event.get("response")
            self.whole(response if isinstance(response, dict) else {})
            self._complete = True
        elif kind == "response.output_item.done":
            self._item(event.get("item"))
        elif kind.startswith("response.refusal."):
            self._refused = True
        elif kind == "error" or (not kind and "error" in event):
            inner = event.get("error")
            self._failure = classify_told(inner if isinstance(inner, dict) else event)

    def done(self) -> None:
        """Take an end mark that the protocol does not have."""

    def whole(self, answer: dict[str, Any]) -> None:
        """Take the response as a whole."""
        self._tokens = _tokens(answer.get("usage")) or self._tokens
        self._model = word(answer.get("model")) or self._model
        for item in objects(answer.get("output")):
            self._item(item)
        status = word(answer.get("status"))
        self._complete = bool(status) and status not in ("queued", "in_progress")
        if answer.get("error"):
            self._failure = classify_told(answer["error"])
            if self._failure.state == "context-overflow":
                self._stop = "context"
        elif status == "incomplete":
            why = member(answer, "incomplete_details", "reason")
            self._stop = "refusal" if why == "content_filter" else "length"
        elif status == "completed":
            self._stop = "tool" if self._called else "refusal" if self._refused else "stop"

    def answered(self) -> Answered:
        """Return what was told."""
        return Answered(
            self._tokens, self._stop, self._complete, self._failure, self._model or None
        )

    def _item(self, item: object) -> None:
        kind = member(item, "type")
        self._called = self._called or kind in _CALLS
        if kind == "message":
            parts = objects(member(item, "content"))
            self._refused = self._refused or any(part.get("type") == "refusal" for part in parts)


def _tokens(usage: object) -> Tokens | None:
    if not isinstance(usage, dict) or "input_tokens" not in usage:
        return None
    return Tokens(
        input=count(usage.get("input_tokens")),
        cached=count(member(usage, "input_tokens_details", "cached_tokens")),
        cache_write=count(member(usage, "input_tokens_details", "cache_write_tokens")),
        output=count(usage.get("output_tokens")),
        reasoning=count(member(usage, "output_tokens_details", "reasoning_tokens")),
    )
