# SPDX-License-Identifier: MIT
"""What the gateway reads of a request, what it refuses, and what it changes."""

import json
from typing import Any

import pytest

from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, WireProtocol
from m4bench.harness.gateway.protocols.protocol import Asked, protocol_of
from m4bench.harness.gateway.protocols.wires import wire_of

PATHS: dict[WireProtocol, str] = {
    "responses": "/v1/responses",
    "chat-completions": "/v1/chat/completions",
    "messages": "/v1/messages",
    "generate-content": "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
}
# A request of one user turn in each protocol, that offers one tool of the client's own.
PLAIN: dict[WireProtocol, dict[str, Any]] = {
    "responses": {
        "model": "m",
        "stream": True,
        "instructions": "Be brief.",
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
        ],
        "tools": [{"type": "function", "name": "shell", "parameters": {"type": "object"}}],
    },
    "chat-completions": {
        "model": "m",
        "stream": True,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        ],
        "tools": [{"type": "function", "function": {"name": "shell", "parameters": {}}}],
    },
    "messages": {
        "model": "m",
        "stream": True,
        "max_tokens": 100,
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        "tools": [{"name": "shell", "input_schema": {"type": "object"}}],
    },
    "generate-content": {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
        "tools": [{"functionDeclarations": [{"name": "shell", "parameters": {}}]}],
    },
}


def ask(protocol: WireProtocol, request: object, path: str | None = None) -> Asked:
    """Return what a request in a protocol asks for."""
    route = protocol_of(path or PATHS[protocol])
    assert route is not None
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    return wire_of(protocol).request(body, route)


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_a_plain_request_is_read(protocol: WireProtocol) -> None:
    """Model, stream, the client's tools and every text are found."""
    asked = ask(protocol, PLAIN[protocol])
    assert asked.model == ("gemini-2.5-pro" if protocol == "generate-content" else "m")
    assert asked.stream
    assert asked.tools == ("shell",)
    assert asked.refused is None
    assert {"Be brief.", "Hi"} <= {*asked.text.splitlines()}


@pytest.mark.parametrize("protocol", ["responses", "messages", "generate-content"])
def test_a_body_is_sent_as_it_came(protocol: WireProtocol) -> None:
    """Where nothing has to be changed not a byte is."""
    body = json.dumps(PLAIN[protocol], indent=3).encode()
    assert ask(protocol, body).body == body


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ("absent", {"include_usage": True}),
        (None, {"include_usage": True}),
        (
            {"include_usage": True, "include_obfuscation": False},
            {"include_usage": True, "include_obfuscation": False},
        ),
        ({"include_usage": False}, {"include_usage": True}),
        ({}, {"include_usage": True}),
    ],
)
def test_a_streamed_chat_tells_its_usage(options: object, sent: object) -> None:
    """A streamed chat is made to end with its counts, and nothing else in it changes."""
    request = dict(PLAIN["chat-completions"])
    if options != "absent":
        request["stream_options"] = options
    got = json.loads(ask("chat-completions", request).body)
    assert got.pop("stream_options") == sent
    request.pop("stream_options", None)
    assert got == request


def test_a_chat_in_one_piece_is_not_changed() -> None:
    """Servers refuse stream options without a stream."""
    body = json.dumps({**PLAIN["chat-completions"], "stream": False}).encode()
    assert ask("chat-completions", body).body == body


REFUSED: list[tuple[WireProtocol, dict[str, Any], str]] = [
    ("responses", {"tools": [{"type": "web_search"}]}, "provider-tool:web_search"),
    (
        "responses",
        {"tools": [{"type": "web_search_preview_2025_03_11"}]},
        "provider-tool:web_search",
    ),
    ("responses", {"tools": [{"type": "file_search"}]}, "provider-tool:file_search"),
    ("responses", {"tools": [{"type": "code_interpreter"}]}, "provider-tool:code_interpreter"),
    ("responses", {"tools": [{"type": "computer_use_preview"}]}, "provider-tool:computer"),
    ("responses", {"tools": [{"type": "image_generation"}]}, "provider-tool:image_generation"),
    (
        "responses",
        {"tools": [{"type": "mcp", "server_url": "https://x.example"}]},
        "provider-tool:mcp",
    ),
    (
        "responses",
        {"tools": [{"type": "shell", "environment": {"type": "container_auto"}}]},
        "provider-tool:shell",
    ),
    ("responses", {"tools": [{"type": "shell"}]}, "provider-tool:shell"),
    ("responses", {"tools": [{"type": "something_new"}]}, "provider-tool:other"),
    (
        "responses",
        {"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "web_search"}]}]},
        "provider-tool:web_search",
    ),
    ("responses", {"tools": {"type": "web_search"}}, "malformed"),
    ("responses", {"tools": ["web_search"]}, "malformed"),
    ("responses", {"Tools": [{"type": "web_search"}]}, "malformed"),
    ("responses", {"prompt": {"id": "pmpt_1"}}, "provider-state"),
    (
        "responses",
        {
            "input": [
                {
                    "role": "user",
                    "content": [{"type": "input_image", "image_url": "https://x.example/i.png"}],
                }
            ]
        },
        "url-content",
    ),
    (
        "responses",
        {
            "input": [
                {
                    "role": "user",
                    "content": [{"type": "input_file", "file_url": "https://x.example/f"}],
                }
            ]
        },
        "url-content",
    ),
    (
        "responses",
        {
            "input": [
                {
                    "type": "function_call_output",
                    "call_id": "c",
                    "output": [{"type": "input_image", "image_url": "http://x.example"}],
                }
            ]
        },
        "url-content",
    ),
    (
        "chat-completions",
        {"web_search_options": {"search_context_size": "low"}},
        "provider-tool:web_search",
    ),
    ("chat-completions", {"plugins": [{"id": "web"}]}, "provider-tool:other"),
    ("chat-completions", {"search_parameters": {"mode": "on"}}, "provider-tool:web_search"),
    ("chat-completions", {"tools": [{"type": "web_search"}]}, "provider-tool:web_search"),
    ("chat-completions", {"tools": [{"google_search": {}}]}, "provider-tool:other"),
    (
        "chat-completions",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "image_url", "image_url": {"url": "https://x.example/i"}}],
                }
            ]
        },
        "url-content",
    ),
    (
        "chat-completions",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}],
                }
            ]
        },
        "url-content",
    ),
    (
        "messages",
        {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
        "provider-tool:web_search",
    ),
    (
        "messages",
        {"tools": [{"type": "web_fetch_20250910", "name": "web_fetch"}]},
        "provider-tool:web_fetch",
    ),
    (
        "messages",
        {"tools": [{"type": "code_execution_20250825", "name": "c"}]},
        "provider-tool:code_execution",
    ),
    (
        "messages",
        {"tools": [{"type": "computer_20250124", "name": "computer"}]},
        "provider-tool:computer",
    ),
    ("messages", {"tools": [{"type": "mcp_toolset", "mcp_server_name": "x"}]}, "provider-tool:mcp"),
    (
        "messages",
        {"mcp_servers": [{"type": "url", "url": "https://x.example"}]},
        "provider-tool:mcp",
    ),
    (
        "messages",
        {"container": {"skills": [{"type": "anthropic", "skill_id": "xlsx"}]}},
        "provider-state",
    ),
    (
        "messages",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "image", "source": {"type": "url", "url": "https://x.example"}}
                    ],
                }
            ]
        },
        "url-content",
    ),
    (
        "messages",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "t",
                            "content": [
                                {
                                    "type": "document",
                                    "source": {"type": "url", "url": "https://x.example"},
                                }
                            ],
                        }
                    ],
                }
            ]
        },
        "url-content",
    ),
    ("generate-content", {"tools": [{"googleSearch": {}}]}, "provider-tool:google_search"),
    ("generate-content", {"tools": [{"google_search": {}}]}, "provider-tool:google_search"),
    (
        "generate-content",
        {"tools": [{"functionDeclarations": [{"name": "f"}], "urlContext": {}}]},
        "provider-tool:url_context",
    ),
    ("generate-content", {"tools": [{"codeExecution": {}}]}, "provider-tool:code_execution"),
    ("generate-content", {"tools": {"codeExecution": {}}}, "provider-tool:code_execution"),
    ("generate-content", {"cachedContent": "cachedContents/1"}, "provider-state"),
    (
        "generate-content",
        {"contents": [{"parts": [{"fileData": {"fileUri": "https://x.example"}}]}]},
        "url-content",
    ),
    (
        "generate-content",
        {"contents": [{"parts": [{"file_data": {"file_uri": "gs://b/o"}}]}]},
        "url-content",
    ),
    (
        "generate-content",
        {
            "contents": [
                {
                    "parts": [
                        {
                            "functionResponse": {
                                "name": "f",
                                "response": {},
                                "parts": [{"fileData": {"fileUri": "x"}}],
                            }
                        }
                    ]
                }
            ]
        },
        "url-content",
    ),
    (
        "generate-content",
        {"generateContentRequest": {"tools": [{"googleSearch": {}}]}},
        "provider-tool:google_search",
    ),
]


@pytest.mark.parametrize(("protocol", "change", "reason"), REFUSED)
def test_what_would_leave_the_sandbox_is_refused(
    protocol: WireProtocol, change: dict[str, Any], reason: str
) -> None:
    """A tool the provider would run, and content it would fetch, are refused in every spelling."""
    assert ask(protocol, {**PLAIN[protocol], **change}).refused == reason


ALLOWED: list[tuple[WireProtocol, dict[str, Any]]] = [
    ("responses", {"tools": [{"type": "local_shell"}, {"type": "custom", "name": "apply_patch"}]}),
    ("responses", {"tools": [{"type": "shell", "environment": {"type": "local"}}]}),
    (
        "responses",
        {
            "tools": [
                {"type": "namespace", "name": "n", "tools": [{"type": "function", "name": "f"}]}
            ]
        },
    ),
    (
        "responses",
        {
            "input": [
                {
                    "role": "user",
                    "content": [{"type": "input_image", "image_url": "data:image/png;base64,AA=="}],
                }
            ]
        },
    ),
    ("responses", {"input": "see https://x.example", "tools": None}),
    (
        "chat-completions",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
                    ],
                }
            ]
        },
    ),
    (
        "chat-completions",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "file",
                            "file": {"file_data": "data:application/pdf;base64,AA=="},
                        }
                    ],
                }
            ]
        },
    ),
    (
        "messages",
        {"tools": [{"type": "custom", "name": "t"}, {"type": "bash_20250124", "name": "bash"}]},
    ),
    (
        "messages",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "image", "source": {"type": "base64", "data": "AA=="}}],
                }
            ]
        },
    ),
    (
        "messages",
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": [
                        {
                            "type": "tool_use",
                            "id": "t",
                            "name": "f",
                            "input": {"source": {"type": "url", "url": "https://x.example"}},
                        }
                    ],
                }
            ]
        },
    ),
    (
        "generate-content",
        {"contents": [{"parts": [{"functionCall": {"name": "f", "args": {"fileData": 1}}}]}]},
    ),
    (
        "generate-content",
        {
            "tools": [
                {
                    "functionDeclarations": [
                        {"name": "f", "parameters": {"properties": {"fileData": {}}}}
                    ]
                }
            ]
        },
    ),
    (
        "generate-content",
        {"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": "AA=="}}]}]},
    ),
]


@pytest.mark.parametrize(("protocol", "change"), ALLOWED)
def test_what_stays_inside_is_not(protocol: WireProtocol, change: dict[str, Any]) -> None:
    """The client's own tools, content sent with the request, and names inside free arguments pass."""
    assert ask(protocol, {**PLAIN[protocol], **change}).refused is None


# What a router takes in a body: OpenRouter's reference, LiteLLM's of its proxy, OpenAI's and Anthropic's of tiers.
ROUTED: list[dict[str, Any]] = [
    {"models": ["other"]},
    {"route": "fallback"},
    {"provider": {"order": ["x"]}},
    {"preset": "mine"},
    {"transforms": ["middle-out"]},
    {"fallbacks": ["other"]},
    {"context_window_fallbacks": [{"m": ["other"]}]},
    {"api_base": "https://x.example"},
    {"base_url": "https://x.example"},
    {"api_key": "x"},
    {"mock_response": "x"},
    {"custom_llm_provider": "x"},
    {"extra_headers": {"a": "b"}},
    {"extra_body": {"models": ["other"]}},
    {"vertex_project": "x"},
    {"aws_bedrock_runtime_endpoint": "https://x.example"},
    {"service_tier": "priority"},
    {"service_tier": {"a": 1}},
]


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("change", ROUTED, ids=str)
def test_no_router_is_steered(protocol: WireProtocol, change: dict[str, Any]) -> None:
    """Members that pick another model, place, key or tier are refused in every protocol."""
    assert ask(protocol, {**PLAIN[protocol], **change}).refused == "provider-routing"


@pytest.mark.parametrize(
    "change",
    [{"serviceTier": "priority"}, {"apiBase": "x"}, {"model": "models/other"}],
    ids=str,
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_google_s_spellings_are_routed_neither(change: dict[str, Any], wrapped: bool) -> None:
    """In camel case, and inside the request that a count of tokens wraps."""
    asked = {"generateContentRequest": change} if wrapped else change
    said = ask("generate-content", {**PLAIN["generate-content"], **asked})
    assert said.refused == "provider-routing"


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("tier", [None, "auto", "default", "standard_only"])
def test_members_that_steer_nothing_pass(protocol: WireProtocol, tier: str | None) -> None:
    """The usual tier, and members that are empty."""
    change = {"service_tier": tier, "models": None, "fallbacks": [], "extra_body": {}}
    assert ask(protocol, {**PLAIN[protocol], **change}).refused is None


ADDRESS = "https://x.example/i"
FETCHED: list[dict[str, Any]] = [
    {"type": "Image_URL", "Image_URL": {"url": ADDRESS}},
    {"type": "image_url", "image_url": {"URL": ADDRESS}},
    {"type": "image_url", "imageUrl": ADDRESS},
    {"type": "image_url", "image_url": {"url": "HTTPS://x.example"}},
    {"type": "video", "video": "http://x.example/v"},
    {"type": "video", "video": ["ftp://x.example/1", "ftp://x.example/2"]},
    {"type": "image", "images": [ADDRESS]},
    {"type": "image", "source": {"URL": ADDRESS}},
    {"type": "image", "source": {"type": "URL"}},
    {"type": "image", "source": {"type": "base64", "data": ADDRESS}},
    {"type": "file", "file": {"file_data": "file:///etc/passwd"}},
    {"type": "file", "file": {"file_data": " s3://b/o"}},
    {"type": "input_audio", "input_audio": {"data": "gs://b/o"}},
    {"type": "input_file", "file_url": "x.example/without-scheme"},
    {"FileData": {"FileUri": "x"}},
    {"inlineData": {"mimeType": "image/png", "data": ADDRESS}},
]
SENT: list[dict[str, Any]] = [
    {"type": "text", "text": ADDRESS},
    {"type": "output_text", "text": ADDRESS, "annotations": [{"url": ADDRESS}]},
    {"type": "document", "source": {"type": "text", "data": ADDRESS}, "title": ADDRESS},
    {"type": "tool_result", "content": ADDRESS},
    {"type": "tool_result", "content": [{"type": "text", "text": ADDRESS}]},
    {"type": "tool_use", "name": "f", "input": {"image_url": ADDRESS, "url": ADDRESS}},
    {"type": "input_audio", "input_audio": {"data": "//uQxAAA", "format": "mp3"}},
    {"functionCall": {"name": "f", "args": {"url": ADDRESS}}},
    {"functionResponse": {"name": "f", "response": {"output": ADDRESS, "url": ADDRESS}}},
]


def with_part(protocol: WireProtocol, part: dict[str, Any]) -> dict[str, Any]:
    """Return a request whose user says a part."""
    place = {"responses": "input", "generate-content": "contents"}.get(protocol, "messages")
    inner = "parts" if protocol == "generate-content" else "content"
    return {**PLAIN[protocol], place: [{"role": "user", inner: [part]}]}


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("part", FETCHED, ids=str)
def test_content_at_an_address_is_refused_however_it_is_spelt(
    protocol: WireProtocol, part: dict[str, Any]
) -> None:
    """In whatever member it stands and in whatever case."""
    assert ask(protocol, with_part(protocol, part)).refused == "url-content"


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("part", SENT, ids=str)
def test_an_address_in_words_is_no_content(protocol: WireProtocol, part: dict[str, Any]) -> None:
    """In text, in a tool's arguments and results, and in what is sent itself."""
    assert ask(protocol, with_part(protocol, part)).refused is None


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "reasoning_content": ADDRESS},
        {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": ADDRESS}}]},
        {"role": "tool", "tool_call_id": "c", "content": ADDRESS},
    ],
    ids=str,
)
def test_an_address_in_a_chat_is_no_content(message: dict[str, Any]) -> None:
    """What a model thought, what it called, and what a tool said; but images beside the words are content."""
    asked = {**PLAIN["chat-completions"], "messages": [message]}
    assert ask("chat-completions", asked).refused is None
    asked["messages"] = [{**message, "images": [ADDRESS]}]
    assert ask("chat-completions", asked).refused == "url-content"


@pytest.mark.parametrize(
    "item",
    [
        {"type": "function_call", "name": "f", "call_id": "c", "arguments": ADDRESS},
        {"type": "function_call_output", "call_id": "c", "output": ADDRESS},
        {"type": "custom_tool_call", "name": "f", "call_id": "c", "input": ADDRESS},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": ADDRESS}]},
        {"type": "local_shell_call", "action": {"command": [ADDRESS]}},
        {"type": "tool_search_output", "tools": [{"parameters": {"$schema": ADDRESS}}]},
    ],
    ids=str,
)
def test_an_address_in_an_item_is_no_content(item: dict[str, Any]) -> None:
    """Of what a tool was asked and said, what a model thought, and what a schema is called."""
    assert ask("responses", {**PLAIN["responses"], "input": [item]}).refused is None


HOSTILE = [
    b"",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'\xef\xbb\xbf{"model": "m"}',
    '{"model": "m"}'.encode("utf-16"),
    b'{"model": "m", "model": "other"}',
    b'{"model": "m", "input": [{"a": 1, "a": 2}]}',
    b'{"model": "m", "top_p": NaN}',
    b'{"model": "m"',
    b'{"model": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b'{"n": ' + b"9" * 100_000 + b"}",
]


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_a_body_that_two_readers_could_read_differently_is_refused(
    protocol: WireProtocol, body: bytes
) -> None:
    """No JSON, another encoding, a name twice, a number that is none, and endless nesting are refused, not raised."""
    asked = ask(protocol, body)
    assert asked.refused == "malformed"
    assert (asked.text, asked.tools) == ("", ())
    assert asked.fingerprint


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize(
    "wrong", [None, 0, True, 1.5, "text", [], [None], [[]], {}, {"a": None}, [{}]]
)
def test_a_member_of_another_type_is_survived(protocol: WireProtocol, wrong: object) -> None:
    """Whatever stands where a member is expected, nothing is raised."""
    for name in PLAIN[protocol]:
        asked = ask(protocol, {**PLAIN[protocol], name: wrong})
        assert len(asked.fingerprint) == len(asked.shape) == 64
        assert isinstance(asked.text, str)
    inner = [{"role": wrong, "content": wrong, "parts": wrong, "tool_calls": wrong}]
    for name in {"messages", "input", "contents"} & {*PLAIN[protocol]}:
        assert ask(protocol, {**PLAIN[protocol], name: inner}).shape


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_a_large_body_takes_no_more_than_its_share(protocol: WireProtocol) -> None:
    """Twenty megabytes of deeply mixed content are read without the work growing faster than they do."""
    deep: Any = "x"
    for _ in range(190):
        deep = [deep]
    many = [deep] * 1_000
    request = {**PLAIN[protocol], "metadata": many, "user": "abc 123 " * 1_000_000}
    asked = ask(protocol, request)
    assert asked.refused is None
    assert len(asked.text) > 8_000_000


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize(
    ("extra", "refused"),
    [
        pytest.param(b"[" * 199 + b"]" * 199, None, id="deepest"),
        pytest.param(b"[" * 200 + b"]" * 200, "malformed", id="deeper"),
        pytest.param(b'{"a":' * 900 + b"1" + b"}" * 900, "malformed", id="much deeper"),
        pytest.param(b"[" + b"[]," * 199_000 + b"1]", None, id="most parts"),
        pytest.param(b"[" + b"0," * 999_900 + b"1]", None, id="most values"),
        pytest.param(b"[" + b"0," * 1_000_000 + b"1]", "malformed", id="more values"),
        pytest.param(
            json.dumps(dict.fromkeys(map(str, range(10_000)))).encode(), None, id="most names"
        ),
        pytest.param(
            json.dumps(dict.fromkeys(map(str, range(10_001)))).encode(),
            "malformed",
            id="more names",
        ),
        pytest.param(b"[" + b"{}," * 200_000 + b"1]", "malformed", id="more parts"),
    ],
)
def test_a_body_is_bounded(protocol: WireProtocol, extra: bytes, refused: str | None) -> None:
    """200 levels, the object itself among them, 200000 objects and arrays, a million values, and
    10000 names in one object are the most."""
    body = json.dumps(PLAIN[protocol]).encode()[:-1] + b', "metadata": ' + extra + b"}"
    assert ask(protocol, body).refused == refused
