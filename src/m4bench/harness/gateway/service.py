# SPDX-License-Identifier: MIT
"""One lane as it runs: its socket, and what becomes of each request that comes in. Knows no process."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from aiohttp import web

from m4bench.harness.gateway.admission import (
    BodyRoom,
    Call,
    RefusedError,
    admitted,
    ended_refusal,
    spoken_error,
)
from m4bench.harness.gateway.bookkeeping import Books
from m4bench.harness.gateway.egress import EgressLine, EgressLog
from m4bench.harness.gateway.forwarding import Forwarding
from m4bench.harness.gateway.lane import Ending, LaneConfig, LaneSummary
from m4bench.harness.gateway.listener import Listener
from m4bench.harness.gateway.metering import Meter
from m4bench.harness.gateway.passing import JSON, ClientGoneError, answer_whole
from m4bench.harness.gateway.prices import prices_of, require_prices
from m4bench.harness.gateway.protocols.protocol import protocol_of
from m4bench.harness.gateway.rates import FairRate
from m4bench.harness.gateway.recording import Recorder, Recording
from m4bench.harness.gateway.replaying import replayed
from m4bench.harness.gateway.secrecy import secrets_of
from m4bench.harness.gateway.upstream import UpstreamClient, is_loopback_host
from m4bench.model.errors import InputError


class Service:
    """A lane that is open; made by `opened`."""

    def __init__(
        self,
        config: LaneConfig,
        books: Books,
        client: UpstreamClient | None,
        recording: Recording | None,
    ) -> None:
        self._config, self._books, self._client, self._recording = config, books, client, recording
        self._meter = books.meter
        self._room = BodyRoom(config.limits.longest_request)
        self._numbers = 0
        self._listener = Listener(self._handle)

    async def listen(self) -> str | None:
        """Begin to listen, and return the address of a loopback port, None for a Unix socket."""
        return await self._listener.open(Path(self._config.socket) if self._config.socket else None)

    async def close(self) -> LaneSummary:
        """Cut what is under way, close everything, and return what was counted."""
        await self._listener.close()
        if self._client:
            await self._client.close()
        if self._recording:
            self._recording.close()
        self._books.close()
        return self._meter.summary()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        self._numbers += 1
        number = self._numbers
        try:
            with self._room.held() as held:
                call = await admitted(request, self._config, self._meter, held)
                self._note(call)
                return await self._answered(request, call, number)
        except RefusedError as refused:
            return self._told_off(request, number, refused)
        except (ClientGoneError, ConnectionError):
            raise ConnectionResetError from None  # for which the server only closes the connection
        except Exception as error:  # noqa: BLE001 - a fault of ours ends the lane, not the process
            ending = Ending(state="infrastructure", reason=f"the gateway failed ({where(error)})")
            self._meter.end(ending)
            return self._told_off(request, number, ended_refusal(ending))

    async def _answered(
        self, request: web.BaseRequest, call: Call, number: int
    ) -> web.StreamResponse:
        if self._recording:
            return await replayed(request, call, number, self._recording, self._books)
        assert self._client
        return await Forwarding(request, call, number, self._client, self._books).answer()

    def _note(self, call: Call) -> None:
        """Note the model asked for, and the skills whose markers the request shows for the first time."""
        if call.model:
            self._meter.saw("models", call.model)
        if not call.asked:
            return
        for skill, marker in self._config.markers.items():
            if not self._meter.has_seen("skills", skill) and marker in call.asked.text:
                self._meter.saw("skills", skill)

    def _told_off(
        self, request: web.BaseRequest, number: int, refused: RefusedError
    ) -> web.StreamResponse:
        route = protocol_of(request.raw_path, self._config.upstream.protocols)
        line = EgressLine(
            lane=self._config.lane,
            request=number,
            attempt=0,
            protocol=route.protocol if route else None,
            method=request.method[:16],
            path=request.raw_path.partition("?")[0],
            model=refused.model,
            status=refused.status,
        )
        asked = route is not None and route.kind == "model" and refused.state == "policy"
        ending = Ending(state="policy", reason=refused.message) if asked else None
        self._books.refused(line, refused.why, ending)
        if refused.state == "gateway-limit":
            self._meter.end(Ending(state="gateway-limit", reason=refused.message))
        body = spoken_error(request, self._config, refused)
        # The clients of OpenAI and Anthropic do not ask again then.
        headers = {"content-type": JSON, "x-should-retry": "false"}
        return answer_whole(refused.status, headers, body)


async def opened(
    config: LaneConfig, rate: FairRate, on_fatal: Callable[[Ending], None]
) -> tuple[Service, str | None]:
    """Open a lane; return it and the address of its loopback port, None for a Unix socket.

    Raises:
        InputError: something it was told cannot be used; nothing stays open.
    """
    async with AsyncExitStack() as stack:
        own = Path(config.prices) if config.prices else None
        here = not config.replay and is_loopback_host(config.upstream.base_url)
        prices = prices_of(own, here=here)
        if config.limits.cost_usd is not None and not config.replay:
            require_prices(config.models, own, here=here)
        recording = client = recorder = None
        if config.replay:
            recording = Recording(Path(config.replay))
            stack.callback(recording.close)
        else:
            client = UpstreamClient(config)
            stack.push_async_callback(client.close)
        secrets = secrets_of(config.upstream)
        try:
            log = EgressLog(Path(config.egress))
            stack.callback(log.close)
            if config.record:
                recorder = Recorder(Path(config.record), secrets)
                stack.callback(recorder.close)
        except OSError as error:
            raise InputError(
                f"cannot be written ({error.strerror})", file=error.filename
            ) from error
        meter = Meter(config, prices, on_fatal)
        books = Books(config, meter, log, recorder, rate, secrets)
        service = Service(config, books, client, recording)
        address = await service.listen()
        stack.pop_all()
    return service, address


def where(error: BaseException) -> str:
    """Return the kind of an error and the place it came from, without its words, which may hold what passed."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{place}"
