# SPDX-License-Identifier: MIT
"""OpenAI's Chat Completions protocol, as OpenAI and the many servers compatible with it speak it.

Source: OpenAI's API reference, "Chat Completions"; what vLLM, llama.cpp, Ollama and OpenRouter do differently is
said where it matters.
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
    fetched_by_provider,
    provider_tool,
    routed_by_member,
)
from m4bench.harness.gateway.protocols.responses import openai_error
from m4bench.model.usage import Tokens

_OWN_TOOLS = {"function", "custom"}
_STOPS: dict[str, StopReason] = {
    "stop": "stop",
    "tool_calls": "tool",
    "function_call": "tool",
    "length": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
}


class ChatCompletions:
    """The protocol at `/v1/chat/completions`."""

    name: WireProtocol = "chat-completions"

    def request(self, body: bytes, route: Route) -> Asked:
        """Return what a request asks for; a streamed one is made to tell its usage."""
        try:
            parsed = request_object(body)
            stream = parsed.get("stream") is True
            sent = _telling_usage(body, parsed) if stream else body
        except MalformedError:
            return Asked(None, False, (), MALFORMED, body)
        tools, refused = _tools(parsed)
        if not all(LOWER_CASE.fullmatch(name) for name in parsed):
            refused = MALFORMED
        refused = refused or routed_by_member(parsed)
        refused = refused or fetched_by_provider(parsed.get("messages"))
        model = word(parsed.get("model")) or None
        return Asked(model, stream, tools, refused, sent, parsed, _turns)

    def answer(self, stream: bool) -> AnswerReader:
        """Return a reader of one answer."""
        return Reader(_Teller(), stream)

    def error(self, status: int, body: bytes) -> Ending:
        """Return the class of an error."""
        return classify(status, body)

    def error_body(self, status: int, state: str, message: str) -> bytes:
        """Return an error as OpenAI words it; a limit as a quota that is spent, which clients do not retry."""
        return openai_error(status, state, message)


def _telling_usage(body: bytes, parsed: dict[str, Any]) -> bytes:
    """Return a streamed request that asks for its usage: one member more and else byte for byte the same.

    Raises:
        MalformedError: its own `stream_options` cannot be added to.
    """
    options = parsed.get("stream_options")
    if options is None and "stream_options" not in parsed:
        return body.replace(b"{", b'{"stream_options":{"include_usage":true},', 1)
    if options is not None and not isinstance(options, dict):
        raise MalformedError("stream_options")
    if options and options.get("include_usage") is True:
        return body
    changed = {**parsed, "stream_options": {**(options or {}), "include_usage": True}}
    try:
        return json.dumps(changed, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise MalformedError("a number") from None


def _tools(parsed: dict[str, Any]) -> tuple[tuple[str, ...], str | None]:
    """Return the names of the client's own tools, and why the rest is refused."""
    offered = parsed.get("tools")
    if offered is None:
        offered = []
    if not isinstance(offered, list):
        return (), MALFORMED
    names = [word(tool.get("name")) for tool in objects(parsed.get("functions"))]
    for tool in offered:
        if not isinstance(tool, dict):
            return tuple(names), MALFORMED
        kind = word(tool.get("type"))
        if kind not in _OWN_TOOLS:
            return tuple(names), provider_tool(kind)
        names.append(word(member(tool, kind, "name")))
    return tuple(names), None


def _turns(parsed: dict[str, Any]) -> list[Turn]:
    turns = []
    for message in objects(parsed.get("messages")):
        role = word(message.get("role"))
        said = texts_of(parts_said(message.get("content")))
        if role in ("tool", "function"):
            turns.append(Turn("result", said))
            continue
        calls = objects(message.get("tool_calls"))
        if said or not calls:
            turns.append(Turn(role, said))
        for call in calls:
            asked = member(call, "function") or member(call, "custom")
            spoken = texts_of([member(asked, "arguments"), member(asked, "input")])
            turns.append(Turn(f"call:{word(member(asked, 'name'))}", spoken))
    return turns


class _Teller:
    """What the chunks of one answer told."""

    def __init__(self) -> None:
        self._tokens: Tokens | None = None
        self._stop: StopReason | None = None
        self._complete = False
        self._failure: Ending | None = None
        self._called = self._refused = False
        self._model = ""

    def event(self, event: dict[str, Any]) -> None:
        """Take one chunk; some servers tell the usage in each, and the last one counts."""
        if event.get("error"):
            self._failure = classify_told(event["error"])
        self._tokens = _tokens(event.get("usage")) or self._tokens
        self._model = word(event.get("model")) or self._model
        for choice in objects(event.get("choices")):
            self._choice(choice, choice.get("delta"))

    def done(self) -> None:
        """Take the end mark."""
        self._complete = True

    def whole(self, answer: dict[str, Any]) -> None:
        """Take an answer in one piece."""
        if answer.get("error"):
            self._failure = classify_told(answer["error"])
        self._tokens = _tokens(answer.get("usage"))
        self._model = word(answer.get("model"))
        for choice in objects(answer.get("choices")):
            self._choice(choice, choice.get("message"))
            self._complete = True

    def answered(self) -> Answered:
        """Return what was told; a stop reason ends an answer too, as some servers send no end mark."""
        stop = self._stop
        if stop == "stop":
            # Ollama and llama.cpp have said `stop` at the end of tool calls.
            stop = "tool" if self._called else "refusal" if self._refused else "stop"
        complete = self._complete or stop is not None
        return Answered(self._tokens, stop, complete, self._failure, self._model or None)

    def _choice(self, choice: dict[str, Any], said: object) -> None:
        calls = member(said, "tool_calls") or member(said, "function_call")
        self._called = self._called or bool(calls)
        self._refused = self._refused or bool(member(said, "refusal"))
        if choice.get("finish_reason") is not None:
            self._stop = _STOPS.get(word(choice["finish_reason"]), "stop")


def _tokens(usage: object) -> Tokens | None:
    """Return the counts; where the total is more than its parts, the rest is unseen output (Gemini, xAI)."""
    if not isinstance(usage, dict) or "prompt_tokens" not in usage:
        return None
    prompt = count(usage.get("prompt_tokens"))
    output = max(count(usage.get("completion_tokens")), count(usage.get("total_tokens")) - prompt)
    cached = count(member(usage, "prompt_tokens_details", "cached_tokens"))
    return Tokens(
        input=prompt,
        cached=cached or count(usage.get("prompt_cache_hit_tokens")),
        cache_write=count(member(usage, "prompt_tokens_details", "cache_write_tokens")),
        output=output,
        reasoning=count(member(usage, "completion_tokens_details", "reasoning_tokens")),
    )
