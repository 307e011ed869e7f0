# SPDX-License-Identifier: MIT
"""Answers one admitted request from a recording. Knows no upstream."""

import asyncio
import json

from aiohttp import web

from m4bench.harness.gateway.admission import Call, RefusedError
from m4bench.harness.gateway.bookkeeping import Books
from m4bench.harness.gateway.egress import EgressLine
from m4bench.harness.gateway.lane import Ending
from m4bench.harness.gateway.passing import ClientGoneError, Passage, answer_whole
from m4bench.harness.gateway.recording import Exchange, Recording

MISMATCH = Ending(
    state="replay-mismatch", reason="the recording holds no answer to what the agent asks"
)


async def replayed(
    request: web.BaseRequest, call: Call, number: int, recording: Recording, books: Books
) -> web.StreamResponse:
    """Return the recorded answer, passed on already or not.

    Raises:
        RefusedError: there is none, which ends the lane.
        ClientGoneError: the client went away.
    """
    asked = call.asked
    found = recording.take(
        call.route.protocol,
        call.route.upstream_path,
        asked.fingerprint if asked else "",
        asked.shape if asked else "",
        lambda exchange: _of_the_same_tool(exchange, call),
    )
    meter = books.meter
    if found is None:
        meter.failed(MISMATCH, "model")
        meter.end(MISMATCH)
        raise RefusedError("replay", MISMATCH.reason, status=400, state=MISMATCH.state)
    exchange, same_words = found
    meter.begun(call.model)
    meter.replayed += 1
    meter.divergences += not same_words
    line = books.line(call, number, 1)
    line.status, line.bytes_sent = exchange.status, len(call.body)
    texts = books.texts()
    passage = Passage(request, books.secrets, books.config.limits.stream_idle, texts)
    with books.attempt(line, call, texts) as attempt:
        if exchange.status >= 400:
            failure = exchange.failure or MISMATCH
            line.outcome = f"failed:{failure.state}"
            meter.failed(failure, call.route.kind)
            body = b"".join(exchange.answer())
            line.bytes_received = len(body)
            return answer_whole(exchange.status, {"content-type": exchange.content_type}, body)
        await _passed_on(exchange, call, passage, books, line)
        attempt.done()
        return passage.cut() if exchange.cut else await passage.end()


def _of_the_same_tool(exchange: Exchange, call: Call) -> bool:
    """Tell whether a recorded request offered its model the same functions: another tool's answers call others."""
    if call.asked is None:
        return True
    recorded = call.wire.request(json.dumps(exchange.request).encode(), call.route)
    return set(recorded.tools) == set(call.asked.tools)


async def _passed_on(
    exchange: Exchange, call: Call, passage: Passage, books: Books, line: EgressLine
) -> None:
    reader = None
    if call.route.kind == "model":
        reader = call.wire.answer(exchange.content_type.startswith("text/event-stream"))
    cut = exchange.failure if exchange.cut else None
    try:
        await passage.begin(exchange.status, {"content-type": exchange.content_type})
        for piece in exchange.answer():
            line.bytes_received += len(piece)
            if reader:
                reader.feed(piece)
            await passage.pass_on(piece)
        await passage.flush()
    except (asyncio.CancelledError, ClientGoneError):
        books.settle(call, reader, line, gone=True)
        raise
    books.settle(call, reader, line, cut=cut, gone=exchange.cut and cut is None)
