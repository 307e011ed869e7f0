# SPDX-License-Identifier: MIT
"""The scripted model server: one object a test, on a free loopback port, in a thread of its own."""

import asyncio
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

from tests.harness.gateway.scripted import wire_chat, wire_google, wire_messages, wire_responses
from tests.harness.gateway.scripted.answer import Answer, Offer, answer_for, instance_of
from tests.harness.gateway.scripted.script import (
    Counts,
    Cut,
    Overflow,
    Script,
    Slow,
    Status,
    Turn,
)

SIDE_COUNTS = Counts(input=10, cached=0, output=5, reasoning=0)


@dataclass(frozen=True)
class Seen:
    """One request as it came; `side` when it did not move the script on."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    side: bool


class ScriptedServer:
    """A model server that follows a script.

    A request that offers a shell tool takes the next turn of the script; one that does not (a title, a check of
    routing, a count, a list of models) gets a harmless answer. Every request is kept in `seen`.
    """

    def __init__(
        self, turns: Sequence[Turn], *, models: Sequence[str] = ("scripted",), port: int = 0
    ) -> None:
        self.script = Script(turns)
        self.models = tuple(models)
        self.seen: list[Seen] = []
        self.port = port
        self._number = 0
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="scripted model", daemon=True)

    @property
    def url(self) -> str:
        """Its address, without a path."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def asked(self) -> list[Seen]:
        """The requests that moved the script on."""
        return [seen for seen in self.seen if not seen.side]

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        if self._failure:
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:  # noqa: BLE001 # told to the thread that started it
            self._failure = error
            self._ready.set()
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        app = web.Application(client_max_size=256 << 20)
        app.router.add_route("*", "/{path:.*}", self._handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self.port)
        await site.start()
        assert runner.addresses
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw) if raw else {}
        path = request.path
        if request.method != "POST":
            self._keep(request, body, side=True)
            return self._listed(request) if "models" in path else web.json_response({}, status=404)
        if path.endswith(("count_tokens", ":countTokens")):
            self._keep(request, body, side=True)
            return web.json_response({"input_tokens": 100, "totalTokens": 100})
        wire = _wire_of(path)
        if wire is None:
            self._keep(request, body, side=True)
            return web.json_response({"error": {"message": "no such path"}}, status=404)
        offer: Offer = wire.offer(body)
        side = offer.shell("true") is None
        self._keep(request, body, side=side)
        self._number += 1
        if side:
            answer = Answer(self._side_text(body), (), "stop", SIDE_COUNTS, self._number)
            return await self._say(request, wire, answer, body)
        return await self._turn(request, wire, offer, body)

    async def _turn(
        self,
        request: web.Request,
        wire: Any,
        offer: Offer,
        body: dict[str, Any],
    ) -> web.StreamResponse:
        turn, pause, cut = self.script.take(), 0.0, None
        if isinstance(turn, Status):
            error = wire.error(turn.code, turn.word, turn.message)
            return web.json_response(error, status=turn.code, headers=dict(turn.headers))
        if isinstance(turn, Overflow):
            status, error = wire.overflow()
            return web.json_response(error, status=status)
        if isinstance(turn, Slow):
            turn, pause = turn.turn, turn.seconds
        elif isinstance(turn, Cut):
            turn, cut = turn.turn, turn.after
        answer = answer_for(turn, offer, self._number)
        return await self._say(request, wire, answer, body, pause=pause, cut=cut)

    async def _say(
        self,
        request: web.Request,
        wire: Any,
        answer: Answer,
        body: dict[str, Any],
        *,
        pause: float = 0.0,
        cut: int | None = None,
    ) -> web.StreamResponse:
        # Google's is named in the path
        in_path = request.path.partition("/models/")[2].partition(":")[0]
        model = str(body.get("model") or in_path or "scripted")
        streamed = bool(body.get("stream")) or ":streamGenerateContent" in request.path
        if not streamed:
            parts = [json.dumps(wire.whole(answer, model)).encode()]
            kind = "application/json"
        else:
            counted = bool((body.get("stream_options") or {}).get("include_usage"))
            more = {"counted": counted} if wire is wire_chat else {}
            parts, kind = wire.stream(answer, model, **more), "text/event-stream"
        response = web.StreamResponse(headers={"content-type": kind})
        await response.prepare(request)
        sent = 0
        for part in parts:
            if pause:
                await asyncio.sleep(pause)
            if cut is not None and sent + len(part) > cut:
                await response.write(part[: cut - sent])
                await asyncio.sleep(0.05)
                assert request.transport is not None
                request.transport.close()
                return response
            await response.write(part)
            sent += len(part)
        await response.write_eof()
        return response

    def _side_text(self, body: dict[str, Any]) -> str:
        schema = wire_google.schema(body)
        return json.dumps(instance_of(schema)) if schema else "A short title"

    def _listed(self, request: web.Request) -> web.Response:
        listed: dict[str, Any] = {
            "object": "list",
            "data": [
                {"id": name, "object": "model", "type": "model", "display_name": name}
                for name in self.models
            ],
            "has_more": False,
        }
        if request.path.startswith("/v1beta/"):
            listed = {"models": [{"name": f"models/{name}"} for name in self.models]}
        return web.json_response(listed)

    def _keep(self, request: web.Request, body: dict[str, Any], *, side: bool) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.seen.append(Seen(request.method, request.path_qs, headers, body, side))


def _wire_of(path: str) -> Any:
    if path.endswith("/responses"):
        return wire_responses
    if path.endswith("/chat/completions"):
        return wire_chat
    if path.endswith("/messages"):
        return wire_messages
    if path.endswith((":generateContent", ":streamGenerateContent")):
        return wire_google
    return None
