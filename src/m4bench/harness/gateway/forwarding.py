# SPDX-License-Identifier: MIT
"""Sends one admitted request up, again where that may help, and passes the answer down as it comes.

It does not know who listens for requests, nor the process.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

from m4bench.harness.gateway.admission import Call, ended_refusal, limit_refusal
from m4bench.harness.gateway.bookkeeping import Books, Told
from m4bench.harness.gateway.egress import EgressLine
from m4bench.harness.gateway.lane import Ending
from m4bench.harness.gateway.passing import JSON, ClientGoneError, Passage, answer_whole
from m4bench.harness.gateway.protocols.protocol import AnswerReader
from m4bench.harness.gateway.upstream import (
    UpstreamClient,
    connection_failure,
    error_body,
    passed_down,
    retry_after,
)

_AGAIN = {408, 409, 429}
_WORTH_RETRYING = {"provider-rate-limit", "provider-error", "provider-unreachable"}
_KEY_REFUSED = "the provider refused the key that the gateway holds"
_CUT = Ending(state="provider-error", reason="the answer was cut")
_EMPTY = Ending(state="provider-error", reason="the answer is empty")


@dataclass(frozen=True)
class _Failure:
    """An attempt of which nothing was passed on; `again` is whether another may help, after `wait` seconds."""

    ending: Ending
    status: int
    body: bytes
    again: bool
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": JSON})
    wait: float | None = None


class Forwarding:
    """One request on its way to the upstream and back, with all its attempts."""

    def __init__(
        self,
        request: web.BaseRequest,
        call: Call,
        number: int,
        client: UpstreamClient,
        books: Books,
    ) -> None:
        self._request, self._call, self._number = request, call, number
        self._client, self._books, self._config = client, books, books.config
        self._idle = self._config.limits.stream_idle
        self._begun = self._settled = False

    async def answer(self) -> web.StreamResponse:
        """Return the answer, passed on already or not.

        Raises:
            RefusedError: the lane may not send it any more.
            ClientGoneError: the client went away.
        """
        call = self._call
        try:
            if call.route.kind != "model":
                return await self._answer()
            async with self._books.under_way.place(call.model, len(call.body)):
                return await self._answer()
        except (asyncio.CancelledError, ClientGoneError):
            if self._begun and not self._settled:
                self._books.meter.abandoned()
            raise

    async def _answer(self) -> web.StreamResponse:
        policy = self._config.retry
        pause, attempt = policy.first_wait, 1
        while True:
            async with self._books.rate.turn(self._config.lane):
                self._still_allowed()
                failure = await self._attempt(attempt)
            if failure is None:
                assert self._passage.response
                return self._passage.response
            if not failure.again or attempt >= policy.tries:
                return self._given_up(failure)
            asked = pause if failure.wait is None else failure.wait
            await asyncio.sleep(min(asked, policy.longest_wait))
            pause, attempt = min(pause * 2, policy.longest_wait), attempt + 1

    def _still_allowed(self) -> None:
        """Look again, after waiting for a turn: others of the lane were answered meanwhile."""
        meter = self._books.meter
        if meter.fatal:
            raise ended_refusal(meter.fatal)
        if limit := meter.reached(begun=self._begun):
            raise limit_refusal(limit)
        if not self._begun:
            self._begun = True
            meter.begun(self._call.model)

    def _given_up(self, failure: _Failure) -> web.StreamResponse:
        self._settled = True
        self._books.meter.failed(failure.ending, self._call.route.kind)
        texts = self._books.texts()
        if texts:
            texts.feed(failure.body)
        kind = failure.headers.get("content-type", JSON)
        self._books.record(self._call, Told(failure.status, kind, failure=failure.ending), texts)
        return answer_whole(failure.status, failure.headers, failure.body)

    async def _attempt(self, attempt: int) -> _Failure | None:
        """Send once; return None when the answer was passed on."""
        line = self._books.line(self._call, self._number, attempt)
        line.path = self._client.path(self._call.route.upstream_path)
        line.scheme, line.host = self._client.scheme, self._client.host
        line.port, line.bytes_sent = self._client.port, len(self._call.body)
        self._texts = self._books.texts()
        self._passage = Passage(self._request, self._books.secrets, self._idle, self._texts)
        with self._books.attempt(line, self._call, self._texts) as self._now:
            return await self._sent(line)

    async def _sent(self, line: EgressLine) -> _Failure | None:
        try:
            async with asyncio.timeout(self._idle):
                response = await self._client.send(
                    self._call.method,
                    self._call.route.upstream_path,
                    self._request.headers,
                    self._call.body,
                )
        except aiohttp.ClientError as error:
            ending, connected = connection_failure(error)
            # A certificate does not become good by asking again.
            lasting = isinstance(error, aiohttp.ClientConnectorCertificateError)
            return self._nothing(line, ending, connected=connected, lasting=lasting)
        except TimeoutError:
            return self._nothing(line, self._silence(), status=504, lasting=True)
        except asyncio.CancelledError:
            self._settle(line, self._reader(stream=False), gone=True)
            raise
        self._books.meter.saw("hosts", f"{line.host}:{line.port}")
        line.status = response.status
        try:
            if 200 <= response.status < 300:
                return await self._passed_on(response, line)
            return await self._told_no(response, line)
        finally:
            response.close()

    async def _passed_on(
        self, response: aiohttp.ClientResponse, line: EgressLine
    ) -> _Failure | None:
        """Pass an answer on as it comes; return a failure only where nothing of it came."""
        reader = self._reader(stream=response.content_type == "text/event-stream")
        headers = self._books.clean(passed_down(response.headers))
        told = Told(response.status, headers.get("content-type", JSON))
        cut: Ending | None = None
        try:
            piece, cut = await self._next(response)
            if not piece and (cut or reader):
                cut = cut or _EMPTY
                silent = cut not in (_CUT, _EMPTY)
                return self._nothing(line, cut, status=504 if silent else 502, lasting=silent)
            line.first_byte_seconds = self._now.seconds
            await self._passage.begin(response.status, headers)
            while piece:
                line.bytes_received += len(piece)
                if reader:
                    reader.feed(piece)
                await self._passage.pass_on(piece)
                piece, cut = await self._next(response)
            await self._passage.flush()
        except (asyncio.CancelledError, ClientGoneError):
            self._settle(line, reader, told, gone=True)
            raise
        self._settle(line, reader, told, cut=cut)
        self._now.done()
        if cut is None:
            await self._passage.end()
        else:
            self._passage.cut()
        return None

    async def _next(self, response: aiohttp.ClientResponse) -> tuple[bytes, Ending | None]:
        """Return the next piece, empty at the end, and why it is the end before the end."""
        try:
            async with asyncio.timeout(self._idle):
                return await response.content.readany(), None
        except aiohttp.ClientError:
            return b"", _CUT
        except TimeoutError:
            return b"", self._silence()

    async def _told_no(self, response: aiohttp.ClientResponse, line: EgressLine) -> _Failure:
        """Return the failure that an upstream told by its status."""
        status = response.status
        if status < 400:
            ending = Ending(
                state="provider-request",
                reason=f"the endpoint redirects elsewhere ({status}), which is not followed",
            )
            return self._nothing(line, ending)
        body = await error_body(response, self._idle)
        line.bytes_received = len(body)
        ending = self._call.wire.error(status, body)
        line.outcome = f"failed:{ending.state}"
        headers = self._books.clean(passed_down(response.headers))
        if status in (401, 403):
            # Providers show part of the key that they refuse.
            headers["content-type"] = JSON
            body = self._call.wire.error_body(status, ending.state, _KEY_REFUSED)
        body = self._books.secrets.scrub(body)
        if self._texts:
            self._texts.feed(body)
        return _Failure(
            ending,
            status,
            body,
            (status in _AGAIN or status >= 500) and ending.state in _WORTH_RETRYING,
            headers,
            retry_after(response.headers),
        )

    def _nothing(
        self,
        line: EgressLine,
        ending: Ending,
        *,
        status: int = 502,
        connected: bool = True,
        lasting: bool = False,
    ) -> _Failure:
        """Return the failure of an attempt that brought nothing that can be passed on.

        A `lasting` one is not tried again; silence is one: who was silent for so long may be at work, and bill it.
        """
        line.outcome = f"failed:{ending.state}"
        if connected:
            self._books.meter.saw("hosts", f"{line.host}:{line.port}")
        else:
            line.bytes_sent = 0
        words = self._call.wire.error_body(
            status, ending.state, f"m4bench gateway: {ending.reason}"
        )
        again = ending.state in _WORTH_RETRYING and not lasting
        return _Failure(ending, status, words, again)

    def _settle(
        self,
        line: EgressLine,
        reader: AnswerReader | None,
        told: Told | None = None,
        *,
        cut: Ending | None = None,
        gone: bool = False,
    ) -> None:
        self._settled = True
        failure = self._books.settle(self._call, reader, line, cut=cut, gone=gone)
        if told:
            broken = line.outcome == "cut"
            told = Told(told.status, told.content_type, broken, failure)
            self._books.record(self._call, told, self._texts)

    def _reader(self, *, stream: bool) -> AnswerReader | None:
        model = self._call.route.kind == "model"
        return self._call.wire.answer(stream) if model else None

    def _silence(self) -> Ending:
        return Ending(state="provider-error", reason=f"said nothing for {self._idle:g} seconds")
