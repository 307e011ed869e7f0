# SPDX-License-Identifier: MIT
"""Decides which of an agent's requests may be forwarded, and reads them. Knows no upstream and sends nothing."""

import asyncio
import hmac
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

from aiohttp import web

from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, Ending, LaneConfig
from m4bench.harness.gateway.metering import Meter
from m4bench.harness.gateway.protocols.protocol import Asked, Route, Wire, protocol_of
from m4bench.harness.gateway.protocols.wires import wire_of
from m4bench.model.legible import legible

# An agent may send its next requests while earlier ones are answered; their bodies together are bounded.
BODIES_AT_ONCE = 2
LONGEST_MODEL = 100
BODY_IDLE_SECONDS = 60.0
_KEY_HEADERS = ("x-api-key", "x-goog-api-key", "api-key")
_PIECE = 1 << 16
# Text of a conversation packs to a tenth; what unpacks to a hundred times as much was made to do harm.
UNPACKED_FREELY = 1 << 20
UNPACKED_AT_MOST = 100
# Reading a longer body takes long enough for other lanes to notice.
READ_AT_ONCE = 256 << 10
_READER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="long bodies")


class RefusedError(Exception):
    """A request that is not forwarded.

    `why` is a short word for counts and the log, `message` what the agent is told, `model` the one it asked for where
    that is the reason.
    """

    def __init__(
        self,
        why: str,
        message: str,
        *,
        status: int = 403,
        state: str = "policy",
        model: str | None = None,
    ) -> None:
        super().__init__(why)
        self.why, self.message, self.status, self.state = why, message, status, state
        self.model = model


@dataclass(frozen=True)
class Call:
    """A request that may be forwarded; `asked` is None where it has no body."""

    route: Route
    wire: Wire
    method: str
    model: str | None
    asked: Asked | None

    @property
    def body(self) -> bytes:
        """What is sent."""
        return self.asked.body if self.asked else b""


class BodyRoom:
    """How many bytes of request bodies a lane holds at once."""

    def __init__(self, longest: int) -> None:
        self._left = longest * BODIES_AT_ONCE

    @contextmanager
    def held(self) -> Iterator["HeldBytes"]:
        """Give back at the end of the block what was taken in it."""
        held = HeldBytes(self)
        try:
            yield held
        finally:
            self._left += held.size

    def take(self, size: int) -> None:
        """Take room for so many bytes more.

        Raises:
            RefusedError: there is none.
        """
        if size > self._left:
            raise RefusedError("busy", "too many long requests at once", status=503)
        self._left -= size


class HeldBytes:
    """The bytes one request holds."""

    def __init__(self, room: BodyRoom) -> None:
        self._room = room
        self.size = 0

    def take(self, size: int) -> None:
        """Hold so many bytes more."""
        self._room.take(size)
        self.size += size


async def admitted(
    request: web.BaseRequest, config: LaneConfig, meter: Meter, held: HeldBytes
) -> Call:
    """Return what a request asks for, when it may be forwarded.

    Raises:
        RefusedError: it may not.
        ConnectionError: the client went away.
    """
    if meter.fatal:
        raise ended_refusal(meter.fatal)
    route = _route(request, config)
    wire = wire_of(route.protocol)
    asked = None
    if route.kind != "models":
        body = await _body(request, config.limits.longest_request, held)
        if len(body) <= READ_AT_ONCE:
            asked = _asked(wire, route, body, config)
        else:
            loop = asyncio.get_running_loop()
            asked = await loop.run_in_executor(_READER, _asked, wire, route, body, config)
    model = asked.model if asked else None
    if limit := meter.reached():
        raise limit_refusal(limit)
    return Call(route, wire, request.method, model, asked)


def ended_refusal(ending: Ending) -> RefusedError:
    """Return what an agent is told whose lane answers nothing more."""
    return RefusedError("ended", ending.reason, status=503, state=ending.state)


def limit_refusal(limit: str) -> RefusedError:
    """Return what an agent is told that has used what it may."""
    return RefusedError(
        "limit", f"this run has used what it may: {limit}", status=429, state="gateway-limit"
    )


def spoken_error(request: web.BaseRequest, config: LaneConfig, refused: RefusedError) -> bytes:
    """Return a refusal in the shape of the protocol that the path belongs to, or of the lane's first one."""
    route = protocol_of(request.raw_path, config.upstream.protocols)
    spoken = (*config.upstream.protocols, *WIRE_PROTOCOLS)
    wire = wire_of(route.protocol if route else spoken[0])
    return wire.error_body(refused.status, refused.state, f"m4bench gateway: {refused.message}")


def _route(request: web.BaseRequest, config: LaneConfig) -> Route:
    route = protocol_of(request.raw_path, config.upstream.protocols)
    if route is None:
        raise RefusedError("path", "this path is not forwarded")
    token = config.token.get_secret_value().encode()
    offered = [hmac.compare_digest(one, token) for one in _credentials(request)]
    if not any(offered):
        raise RefusedError("token", "the key is not this run's")
    if request.method != route.method:
        raise RefusedError("method", f"this path takes {route.method} only")
    if route.protocol not in config.upstream.protocols:
        raise RefusedError("protocol", f"the endpoint does not speak {route.protocol}")
    return route


def _credentials(request: web.BaseRequest) -> list[bytes]:
    given = [request.headers[name] for name in _KEY_HEADERS if name in request.headers]
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        given.append(bearer.strip())
    with suppress(ValueError):
        given += parse_qs(urlsplit(request.raw_path).query).get("key", [])
    return [one.encode("utf-8", "surrogateescape") for one in given]


def _asked(wire: Wire, route: Route, body: bytes, config: LaneConfig) -> Asked:
    asked = wire.request(body, route)
    if asked.refused:
        raise RefusedError(asked.refused, asked.refused)
    if asked.model not in config.models:
        other = legible(str(asked.model))[:LONGEST_MODEL]
        may = ", ".join(config.models)
        raise RefusedError("model", f"this run may use {may} only, not {other}", model=other)
    token = config.token.get_secret_value().encode()
    if token in body and (config.record or config.replay):
        # The token is another one in each run; two runs that show it to their model still ask the same.
        known = wire.request(body.replace(token, b"token"), route)
        asked = replace(known, body=asked.body)
    asked.work_out(text=bool(config.markers), alike=bool(config.record or config.replay))
    return asked


async def _body(request: web.BaseRequest, longest: int, held: HeldBytes) -> bytes:
    too_long = RefusedError("size", f"longer than {longest} bytes", status=413)
    if (request.content_length or 0) > longest:
        raise too_long
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "deflate"):
        raise RefusedError("encoding", "send the body as it is or with gzip", status=415)
    if request.headers.get("expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0
    inflate = None if encoding == "identity" else zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    pieces: list[bytes] = []
    sent = 0
    try:
        while piece := await _next_piece(request):
            sent += len(piece)
            for plain in _inflated(piece, inflate) if inflate else (piece,):
                if held.size + len(plain) > longest:
                    raise too_long
                if held.size + len(plain) > max(UNPACKED_FREELY, sent * UNPACKED_AT_MOST):
                    raise RefusedError("size", "unpacks to far more than was sent", status=413)
                held.take(len(plain))
                pieces.append(plain)
    except zlib.error:
        raise RefusedError("encoding", "the body is not what it says", status=400) from None
    except (TimeoutError, web.RequestPayloadError):
        raise RefusedError("body", "the body did not come to its end", status=408) from None
    if inflate and not inflate.eof:
        raise RefusedError("encoding", "the body is not what it says", status=400)
    return b"".join(pieces)


async def _next_piece(request: web.BaseRequest) -> bytes:
    async with asyncio.timeout(BODY_IDLE_SECONDS):
        return await request.content.readany()


def _inflated(piece: bytes, inflate: "zlib._Decompress") -> Iterator[bytes]:
    """Yield what a piece unpacks to, little by little: a few bytes may unpack to very many."""
    while True:
        plain = inflate.decompress(piece, _PIECE)
        yield plain
        piece = inflate.unconsumed_tail
        if not piece and len(plain) < _PIECE:
            return
