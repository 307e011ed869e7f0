# SPDX-License-Identifier: MIT
"""The scripted model in OpenAI's Responses protocol."""

import json
from typing import Any

from tests.harness.gateway.scripted.answer import Answer, Offer, pieces


def offer(body: dict[str, Any]) -> Offer:
    """Return what a request offers; tools inside a namespace count by their own name."""
    tools: dict[str, dict[str, Any]] = {}
    waiting = list(body.get("tools") or [])
    while waiting:
        tool = waiting.pop()
        if tool.get("type") == "namespace":
            waiting.extend(tool.get("tools") or [])
        elif tool.get("type") == "function":
            tools[tool["name"]] = (tool.get("parameters") or {}).get("properties") or {}
        elif tool.get("type") == "local_shell":
            tools["local_shell"] = {}
    return Offer(tools, json.dumps(body))


def _items(answer: Answer) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if answer.text:
        part = (
            {"type": "refusal", "refusal": answer.text}
            if answer.stop == "refusal"
            else {"type": "output_text", "text": answer.text, "annotations": []}
        )
        items.append(
            {
                "type": "message",
                "id": f"msg_{answer.number}",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            }
        )
    for place, call in enumerate(answer.calls):
        items.append(
            {
                "type": "function_call",
                "id": f"fc_{answer.number}_{place}",
                "call_id": f"call_{answer.number}_{place}",
                "name": call.name,
                "arguments": json.dumps(call.arguments),
                "status": "completed",
            }
        )
    return items


def whole(answer: Answer, model: str) -> dict[str, Any]:
    """Return the answer as one object."""
    counts = answer.counts
    cut = answer.stop == "length"
    return {
        "id": f"resp_{answer.number}",
        "object": "response",
        "created_at": 0,
        "model": model,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "output": _items(answer),
        "usage": {
            "input_tokens": counts.input,
            "input_tokens_details": {"cached_tokens": counts.cached},
            "output_tokens": counts.output,
            "output_tokens_details": {"reasoning_tokens": counts.reasoning},
            "total_tokens": counts.input + counts.output,
        },
    }


def stream(answer: Answer, model: str) -> list[bytes]:
    """Return the answer as server-sent events."""
    final = whole(answer, model)
    events: list[dict[str, Any]] = [
        {
            "type": "response.created",
            "response": {**final, "status": "in_progress", "output": [], "usage": None},
        }
    ]
    for place, item in enumerate(final["output"]):
        events.extend(_item_events(place, item))
    kind = "response.incomplete" if answer.stop == "length" else "response.completed"
    events.append({"type": kind, "response": final})
    return [
        f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': n})}\n\n".encode()
        for n, event in enumerate(events)
    ]


def _item_events(place: int, item: dict[str, Any]) -> list[dict[str, Any]]:
    where = {"output_index": place, "item_id": item["id"]}
    if item["type"] == "function_call":
        begun = {**item, "arguments": "", "status": "in_progress"}
        kind, said = "response.function_call_arguments", item["arguments"]
        end = {"type": f"{kind}.done", **where, "arguments": said, "name": item["name"]}
    else:
        begun = {**item, "content": [], "status": "in_progress"}
        part = item["content"][0]
        word = "text" if part["type"] == "output_text" else "refusal"
        kind, said = f"response.{'output_text' if word == 'text' else 'refusal'}", part[word]
        where = {**where, "content_index": 0}
        end = {"type": f"{kind}.done", **where, word: said}
    return [
        {"type": "response.output_item.added", "output_index": place, "item": begun},
        *({"type": f"{kind}.delta", **where, "delta": piece} for piece in pieces(said)),
        end,
        {"type": "response.output_item.done", "output_index": place, "item": item},
    ]


_WORDS = {
    400: "invalid_request_error",
    401: "invalid_api_key",
    404: "model_not_found",
    429: "rate_limit_exceeded",
}


def error(status: int, word: str | None, message: str) -> dict[str, Any]:
    """Return an error as OpenAI words it."""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    code = word or _WORDS.get(status, "server_error")
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def overflow() -> tuple[int, dict[str, Any]]:
    """Return the error of a request that is too long."""
    return 400, error(
        400,
        "context_length_exceeded",
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
    )
