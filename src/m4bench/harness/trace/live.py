# SPDX-License-Identifier: MIT
"""Turns what a tool prints into a trace while it runs, and notices when it has said its last word.

It gets bytes from whatever thread drains the tool and knows neither the tool nor the sandbox. Nothing that a reader
does wrong reaches that thread: a tool whose output nobody drains would hang.
"""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from m4bench.harness.agents.reading import Conclusion, StreamReader
from m4bench.model.trace import TraceEvent

LONGEST_LINE = 32 << 20


class LiveTrace:
    """Feeds lines to a reader and its events to a sink; thread-safe.

    A line beyond 32 MiB counts as unread, and so does one over which the reader, which may be a plug-in's, breaks.

    Args:
        reader: of the tool.
        sink: is given each event as it comes.
        grace: seconds a tool may take to exit after its last event.
        overdue: called when it takes longer.
    """

    def __init__(
        self,
        reader: StreamReader,
        sink: Callable[[TraceEvent], None],
        *,
        grace: float,
        overdue: Callable[[], None],
    ) -> None:
        self.reader, self.sink, self.grace, self.overdue = reader, sink, grace, overdue
        self.first_event_seconds: float | None = None
        self.unread = 0
        self._started = time.monotonic()
        self._rest = bytearray()
        self._skipping = False
        self._ended = False
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Count seconds from now: the agent starts."""
        self._started = time.monotonic()

    def feed(self, chunk: bytes) -> None:
        """Take what was printed; after the end nothing."""
        with self._lock:
            if self._ended:
                return
            for position, part in enumerate(chunk.split(b"\n")):
                if position:
                    self._end_line()
                self._add(part)

    def _add(self, part: bytes) -> None:
        if self._skipping:
            return
        if len(self._rest) + len(part) > LONGEST_LINE:
            self._rest.clear()
            self._skipping = True
            self.unread += 1
        else:
            self._rest += part

    def _end_line(self) -> None:
        line, skipped = self._rest.decode("utf-8", "replace").strip(), self._skipping
        self._rest.clear()
        self._skipping = False
        if skipped or not line:
            return
        seconds = round(time.monotonic() - self._started, 3)
        if self.first_event_seconds is None:
            self.first_event_seconds = seconds
        self._give(lambda: self.reader.line(line, seconds))
        if self.reader.finished and self._timer is None:
            self._timer = threading.Timer(self.grace, self._late)
            self._timer.daemon = True
            self._timer.start()

    def _give(self, read: Callable[[], list[TraceEvent]]) -> None:
        """Give the sink what the reader has read; a reader that breaks has left something unread."""
        try:
            for event in read():
                if not isinstance(event, TraceEvent):
                    raise TypeError("a reader gives events")
                self.sink(event)
        except Exception:  # noqa: BLE001 # a third party's, in the thread that drains the tool
            self.unread += 1

    def _late(self) -> None:
        if not self._ended:
            self.overdue()

    def end(self, files: Mapping[str, Path], exit_code: int | None) -> Conclusion:
        """Return the tool's conclusion after its last line, with the events of the files it left given to the sink.

        Args:
            files: what the tool left, by the names under which it was collected.
            exit_code: of the tool.
        """
        with self._lock:
            if self._rest and not self._skipping:
                self._end_line()
            self._ended = True
            if self._timer is not None:
                self._timer.cancel()
            self._give(lambda: self.reader.end(files))
            self.unread += self.reader.unread
            try:
                return self.reader.conclusion(exit_code)
            except Exception:  # noqa: BLE001 # a third party's
                return Conclusion(None)
