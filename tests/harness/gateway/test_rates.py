# SPDX-License-Identifier: MIT
"""What an endpoint takes is shared between lanes by turns, and never exceeded."""

import asyncio
from typing import Any

import pytest

from m4bench.harness.gateway.lane import RateLimit
from m4bench.harness.gateway.rates import Bucket, FairRate


class Clock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def order_of(rate: FairRate, lanes: list[str], cancelled: tuple[int, ...] = ()) -> list[str]:
    """The order in which requests of these lanes got their turns while one was held from the start."""
    order: list[str] = []

    async def one(lane: str) -> None:
        async with rate.turn(lane):
            order.append(lane)
            await asyncio.sleep(0)

    async def run() -> None:
        async with rate.turn("first"):
            waiting = [asyncio.create_task(one(lane)) for lane in lanes]
            await asyncio.sleep(0)
            for number in cancelled:
                waiting[number].cancel()
            await asyncio.sleep(0)
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(run())
    return order


def test_a_lane_with_many_requests_starves_nobody() -> None:
    """Fifty requests of one lane wait first; another lane's two get the second and the fourth turn."""
    order = order_of(FairRate(RateLimit(concurrent=1)), ["busy"] * 50 + ["other"] * 2)
    assert order[:5] == ["busy", "other", "busy", "other", "busy"]
    assert len(order) == 52


def test_one_that_stops_waiting_holds_nobody_up() -> None:
    """Its turn goes to the next."""
    order = order_of(FairRate(RateLimit(concurrent=1)), ["a", "a", "b", "c"], cancelled=(0, 2))
    assert order == ["a", "c"]


def test_no_more_run_at_once_than_stated() -> None:
    """Of twenty requests, three run together and all run."""
    rate = FairRate(RateLimit(concurrent=3))
    running = most = done = 0

    async def one(lane: str) -> None:
        nonlocal running, most, done
        async with rate.turn(lane):
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.001)
            running -= 1
            done += 1

    async def run() -> None:
        await asyncio.gather(*(one(str(number % 4)) for number in range(20)))

    asyncio.run(run())
    assert (most, done) == (3, 20)


@pytest.mark.parametrize(
    ("per_minute", "capacity", "taken", "seconds", "level", "wait"),
    [
        (60, 1, 1, 0, 1, 1.0),
        (60, 1, 1, 0.25, 1, 0.75),
        (60, 1, 1, 1, 1, 0.0),
        (600, 10, 10, 0, 1, 0.1),
        (600, 10, 4, 0, 1, 0.0),
        (6000, 1000, 3000, 0, 0, 20.0),
        (6000, 1000, 3000, 15, 0, 5.0),
        (6000, 1000, 0, 3600, 0, 0.0),
    ],
)
def test_a_bucket_fills_steadily(
    per_minute: float, capacity: float, taken: float, seconds: float, level: float, wait: float
) -> None:
    """It may be overdrawn, pays back first, and never holds more than its capacity."""
    clock = Clock()
    bucket = Bucket(per_minute, capacity, clock)
    bucket.take(taken)
    clock.now += seconds
    assert bucket.wait(level) == pytest.approx(wait)


@pytest.mark.parametrize(
    ("limit", "used", "passed"),
    [
        ({"requests_per_minute": 6}, 0, 1),
        ({"requests_per_minute": 600}, 0, 10),
        ({"tokens_per_minute": 600}, 100, 2),
        ({"tokens_per_minute": 600}, 60, 2),
        ({"tokens_per_minute": 600}, 40, 3),
        ({}, 1000, 20),
    ],
)
def test_so_many_pass_before_time_does(limit: dict[str, Any], used: int, passed: int) -> None:
    """Of twenty requests one after another, each of `used` tokens, while the clock stands still.

    600 tokens a minute let a burst of 100 through, and the one after which more were used.
    """
    rate = FairRate(RateLimit(**limit), Clock())
    done = 0

    async def run() -> None:
        nonlocal done
        for _ in range(20):
            async with rate.turn("lane"):
                rate.used(used)
                done += 1

    async def within() -> None:
        task = asyncio.create_task(run())
        for _ in range(200):
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(within())
    assert done == passed
