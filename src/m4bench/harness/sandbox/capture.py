# SPDX-License-Identifier: MIT
"""Keeps what a program prints, its beginning and its end, within a bound; reads on so that it never blocks."""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

CHUNK = 1 << 16


class Capture:
    """Drains one pipe into one private file.

    The first half of `limit` bytes is written as it comes, the second half holds the end; a line says how
    many bytes between them were left out. `tap` is given every chunk as it comes, whatever is kept; what it
    raises is its own affair, and what it takes long for holds up the program.
    """

    def __init__(
        self,
        pipe: IO[bytes],
        path: Path,
        limit: int,
        tap: Callable[[bytes], None] | None = None,
    ) -> None:
        self.pipe, self.path, self.half, self.tap = pipe, path, limit // 2, tap
        self.cut = 0
        self.error: OSError | None = None
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._thread = threading.Thread(target=self._drain, daemon=True)
        path.touch(mode=0o600)
        self._thread.start()

    def _drain(self) -> None:
        written = 0
        with self.pipe, self.path.open("wb", buffering=0) as target:
            while chunk := self.pipe.read1(CHUNK):  # type: ignore[attr-defined]
                self._pass_on(chunk)
                head = chunk[: self.half - written]
                self._write(target, head)
                written += len(head)
                self._keep(chunk[len(head) :])
            if self.cut:
                self._write(target, f"\n[… {self.cut} bytes left out …]\n".encode())
            for chunk in self._tail:
                self._write(target, chunk)

    def _pass_on(self, chunk: bytes) -> None:
        tap = self.tap
        if tap is not None:
            with suppress(Exception):
                tap(chunk)

    def _write(self, target: IO[bytes], content: bytes) -> None:
        # A pipe that nobody drains would stop the agent: what cannot be stored is reported at the end.
        left = memoryview(content)
        try:
            while left and self.error is None:
                left = left[target.write(left) :]
        except OSError as error:
            self.error = error

    def _keep(self, chunk: bytes) -> None:
        if not chunk:
            return
        self._tail.append(chunk)
        self._tail_bytes += len(chunk)
        while self._tail_bytes > self.half:
            surplus = self._tail_bytes - self.half
            first = self._tail.popleft()
            dropped = min(surplus, len(first))
            if dropped < len(first):
                self._tail.appendleft(first[dropped:])
            self._tail_bytes -= dropped
            self.cut += dropped

    def finish(self, patience: float) -> None:
        """Wait until the pipe's last writer is gone, at most `patience` seconds; the tap is then let go."""
        self._thread.join(patience)
        self.tap = None

    def require_stored(self) -> None:
        """Raise OSError when something of what was kept could not be written."""
        if self.error is not None:
            raise self.error
