# SPDX-License-Identifier: MIT
"""The scripted model in Google's generateContent protocol."""

import json
from typing import Any

from tests.harness.gateway.scripted.answer import Answer, Offer, pieces

_STOPS = {"stop": "STOP", "tool": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}


def offer(body: dict[str, Any]) -> Offer:
    """Return what a request offers."""
    tools = {
        declared["name"]: (
            (declared.get("parametersJsonSchema") or declared.get("parameters") or {}).get(
                "properties"
            )
            or {}
        )
        for tool in body.get("tools") or []
        for declared in tool.get("functionDeclarations") or []
    }
    return Offer(tools, json.dumps(body))


def schema(body: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema a side request wants its answer in."""
    wanted = body.get("generationConfig") or {}
    found = wanted.get("responseJsonSchema") or wanted.get("responseSchema")
    return found if isinstance(found, dict) else None


def _usage(answer: Answer) -> dict[str, Any]:
    counts = answer.counts
    return {
        "promptTokenCount": counts.input,
        "cachedContentTokenCount": counts.cached,
        "candidatesTokenCount": counts.output - counts.reasoning,
        "thoughtsTokenCount": counts.reasoning,
        "totalTokenCount": counts.input + counts.output,
    }


def _parts(answer: Answer) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"text": piece} for piece in pieces(answer.text)]
    parts.extend(
        {
            "functionCall": {
                "id": f"call_{answer.number}_{place}",
                "name": call.name,
                "args": call.arguments,
            }
        }
        for place, call in enumerate(answer.calls)
    )
    return parts


def whole(answer: Answer, model: str) -> dict[str, Any]:
    """Return the answer as one object."""
    candidate = {
        "content": {"role": "model", "parts": _parts(answer)},
        "finishReason": _STOPS[answer.stop],
        "index": 0,
    }
    return {
        "candidates": [candidate],
        "usageMetadata": _usage(answer),
        "modelVersion": model,
        "responseId": f"resp_{answer.number}",
    }


def stream(answer: Answer, model: str) -> list[bytes]:
    """Return the answer as server-sent events, with the line ends Google sends."""
    final = whole(answer, model)
    parts = _parts(answer)
    chunks = [
        {
            **final,
            "candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}],
            "usageMetadata": {
                "promptTokenCount": answer.counts.input,
                "totalTokenCount": answer.counts.input,
            },
        }
        for part in parts[:-1]
    ]
    last = {**final["candidates"][0], "content": {"role": "model", "parts": parts[-1:]}}
    chunks.append({**final, "candidates": [last]})
    return [f"data: {json.dumps(chunk)}\r\n\r\n".encode() for chunk in chunks]


_WORDS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


def error(status: int, word: str | None, message: str) -> dict[str, Any]:
    """Return an error as Google words it."""
    name = word or _WORDS.get(status, "INTERNAL")
    return {"error": {"code": status, "message": message, "status": name}}


def overflow() -> tuple[int, dict[str, Any]]:
    """Return the error of a request that is too long."""
    return 400, error(
        400,
        None,
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    )
