# SPDX-License-Identifier: MIT
"""Anthropic's Messages protocol. Knows no provider.

Source: Anthropic's API reference, "Messages", "Streaming", "Errors" and "Handling stop reasons".
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
from m4bench.harness.gateway.protocols.conversation import Turn, texts_of
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

# Types of tools that the client runs; the search among offered tools reads nothing but their names.
_OWN_TOOLS = ("bash_", "text_editor_", "memory_", "tool_search_tool_")
_STOPS: dict[str, StopReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "pause_turn": "stop",
    "tool_use": "tool",
    "max_tokens": "length",
    "refusal": "refusal",
    "model_context_window_exceeded": "context",
}
_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class Messages:
    """The protocol at `/v1/messages`."""

    name: WireProtocol = "messages"

    def request(self, body: bytes, route: Route) -> Asked:
        """Return what a request asks for; its body is sent as it is."""
        try:
            parsed = request_object(body)
        except MalformedError:
            return Asked(None, False, (), MALFORMED, body)
        tools, refused = _tools(parsed.get("tools"))
        if not all(LOWER_CASE.fullmatch(name) for name in parsed):
            refused = MALFORMED
        if isinstance(parsed.get("container"), dict):
            # A container is asked to run skills kept at the provider.
            refused = refused or PROVIDER_STATE
        refused = refused or routed_by_member(parsed)
        refused = refused or fetched_by_provider([parsed.get("messages"), parsed.get("system")])
        model = word(parsed.get("model")) or None
        return Asked(model, parsed.get("stream") is True, tools, refused, body, parsed, _turns)

    def answer(self, stream: bool) -> AnswerReader:
        """Return a reader of one answer."""
        return Reader(_Teller(), stream)

    def error(self, status: int, body: bytes) -> Ending:
        """Return the class of an error."""
        return classify(status, body)

    def error_body(self, status: int, state: str, message: str) -> bytes:
        """Return an error as Anthropic words it."""
        kind = _ERRORS.get(status, "api_error" if status >= 500 else "invalid_request_error")
        return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()


def _tools(offered: object) -> tuple[tuple[str, ...], str | None]:
    """Return the names of the client's own tools, and why the rest is refused."""
    if offered is None:
        return (), None
    if not isinstance(offered, list):
        return (), MALFORMED
    names: list[str] = []
    for tool in offered:
        if not isinstance(tool, dict):
            return tuple(names), MALFORMED
        kind = tool.get("type")
        if kind is None or kind == "custom" or word(kind).startswith(_OWN_TOOLS):
            names.append(word(tool.get("name")))
        else:
            return tuple(names), provider_tool(word(kind))
    return tuple(names), None


def _turns(parsed: dict[str, Any]) -> list[Turn]:
    turns = []
    if parsed.get("system"):
        turns.append(Turn("system", _said(parsed["system"])))
    for message in objects(parsed.get("messages")):
        role = word(message.get("role"))
        content = message.get("content")
        if isinstance(content, str):
            turns.append(Turn(role, (content,)))
            continue
        turns.extend(_turn(role, block) for block in objects(content))
    return turns


def _turn(role: str, block: dict[str, Any]) -> Turn:
    kind = word(block.get("type"))
    if kind == "text":
        return Turn(role, texts_of(block.get("text")))
    if kind == "tool_use":
        return Turn(f"call:{word(block.get('name'))}", texts_of(block.get("input")))
    if kind == "tool_result":
        return Turn("result", _said(block.get("content")))
    # Thinking is signed by the provider and differs each time.
    return Turn(kind)


def _said(content: object) -> tuple[str, ...]:
    """Return the text of a string or of content blocks, without their types."""
    if isinstance(content, list):
        return texts_of([part.get("text") for part in objects(content)])
    return texts_of(content)


class _Teller:
    """What the events of one answer told; counts that come again replace those before."""

    def __init__(self) -> None:
        self._usage: dict[str, Any] = {}
        self._stop: StopReason | None = None
        self._complete = False
        self._failure: Ending | None = None
        self._model = ""

    def event(self, event: dict[str, Any]) -> None:
        """Take one event."""
        kind = event.get("type")
        if kind == "message_start":
            self._use(member(event, "message", "usage"))
            self._model = word(member(event, "message", "model"))
        elif kind == "message_delta":
            self._use(event.get("usage"))
            self._end(member(event, "delta", "stop_reason"))
        elif kind == "message_stop":
            self._complete = True
        elif kind == "error" or "error" in event:
            self._fail(event.get("error"))

    def done(self) -> None:
        """Take an end mark that the protocol does not have."""

    def whole(self, answer: dict[str, Any]) -> None:
        """Take an answer in one piece; a count of tokens is one too."""
        if answer.get("type") == "error":
            self._fail(answer.get("error"))
            return
        self._use(answer.get("usage"))
        self._model = word(answer.get("model"))
        self._end(answer.get("stop_reason"))
        self._complete = True

    def answered(self) -> Answered:
        """Return what was told; Anthropic's `input_tokens` leave out what the cache took part in."""
        tokens = None
        if "input_tokens" in self._usage:
            cached = count(self._usage.get("cache_read_input_tokens"))
            written = count(self._usage.get("cache_creation_input_tokens"))
            tokens = Tokens(
                input=count(self._usage.get("input_tokens")) + cached + written,
                cached=cached,
                cache_write=written,
                output=count(self._usage.get("output_tokens")),
                reasoning=count(member(self._usage, "output_tokens_details", "thinking_tokens")),
            )
        return Answered(tokens, self._stop, self._complete, self._failure, self._model or None)

    def _use(self, usage: object) -> None:
        if isinstance(usage, dict):
            self._usage.update({name: told for name, told in usage.items() if told is not None})

    def _end(self, reason: object) -> None:
        if reason is not None:
            self._stop = _STOPS.get(word(reason), "stop")

    def _fail(self, error: object) -> None:
        self._failure = classify_told(error)
