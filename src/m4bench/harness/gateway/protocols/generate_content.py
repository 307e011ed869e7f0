# SPDX-License-Identifier: MIT
"""Google's generateContent protocol of the Gemini API (`v1beta`). Knows no provider.

Source: Google's Gemini API reference, "Generating content" and "Troubleshooting". As in all of Google's JSON,
each name may be written in camel case or with underscores.
"""

import json
from typing import Any

from m4bench.harness.gateway.lane import Ending, WireProtocol
from m4bench.harness.gateway.protocols.bodies import (
    MalformedError,
    count,
    every_object,
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
    PROVIDER_ROUTING,
    PROVIDER_STATE,
    URL_CONTENT,
    fetched_by_provider,
    provider_tool,
    routed_by_member,
)
from m4bench.model.usage import Tokens

_DECLARED = ("functionDeclarations", "function_declarations")
# Free JSON of a tool's call and answer: no content, whatever names it holds.
_FREE = frozenset({"args", "response", "tools"})
_STOPS: dict[str, StopReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "SAFETY": "refusal",
    "RECITATION": "refusal",
    "LANGUAGE": "refusal",
    "BLOCKLIST": "refusal",
    "PROHIBITED_CONTENT": "refusal",
    "SPII": "refusal",
    "IMAGE_SAFETY": "refusal",
    "MODEL_ARMOR": "refusal",
}
_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class GenerateContent:
    """The protocol at `/v1beta/models/M:generateContent`, `:streamGenerateContent` and `:countTokens`."""

    name: WireProtocol = "generate-content"

    def request(self, body: bytes, route: Route) -> Asked:
        """Return what a request asks for; model and stream come from its path, its body is sent as it is."""
        stream = route.stream is True
        try:
            parsed = request_object(body)
        except MalformedError:
            return Asked(route.model, stream, (), MALFORMED, body)
        # countTokens may wrap a whole request, with tools of its own.
        inner = _either(parsed, "generateContentRequest", "generate_content_request")
        asked = [parsed, inner] if isinstance(inner, dict) else [parsed]
        tools: tuple[str, ...] = ()
        refused = None
        for one in asked:
            named, why = _tools(one.get("tools"))
            tools, refused = tools + named, refused or why
            if _either(one, "cachedContent", "cached_content"):
                # What is kept at the provider may bring tools of its own.
                refused = refused or PROVIDER_STATE
            refused = refused or routed_by_member(one)
            named_model = word(one.get("model")).removeprefix("models/")
            if named_model not in ("", route.model):
                refused = refused or PROVIDER_ROUTING
        refused = refused or _by_url(parsed)
        return Asked(route.model, stream, tools, refused, body, parsed, _turns)

    def answer(self, stream: bool) -> AnswerReader:
        """Return a reader of one answer."""
        return Reader(_Teller(), stream)

    def error(self, status: int, body: bytes) -> Ending:
        """Return the class of an error."""
        return classify(status, body)

    def error_body(self, status: int, state: str, message: str) -> bytes:
        """Return an error as Google words it; a limit as a day's quota that is spent, which clients do not retry."""
        name = _STATUS.get(status, "INTERNAL" if status >= 500 else "FAILED_PRECONDITION")
        error: dict[str, Any] = {"code": status, "message": message, "status": name}
        if state == "gateway-limit":
            violation = {"quotaMetric": "m4bench", "quotaId": "GatewayLimitPerDay"}
            kind = "type.googleapis.com/google.rpc.QuotaFailure"
            error["details"] = [{"@type": kind, "violations": [violation]}]
        return json.dumps({"error": error}).encode()


def _either(value: dict[str, Any], camel: str, snake: str) -> object:
    return value.get(camel) if value.get(camel) is not None else value.get(snake)


def _tools(offered: object) -> tuple[tuple[str, ...], str | None]:
    """Return the names of the client's own tools, and why the rest is refused."""
    if isinstance(offered, dict):
        offered = [offered]
    if offered is None:
        return (), None
    if not isinstance(offered, list):
        return (), MALFORMED
    names: list[str] = []
    for tool in offered:
        if not isinstance(tool, dict):
            return tuple(names), MALFORMED
        for kind, value in tool.items():
            if kind in _DECLARED:
                names.extend(word(declared.get("name")) for declared in objects(value))
            elif value is not None:
                return tuple(names), provider_tool(kind)
    return tuple(names), None


def _by_url(parsed: dict[str, Any]) -> str | None:
    """Return why content that the provider would fetch is refused; files kept at the provider are such content too."""
    for item in every_object(parsed, _FREE):
        if _either(item, "fileData", "file_data") is not None:
            return URL_CONTENT
    return fetched_by_provider(parsed)


def _turns(parsed: dict[str, Any]) -> list[Turn]:
    turns = []
    system = _either(parsed, "systemInstruction", "system_instruction")
    if system is not None:
        turns.append(Turn("system", texts_of(member(system, "parts"))))
    for content in objects(parsed.get("contents")):
        role = word(content.get("role")) or "user"
        turns.extend(_turn(role, part) for part in objects(content.get("parts")))
    return turns


def _turn(role: str, part: dict[str, Any]) -> Turn:
    call = _either(part, "functionCall", "function_call")
    answer = _either(part, "functionResponse", "function_response")
    if call is not None:
        return Turn(f"call:{word(member(call, 'name'))}", texts_of(member(call, "args")))
    if answer is not None:
        return Turn("result", texts_of(member(answer, "response")))
    return Turn("thought" if part.get("thought") else role, texts_of(part.get("text")))


class _Teller:
    """What the chunks of one answer told; counts grow from chunk to chunk and the last ones count."""

    def __init__(self) -> None:
        self._tokens: Tokens | None = None
        self._stop: StopReason | None = None
        self._counted = self._called = False
        self._failure: Ending | None = None
        self._model = ""

    def event(self, event: dict[str, Any]) -> None:
        """Take one chunk."""
        if event.get("error"):
            self._failure = classify_told(event["error"])
        self._tokens = _tokens(_either(event, "usageMetadata", "usage_metadata")) or self._tokens
        self._model = word(_either(event, "modelVersion", "model_version")) or self._model
        if member(_either(event, "promptFeedback", "prompt_feedback"), "blockReason"):
            self._stop = "refusal"
        for candidate in objects(event.get("candidates")):
            parts = objects(member(candidate, "content", "parts"))
            calls = (_either(part, "functionCall", "function_call") for part in parts)
            self._called = self._called or any(call is not None for call in calls)
            reason = _either(candidate, "finishReason", "finish_reason")
            if reason is not None:
                self._stop = _STOPS.get(word(reason), "stop")

    def done(self) -> None:
        """Take an end mark that the protocol does not have."""

    def whole(self, answer: dict[str, Any]) -> None:
        """Take an answer in one piece; a count of tokens is one too."""
        self.event(answer)
        self._counted = "totalTokens" in answer or "total_tokens" in answer

    def answered(self) -> Answered:
        """Return what was told; Google says `STOP` after tool calls too."""
        stop = "tool" if self._stop == "stop" and self._called else self._stop
        complete = stop is not None or self._counted
        return Answered(self._tokens, stop, complete, self._failure, self._model or None)


def _tokens(usage: object) -> Tokens | None:
    """Return the counts: cached tokens are in the prompt's, thoughts are not in the candidates'."""
    if not isinstance(usage, dict) or "promptTokenCount" not in usage:
        return None
    thoughts = count(usage.get("thoughtsTokenCount"))
    return Tokens(
        input=count(usage.get("promptTokenCount")) + count(usage.get("toolUsePromptTokenCount")),
        cached=count(usage.get("cachedContentTokenCount")),
        output=count(usage.get("candidatesTokenCount")) + thoughts,
        reasoning=thoughts,
    )
