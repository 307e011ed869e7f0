# SPDX-License-Identifier: MIT
"""What providers' errors mean, in their own words, and the errors the gateway writes itself."""

import json
from typing import Any

import pytest

from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, WireProtocol
from m4bench.harness.gateway.protocols.wires import wire_of


def openai(
    message: str, code: str | None = None, kind: str = "invalid_request_error"
) -> dict[str, Any]:
    """Return an error in OpenAI's shape."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def anthropic(kind: str, message: str) -> dict[str, Any]:
    """Return an error in Anthropic's shape."""
    return {"type": "error", "error": {"type": kind, "message": message}}


def google(code: int, status: str, message: str, *details: dict[str, Any]) -> dict[str, Any]:
    """Return an error in Google's shape."""
    return {"error": {"code": code, "message": message, "status": status, "details": [*details]}}


QUOTA = {"@type": "type.googleapis.com/google.rpc.QuotaFailure"}
CASES: list[tuple[int, object, str]] = [
    # Context overflow, server by server.
    (
        400,
        openai(
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
            "context_length_exceeded",
        ),
        "context-overflow",
    ),
    (
        400,
        openai(
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            "context_length_exceeded",
        ),
        "context-overflow",
    ),
    (
        400,
        anthropic("invalid_request_error", "prompt is too long: 200082 tokens > 200000 maximum"),
        "context-overflow",
    ),
    (
        400,
        anthropic(
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000, decrease input length",
        ),
        "context-overflow",
    ),
    (413, anthropic("request_too_large", "Request exceeds the maximum size"), "context-overflow"),
    (
        400,
        google(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        ),
        "context-overflow",
    ),
    (
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
            "type": "BadRequestError",
            "code": 400,
        },
        "context-overflow",
    ),
    (
        400,
        {
            "error": {
                "code": 400,
                "message": "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it",
                "type": "exceed_context_size_error",
                "n_ctx": 4096,
            }
        },
        "context-overflow",
    ),
    (
        500,
        {
            "error": {
                "message": "Requested tokens (3000) exceed context window of 2048",
                "type": "internal_server_error",
            }
        },
        "context-overflow",
    ),
    (400, {"error": "input length exceeds maximum context length"}, "context-overflow"),
    (
        400,
        {
            "detail": "The decoder prompt (length 5000) is longer than the maximum model length of 4096."
        },
        "context-overflow",
    ),
    # Quota.
    (
        429,
        openai(
            "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota",
            "insufficient_quota",
        ),
        "provider-quota",
    ),
    (402, {"error": {"message": "Insufficient Balance"}}, "provider-quota"),
    (
        400,
        anthropic(
            "invalid_request_error", "Your credit balance is too low to access the Anthropic API."
        ),
        "provider-quota",
    ),
    (403, google(403, "PERMISSION_DENIED", "m", {"reason": "BILLING_DISABLED"}), "provider-quota"),
    (
        429,
        google(
            429,
            "RESOURCE_EXHAUSTED",
            "You exceeded your current quota",
            {
                **QUOTA,
                "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
            },
        ),
        "provider-quota",
    ),
    # Rate limits, Google's by the minute too, which has the words of a spent quota.
    (
        429,
        google(
            429,
            "RESOURCE_EXHAUSTED",
            "You exceeded your current quota",
            {**QUOTA, "violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel"}]},
        ),
        "provider-rate-limit",
    ),
    (
        429,
        openai(
            "Rate limit reached for gpt-5 in organization org-1 on tokens per min",
            "rate_limit_exceeded",
            "tokens",
        ),
        "provider-rate-limit",
    ),
    (
        429,
        anthropic("rate_limit_error", "This request would exceed your organization's rate limit"),
        "provider-rate-limit",
    ),
    (429, b"", "provider-rate-limit"),
    # Keys.
    (401, openai("Incorrect API key provided: sk-abc.", "invalid_api_key"), "provider-auth"),
    (403, anthropic("permission_error", "m"), "provider-auth"),
    (
        400,
        google(
            400,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
            {"reason": "API_KEY_INVALID"},
        ),
        "provider-auth",
    ),
    (401, b"<html>", "provider-auth"),
    # Requests.
    (
        404,
        openai("The model `x` does not exist or you do not have access to it.", "model_not_found"),
        "provider-request",
    ),
    (404, {"error": {"message": "model 'x' not found", "type": "api_error"}}, "provider-request"),
    (400, openai("Unsupported parameter", "unsupported_parameter"), "provider-request"),
    (422, {"detail": [{"loc": ["body"], "msg": "field required"}]}, "provider-request"),
    (
        400,
        {
            "error": {
                "code": "content_filter",
                "message": "m",
                "innererror": {"code": "ResponsibleAIPolicyViolation"},
            }
        },
        "refused",
    ),
    # The provider's own.
    (500, openai("The server had an error", None, "server_error"), "provider-error"),
    (503, google(503, "UNAVAILABLE", "The model is overloaded."), "provider-error"),
    (529, anthropic("overloaded_error", "Overloaded"), "provider-error"),
    (408, b"", "provider-error"),
    (409, b"{}", "provider-error"),
    (502, b"<html>Bad gateway</html>", "provider-error"),
]


@pytest.mark.parametrize(("status", "body", "state"), CASES)
def test_an_error_has_the_class_its_words_say(status: int, body: object, state: str) -> None:
    """Codes and words of OpenAI, Anthropic, Google, vLLM, llama.cpp, llama-cpp-python and Ollama are known."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    for protocol in WIRE_PROTOCOLS:
        assert wire_of(protocol).error(status, data).state == state


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (
            429,
            openai("for organization org-secret", "insufficient_quota"),
            "429 insufficient_quota",
        ),
        (
            401,
            openai("Incorrect API key provided: sk-secret", "sk-secret1"),
            "401 invalid_request_error",
        ),
        (400, openai("patient 12345 has …", "patient 12345"), "400 invalid_request_error"),
        (400, {"error": "input with secret"}, "400"),
        (500, b"secret", "500"),
    ],
)
def test_a_reason_holds_a_code_and_no_text(status: int, body: object, reason: str) -> None:
    """The provider's words, which may repeat a key or a row, stay out of every record."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    assert wire_of("responses").error(status, data).reason == reason


@pytest.mark.parametrize(
    "body",
    [
        b"\xff" * 100,
        b"[" * 200_000,
        b"[]",
        b"[[]]",
        b'{"error": [1, 2]}',
        b'{"error": {"code": {}, "details": [1, {"violations": "x", "reason": 4}]}}',
        b'{"error": {"message": "exceed' + b" " * 5_000_000 + b'"}}',
    ],
)
def test_a_hostile_error_body_is_survived(body: bytes) -> None:
    """Whatever an error's body holds, its status alone decides."""
    assert wire_of("messages").error(503, body).state == "provider-error"


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize(
    ("status", "state"),
    [
        (403, "policy"),
        (401, "provider-auth"),
        (429, "gateway-limit"),
        (502, "provider-unreachable"),
    ],
)
def test_our_own_errors_have_the_protocols_shape(
    protocol: WireProtocol, status: int, state: str
) -> None:
    """An error of the gateway's own is read by a client as one of the provider's."""
    told = json.loads(wire_of(protocol).error_body(status, state, "not on the list"))
    error = told["error"]
    assert error["message"] == "not on the list"
    if protocol == "messages":
        assert told["type"] == "error"
        assert error["type"].endswith("_error")
    elif protocol == "generate-content":
        assert error["code"] == status
        assert error["status"].isupper()
    else:
        assert {"type", "param", "code"} < {*error}


@pytest.mark.parametrize("protocol", ["responses", "chat-completions", "generate-content"])
def test_a_limit_reads_as_a_spent_quota(protocol: WireProtocol) -> None:
    """Clients stop at a spent quota and would retry any other 429."""
    wire = wire_of(protocol)
    body = wire.error_body(429, "gateway-limit", "the run's tokens are used up")
    assert wire.error(429, body).state == "provider-quota"
