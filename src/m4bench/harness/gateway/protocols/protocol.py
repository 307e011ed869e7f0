# SPDX-License-Identifier: MIT
"""What a wire protocol is to the gateway, and which path belongs to which. Knows no socket and no provider."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from m4bench.harness.gateway.lane import Ending, WireProtocol
from m4bench.harness.gateway.protocols.conversation import (
    Turn,
    fingerprint_of,
    shape_of,
    strings_of,
)
from m4bench.model.usage import Tokens

RequestKind = Literal["model", "count", "models"]
StopReason = Literal["stop", "tool", "length", "refusal", "context"]

# What of a query is passed on; anything else (a key above all) is left out.
_QUERY = {("alt", "sse"), ("alt", "json"), ("beta", "true")}
_GOOGLE_MODEL = re.compile(
    r"/v1beta/models/(?P<model>[^/:]{1,256}):(?P<call>generateContent|streamGenerateContent|countTokens)"
)


@dataclass(frozen=True)
class Route:
    """What a path asks for.

    `upstream_path` follows `Upstream.base_url`, with the query that is passed on. `model` and `stream` are set
    where the path tells them (generateContent) and None where the body does.
    """

    protocol: WireProtocol
    kind: RequestKind
    upstream_path: str
    method: Literal["GET", "POST"] = "POST"
    model: str | None = None
    stream: bool | None = None


@dataclass(frozen=True)
class Asked:
    """What a request asks for.

    `model` is None where the body names none. `tools` are the names of the offered tools that the client runs
    itself. `refused` says why the gateway must not forward it, without any text of the request; None when it
    may. `body` is what is sent. `text`, `fingerprint` and `shape` are worked out when first read, which for a
    body of many megabytes takes seconds.
    """

    model: str | None
    stream: bool
    tools: tuple[str, ...]
    refused: str | None
    body: bytes
    parsed: dict[str, Any] = field(default_factory=dict, repr=False)
    _turns: Callable[[dict[str, Any]], list[Turn]] = field(default=lambda parsed: [], repr=False)

    def work_out(self, *, text: bool, alike: bool) -> None:
        """Work out now what is read later: the text, and fingerprint and shape."""
        if text:
            _ = self.text
        if alike:
            _ = self.fingerprint, self.shape

    @cached_property
    def text(self) -> str:
        """Every text of the request (instructions, messages, descriptions of tools), a line between two."""
        return "\n".join(strings_of(self.parsed))

    @cached_property
    def fingerprint(self) -> str:
        """Sha256 of roles, tool names and texts, with what differs between two equal runs taken out."""
        return fingerprint_of(self._turns(self.parsed), self.tools)

    @cached_property
    def shape(self) -> str:
        """Sha256 of the order of roles and tool calls alone."""
        return shape_of(self._turns(self.parsed), bool(self.tools))


@dataclass(frozen=True)
class Answered:
    """What an answer told.

    `tokens` is None where the provider told none. `stop` is None where it did not say or was cut. `complete`
    is whether the protocol's own end was seen. `failure` is an error told inside an answer of status 200. `model`
    is the model's name as the answer gives it, which may be more exact than what was asked for, or another.
    """

    tokens: Tokens | None
    stop: StopReason | None
    complete: bool
    failure: Ending | None = None
    model: str | None = None


class AnswerReader(Protocol):
    """Reads one answer of status 200 as it passes. Never raises for what it holds; memory is bounded."""

    def feed(self, data: bytes) -> None:
        """Take the next bytes, cut anywhere."""

    def end(self) -> Answered:
        """Return what was told, after the last byte; complete or cut."""


class Wire(Protocol):
    """One wire protocol."""

    name: WireProtocol

    def request(self, body: bytes, route: Route) -> Asked:
        """Return what a request of kind `model` or `count` asks for; never raises for what it holds."""

    def answer(self, stream: bool) -> AnswerReader:
        """Return a reader of one answer; `stream` when its content type is `text/event-stream`."""

    def error(self, status: int, body: bytes) -> Ending:
        """Return the class of an answer of status >= 400, its reason without the body's free text."""

    def error_body(self, status: int, state: str, message: str) -> bytes:
        """Return an error in the protocol's own shape (JSON)."""


def protocol_of(path: str, spoken: tuple[WireProtocol, ...] = ()) -> Route | None:
    """Return what a path, with or without a query, asks for, or None when it is not on the list.

    Args:
        path: the request target as the client sent it, origin form.
        spoken: the protocols of the lane's upstream; OpenAI and Anthropic list models at the same path, which
            is Anthropic's where the upstream speaks neither of OpenAI's protocols.
    """
    try:
        parts = urlsplit(path)
    except ValueError:
        return None
    if parts.scheme or parts.netloc:
        return None
    query = urlencode([pair for pair in parse_qsl(parts.query) if pair in _QUERY])
    tail = f"?{query}" if query else ""
    plain = parts.path
    if plain == "/v1/responses":
        return Route("responses", "model", "/responses" + tail)
    if plain == "/v1/chat/completions":
        return Route("chat-completions", "model", "/chat/completions" + tail)
    if plain == "/v1/messages":
        return Route("messages", "model", plain + tail)
    if plain == "/v1/messages/count_tokens":
        return Route("messages", "count", plain + tail, stream=False)
    if plain == "/v1/models":
        if spoken and "messages" in spoken and not {"responses", "chat-completions"} & {*spoken}:
            return Route("messages", "models", plain, method="GET", stream=False)
        first: WireProtocol = "responses" if spoken[:1] == ("responses",) else "chat-completions"
        return Route(first, "models", "/models", method="GET", stream=False)
    if plain == "/v1beta/models":
        return Route("generate-content", "models", plain, method="GET", stream=False)
    return _google(plain, tail)


def _google(plain: str, tail: str) -> Route | None:
    """Return what a path of generateContent asks for; the model is in it."""
    found = _GOOGLE_MODEL.fullmatch(plain)
    if not found:
        return None
    model = unquote(found["model"])
    if "/" in model or not model.isprintable():
        return None
    call = found["call"]
    return Route(
        "generate-content",
        "count" if call == "countTokens" else "model",
        f"/v1beta/models/{quote(model, safe='')}:{call}{tail}",
        model=model,
        stream=call == "streamGenerateContent",
    )
