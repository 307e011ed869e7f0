# SPDX-License-Identifier: MIT
"""The scripted model in OpenAI's Chat Completions protocol."""

import json
from typing import Any

from tests.harness.gateway.scripted.answer import Answer, Offer, pieces
from tests.harness.gateway.scripted.wire_responses import error as error

_STOPS = {"stop": "stop", "tool": "tool_calls", "length": "length", "refusal": "content_filter"}


def offer(body: dict[str, Any]) -> Offer:
    """Return what a request offers."""
    tools = {
        tool["function"]["name"]: (tool["function"].get("parameters") or {}).get("properties") or {}
        for tool in body.get("tools") or []
        if tool.get("type") == "function"
    }
    return Offer(tools, json.dumps(body))


def _calls(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{answer.number}_{place}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
        }
        for place, call in enumerate(answer.calls)
    ]


def _usage(answer: Answer) -> dict[str, Any]:
    counts = answer.counts
    return {
        "prompt_tokens": counts.input,
        "completion_tokens": counts.output,
        "total_tokens": counts.input + counts.output,
        "prompt_tokens_details": {"cached_tokens": counts.cached},
        "completion_tokens_details": {"reasoning_tokens": counts.reasoning},
    }


def whole(answer: Answer, model: str) -> dict[str, Any]:
    """Return the answer as one object."""
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None, "refusal": None}
    if answer.calls:
        message["tool_calls"] = _calls(answer)
    choice = {"index": 0, "message": message, "finish_reason": _STOPS[answer.stop]}
    return {
        "id": f"chatcmpl-{answer.number}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": _usage(answer),
    }


def stream(answer: Answer, model: str, counted: bool) -> list[bytes]:
    """Return the answer as server-sent events; `counted` when the request asked for usage."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas.extend({"content": piece} for piece in pieces(answer.text))
    for place, call in enumerate(_calls(answer)):
        first, *rest = pieces(call["function"]["arguments"])
        begun = {"name": call["function"]["name"], "arguments": first}
        deltas.append({"tool_calls": [{**call, "index": place, "function": begun}]})
        deltas.extend(
            {"tool_calls": [{"index": place, "function": {"arguments": piece}}]} for piece in rest
        )
    base = {
        "id": f"chatcmpl-{answer.number}",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
    }
    chunks = [
        {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]
    end = {"index": 0, "delta": {}, "finish_reason": _STOPS[answer.stop]}
    chunks.append({**base, "choices": [end]})
    if counted:
        chunks.append({**base, "choices": [], "usage": _usage(answer)})
    return [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks] + [b"data: [DONE]\n\n"]


def overflow() -> tuple[int, dict[str, Any]]:
    """Return the error of a request that is too long."""
    return 400, error(
        400,
        "context_length_exceeded",
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    )
