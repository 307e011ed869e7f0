# SPDX-License-Identifier: MIT
"""Lets a request to end unwind like Ctrl-C, so that agents end and nothing half made stays. Knows no run."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

REQUESTS = (signal.SIGTERM, signal.SIGHUP)


class EndedBySignal(KeyboardInterrupt):
    """The process was asked to end; `exit_code` is what a shell expects of it."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_code = 128 + number


def _raise(number: int, frame: FrameType | None) -> None:
    # A second request must not break into what the first one is putting away.
    for one in REQUESTS:
        signal.signal(one, signal.SIG_IGN)
    raise EndedBySignal(number)


@contextmanager
def unwinding() -> Iterator[None]:
    """Raise `EndedBySignal` in the block on SIGTERM or SIGHUP, where nobody handles or ignores them already.

    Only the main thread hears signals; in any other the block is as without.
    """
    ours = []
    if threading.current_thread() is threading.main_thread():
        ours = [one for one in REQUESTS if signal.getsignal(one) is signal.SIG_DFL]
    for one in ours:
        signal.signal(one, _raise)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


class Requests:
    """Requests to end that wait, from its making until `heed`.

    A signal's handler runs in the main thread whatever thread the system gave the signal to, so masks do
    not hold it back while other threads live; other handlers do. Outside the main thread nothing waits,
    since no handler runs there.
    """

    def __init__(self) -> None:
        self._waiting: list[int] = []
        self._handlers = {}
        if threading.current_thread() is threading.main_thread():
            for one in (signal.SIGINT, *REQUESTS):
                handler = signal.getsignal(one)
                if callable(handler):
                    self._handlers[one] = handler
                    signal.signal(one, lambda number, _frame: self._waiting.append(number))

    def heed(self) -> None:
        """Let requests through again, first one that came meanwhile; once only."""
        for one, handler in self._handlers.items():
            signal.signal(one, handler)
        self._handlers = {}
        waiting, self._waiting = self._waiting, []
        if waiting:
            signal.raise_signal(waiting[0])
