# SPDX-License-Identifier: MIT
"""The scripted model in Anthropic's Messages protocol."""

import json
from typing import Any

from tests.harness.gateway.scripted.answer import Answer, Offer, pieces

_STOPS = {"stop": "end_turn", "tool": "tool_use", "length": "max_tokens", "refusal": "refusal"}


def offer(body: dict[str, Any]) -> Offer:
    """Return what a request offers."""
    tools = {
        tool["name"]: (tool.get("input_schema") or {}).get("properties") or {}
        for tool in body.get("tools") or []
        if "name" in tool
    }
    return Offer(tools, json.dumps(body))


def _usage(answer: Answer) -> dict[str, Any]:
    counts = answer.counts
    return {
        "input_tokens": counts.input - counts.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": counts.cached,
        "output_tokens": counts.output,
        "service_tier": "standard",
    }


def whole(answer: Answer, model: str) -> dict[str, Any]:
    """Return the answer as one object."""
    content: list[dict[str, Any]] = []
    if answer.text:
        content.append({"type": "text", "text": answer.text})
    content.extend(
        {
            "type": "tool_use",
            "id": f"toolu_{answer.number}_{place}",
            "name": call.name,
            "input": call.arguments,
        }
        for place, call in enumerate(answer.calls)
    )
    return {
        "id": f"msg_{answer.number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": _STOPS[answer.stop],
        "stop_sequence": None,
        "usage": _usage(answer),
    }


def stream(answer: Answer, model: str) -> list[bytes]:
    """Return the answer as server-sent events."""
    final = whole(answer, model)
    begun = {
        **final,
        "content": [],
        "stop_reason": None,
        "usage": {**final["usage"], "output_tokens": 1},
    }
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for place, block in enumerate(final["content"]):
        if block["type"] == "text":
            start = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
        else:
            start = {**block, "input": {}}
            deltas = [
                {"type": "input_json_delta", "partial_json": piece}
                for piece in pieces(json.dumps(block["input"]))
            ]
        events.append({"type": "content_block_start", "index": place, "content_block": start})
        events.extend(
            {"type": "content_block_delta", "index": place, "delta": delta} for delta in deltas
        )
        events.append({"type": "content_block_stop", "index": place})
    stop = {"stop_reason": final["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": stop, "usage": final["usage"]})
    events.append({"type": "message_stop"})
    return [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in events]


_WORDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def error(status: int, word: str | None, message: str) -> dict[str, Any]:
    """Return an error as Anthropic words it."""
    kind = word or _WORDS.get(status, "api_error")
    return {
        "type": "error",
        "error": {"type": kind, "message": message},
        "request_id": "req_scripted",
    }


def overflow() -> tuple[int, dict[str, Any]]:
    """Return the error of a request that is too long."""
    return 400, error(400, None, "prompt is too long: 200082 tokens > 200000 maximum")
