# SPDX-License-Identifier: MIT
"""What must not leave is refused in the agent's own protocol, logged and counted; nothing of it is sent."""

import asyncio
import gzip
import json
import threading
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from m4bench.harness.gateway.lane import WireProtocol
from m4bench.harness.gateway.process import Gateway
from m4bench.harness.gateway.upstream import LoopbackResolver, OffLoopbackError
from m4bench.model.errors import InputError
from tests.harness.gateway.rig import (
    MODEL,
    PATHS,
    TOKEN,
    Lane,
    Rig,
    asking,
    begin_stream,
    events,
    reply_of,
    streaming,
    upstream,
)

ALL: tuple[WireProtocol, ...] = ("chat-completions", "responses", "messages", "generate-content")
SEARCH = {"type": "web_search"}
PICTURE = [
    {
        "role": "user",
        "content": [{"type": "image_url", "image_url": {"url": "https://a.example/b"}}],
    }
]


@pytest.mark.parametrize(
    ("request_of", "status", "why"),
    [
        pytest.param({"headers": {"authorization": "Bearer other"}}, 403, "token", id="wrong token"),
        pytest.param({"headers": {"authorization": f"Basic {TOKEN}"}}, 403, "token", id="no bearer"),
        pytest.param({"path": "/v1/files"}, 403, "path", id="path not on the list"),
        pytest.param({"path": "/v1/responses/../files"}, 403, "path", id="path that climbs"),
        pytest.param({"path": "http://other.example/v1/responses"}, 403, "path", id="whole address"),
        pytest.param({"path": "//other.example/v1/responses"}, 403, "path", id="another host"),
        pytest.param(
            {"method": "HEAD", "path": "/", "headers": {"authorization": ""}}, 403, "path", id="probe"
        ),
        pytest.param({"method": "GET", "path": "/v1/responses"}, 403, "method", id="method"),
        pytest.param({"method": "DELETE", "path": "/v1/models"}, 403, "method", id="delete"),
        pytest.param({"body": {"model": "another", "messages": []}}, 403, "model", id="model"),
        pytest.param({"body": {"messages": []}}, 403, "model", id="no model"),
        pytest.param({"protocol": "responses", "tools": [SEARCH]}, 403, "provider-tool:web_search", id="search"),
        pytest.param(
            {"protocol": "messages", "tools": [{"type": "web_fetch_20250910", "name": "web_fetch"}]},
            403, "provider-tool:web_fetch", id="fetch",
        ),
        pytest.param(
            {"protocol": "generate-content", "tools": [{"googleSearch": {}}]},
            403, "provider-tool:google_search", id="Google search",
        ),
        pytest.param({"body": {"model": MODEL, "messages": PICTURE}}, 403, "url-content", id="picture by URL"),
        pytest.param({"body": b"not JSON"}, 403, "malformed", id="no JSON"),
        pytest.param({"body": b"[" * 100_000}, 403, "malformed", id="JSON without bottom"),
        pytest.param({"body": b"x", "headers": {"content-encoding": "br"}}, 415, "encoding", id="brotli"),
        pytest.param({"body": b"x", "headers": {"content-encoding": "zstd"}}, 415, "encoding", id="zstd"),
        pytest.param({"body": b"x", "headers": {"content-encoding": "gzip"}}, 400, "encoding", id="no gzip"),
        pytest.param({"body": b"x" * 300_000}, 413, "size", id="too long"),
        pytest.param(
            {"body": gzip.compress(b"x" * 9_000_000), "headers": {"content-encoding": "gzip"}},
            413, "size", id="too long when unpacked",
        ),
        pytest.param({"body": {"model": MODEL, "x": json.loads("[" * 200 + "]" * 200)}}, 403, "malformed", id="deep"),
    ],
)  # fmt: skip
def test_a_request_is_refused(rig: Rig, request_of: dict[str, Any], status: int, why: str) -> None:
    """Nothing is sent; the log and the summary tell why; the model's failures are not touched."""
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, ALL, limits={"longest_request": 200_000})
        reply = lane.ask(**request_of)
        summary = lane.close()
    assert reply.status == status
    assert request_of.get("method") == "HEAD" or reply.json["error"]["message"]
    assert reply.headers["x-should-retry"] == "false"
    assert not server.seen
    assert summary.refusals == {why: 1}
    assert (summary.usage.requests, summary.usage.refused, summary.last_failure) == (0, 1, None)
    (line,) = lane.egress
    assert (line["outcome"], line["host"], line["bytes_sent"]) == (f"refused:{why}", None, 0)
    assert len(line["path"]) <= 200
    assert TOKEN not in json.dumps(lane.egress)


def test_a_protocol_the_endpoint_does_not_speak_is_refused(rig: Rig) -> None:
    """Nothing is translated."""
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, ("chat-completions",))
        reply = lane.ask("messages")
        summary = lane.close()
    assert (reply.status, reply.json["type"], summary.refusals) == (403, "error", {"protocol": 1})


@pytest.mark.parametrize(
    "headers",
    [
        {"x-api-key": TOKEN},
        {"x-goog-api-key": TOKEN},
        {"api-key": TOKEN},
        {"authorization": f"bearer {TOKEN}"},
    ],
)
def test_the_token_is_taken_wherever_tools_put_a_key(rig: Rig, headers: dict[str, str]) -> None:
    """It is not passed on from any of these places."""
    with upstream(streaming()) as server:
        lane = rig.lane(server.url)
        assert lane.ask(headers={"authorization": "", **headers}).status == 200
    assert TOKEN not in str(server.seen[0].headers)


def test_a_token_in_the_address_is_taken_and_left_out(rig: Rig) -> None:
    """Google's clients put their key there."""
    with upstream(streaming("generate-content")) as server:
        lane = rig.lane(server.url, ("generate-content",))
        path = f"{PATHS['generate-content']}&key={TOKEN}"
        reply = lane.ask("generate-content", path=path, headers={"authorization": ""})
    assert reply.status == 200
    assert TOKEN not in server.seen[0].path
    assert TOKEN not in json.dumps(lane.egress)


@pytest.mark.parametrize(
    ("encoding", "packed"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
def test_a_packed_body_is_unpacked(rig: Rig, encoding: str, packed: Any) -> None:
    """The upstream gets it plain, however well it was packed."""
    body = json.dumps(asking("responses", "a" * 700_000)).encode()
    with upstream(streaming("responses")) as server:
        lane = rig.lane(server.url)
        reply = lane.ask("responses", body=packed(body), headers={"content-encoding": encoding})
    assert reply.status == 200
    assert json.loads(server.seen[0].body) == json.loads(body)
    assert "content-encoding" not in {name.lower() for name in server.seen[0].headers}


def test_pipelined_and_chunked_requests_are_answered_in_turn(rig: Rig) -> None:
    """Two requests sent at once over one connection, the second in chunks and one byte at a time."""
    body = json.dumps(asking("chat-completions", "hello")).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-api-key: {TOKEN}\r\n"
    plain = f"{head}content-length: {len(body)}\r\n\r\n".encode() + body
    pieces = b"".join(b"1\r\n" + bytes([byte]) + b"\r\n" for byte in body) + b"0\r\n\r\n"
    chunked = f"{head}transfer-encoding: chunked\r\nconnection: close\r\n\r\n".encode() + pieces
    with upstream(streaming()) as server:
        lane = rig.lane(server.url)
        connection = lane.raw()
        connection.sendall(plain + chunked)
        told = b""
        while piece := connection.recv(1 << 16):
            told += piece
        connection.close()
    assert told.count(b"HTTP/1.1 200 OK") == 2
    assert told.count(b"[DONE]") == 2
    assert [json.loads(seen.body)["messages"] for seen in server.seen] == [
        json.loads(body)["messages"]
    ] * 2


def test_a_client_that_waits_before_its_body_is_told_to_go_on(rig: Rig) -> None:
    """`Expect: 100-continue` is answered before the body is sent."""
    body = json.dumps(asking("chat-completions", "hello")).encode()
    with upstream(streaming()) as server:
        connection = rig.lane(server.url).raw()
        head = f"x-api-key: {TOKEN}\r\ncontent-length: {len(body)}\r\nexpect: 100-continue\r\nconnection: close\r\n"
        connection.sendall(f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n{head}\r\n".encode())
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        told = b""
        while piece := connection.recv(1 << 16):
            told += piece
        connection.close()
    assert told.startswith(b"HTTP/1.1 200 OK")


def test_slow_clients_hold_nobody_up(rig: Rig) -> None:
    """A hundred clients that never end what they say leave the lane to the one that does."""
    head = f"POST /v1/chat/completions HTTP/1.1\r\nx-api-key: {TOKEN}\r\ncontent-length: 9\r\n\r\n"
    with upstream(streaming()) as server:
        lane = rig.lane(server.url)
        slow = [lane.raw() for _ in range(100)]
        for number, one in enumerate(slow):
            one.sendall([b"POST /v1/chat", head.encode() + b"{"][number % 2])
        assert lane.ask().status == 200
        for one in slow:
            one.close()


def test_connections_over_the_bound_are_closed(rig: Rig) -> None:
    """Of three hundred, the first 256 stay open."""
    lane = rig.lane("http://127.0.0.1:9")
    opened = [lane.raw() for _ in range(300)]
    for one in opened[256:]:
        with suppress(ConnectionError):
            assert one.recv(1) == b""
    opened[255].sendall(b"no HTTP\r\n\r\n")
    assert opened[255].recv(10)
    for one in opened:
        one.close()


def test_many_long_requests_at_once_are_refused(rig: Rig) -> None:
    """A lane holds the bodies of two of the longest requests at most."""
    lane = rig.lane("http://127.0.0.1:9", limits={"longest_request": 100_000})
    head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-api-key: {TOKEN}\r\ncontent-length: 99999\r\n\r\n"
    held = [lane.raw() for _ in range(2)]
    for one in held:
        one.sendall(head.encode() + b"x" * 99_000)
    last = lane.connect()
    for _ in range(100):  # until both have arrived
        reply = lane.ask(body=b"x" * 5000)
        if reply.status == 503:
            break
    last.close()
    for one in held:
        one.close()
    assert reply.status == 503
    assert lane.close().refusals["busy"] == 1


@pytest.mark.parametrize(
    ("limits", "answered", "said"),
    [
        pytest.param({"requests": 2}, 2, "2 requests", id="requests"),
        pytest.param({"tokens": 30}, 2, "30 tokens", id="tokens"),
        pytest.param({"cost_usd": 0.00004}, 2, "4e-05 US dollars", id="money"),
    ],
)
def test_a_limit_is_reached(
    rig: Rig, limits: dict[str, Any], answered: int, said: str, tmp_path: Path
) -> None:
    """The request that passes a bound is let finish (18 tokens, 25e-6 dollars each); the next is refused."""
    prices = tmp_path / "prices.json"
    rates = {"input": 1.0, "output": 2.0}
    prices.write_text(
        json.dumps({"name": "ours", "date": "2026-01-02", "source": "x", "models": {MODEL: rates}})
    )
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, limits=limits, prices=str(prices))
        replies = [lane.ask() for _ in range(answered + 1)]
        assert lane.ended.wait(30)
        summary = lane.close()
    assert [reply.status for reply in replies] == [200] * answered + [429]
    assert said in replies[-1].json["error"]["message"]
    assert lane.endings[0].state == "gateway-limit"
    assert len(server.seen) == answered
    assert summary.refusals == {"limit": 1}
    assert summary.usage.cost_usd == pytest.approx(answered * 25e-6)
    assert summary.usage.prices == "ours (2026-01-02)"
    assert (summary.usage.models[0].requests, summary.last_failure) == (answered, None)


def test_an_answer_without_a_count_counts_by_its_length(rig: Rig) -> None:
    """Towards the limit only: four bytes a token; what is reported are counted tokens."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        response = await begin_stream(request)
        await response.write(events("chat-completions", ["word " * 200])[0])
        await response.write(b"data: [DONE]\n\n")
        return response

    with upstream(answer) as server:
        lane = rig.lane(server.url, limits={"tokens": 250})
        assert [lane.ask().status for _ in range(2)] == [200, 429]
        summary = lane.close()
    assert (summary.usage.uncounted, summary.usage.tokens.total) == (1, 0)
    assert summary.usage.cost_usd is None, "what was not counted has no known cost"


BOMB = b'{"model":"a-model","messages":[' + b"{}," * 20_000_000 + b"{}]}"


@pytest.mark.parametrize(
    ("body", "packed", "status", "why"),
    [
        pytest.param(BOMB, True, 413, "size", id="packed"),
        pytest.param(BOMB[: 6 << 20], False, 403, "malformed", id="as it is"),
    ],
)
def test_a_body_made_to_take_memory_is_not_read(
    rig: Rig, body: bytes, packed: bool, status: int, why: str
) -> None:
    """Sixty megabytes of empty objects are refused by their size alone; another lane is answered meanwhile."""
    sent = gzip.compress(body) if packed else body
    with upstream(streaming()) as server:
        lane, other = rig.lane(server.url), rig.lane(server.url)
        before = _most_memory(rig.gateway.pid)
        told: list[int] = []

        def throw() -> None:
            headers = {"content-encoding": "gzip"} if packed else {}
            told.append(lane.ask(body=sent, headers=headers).status)

        throwing = [threading.Thread(target=throw) for _ in range(4)]
        for one in throwing:
            one.start()
        assert other.ask().status == 200
        for one in throwing:
            one.join()
        summary = lane.close()
    assert told == [status] * 4
    assert summary.refusals == {why: 4}
    assert _most_memory(rig.gateway.pid) - before < 200 << 20


def _most_memory(pid: int | None) -> int:
    """Return the most bytes that a process has held in memory."""
    told = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(next(line for line in told.splitlines() if "VmHWM" in line).split()[1])


def test_a_long_body_is_sent_as_it_came(rig: Rig) -> None:
    """One that is read beside the others, packed as text packs, reaches the upstream byte for byte."""
    text = " ".join(str(number * number) for number in range(150_000))
    body = json.dumps(asking("chat-completions", text)).encode()
    with upstream(streaming()) as server:
        lane = rig.lane(server.url)
        reply = lane.ask(body=gzip.compress(body), headers={"content-encoding": "gzip"})
    assert reply.status == 200
    assert json.loads(server.seen[0].body)["messages"][0]["content"] == text


@pytest.mark.parametrize(
    ("usage", "answered"),
    [
        pytest.param({"prompt_tokens": -5, "completion_tokens": -7}, 1, id="negative"),
        pytest.param({"prompt_tokens": 1e12, "completion_tokens": 0}, 1, id="too many"),
        pytest.param({"prompt_tokens": float("nan"), "completion_tokens": 0}, 1, id="no number"),
    ],
)
def test_an_answer_with_a_count_that_cannot_be_counts_by_its_length(
    rig: Rig, usage: dict[str, Any], answered: int
) -> None:
    """A provider's nonsense neither frees a run of its limit nor uses it up: the answer was not counted."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        choice = {"message": {"content": "word " * 200}, "finish_reason": "stop"}
        return web.json_response({"choices": [choice], "usage": usage})

    with upstream(answer) as server:
        lane = rig.lane(server.url, limits={"tokens": 250})
        told = [lane.ask(stream=False).status for _ in range(answered + 1)]
        summary = lane.close()
    assert told == [200] * answered + [429]
    assert (summary.usage.uncounted, summary.usage.tokens.total) == (answered, 0)


@pytest.mark.parametrize(
    ("limits", "least", "most"),
    [
        pytest.param({"tokens": 18}, 1, 1, id="one request fills it"),
        pytest.param({"tokens": 100}, 6, 9, id="tokens"),
        pytest.param({"cost_usd": 100e-6}, 4, 7, id="money"),
        pytest.param({"requests": 7}, 7, 7, id="requests"),
    ],
)
def test_a_limit_holds_for_requests_at_once(
    rig: Rig, limits: dict[str, Any], least: int, most: int, tmp_path: Path
) -> None:
    """Of fifty at once (18 tokens, 25e-6 dollars each) no more than four are sent beyond it, and none short of it."""
    prices = tmp_path / "prices.json"
    rates = {"input": 1.0, "output": 2.0}
    prices.write_text(
        json.dumps({"name": "ours", "date": "2026-01-02", "source": "x", "models": {MODEL: rates}})
    )
    together: list[int] = []
    under_way = 0

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        nonlocal under_way
        under_way += 1
        together.append(under_way)
        await asyncio.sleep(0.05)
        under_way -= 1
        return await streaming()(request, number)

    with upstream(answer) as server:
        lane = rig.lane(server.url, limits=limits, prices=str(prices))
        told = _asked_at_once(lane, 50)
        summary = lane.close()
    assert least <= told.count(200) <= most
    assert told.count(200) == len(server.seen) == summary.usage.requests
    assert max(together) <= 4
    assert told.count(200) + told.count(429) + told.count(503) == 50
    assert [ending.state for ending in lane.endings] == ["gateway-limit"]


def test_requests_without_a_limit_wait_for_sixty_four(rig: Rig) -> None:
    """All are answered, and no more than sixty-four are under way at once."""
    together: list[int] = []
    under_way = 0

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        nonlocal under_way
        under_way += 1
        together.append(under_way)
        await asyncio.sleep(0.05)
        under_way -= 1
        return await streaming()(request, number)

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        assert _asked_at_once(lane, 90) == [200] * 90
    assert 16 < max(together) <= 64


def _asked_at_once(lane: Lane, number: int) -> list[int]:
    """Return the statuses of so many requests that are sent together."""
    told: list[int] = []
    threads = [
        threading.Thread(target=lambda: told.append(lane.ask().status)) for _ in range(number)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return told


def test_a_limit_holds_for_requests_that_wait(rig: Rig) -> None:
    """Of requests that came in together and wait for their turn, those past the limit are refused in the end."""
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, limits={"requests": 3}, rate={"concurrent": 1})
        told: list[int] = []
        asking_now = [
            threading.Thread(target=lambda: told.append(lane.ask().status)) for _ in range(8)
        ]
        for one in asking_now:
            one.start()
        for one in asking_now:
            one.join()
        summary = lane.close()
    assert told.count(200) == 3
    assert len(server.seen) == 3
    assert (summary.usage.requests, summary.usage.refused) == (3, 5)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"base_url": "ftp://a.example"}, "not an http or https address", id="scheme"),
        pytest.param({"base_url": "nothing"}, "not an http or https address", id="no address"),
        pytest.param({"base_url": "https://me:word@a.example/v1"}, "holds a user name", id="user"),
    ],
)
def test_an_upstream_that_cannot_be_is_refused(
    rig: Rig, changes: dict[str, Any], said: str
) -> None:
    """It is told when the lane is opened, and without the address, which may hold a secret."""
    with pytest.raises(InputError, match=said) as raised:
        rig.lane("http://127.0.0.1:9", upstream_more=changes)
    assert "word" not in str(raised.value)


@pytest.mark.parametrize("host", ["192.0.2.1", "m4bench.invalid"])
def test_credentialed_data_stay_on_this_machine(rig: Rig, host: str) -> None:
    """A lane without a permission reaches loopback only, whatever its endpoint's name leads to."""
    base = {"base_url": f"http://{host}:9/v1"}
    if host == "192.0.2.1":
        with pytest.raises(InputError, match="may not leave this machine"):
            rig.lane("http://127.0.0.1:9", upstream_more=base, access="credentialed")
        return
    lane = rig.lane("http://127.0.0.1:9", upstream_more=base, access="credentialed")
    assert lane.ask().status == 502
    assert lane.close().hosts == ()


@pytest.mark.parametrize(("name", "stays"), [("127.0.0.1", True), ("192.0.2.1", False)])
def test_a_name_that_leads_off_this_machine_is_not_followed(name: str, stays: bool) -> None:
    """Whatever a name meant when the run was permitted, it is looked at again when it is used."""

    async def resolve() -> bool:
        resolver = LoopbackResolver()
        try:
            return bool(await resolver.resolve(name, 80))
        except OffLoopbackError:
            return False

    assert asyncio.run(resolve()) is stays


def test_an_unpriced_model_cannot_have_a_limit_of_money(rig: Rig) -> None:
    """A price is never guessed; a limit that could not hold is refused."""
    with pytest.raises(InputError, match="no price is known for model a-model"):
        rig.lane("https://a.example", limits={"cost_usd": 1.0})


def test_a_loopback_port_serves_where_there_is_no_sandbox(gateway: Gateway, rig: Rig) -> None:
    """It answers the token only."""
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, socket=None)
        assert lane.address.url
        assert lane.address.url.startswith("http://127.0.0.1:")
        assert lane.ask().status == 200
        assert lane.ask(headers={"authorization": "Bearer x"}).status == 403


def test_a_socket_may_stand_deep(rig: Rig, tmp_path: Path) -> None:
    """Its path may be longer than an address of a Unix socket; the folder's descriptor leads there."""
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, socket=str(deep / "s"))
        assert (deep / "s").is_socket()
        lane.close()
    assert not (deep / "s").exists()


def test_a_request_that_is_no_http_is_answered_and_reaches_nobody(rig: Rig) -> None:
    """Nothing of it is forwarded, and the lane goes on."""
    with upstream(streaming()) as server:
        lane = rig.lane(server.url)
        connection = lane.connect()
        connection.request("POST", "/v1/responses", headers={"x": "y" * 100_000})
        assert reply_of(connection).status == 400
        raw = lane.raw()
        raw.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
        assert raw.recv(1000).startswith(b"HTTP/1.0 400")
        raw.close()
        assert lane.ask().status == 200
    assert len(server.seen) == 1


def test_a_refusal_is_the_last_word_until_a_model_answers(rig: Rig) -> None:
    """A tool that asks for another model from the start has no measurement; the log names that model."""
    with upstream(streaming()) as server:
        lane = rig.lane(server.url)
        assert lane.ask(model="another").status == 403
        first = lane.close()
        lane = rig.lane(server.url)
        assert lane.ask(model="another").status == 403
        assert lane.ask().status == 200
        then = lane.close()
    assert first.refused is not None
    assert (first.refused.state, first.answers) == ("policy", 0)
    assert "not another" in first.refused.reason
    assert (then.refused, then.answers) == (None, 1)
    assert [line["model"] for line in lane.egress][-2:-1] == ["another"]
