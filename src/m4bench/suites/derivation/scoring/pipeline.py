# SPDX-License-Identifier: MIT
"""Doing work on a stream of items in parallel and handing the answers on in order. Knows nothing else."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_MOST_THREADS = 8


def default_threads() -> int:
    """Return how many threads do the work; reading a file and a reference takes one more each."""
    return min(len(os.sched_getaffinity(0)), _MOST_THREADS)


def in_order(
    pool: Executor, work: Callable[[Item], Answer], items: Iterable[Item], ahead: int
) -> Iterator[Answer]:
    """Yield `work(item)` in the order of the items, with at most `ahead` of them under way."""
    waiting: deque[Future[Answer]] = deque()
    for item in items:
        waiting.append(pool.submit(work, item))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class Turns:
    """Letting parallel work do one step of it in order: number 0 first, then 1, and so on."""

    def __init__(self) -> None:
        self._next = 0
        self._changed = threading.Condition()

    def wait(self, number: int) -> None:
        """Return when it is this number's turn."""
        with self._changed:
            self._changed.wait_for(lambda: self._next == number)

    def finish(self, number: int) -> None:
        """End this number's turn, after waiting for it: every number must, even one whose work failed."""
        with self._changed:
            self._changed.wait_for(lambda: self._next == number)
            self._next += 1
            self._changed.notify_all()
