# SPDX-License-Identifier: MIT
"""What the gateway reads of an answer: tokens, the stop reason, and whether it came to its end."""

import json
from typing import Any

import pytest

from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, WireProtocol
from m4bench.harness.gateway.protocols.protocol import Answered
from m4bench.harness.gateway.protocols.wires import wire_of
from m4bench.model.usage import Tokens


def events(*data: object, end: str = "\n") -> bytes:
    """Return server-sent events."""
    return "".join(
        f"data: {one if isinstance(one, str) else json.dumps(one)}{end}{end}" for one in data
    ).encode()


def read(protocol: WireProtocol, data: bytes, *, stream: bool = True, step: int = 0) -> Answered:
    """Return what an answer told, given in steps of so many bytes."""
    reader = wire_of(protocol).answer(stream)
    for start in range(0, len(data), step or len(data) or 1):
        reader.feed(data[start : start + (step or len(data))])
    return reader.end()


def response(**more: object) -> dict[str, Any]:
    """Return a response as OpenAI's reference shows it."""
    usage = {
        "input_tokens": 36,
        "input_tokens_details": {"cached_tokens": 8},
        "output_tokens": 87,
        "output_tokens_details": {"reasoning_tokens": 40},
        "total_tokens": 123,
    }
    said = {"type": "message", "content": [{"type": "output_text", "text": "Hi"}]}
    return {"status": "completed", "output": [said], "usage": usage, "error": None} | more


CALL = {"type": "function_call", "name": "shell", "arguments": "{}"}
CHAT_USAGE = {
    "prompt_tokens": 36,
    "prompt_tokens_details": {"cached_tokens": 8},
    "completion_tokens": 87,
    "completion_tokens_details": {"reasoning_tokens": 40},
    "total_tokens": 123,
}
ALL = Tokens(input=36, cached=8, output=87, reasoning=40)
GOOGLE_USAGE = {
    "promptTokenCount": 36,
    "cachedContentTokenCount": 8,
    "candidatesTokenCount": 47,
    "thoughtsTokenCount": 40,
    "totalTokenCount": 123,
}


def chat(reason: str | None, delta: dict[str, Any] | None = None, **more: object) -> dict[str, Any]:
    """Return a chunk of a chat."""
    return {"choices": [{"index": 0, "delta": delta or {}, "finish_reason": reason}]} | more


def google(reason: str | None, *parts: dict[str, Any], **more: object) -> dict[str, Any]:
    """Return a chunk of a generated content."""
    candidate: dict[str, Any] = {"content": {"parts": [*parts]}}
    if reason:
        candidate["finishReason"] = reason
    return {"candidates": [candidate]} | more


def anthropic(reason: str, usage: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return the events of a message, counted as Anthropic counts: 20 new, 8 read, 8 written."""
    start = {"input_tokens": 20, "cache_read_input_tokens": 8, "cache_creation_input_tokens": 8}
    return [
        {"type": "message_start", "message": {"usage": {**start, "output_tokens": 1}}},
        {"type": "ping"},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason},
            "usage": usage or {"output_tokens": 87},
        },
        {"type": "message_stop"},
    ]


STREAMS: list[tuple[WireProtocol, list[object], Tokens, str]] = [
    ("responses", [{"type": "response.completed", "response": response()}], ALL, "stop"),
    (
        "responses",
        [{"type": "response.completed", "response": response(output=[CALL])}],
        ALL,
        "tool",
    ),
    (
        "responses",
        [
            {"type": "response.output_item.done", "item": CALL},
            {"type": "response.completed", "response": response(output=[])},
        ],
        ALL,
        "tool",
    ),
    (
        "responses",
        [
            {
                "type": "response.incomplete",
                "response": response(
                    status="incomplete", incomplete_details={"reason": "max_output_tokens"}
                ),
            }
        ],
        ALL,
        "length",
    ),
    (
        "responses",
        [
            {"type": "response.refusal.delta", "delta": "No"},
            {"type": "response.completed", "response": response()},
        ],
        ALL,
        "refusal",
    ),
    (
        "chat-completions",
        [
            chat(None, {"content": "Hi"}),
            chat("stop"),
            {"choices": [], "usage": CHAT_USAGE},
            "[DONE]",
        ],
        ALL,
        "stop",
    ),
    (
        "chat-completions",
        [chat(None, {"tool_calls": [{"index": 0}]}), chat("stop", usage=CHAT_USAGE), "[DONE]"],
        ALL,
        "tool",
    ),
    ("chat-completions", [chat("tool_calls", usage=CHAT_USAGE), "[DONE]"], ALL, "tool"),
    ("chat-completions", [chat("length", usage=CHAT_USAGE)], ALL, "length"),
    ("chat-completions", [chat("content_filter", usage=CHAT_USAGE)], ALL, "refusal"),
    (
        "chat-completions",
        [chat(None, {"refusal": "No"}), chat("stop", usage=CHAT_USAGE), "[DONE]"],
        ALL,
        "refusal",
    ),
    (
        "messages",
        [*anthropic("end_turn")],
        Tokens(input=36, cached=8, cache_write=8, output=87),
        "stop",
    ),
    (
        "messages",
        [*anthropic("tool_use")],
        Tokens(input=36, cached=8, cache_write=8, output=87),
        "tool",
    ),
    (
        "messages",
        [*anthropic("refusal")],
        Tokens(input=36, cached=8, cache_write=8, output=87),
        "refusal",
    ),
    (
        "messages",
        [*anthropic("max_tokens")],
        Tokens(input=36, cached=8, cache_write=8, output=87),
        "length",
    ),
    (
        "messages",
        [*anthropic("model_context_window_exceeded", {"input_tokens": 30, "output_tokens": 5})],
        Tokens(input=46, cached=8, cache_write=8, output=5),
        "context",
    ),
    (
        "generate-content",
        [
            google(None, {"text": "H"}, usageMetadata={"promptTokenCount": 36}),
            google("STOP", {"text": "i"}, usageMetadata=GOOGLE_USAGE),
        ],
        ALL,
        "stop",
    ),
    (
        "generate-content",
        [google("STOP", {"functionCall": {"name": "f", "args": {}}}, usageMetadata=GOOGLE_USAGE)],
        ALL,
        "tool",
    ),
    ("generate-content", [google("MAX_TOKENS", usageMetadata=GOOGLE_USAGE)], ALL, "length"),
    (
        "generate-content",
        [google("PROHIBITED_CONTENT", usageMetadata=GOOGLE_USAGE)],
        ALL,
        "refusal",
    ),
    (
        "generate-content",
        [{"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": GOOGLE_USAGE}],
        ALL,
        "refusal",
    ),
]


@pytest.mark.parametrize(("protocol", "told", "tokens", "stop"), STREAMS)
def test_a_stream_is_counted_however_it_is_cut(
    protocol: WireProtocol, told: list[object], tokens: Tokens, stop: str
) -> None:
    """Counts and stop reason are the same byte by byte, in one piece, and with every line end."""
    for end in ("\n", "\r\n", "\r"):
        data = b": comment" + end.encode() + events(*told, end=end)
        for step in (0, 1, 7):
            got = read(protocol, data, step=step)
            assert got == Answered(tokens, stop, True), (end, step)  # type: ignore[arg-type]


def test_data_on_many_lines_is_one_event() -> None:
    """An event's data may stand on several lines, with other fields between."""
    lines = json.dumps(chat("stop", usage=CHAT_USAGE), indent=1).splitlines()
    data = "event: x\n" + "".join(f"data: {line}\nid: 4\n" for line in lines) + "\n"
    assert read("chat-completions", data.encode(), step=3) == Answered(ALL, "stop", True)


WHOLE: list[tuple[WireProtocol, object, Tokens | None, str | None]] = [
    ("responses", response(), ALL, "stop"),
    (
        "chat-completions",
        {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}], "usage": CHAT_USAGE},
        ALL,
        "stop",
    ),
    (
        "messages",
        {
            "type": "message",
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": None},
        },
        Tokens(input=5, output=7),
        "tool",
    ),
    ("messages", {"input_tokens": 14}, None, None),
    ("generate-content", google("STOP", usageMetadata=GOOGLE_USAGE), ALL, "stop"),
    ("generate-content", [google(None), google("STOP", usageMetadata=GOOGLE_USAGE)], ALL, "stop"),
    ("generate-content", {"totalTokens": 14}, None, None),
]


@pytest.mark.parametrize(("protocol", "answer", "tokens", "stop"), WHOLE)
def test_an_answer_in_one_piece_is_counted(
    protocol: WireProtocol, answer: object, tokens: Tokens | None, stop: str | None
) -> None:
    """An answer that is not streamed tells the same; a count of tokens is no usage."""
    data = json.dumps(answer).encode()
    assert read(protocol, data, stream=False, step=5) == Answered(tokens, stop, True)  # type: ignore[arg-type]
    assert not read(protocol, data[:-3], stream=False).complete


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 22},
            Tokens(input=10, output=12),
        ),
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 4},
            Tokens(input=10, cached=4, output=5),
        ),
        ({"prompt_tokens": 10.0, "completion_tokens": None}, Tokens(input=10)),
        ({"prompt_tokens": 10**9, "completion_tokens": 5}, Tokens(input=10**9, output=5)),
        ({"prompt_tokens": 10**9 + 1, "completion_tokens": 5}, None),
        ({"prompt_tokens": -1, "completion_tokens": 5}, None),
        ({"prompt_tokens": 10, "completion_tokens": "5"}, None),
        ({"prompt_tokens": 10, "completion_tokens": True}, None),
        ({"prompt_tokens": 10, "completion_tokens": 5.5}, None),
        ({"prompt_tokens": 10, "completion_tokens": float("nan")}, None),
        ({"prompt_tokens": 10, "completion_tokens": float("inf")}, None),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 10**30}, None),
        ({"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 11}, None),
        ({"completion_tokens": 5}, None),
        ("many", None),
        (None, None),
    ],
)
def test_counts_of_compatible_servers(usage: object, tokens: Tokens | None) -> None:
    """Unseen output is in the total only, DeepSeek names its cache otherwise, and what cannot be a count is none."""
    got = read("chat-completions", events(chat("stop", usage=usage), "[DONE]"))
    assert got.tokens == tokens


@pytest.mark.parametrize(("protocol", "told", "tokens", "stop"), STREAMS)
def test_a_cut_stream_is_not_complete(
    protocol: WireProtocol, told: list[object], tokens: Tokens, stop: str
) -> None:
    """Without its last event an answer is cut."""
    first = next(
        place for place, one in enumerate(told) if one != "[DONE]" and "ping" not in str(one)
    )
    data = events(*told[: first + 1])
    assert not read(protocol, data[: len(data) // 2]).complete


FAILED: list[tuple[WireProtocol, object, str]] = [
    (
        "responses",
        {
            "type": "response.failed",
            "response": response(
                status="failed", error={"code": "rate_limit_exceeded", "message": "m"}
            ),
        },
        "provider-rate-limit",
    ),
    (
        "responses",
        {
            "type": "response.failed",
            "response": response(
                status="failed", error={"code": "context_length_exceeded", "message": "m"}
            ),
        },
        "context-overflow",
    ),
    ("responses", {"type": "error", "code": "server_error", "message": "m"}, "provider-error"),
    (
        "responses",
        {"type": "error", "error": {"type": "insufficient_quota", "code": "insufficient_quota"}},
        "provider-quota",
    ),
    ("chat-completions", {"error": {"message": "m", "code": 502}}, "provider-error"),
    (
        "chat-completions",
        {"error": {"message": "m", "type": "invalid_request_error"}},
        "provider-request",
    ),
    (
        "messages",
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        "provider-error",
    ),
    (
        "messages",
        {"type": "error", "error": {"type": "rate_limit_error", "message": "m"}},
        "provider-rate-limit",
    ),
    (
        "generate-content",
        {"error": {"code": 503, "message": "m", "status": "UNAVAILABLE"}},
        "provider-error",
    ),
]


@pytest.mark.parametrize(("protocol", "event", "state"), FAILED)
def test_an_error_inside_an_answer_is_told(
    protocol: WireProtocol, event: object, state: str
) -> None:
    """A failure that comes after the status 200 has its class too."""
    got = read(protocol, events(event))
    assert got.failure is not None
    assert got.failure.state == state


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n\n",
        b"data:\n\ndata\n\n:\n\n",
        b"data: null\n\ndata: []\n\ndata: 3\n\ndata: {\n\n",
        b"\xff\xfe\x00data: \xff\n\n",
        b"data: " + b"[" * 50_000 + b"\n\n",
        events(
            {
                "type": 3,
                "usage": [],
                "choices": {},
                "candidates": [None, 1],
                "response": "x",
                "message": 4,
                "delta": [],
            }
        ),
        events(
            {"type": "response.completed"},
            {"type": "message_start"},
            {"type": "message_delta"},
            {"type": "error"},
        ),
        events(
            {
                "choices": [{"delta": 4, "finish_reason": []}],
                "candidates": [{"content": [], "finishReason": 7}],
                "error": "x",
            }
        ),
    ],
)
def test_hostile_bytes_are_survived(protocol: WireProtocol, stream: bool, data: bytes) -> None:
    """Whatever an upstream sends, nothing is raised and nothing is counted."""
    assert read(protocol, data, stream=stream, step=3).tokens is None


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_an_endless_event_is_not_kept(protocol: WireProtocol) -> None:
    """An event longer than any real one is passed over, and the next one is read."""
    reader = wire_of(protocol).answer(True)
    for _ in range(20):
        reader.feed(b"data: " + b"x" * (1 << 20))
    last = {
        "responses": {"type": "response.completed", "response": response()},
        "chat-completions": chat("stop", usage=CHAT_USAGE),
        "messages": anthropic("end_turn")[0],
        "generate-content": google("STOP", usageMetadata=GOOGLE_USAGE),
    }[protocol]
    reader.feed(b"\n\n" + events(last))
    assert reader.end().tokens is not None
