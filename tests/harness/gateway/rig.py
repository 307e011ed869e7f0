# SPDX-License-Identifier: MIT
"""An upstream whose every byte a test decides, and an agent's program that talks to a lane. Real sockets."""

import asyncio
import http.client
import json
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from m4bench.harness.gateway.lane import Ending, LaneConfig, LaneSummary, Upstream, WireProtocol
from m4bench.harness.gateway.process import Address, Gateway

KEY = "sk-live-0123456789abcdefghij/+"
TOKEN = "lane-token-for-tests"
MODEL = "a-model"
Answer = Callable[[web.Request, int], Awaitable[web.StreamResponse]]


@dataclass
class Seen:
    """One request as the upstream saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class ScriptedUpstream:
    """A server on loopback, in a thread; `answer` is given each request and its number from 0."""

    def __init__(self, answer: Answer, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.seen: list[Seen] = []
        self.gone = threading.Event()
        self._answer = answer
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.port = 0

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    def __enter__(self) -> "ScriptedUpstream":
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        return self

    def __exit__(self, *error: object) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> None:
        server = web.Server(self._handle, access_log=None, handler_cancellation=True)
        self._runner = web.ServerRunner(server, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        number = len(self.seen)
        self.seen.append(Seen(request.method, request.raw_path, dict(request.headers), b""))
        chunks = [chunk async for chunk in request.content.iter_any()]
        self.seen[number].body = b"".join(chunks)
        try:
            return await self._answer(request, number)
        except (asyncio.CancelledError, ConnectionError):
            self.gone.set()
            raise


@dataclass(frozen=True)
class Reply:
    """What the agent's program was answered; `whole` is False when the answer broke off."""

    status: int
    headers: dict[str, str]
    body: bytes
    whole: bool = True

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Lane:
    """A lane that is open, as its agent and its harness see it."""

    gateway: Gateway
    config: LaneConfig
    address: Address
    endings: list[Ending]
    ended: threading.Event
    summary: LaneSummary | None = None

    def connect(self, timeout: float = 60) -> http.client.HTTPConnection:
        if self.address.url:
            return http.client.HTTPConnection(
                self.address.url.removeprefix("http://"), timeout=timeout
            )
        return UnixConnection(str(self.address.socket), timeout)

    def raw(self) -> socket.socket:
        plain = socket.socket(socket.AF_UNIX)
        plain.settimeout(60)
        plain.connect(str(self.address.socket))
        return plain

    def ask(
        self,
        protocol: WireProtocol = "chat-completions",
        text: str = "hello",
        *,
        path: str | None = None,
        body: Any = None,
        method: str = "POST",
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> Reply:
        if body is None and method == "POST":
            body = asking(protocol, text, **more)
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        connection = self.connect()
        try:
            connection.request(
                method,
                path or PATHS[protocol],
                body=data,
                headers={"authorization": f"Bearer {TOKEN}", **(headers or {})},
            )
            return reply_of(connection)
        finally:
            connection.close()

    def close(self) -> LaneSummary:
        if self.summary is None:
            self.summary = self.gateway.close(self.config.lane)
        return self.summary

    @property
    def egress(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in Path(self.config.egress).read_text().splitlines()]


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def reply_of(connection: http.client.HTTPConnection) -> Reply:
    response = connection.getresponse()
    headers = {name.lower(): value for name, value in response.getheaders()}
    try:
        return Reply(response.status, headers, response.read())
    except (http.client.IncompleteRead, ConnectionError) as error:
        part = error.partial if isinstance(error, http.client.IncompleteRead) else b""
        return Reply(response.status, headers, part, whole=False)


PATHS: dict[WireProtocol, str] = {
    "responses": "/v1/responses",
    "chat-completions": "/v1/chat/completions",
    "messages": "/v1/messages?beta=true",
    "generate-content": f"/v1beta/models/{MODEL}:streamGenerateContent?alt=sse",
}
UPSTREAM_PATHS: dict[WireProtocol, str] = {
    "responses": "/v1/responses",
    "chat-completions": "/v1/chat/completions",
    "messages": "/v1/messages?beta=true",
    "generate-content": f"/v1beta/models/{MODEL}:streamGenerateContent?alt=sse",
}


def asking(protocol: WireProtocol, text: str, **more: Any) -> dict[str, Any]:
    """The shortest request of each protocol that asks for a stream."""
    match protocol:
        case "responses":
            return {"model": MODEL, "stream": True, "input": text, **more}
        case "generate-content":
            return {"contents": [{"role": "user", "parts": [{"text": text}]}], **more}
        case "messages":
            more = {"max_tokens": 100, **more}
    return {"model": MODEL, "stream": True, "messages": [{"role": "user", "content": text}], **more}


def events(protocol: WireProtocol, words: list[str]) -> list[bytes]:
    """A stream of each protocol that says the words; it used 11 tokens in, 4 of them cached, and 7 out."""
    match protocol:
        case "responses":
            usage = {
                "input_tokens": 11, "input_tokens_details": {"cached_tokens": 4},
                "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 18,
            }  # fmt: skip
            told: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": "r"}}]
            told += [{"type": "response.output_text.delta", "delta": word} for word in words]
            done = {"id": "r", "status": "completed", "output": [], "usage": usage}
            told += [{"type": "response.completed", "response": done}]
            return [_event(one, str(one["type"])) for one in told]
        case "messages":
            start = {"input_tokens": 7, "cache_read_input_tokens": 4, "output_tokens": 1}
            told = [{"type": "message_start", "message": {"id": "m", "usage": start}}]
            told += [
                {
                    "type": "content_block_delta",
                    "index": 0,
                    "delta": {"type": "text_delta", "text": word},
                }
                for word in words
            ]
            told += [
                {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}},
                {"type": "message_stop"},
            ]  # fmt: skip
            return [_event(one, str(one["type"])) for one in told]
        case "generate-content":
            told = [{"candidates": [{"content": {"parts": [{"text": word}]}}]} for word in words]
            told[-1]["candidates"][0]["finishReason"] = "STOP"
            told[-1]["usageMetadata"] = {
                "promptTokenCount": 11, "cachedContentTokenCount": 4,
                "candidatesTokenCount": 7, "totalTokenCount": 18,
            }  # fmt: skip
            return [_event(one) for one in told]
    told = [{"choices": [{"index": 0, "delta": {"content": word}}]} for word in words]
    told += [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
    usage = {
        "prompt_tokens": 11,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    told += [{"choices": [], "usage": usage}]
    return [*(_event(one) for one in told), b"data: [DONE]\n\n"]


def _event(value: dict[str, Any], name: str | None = None) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(value)}\n\n".encode()


async def begin_stream(request: web.Request, **headers: str) -> web.StreamResponse:
    response = web.StreamResponse(headers={"content-type": "text/event-stream", **headers})
    await response.prepare(request)
    return response


def streaming(
    protocol: WireProtocol = "chat-completions", words: list[str] | None = None
) -> Answer:
    """An upstream's answer: the whole stream, event by event."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        response = await begin_stream(request)
        for event in events(protocol, words or ["well", " done"]):
            await response.write(event)
        return response

    return answer


def statuses(
    *told: int, then: Answer | None = None, headers: dict[str, str] | None = None
) -> Answer:
    """An upstream's answers: these statuses, one a request, then `then`, or the last of them for ever."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        if number >= len(told) and then:
            return await then(request, number)
        status = told[min(number, len(told) - 1)]
        error = {"error": {"message": "no", "type": "an_error", "code": None}}
        return web.json_response(error, status=status, headers=headers)

    return answer


def upstream_of(
    url: str, protocols: tuple[WireProtocol, ...] = ("responses", "chat-completions"), **more: Any
) -> Upstream:
    base = url + "/v1" if protocols[0] in ("responses", "chat-completions") else url
    return Upstream(**{"name": url, "base_url": base, "protocols": protocols, "key": KEY, **more})


@dataclass
class Rig:
    """Opens upstreams and lanes for one test, and closes them after it."""

    gateway: Gateway
    folder: Path
    lanes: list[Lane] = field(default_factory=list)

    def lane(
        self,
        upstream: str,
        protocols: tuple[WireProtocol, ...] = ("responses", "chat-completions"),
        *,
        upstream_more: dict[str, Any] | None = None,
        **changes: Any,
    ) -> Lane:
        number = len(self.lanes)
        name = f"{self.folder.name}-{number}"
        config = LaneConfig(
            **{
                "lane": name,
                "socket": str(self.folder / f"{number}.sock"),
                "token": TOKEN,
                "upstream": upstream_of(upstream, protocols, **(upstream_more or {})),
                "models": (MODEL,),
                "access": "synthetic",
                "egress": str(self.folder / f"egress-{number}.jsonl"),
                "retry": {"tries": 3, "first_wait": 0.01, "longest_wait": 0.05},
                **changes,
            }
        )
        endings: list[Ending] = []
        ended = threading.Event()

        def on_fatal(ending: Ending) -> None:
            endings.append(ending)
            ended.set()

        lane = Lane(self.gateway, config, self.gateway.open(config, on_fatal), endings, ended)
        self.lanes.append(lane)
        return lane


@contextmanager
def upstream(answer: Answer, tls: ssl.SSLContext | None = None) -> Iterator[ScriptedUpstream]:
    with ScriptedUpstream(answer, tls) as server:
        yield server
