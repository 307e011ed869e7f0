# SPDX-License-Identifier: MIT
"""Shares what an endpoint takes a minute, and at once, fairly between the lanes that wait. Knows no request."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from m4bench.harness.gateway.lane import RateLimit

# A bucket of tokens holds what comes in so many seconds: the burst a pause allows.
BURST_SECONDS = 10.0


class Bucket:
    """Units that come back at a steady rate up to a capacity; it may be overdrawn, and then pays back first."""

    def __init__(self, per_minute: float, capacity: float, clock: Callable[[], float]) -> None:
        self._rate = per_minute / 60
        self._capacity = capacity
        self._clock = clock
        self._level = capacity
        self._at = clock()

    def take(self, units: float) -> None:
        """Take so many units, there or not."""
        self._fill()
        self._level -= units

    def wait(self, level: float) -> float:
        """Return in how many seconds the bucket will hold `level` units; 0 when it does."""
        self._fill()
        # What is a rounding error short would otherwise wait for a time too short to be told from none.
        missing = level - self._level
        return missing / self._rate if missing > 1e-9 else 0.0

    def _fill(self) -> None:
        now = self._clock()
        self._level = min(self._capacity, self._level + (now - self._at) * self._rate)
        self._at = now


class FairRate:
    """Lets requests of many lanes through to one endpoint: the lanes that wait take turns, one request each.

    Requests a minute are a bucket of one second's worth and at least one; tokens a minute are counted when an
    answer told them, and no request starts while more were used than came in.
    """

    def __init__(self, limit: RateLimit, clock: Callable[[], float] = time.monotonic) -> None:
        self._concurrent = limit.concurrent
        self._requests = self._tokens = None
        if (requests := limit.requests_per_minute) is not None:
            self._requests = Bucket(requests, max(1.0, requests / 60), clock)
        if (tokens := limit.tokens_per_minute) is not None:
            self._tokens = Bucket(tokens, tokens * BURST_SECONDS / 60, clock)
        self._running = 0
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self, lane: str) -> AsyncIterator[None]:
        """Wait for the lane's turn and hold it while the block runs."""
        ready = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(lane, deque()).append(ready)
        self._let_through()
        try:
            await ready
        except asyncio.CancelledError:
            self._withdraw(lane, ready)
            raise
        try:
            yield
        finally:
            self._leave()

    def used(self, tokens: int) -> None:
        """Count the tokens an answer used."""
        if self._tokens:
            self._tokens.take(tokens)

    def _withdraw(self, lane: str, ready: "asyncio.Future[None]") -> None:
        if ready.done() and not ready.cancelled():
            self._leave()
        elif ready in (queue := self._waiting.get(lane, deque())):
            queue.remove(ready)
            if not queue:
                del self._waiting[lane]

    def _leave(self) -> None:
        self._running -= 1
        self._let_through()

    def _let_through(self) -> None:
        while self._waiting:
            if self._concurrent is not None and self._running >= self._concurrent:
                return
            if (pause := self._pause()) > 0:
                self._later(pause)
                return
            lane, queue = self._waiting.popitem(last=False)
            ready = queue.popleft()
            if queue:
                self._waiting[lane] = queue
            if ready.done():
                continue
            self._running += 1
            if self._requests:
                self._requests.take(1)
            ready.set_result(None)

    def _pause(self) -> float:
        requests = self._requests.wait(1.0) if self._requests else 0.0
        tokens = self._tokens.wait(0.0) if self._tokens else 0.0
        return max(requests, tokens)

    def _later(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._again)

    def _again(self) -> None:
        self._timer = None
        self._let_through()
