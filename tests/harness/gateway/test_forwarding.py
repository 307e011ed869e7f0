# SPDX-License-Identifier: MIT
"""What passes through a lane passes as it was, and what failed is tried again, told and counted."""

import asyncio
import json
import socket
import threading

import pytest
from aiohttp import web

from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, WireProtocol
from m4bench.model.usage import Tokens
from tests.harness.gateway.rig import (
    KEY,
    MODEL,
    TOKEN,
    UPSTREAM_PATHS,
    Rig,
    begin_stream,
    events,
    statuses,
    streaming,
    upstream,
)


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_a_stream_passes_as_it_was_and_is_counted(rig: Rig, protocol: WireProtocol) -> None:
    """Each protocol's stream reaches the agent byte for byte; the upstream sees its key, the log the tokens."""
    header = {"messages": "x-api-key", "generate-content": "x-goog-api-key"}.get(
        protocol, "authorization"
    )
    with upstream(streaming(protocol)) as server:
        lane = rig.lane(server.url, (protocol,), upstream_more={"key_header": header})
        reply = lane.ask(protocol, headers={"anthropic-version": "2023-06-01", "x-other": "1"})
        summary = lane.close()
    assert reply.body == b"".join(events(protocol, ["well", " done"]))
    assert (reply.status, reply.headers["content-type"]) == (200, "text/event-stream")
    (seen,) = server.seen
    sent = {name.lower(): value for name, value in seen.headers.items()}
    assert sent[header].removeprefix("Bearer ") == KEY
    assert TOKEN not in str(sent)
    assert "x-other" not in sent
    assert sent["anthropic-version"] == "2023-06-01"
    assert seen.path == UPSTREAM_PATHS[protocol]
    assert summary.usage.tokens == Tokens(input=11, cached=4, output=7)
    assert summary.stop_reasons == {"stop": 1}
    assert (summary.last_failure, summary.fatal) == (None, None)
    assert summary.models_seen == (MODEL,)
    assert summary.hosts == (f"127.0.0.1:{server.port}",)
    (line,) = lane.egress
    assert (line["outcome"], line["status"], line["request"], line["attempt"]) == (
        "answered",
        200,
        1,
        1,
    )
    assert line["tokens"]["input"] == 11
    assert line["path"] == UPSTREAM_PATHS[protocol].partition("?")[0]
    assert line["bytes_received"] == len(reply.body)
    assert line["bytes_sent"] == len(seen.body)


def test_an_answer_in_one_piece_passes(rig: Rig) -> None:
    """A request that asks for no stream is answered in one piece, its tokens counted."""
    told = {
        "choices": [
            {"message": {"role": "assistant", "content": "yes"}, "finish_reason": "tool_calls"}
        ],
        "usage": {"prompt_tokens": 5, "completion_tokens": 3},
    }

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        return web.json_response(told, headers={"x-request-id": "q1", "set-cookie": "a=b"})

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        reply = lane.ask(stream=False)
    assert reply.json == told
    assert reply.headers["x-request-id"] == "q1"
    assert "set-cookie" not in reply.headers
    assert lane.close().usage.tokens == Tokens(input=5, output=3)
    assert lane.close().stop_reasons == {"tool": 1}


def test_the_first_byte_arrives_before_the_last_is_sent(rig: Rig) -> None:
    """The upstream sends the rest only when the agent has read the beginning."""
    read = threading.Event()

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        response = await begin_stream(request)
        first, *rest = events("chat-completions", ["a"])
        await response.write(first)
        assert await asyncio.to_thread(read.wait, 30)
        for event in rest:
            await response.write(event)
        return response

    with upstream(answer) as server:
        connection = rig.lane(server.url).connect()
        connection.request(
            "POST",
            "/v1/chat/completions",
            json.dumps({"model": MODEL, "stream": True, "messages": []}),
            {"x-api-key": TOKEN},
        )
        response = connection.getresponse()
        first = response.read1()
        read.set()
        rest = response.read()
        connection.close()
    assert first + rest == b"".join(events("chat-completions", ["a"]))


@pytest.mark.parametrize(
    ("told", "headers", "sent"),
    [
        pytest.param((429,), {"retry-after": "0"}, 2, id="429 that says when"),
        pytest.param((500, 503), None, 3, id="two faults of the server"),
        pytest.param((529,), None, 2, id="overloaded"),
        pytest.param((408,), None, 2, id="timed out"),
    ],
)
def test_a_failure_that_passes_is_not_seen(
    rig: Rig, told: tuple[int, ...], headers: dict[str, str] | None, sent: int
) -> None:
    """The agent sees the good answer; the log every attempt; nothing counts as failed."""
    with upstream(statuses(*told, then=streaming(), headers=headers)) as server:
        lane = rig.lane(server.url)
        reply = lane.ask()
        summary = lane.close()
    assert reply.status == 200
    assert len(server.seen) == sent
    assert (summary.usage.requests, summary.usage.attempts, summary.usage.failed) == (1, sent, 0)
    assert summary.last_failure is None
    assert [line["attempt"] for line in lane.egress] == list(range(1, sent + 1))
    assert lane.egress[-1]["outcome"] == "answered"
    assert all(line["outcome"].startswith("failed:provider-") for line in lane.egress[:-1])


@pytest.mark.parametrize(
    ("status", "state", "attempts"),
    [
        (500, "provider-error", 3),
        (529, "provider-error", 3),
        (429, "provider-rate-limit", 3),
        (402, "provider-quota", 1),
        (400, "provider-request", 1),
        (404, "provider-request", 1),
        (301, "provider-request", 1),
    ],
)
def test_three_failures_in_a_row_end_the_lane(
    rig: Rig, status: int, state: str, attempts: int
) -> None:
    """After the third request that failed after all retries the harness is told, and nothing more is sent."""
    headers = {"location": "http://127.0.0.1:9/"} if status == 301 else None
    with upstream(statuses(status, headers=headers)) as server:
        lane = rig.lane(server.url)
        replies = [lane.ask() for _ in range(2)]
        assert not lane.endings
        replies += [lane.ask() for _ in range(2)]
        assert lane.ended.wait(30)
        summary = lane.close()
    told = 502 if status == 301 else status
    assert [reply.status for reply in replies] == [told, told, told, 503]
    assert [ending.state for ending in lane.endings] == [state]
    assert len(server.seen) == 3 * attempts
    assert summary.fatal == lane.endings[0]
    assert summary.last_failure
    assert summary.last_failure.state == state
    assert (summary.usage.requests, summary.usage.failed) == (3, 3)
    assert summary.refusals == {"ended": 1}


def test_a_good_answer_between_failures_keeps_the_lane(rig: Rig) -> None:
    """Only failures in a row end a lane, and the last failure is forgotten when an answer is good."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        good = number % 3 == 2
        return await (streaming() if good else statuses(400))(request, number)

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        told = [lane.ask().status for _ in range(6)]
        summary = lane.close()
    assert told == [400, 400, 200] * 2
    assert (summary.fatal, summary.last_failure) == (None, None)
    assert summary.usage.failed == 4


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_ends_the_lane_at_the_second(rig: Rig, status: int) -> None:
    """The provider's words, which show part of the key, do not reach the agent."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        error = {"error": {"message": f"Incorrect API key provided: {KEY[:8]}**{KEY[-4:]}"}}
        return web.json_response(error, status=status)

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        first = lane.ask()
        assert not lane.endings
        lane.ask()
        assert lane.ended.wait(30)
    assert first.status == status
    assert "the provider refused the key" in first.json["error"]["message"]
    assert KEY[:8].encode() not in first.body
    assert [ending.state for ending in lane.endings] == ["provider-auth"]
    assert len(server.seen) == 2


def test_a_port_nobody_listens_on_is_unreachable(rig: Rig) -> None:
    """A refused connection is tried as often as stated, and counts as no bytes sent and no host reached."""
    with upstream(streaming()) as server:
        free = server.url
    lane = rig.lane(free)
    reply = lane.ask()
    summary = lane.close()
    assert reply.status == 502
    assert summary.last_failure
    assert summary.last_failure.state == "provider-unreachable"
    assert summary.hosts == ()
    assert [(line["attempt"], line["bytes_sent"]) for line in lane.egress] == [
        (1, 0),
        (2, 0),
        (3, 0),
    ]


def test_a_connection_that_breaks_before_the_answer_is_tried_again(rig: Rig) -> None:
    """Nothing was passed on yet, so the agent sees the good answer only."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        if number == 0:
            assert request.transport
            request.transport.abort()
        if number == 1:  # the head is there, and nothing follows
            response = await begin_stream(request)
            assert request.transport
            request.transport.abort()
            return response
        return await streaming()(request, number)

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        assert lane.ask().status == 200
    assert [line["outcome"] for line in lane.egress] == ["failed:provider-error"] * 2 + ["answered"]


def test_a_cut_stream_is_passed_on_as_cut(rig: Rig) -> None:
    """The agent gets what came and sees that it is not whole; it counts as a failure, estimated."""
    first = events("chat-completions", ["word " * 100])[0]

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        response = await begin_stream(request)
        await response.write(first)
        assert request.transport
        request.transport.close()
        return response

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        reply = lane.ask()
        summary = lane.close()
    assert (reply.whole, reply.body) == (False, first)
    assert len(server.seen) == 1
    assert summary.last_failure
    assert summary.last_failure.state == "provider-error"
    assert (summary.usage.failed, summary.usage.uncounted, summary.usage.tokens.total) == (1, 1, 0)
    assert lane.egress[0]["outcome"] == "cut"


def test_a_stream_that_ends_without_its_end_is_a_failure(rig: Rig) -> None:
    """An upstream that closes well in the middle of an answer has not answered well."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        response = await begin_stream(request)
        await response.write(events("chat-completions", ["word"])[0])
        return response

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        assert lane.ask().whole
        summary = lane.close()
    assert summary.last_failure
    assert summary.last_failure.state == "provider-error"
    assert lane.egress[0]["outcome"] == "failed:provider-error"


@pytest.mark.parametrize("begun", [True, False])
def test_an_idle_upstream_is_given_up(rig: Rig, begun: bool) -> None:
    """An answer that says nothing for the time stated is cut, or when not begun answered for; never sent again."""
    never = threading.Event()

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        if begun:
            response = await begin_stream(request)
            await response.write(events("chat-completions", ["word"])[0])
        await asyncio.to_thread(never.wait, 30)
        return web.Response()

    with upstream(answer) as server:
        lane = rig.lane(server.url, limits={"stream_idle": 0.2})
        reply = lane.ask()
        summary = lane.close()
        never.set()
    assert (reply.status, reply.whole) == ((200, False) if begun else (504, True))
    assert len(server.seen) == 1
    assert summary.last_failure
    assert "0.2 seconds" in summary.last_failure.reason
    assert lane.egress[0]["outcome"] == ("cut" if begun else "failed:provider-error")


def test_a_client_that_goes_away_closes_its_upstream(rig: Rig) -> None:
    """The upstream's connection is closed; what came counts, and nobody's answer was at fault."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        response = await begin_stream(request)
        while True:
            await response.write(events("chat-completions", ["word " * 2000])[0])

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        connection = lane.connect()
        body = json.dumps({"model": MODEL, "stream": True, "messages": []})
        connection.request("POST", "/v1/chat/completions", body, {"x-api-key": TOKEN})
        connection.getresponse().read1()
        connection.close()
        assert server.gone.wait(30)
        summary = lane.close()
    assert summary.last_failure is None
    assert (summary.usage.failed, summary.usage.uncounted) == (1, 1)
    assert lane.egress[0]["outcome"] == "cut"
    assert lane.egress[0]["bytes_received"] > 0


def test_a_client_that_leaves_after_the_end_was_answered(rig: Rig) -> None:
    """Some programs end at the protocol's last event and do not wait for the connection's end."""
    told = events("chat-completions", ["word"])
    left = threading.Event()

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        response = await begin_stream(request)
        await response.write(b"".join(told))
        await asyncio.to_thread(left.wait, 30)
        return response

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        connection = lane.connect()
        body = json.dumps({"model": MODEL, "stream": True, "messages": []})
        connection.request("POST", "/v1/chat/completions", body, {"x-api-key": TOKEN})
        response = connection.getresponse()
        got = b""
        while len(got) < len(b"".join(told)):
            got += response.read1()
        summary = lane.close()
        left.set()
        connection.close()
    assert (summary.usage.failed, summary.usage.tokens.total) == (0, 18)
    assert lane.egress[0]["outcome"] == "answered"


@pytest.mark.parametrize(
    "shown",
    [KEY, json.dumps(KEY).replace("/", "\\/")[1:-1], "sk-header-secret-1234"],
    ids=["as it is", "with escapes", "a header's"],
)
def test_the_key_never_comes_down(rig: Rig, shown: str) -> None:
    """An upstream that shows what it was sent, in an error or split over a stream's pieces, shows it to nobody."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        if number == 0:
            return web.Response(status=400, text=f"you sent {shown} twice: {shown}")
        response = await begin_stream(request, **{"x-request-id": shown})
        for letter in f"data: you sent {shown}.\n\n":
            await response.write(letter.encode())
        return response

    with upstream(answer) as server:
        more = {"headers": {"x-account": "sk-header-secret-1234"}}
        lane = rig.lane(server.url, upstream_more=more, bodies=True)
        error, stream = lane.ask(), lane.ask()
    assert error.body == b"you sent [secret] twice: [secret]"
    assert stream.body == b"data: you sent [secret].\n\n"
    assert stream.headers["x-request-id"] == "[secret]"
    lane.close()
    assert shown not in (rig.folder / "egress-0.jsonl").read_text()
    assert [line["response_body"] for line in lane.egress] == [
        error.body.decode(),
        stream.body.decode(),
    ]
    assert server.seen[0].headers["x-account"] == "sk-header-secret-1234"


def test_a_list_of_models_passes_without_being_counted(rig: Rig) -> None:
    """It is no model's answer: nothing of it is a failure of the run or a token."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        return web.json_response({"data": [{"id": MODEL}]}, status=200 if number == 0 else 404)

    with upstream(answer) as server:
        lane = rig.lane(server.url)
        replies = [lane.ask(path="/v1/models", method="GET") for _ in range(2)]
        summary = lane.close()
    assert [reply.status for reply in replies] == [200, 404]
    assert server.seen[0].path == "/v1/models"
    assert summary.last_failure is None
    assert (summary.usage.requests, summary.usage.uncounted, summary.models_seen) == (2, 0, ())


def test_skills_are_seen_when_a_request_shows_them(rig: Rig) -> None:
    """A marker within any request tells that the tool saw the skill."""
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, markers={"sepsis": "marker-one", "sofa": "marker-two"})
        lane.ask(text="nothing")
        lane.ask(text="… marker-two …")
    assert lane.close().skills_seen == ("sofa",)


@pytest.mark.parametrize(
    "when",
    [
        "Mon, 01 Jan 99999999999 00:00:00 GMT",
        "Fri, 31 Dec 9999 23:59:59 -2359",
        "Mon, 01 Jan 0001 00:00:00 +1200",
        "9" * 5000,
        "soon",
    ],
    ids=["year", "last", "first", "long", "word"],
)
def test_a_time_to_wait_that_cannot_be_is_survived(rig: Rig, when: str) -> None:
    """The request is sent again after the gateway's own pause."""
    with upstream(statuses(429, then=streaming(), headers={"retry-after": when})) as server:
        lane = rig.lane(server.url)
        assert lane.ask().status == 200
        assert lane.close().fatal is None


@pytest.mark.parametrize("status", [b"200 OK", b"500 X"])
@pytest.mark.parametrize("value", [b"a\tb", b"a\xff\xfe", "\u017eb".encode()])
def test_a_header_that_is_not_plain_is_dropped(rig: Rig, status: bytes, value: bytes) -> None:
    """Neither type nor id of an answer brings bytes that a terminal or another parser could stumble over."""
    body = json.dumps({"choices": [{"message": {}, "finish_reason": "stop"}]}).encode()
    head = b"HTTP/1.1 " + status + b"\r\nContent-Type: " + value + b"\r\nX-Request-Id: " + value
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(1 << 16)
                    connection.sendall(head + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

        threading.Thread(target=serve, daemon=True).start()
        lane = rig.lane(f"http://127.0.0.1:{server.getsockname()[1]}")
        reply = lane.ask(stream=False)
        assert lane.close().fatal is None
        server.shutdown(socket.SHUT_RDWR)
    assert (reply.status, reply.body) == (int(status[:3]), body)
    assert "x-request-id" not in reply.headers
    assert reply.headers["content-type"].isprintable()
    assert reply.headers["content-type"].startswith("application/")
