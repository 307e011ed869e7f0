# SPDX-License-Identifier: MIT
"""Bounds how many of a lane's model requests are under way at once. Knows no request and no upstream."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from m4bench.harness.gateway.lane import LaneLimits
from m4bench.harness.gateway.metering import Meter, Traffic
from m4bench.model.usage import Tokens

MOST_AT_ONCE = 64
# With a limit, what is under way when it is reached is used beyond it.
MOST_AT_ONCE_LIMITED = 4


@dataclass(frozen=True, eq=False)
class _Asking:
    model: str | None
    likely: Tokens
    ready: "asyncio.Future[None]"


class UnderWay:
    """Lets a lane's model requests through in the order in which they came.

    A request waits while as many are under way as may be, or while these are likely to use what is left of a limit:
    whether they have is known when they are answered, and only then is a limit reached.
    """

    def __init__(self, limits: LaneLimits, meter: Meter) -> None:
        limited = (limits.requests, limits.tokens, limits.cost_usd) != (None, None, None)
        self._most = MOST_AT_ONCE_LIMITED if limited else MOST_AT_ONCE
        self._meter = meter
        self._running = 0
        self._waiting: deque[_Asking] = deque()

    @asynccontextmanager
    async def place(self, model: str | None, sent: int) -> AsyncIterator[None]:
        """Wait for a place and hold it while the block runs, and with it what `sent` bytes are likely to use."""
        asking = _Asking(
            model, Traffic(sent, 0).estimate, asyncio.get_running_loop().create_future()
        )
        self._waiting.append(asking)
        self._let_through()
        try:
            await asking.ready
        except asyncio.CancelledError:
            if not asking.ready.cancelled():
                self._leave(asking)
            elif asking in self._waiting:
                self._waiting.remove(asking)
            raise
        try:
            yield
        finally:
            self._leave(asking)

    def _leave(self, asking: _Asking) -> None:
        self._running -= 1
        self._meter.release(asking.model, asking.likely)
        self._let_through()

    def _let_through(self) -> None:
        while self._waiting and self._has_place():
            asking = self._waiting.popleft()
            if not asking.ready.done():
                self._running += 1
                self._meter.reserve(asking.model, asking.likely)
                asking.ready.set_result(None)

    def _has_place(self) -> bool:
        if self._running >= self._most:
            return False
        return not self._running or not self._meter.reached(begun=True, likely=True)
