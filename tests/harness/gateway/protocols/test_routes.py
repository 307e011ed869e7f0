# SPDX-License-Identifier: MIT
"""Which path belongs to which protocol, and which to none."""

import pytest

from m4bench.harness.gateway.lane import WireProtocol
from m4bench.harness.gateway.protocols.protocol import protocol_of


@pytest.mark.parametrize(
    ("path", "protocol", "kind", "upstream"),
    [
        ("/v1/responses", "responses", "model", "/responses"),
        ("/v1/chat/completions", "chat-completions", "model", "/chat/completions"),
        ("/v1/messages?beta=true", "messages", "model", "/v1/messages?beta=true"),
        ("/v1/messages/count_tokens", "messages", "count", "/v1/messages/count_tokens"),
        ("/v1/models?client_version=0.171.0", "chat-completions", "models", "/models"),
        ("/v1beta/models", "generate-content", "models", "/v1beta/models"),
        (
            "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
            "generate-content",
            "model",
            "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
        ),
        (
            "/v1beta/models/gemini-2.5-pro:countTokens",
            "generate-content",
            "count",
            "/v1beta/models/gemini-2.5-pro:countTokens",
        ),
    ],
)
def test_a_listed_path_is_known(path: str, protocol: str, kind: str, upstream: str) -> None:
    """Each protocol's paths lead where its base address is followed by the provider's own path."""
    route = protocol_of(path)
    assert route is not None
    assert (route.protocol, route.kind, route.upstream_path) == (protocol, kind, upstream)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "",
        "*",
        "/v1/files",
        "/v1/responses/resp_1",
        "/v1/responses/",
        "/v1//responses",
        "/v1/../v1/responses",
        "/v1/batches",
        "/V1/responses",
        "/v1/responses%2f..%2ffiles",
        "//elsewhere.example/v1/responses",
        "http://elsewhere.example/v1/responses",
        "http://[/v1/responses",
        "/v1beta/models/a/b:generateContent",
        "/v1beta/models/a%2Fb:generateContent",
        "/v1beta/models/a%0d%0aHost:generateContent",
        "/v1beta/models/gemini:batchGenerateContent",
        "/v1beta/cachedContents",
        "/v1beta/models/:generateContent",
    ],
)
def test_any_other_path_is_not(path: str) -> None:
    """Nothing but the listed paths leads anywhere, however it is spelled."""
    assert protocol_of(path) is None


def test_a_model_in_the_path_cannot_change_the_path() -> None:
    """What a program writes as Google's model name stays one segment of the path."""
    route = protocol_of("/v1beta/models/a%3Fkey=x%23:generateContent")
    assert route is not None
    assert route.model == "a?key=x#"
    assert route.upstream_path == "/v1beta/models/a%3Fkey%3Dx%23:generateContent"


@pytest.mark.parametrize("query", ["key=secret", "alt=sse&key=secret&access_token=t"])
def test_a_key_in_the_query_is_left_out(query: str) -> None:
    """What an agent holds as its key never goes up, not in a query either."""
    route = protocol_of(f"/v1beta/models/m:streamGenerateContent?{query}")
    assert route is not None
    assert "secret" not in route.upstream_path
    assert "token" not in route.upstream_path


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("?alt=json", "?alt=json"),
        ("?alt=proto&alt=sse", "?alt=sse"),
        ("?alt=media&beta=x", ""),
        ("?beta=true&beta=false", "?beta=true"),
    ],
)
def test_a_query_asks_for_nothing_but_what_is_known(query: str, sent: str) -> None:
    """Answers that cannot be read (as Google's `alt=proto`) are not asked for."""
    route = protocol_of(f"/v1beta/models/m:generateContent{query}")
    assert route is not None
    assert route.upstream_path == f"/v1beta/models/m:generateContent{sent}"


@pytest.mark.parametrize(
    ("spoken", "protocol", "upstream"),
    [
        (("messages",), "messages", "/v1/models"),
        (("responses",), "responses", "/models"),
        (("responses", "chat-completions"), "responses", "/models"),
        (("chat-completions", "messages"), "chat-completions", "/models"),
        ((), "chat-completions", "/models"),
    ],
)
def test_the_list_of_models_is_the_upstreams(
    spoken: tuple[WireProtocol, ...], protocol: str, upstream: str
) -> None:
    """OpenAI and Anthropic list models at one path, which is the upstream's of the two."""
    route = protocol_of("/v1/models", spoken)
    assert route is not None
    assert (route.protocol, route.upstream_path, route.method) == (protocol, upstream, "GET")
